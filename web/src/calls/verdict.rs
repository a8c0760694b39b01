//! `verdict`: searches a position and reports while the search goes on.

use anyhow::Result;
use cassius::engine::analyst::{error_of_searched, give_or_take};
use cassius::engine::fault::guard;
use cassius::engine::limit::Limit;
use cassius::engine::outlook;
use cassius::engine::settings::EngineSettings;
use cassius::engine::stopwatch::Stopwatch;
use cassius::engine::tracker::Tracker;
use cassius::game::{Game as _, Root};
use cassius::game_report::Standing;
use cassius::games::chess::line::{WrittenLine, playable};
use cassius::games::chess::notation::to_fen;
use cassius::games::chess::{Evaluation, Move, Position, Quiescence};
use cassius::outlook::Outlook;
use cassius::profile::score::Scored;
use cassius::search::{Bound, Limits, Observer, Occasion, Report, Support};
use cassius::value::Value;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::request::{Request, read_move};
use super::written::{Chances, line, over, side, value};
use crate::desk::State;

/// Least milliseconds between two reports.
const PACE: f64 = 80.0;
/// Most lines.
const MOST_LINES: usize = 256;

/// Findings of a search so far.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Verdict {
    fen: String,
    side_to_move: &'static str,
    search: String,
    over: Option<&'static str>,
    iteration: u32,
    seldepth: u32,
    nodes: u64,
    ms: f64,
    fullness: u32,
    lines: Vec<VerdictLine>,
    standing: Option<String>,
    give_or_take: Option<u32>,
    band: Option<Band>,
    sureness: Option<Json>,
    outlook: Option<Outlook>,
    stopped: bool,
}

/// One of the best lines.
#[derive(Clone, Debug, Serialize)]
struct VerdictLine {
    rank: usize,
    value: Scored,
    bound: &'static str,
    chances: Chances,
    line: WrittenLine,
}

/// The value minus and plus the evaluation's error, in centipawns, where that may stand beside a searched value.
#[derive(Clone, Copy, Debug, Serialize)]
struct Band {
    low: i32,
    high: i32,
}

/// Watches a search and reports its findings.
pub(crate) struct Watch<'a> {
    state: &'a State,
    root: &'a Root<Position>,
    search: String,
    clock: Stopwatch,
    evaluator: Quiescence,
    tracker: Tracker,
    /// Time of the last report, in milliseconds.
    told: Option<f64>,
}

impl<'a> Watch<'a> {
    /// Watches a search of `root` for `lines` lines among `choices` root moves.
    pub(crate) fn new(
        state: &'a State,
        root: &'a Root<Position>,
        settings: &EngineSettings,
        limit: &Limit,
        (lines, choices): (usize, usize),
    ) -> Watch<'a> {
        Watch {
            state,
            root,
            search: settings.search.algorithm.name().to_owned(),
            clock: Stopwatch::start(limit),
            evaluator: settings.evaluator(),
            // The outlook was learnt from searches for one line.
            tracker: Tracker::new(
                (lines == 1)
                    .then(|| outlook::history(settings, &root.position, choices))
                    .flatten(),
            ),
            told: None,
        }
    }

    /// The last report on the best line.
    pub(crate) fn best(&self) -> Option<&Report<Move>> {
        self.tracker.best()
    }

    /// The verdict so far.
    pub(crate) fn verdict(&mut self) -> Verdict {
        let position = &self.root.position;
        let best = self.tracker.best();
        let give_or_take = best.and_then(|it| give_or_take(&mut self.evaluator, position, it));
        let centipawns = best.map(|it| i32::from(it.value.get()));
        let is_endgame = position.is_endgame();
        let error = centipawns.and_then(|it| error_of_searched(is_endgame, it, give_or_take));
        let band = centipawns.zip(error).map(|(value, by)| Band {
            low: value - by as i32,
            high: value + by as i32,
        });
        Verdict {
            fen: to_fen(position),
            side_to_move: side(position),
            search: self.search.clone(),
            over: over(position),
            iteration: best.map_or(0, |it| it.iteration),
            seldepth: best.map_or(0, |it| it.seldepth),
            nodes: best.map_or(0, |it| it.nodes),
            ms: self.clock.ms(),
            fullness: best.map_or(0, |it| it.fullness),
            lines: self.written(),
            standing: best.map(|it| self.standing(it.value).words()),
            give_or_take,
            band,
            sureness: self.tracker.certified().and_then(sureness),
            outlook: self.outlook(),
            stopped: false,
        }
    }

    /// The lines, each move once.
    fn written(&self) -> Vec<VerdictLine> {
        let mut moves = Vec::new();
        let mut lines = Vec::new();
        let is_black = self.root.position.is_black_to_move();
        for report in self.tracker.lines() {
            let pv = playable(self.root, &report.pv);
            if pv.is_empty() || moves.contains(&pv[0]) {
                continue;
            }
            moves.push(pv[0]);
            lines.push(VerdictLine {
                rank: lines.len() + 1,
                value: value(report.value),
                bound: match report.bound {
                    Bound::Exact => "exact",
                    Bound::Lower => "lower",
                    Bound::Upper => "upper",
                },
                chances: Chances::of(self.standing(report.value).odds, is_black),
                line: line(&self.root.position, &pv),
            });
        }
        lines
    }

    /// Who stands how at a value for the side to move, as game reports have it.
    fn standing(&self, value: Value) -> Standing {
        let position = &self.root.position;
        let for_white = match side(position) {
            "white" => value,
            _ => -value,
        };
        let stays = self.outlook().map(|it| it.value_stays);
        Standing::at(position, for_white, stays)
    }

    fn outlook(&self) -> Option<Outlook> {
        self.tracker.outlook_at(self.best()?)
    }
}

