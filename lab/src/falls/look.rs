//! The look at a verdict's line after the search: which other moves come near, and which lines the search left.
//!
//! At each of the first positions of the line the other moves are searched for a small part of the effort, with the table
//! of the search. That, and the lines that the search itself had on the way, is all it takes; any search that keeps a
//! table can be looked at.

use std::collections::BTreeMap;

use super::record::{NamedPlace, Place, Reported, departure};
use cassius::engine::settings::ChessSearcher;
use cassius::game::{Game, Root};
use cassius::games::chess::notation::to_uci;
use cassius::games::chess::{Move, Position};
use cassius::search::{Limits, Observer, Occasion, Report};

/// Effort at each of the first positions of the line, in permille of the search's: a twentieth in all.
const EFFORTS: [u64; 6] = [15, 15, 9, 5, 3, 3];
/// Other moves told of each position.
const OTHERS: usize = 3;
/// Effort for a move at the end of a line that is too short, in permille of the search's.
const TO_GO_ON: u64 = 10;

/// A line in UCI notation.
pub(super) fn written(line: &[Move]) -> Vec<String> {
    line.iter().map(|&m| to_uci(m, true)).collect()
}

/// The reports on the best line of a search.
#[derive(Default)]
pub(super) struct Reports(Vec<(u64, i16, Vec<String>)>);

impl Observer<Move> for Reports {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn report(&mut self, report: &Report<Move>) {
        if report.line == 1 && report.occasion != Occasion::Final {
            let value = report.value.get();
            self.0.push((report.nodes, value, written(&report.pv)));
        }
    }
}

impl Reports {
    /// The places where reports left this line, of a search that visited so many nodes.
    fn departures(&self, line: &[String], nodes: u64) -> BTreeMap<Place, Reported> {
        let mut places: BTreeMap<Place, Reported> = BTreeMap::new();
        for (at, value, other) in &self.0 {
            let place = departure(line, other);
            let times = places.get(&place).map_or(0, |it| it.times);
            if place.m.is_some() {
                let reported = Reported {
                    part: *at as f64 / nodes.max(1) as f64,
                    value: *value,
                    times: times + 1,
                };
                places.insert(place, reported);
            }
        }
        places
    }
}

/// The first moves of a search's lines with their values, by rank.
struct RankedMoves(Vec<Option<(Move, i16)>>);

impl Observer<Move> for RankedMoves {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn report(&mut self, report: &Report<Move>) {
        if let (Some(place), Some(m)) = (self.0.get_mut(report.line - 1), report.best_move()) {
            *place = Some((m, report.value.get()));
        }
    }
}

/// The places on a verdict's line, with the line itself, made longer if it has few plies, and the nodes visited.
pub(super) struct Look {
    pub(super) line: Vec<String>,
    pub(super) places: Vec<NamedPlace>,
    pub(super) nodes: u64,
}

/// Looks at the line of a search that has just visited `nodes` nodes; `reports` are its own.
pub(super) fn look(
    search: &mut ChessSearcher,
    root: &Root<Position>,
    line: &[Move],
    nodes: u64,
    reports: &Reports,
) -> Look {
    let mut visited = 0;
    let mut think = |at: &Root<Position>, limits: &Limits<Move>, told: &mut dyn Observer<Move>| {
        let report = search.search(at, limits, told);
        visited += report.nodes;
        report.best_move()
    };
    let mut line = line.to_vec();
    let mut others = BTreeMap::new();
    let mut at = root.clone();
    for (ply, effort) in EFFORTS.into_iter().enumerate() {
        if at.position.outcome().is_some() {
            break;
        }
        if ply == line.len() {
            let limits = Limits::nodes(nodes * TO_GO_ON / 1_000);
            line.extend(think(&at, &limits, &mut RankedMoves(Vec::new())));
        }
        let Some(&m) = line.get(ply) else { break };
        let moves = at.position.legal_moves().into_iter();
        let limits = Limits {
            search_moves: moves.filter(|&other| other != m).collect(),
            multipv: OTHERS,
            ..Limits::nodes(nodes * effort / 1_000)
        };
        if !limits.search_moves.is_empty() {
            let mut lines = RankedMoves(vec![None; OTHERS]);
            think(&at, &limits, &mut lines);
            for (rank, (other, value)) in lines.0.into_iter().flatten().enumerate() {
                let m = Some(to_uci(other, true));
                others.insert(Place { ply, m }, (rank, value));
            }
        }
        at.play(m);
    }
    let line = written(&line);
    let reported = reports.departures(&line, nodes);
    let mut places: Vec<&Place> = others.keys().chain(reported.keys()).collect();
    places.sort();
    places.dedup();
    let named = |place: &Place| NamedPlace {
        place: place.clone(),
        other: others.get(place).copied(),
        reported: reported.get(place).copied(),
    };
    Look {
        places: places.into_iter().map(named).collect(),
        line,
        nodes: visited,
    }
}
