//! The record of a verdict as a line of JSON, and its fall.

use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::outcome::Input;
use crate::resumption::read_records;
use crate::yardstick;

/// The longer search visits this many times the nodes.
pub const TIMES: u64 = 16;

/// A verdict falls if its value changes by this many expected points.
const VALUE_FALLS: f64 = 0.1;
/// A verdict falls if its move loses this many expected points.
const MOVE_FALLS: f64 = 0.05;

/// The first line of a file: the conditions of its searches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of this format.
    pub falls: u32,
    /// Version and commit of Cassius.
    pub version: String,
    /// The search, as on the command line.
    pub search: String,
    /// Checksum of the search's network; `None` for other evaluations.
    pub network: Option<String>,
    /// Memory of the search, in MiB.
    pub hash: usize,
    /// Nodes of a search.
    pub nodes: u64,
    /// Plies between two positions of a game.
    pub every: usize,
    /// Seed of the choice of positions.
    pub seed: u64,
}

/// A place: the position after the first plies of a verdict's line, and another move there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Plies of the line before it.
    pub ply: usize,
    /// The move that is not on the line; `None` at its end.
    pub m: Option<String>,
}

/// A place that the look names, with what it has seen there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NamedPlace {
    /// The place.
    #[serde(flatten)]
    pub place: Place,
    /// Rank among the other moves there, from 0, and its value for the side to move, in centipawns.
    pub other: Option<(usize, i16)>,
    /// The last report whose line left the verdict's there.
    pub reported: Option<Reported>,
}

/// A report on a line that left the verdict's.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reported {
    /// Part of the search's nodes after which it came.
    pub part: f64,
    /// Its value for the side to move at the root, in centipawns.
    pub value: i16,
    /// Number of such reports.
    pub times: u32,
}

/// The results of a longer search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Longer {
    /// Its value, in centipawns, or as [`Value::get`](cassius::value::Value::get) encodes a decided game.
    pub value: i16,
    /// Its line.
    pub line: Vec<String>,
}

/// A verdict, the look at its line, and the longer searches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// Number of the game, from 0, over all files.
    pub game: u64,
    /// Plies of the game before the position.
    pub ply: usize,
    pub fen: String,
    /// Value for the side to move, in centipawns.
    pub value: i16,
    /// The line, made longer if it was short.
    pub line: Vec<String>,
    /// Places that the look names.
    pub places: Vec<NamedPlace>,
    /// Nodes that the look visited.
    pub look: u64,
    /// Results of the search with [`TIMES`] times the nodes.
    pub longer: Longer,
    /// Results of the longer search of the verdict's move alone; `None` if the longer search chose that move anyway.
    pub kept: Option<Longer>,
}

/// Expected points of a value for the side to move.
fn points(value: i16) -> f64 {
    yardstick::points(value.into(), 1.0)
}

impl Verdict {
    /// The place where the verdict falls; `None` if it stands.
    ///
    /// If the move loses, and what it is worth has changed more than what the best move is worth, the longer search's line is
    /// that of the move alone: the verdict said too much of its move. Otherwise it said too little of another one.
    pub fn fall(&self) -> Option<Place> {
        let [said, longer] = [self.value, self.longer.value].map(points);
        let kept = self.kept.as_ref().map(|it| points(it.value));
        let loses = kept.is_some_and(|it| longer - it >= MOVE_FALLS);
        if (longer - said).abs() < VALUE_FALLS && !loses {
            return None;
        }
        let said_too_much = kept.is_some_and(|it| loses && said - it >= longer - said);
        let line = match &self.kept {
            Some(kept) if said_too_much => &kept.line,
            _ => &self.longer.line,
        };
        Some(departure(&self.line, line))
    }
}

/// Reads files of one search, network and limit; returns the verdicts, and the files with their numbers of verdicts.
pub(super) fn read(paths: &[PathBuf]) -> Result<(Vec<Verdict>, Vec<Input>)> {
    let conditions = |header: &Header| {
        let network = header.network.as_deref().unwrap_or("none");
        let (search, nodes) = (&header.search, header.nodes);
        let found = format!("{search}, network {network}, {nodes} nodes");
        (found, header.seed)
    };
    let place = |it: &Verdict| (it.game, it.ply, it.fen.clone());
    read_records(paths, conditions, place)
}

/// The first place where another line leaves this one.
pub(super) fn departure(line: &[String], other: &[String]) -> Place {
    let same = line.iter().zip(other).take_while(|(a, b)| a == b).count();
    let m = other.get(same).filter(|_| same < line.len());
    Place {
        ply: same,
        m: m.cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    fn verdict(longer: (i16, &str), kept: Option<(i16, &str)>) -> Verdict {
        let longer_of = |(value, text): (i16, &str)| Longer {
            value,
            line: line(text),
        };
        Verdict {
            game: 0,
            ply: 20,
            fen: String::new(),
            value: 30,
            line: line("e2e4 e7e5 g1f3 b8c6"),
            places: Vec::new(),
            look: 0,
            longer: longer_of(longer),
            kept: kept.map(longer_of),
        }
    }

    fn place(ply: usize, m: &str) -> Option<Place> {
        let m = (!m.is_empty()).then(|| m.to_owned());
        Some(Place { ply, m })
    }

    #[test]
    fn what_changes_little_stands() {
        assert_eq!(verdict((60, "e2e4 c7c5"), None).fall(), None);
        assert_eq!(
            verdict((50, "d2d4 d7d5"), Some((20, "e2e4 c7c5"))).fall(),
            None
        );
    }

    #[test]
    fn a_value_falls_where_the_longer_line_leaves_the_verdicts() {
        let reply = verdict((-90, "e2e4 c7c5 g1f3"), None);
        assert_eq!(reply.fall(), place(1, "c7c5"));
        let end = verdict((150, "e2e4 e7e5 g1f3 b8c6 f1b5"), None);
        assert_eq!(end.fall(), place(4, ""));
        let short = verdict((150, "e2e4 e7e5"), None);
        assert_eq!(short.fall(), place(2, ""));
    }

    #[test]
    fn a_move_falls_by_its_refutation_or_by_a_better_one() {
        let refuted = verdict((20, "d2d4 d7d5"), Some((-40, "e2e4 e7e5 g1f3 d7d6")));
        assert_eq!(refuted.fall(), place(3, "d7d6"));
        let better = verdict((120, "d2d4 d7d5"), Some((30, "e2e4 c7c5")));
        assert_eq!(better.fall(), place(0, "d2d4"));
    }
}