impl Observer<Move> for Watch<'_> {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.state.is_to_end() || self.clock.is_over()
    }

    fn report(&mut self, report: &Report<Move>) {
        self.tracker.learn(report);
        let now = self.clock.ms();
        let is_time = self.told.is_none_or(|told| now - told >= PACE);
        if is_time && report.occasion != Occasion::Final && !report.pv.is_empty() {
            self.told = Some(now);
            let verdict = self.verdict();
            self.state.progress(&verdict);
        }
    }
}

/// Numbers that say how sure a report's value is.
fn sureness(report: &Report<Move>) -> Option<Json> {
    let told = report.conspiracy?;
    let (low, high) = told.likely_range;
    Some(match told.support {
        Support::Leaves { below, above } => json!({
            "basis": "leaves",
            "below": below,
            "above": above,
            "low": value(low),
            "high": value(high),
            "tree_size": told.tree.map(|tree| tree.nodes),
        }),
        Support::ProofNumbers { below, above } => json!({
            "basis": "proof-numbers",
            "below": below,
            "above": above,
        }),
        Support::Prices { below, above } => json!({
            "basis": "prices",
            "price_below": below.units(),
            "price_above": above.units(),
            "at_most": value(high),
        }),
    })
}

/// Request of a search.
pub(crate) struct Question<'a> {
    pub(crate) root: &'a Root<Position>,
    pub(crate) settings: &'a EngineSettings,
    pub(crate) limit: Limit,
    pub(crate) lines: usize,
    /// Moves to search; all if empty.
    pub(crate) moves: Vec<Move>,
    /// Whether to clear the table first.
    pub(crate) clear: bool,
}

/// Searches a position; returns the verdict, and the last report on the best line: `None` if the game is over.
pub(crate) fn search(
    state: &State,
    question: &Question<'_>,
) -> Result<(Verdict, Option<Report<Move>>)> {
    let Question {
        root,
        settings,
        limit,
        lines,
        moves,
        clear,
    } = question;
    let limits = Limits {
        multipv: *lines,
        search_moves: moves.clone(),
        ..limit.kept_by_search()
    };
    let choices = limits.root_moves(&root.position).len();
    let mut watch = Watch::new(state, root, settings, limit, (*lines, choices));
    if over(&root.position).is_none() {
        let mut searcher = state.kept.searcher(settings)?;
        if *clear {
            searcher.clear();
        }
        let doing = || format!("{}, position {}", watch.search, to_fen(&root.position));
        let doing = doing();
        guard(|| doing, || searcher.search(root, &limits, &mut watch))?;
        state.kept.keep((*settings).clone(), searcher);
    }
    let mut verdict = watch.verdict();
    verdict.stopped = state.is_to_end();
    Ok((verdict, watch.best().cloned()))
}

pub(crate) fn answer(state: &State, request: &Request) -> Result<Json> {
    let given = request.position()?;
    let position = &given.root.position;
    let moves = request.search_moves.iter();
    let moves: Result<Vec<Move>> = moves.map(|text| read_move(position, text)).collect();
    let question = Question {
        root: &given.root,
        settings: &request.settings("depth-first", Evaluation::default())?,
        limit: request.limit(None),
        lines: request.lines.unwrap_or(1).clamp(1, MOST_LINES),
        moves: moves?,
        clear: request.clear,
    };
    let (verdict, _) = search(state, &question)?;
    Ok(serde_json::to_value(verdict)?)
}
