//! Explains why a search does not play a move: `cassius explain`.
//!
//! A search is watched. Its questions along the line, and their answers, show where it gave the line up. If the line
//! ends before that, or the search answers with another move, the line is extended by the search's own answers and by
//! moves that a longer search finds.
//!
//! - `follower`: records the questions about a line;
//! - `story`: selects those that explain the cut-off, from the root on;
//! - `record`: turns them into data, for chess;
//! - `text`: puts the data into words;
//! - `command`: the options, and printing.

pub(crate) mod command;
mod cut_off_trace;
mod line_recorder;
mod record;
#[cfg(test)]
mod tests;
mod text;

use anyhow::{Context as _, Result};

use self::cut_off_trace::{Cause, CutOffTrace};
use self::line_recorder::LineRecorder;
use self::record::Explanation;
use crate::engine::fault;
use crate::engine::settings::EngineSettings;
use crate::game::{Game as _, Root};
use crate::games::chess::{Move, Position};
use crate::search::{Limits, Observer, Report, Unobserved};

/// Most moves of a line, extensions included: longer lines explain no more.
const LONGEST: usize = 24;

/// Effort for an explanation.
#[derive(Clone, Copy, Debug)]
struct ExplanationLimits {
    /// Positions for the explained search.
    nodes: u64,
    /// Whether that search ends after the first iteration whose best move is the line's first move.
    until_found: bool,
    /// Positions for the longer search for each move added to the line; 0 adds none.
    deeper: u64,
}

/// Explains why a search with these settings does not play the first move of a line of legal moves, or did not at
/// first.
///
/// # Errors
/// If the search cannot be watched, or panics.
fn explain(
    root: &Root<Position>,
    line: &[Move],
    settings: &EngineSettings,
    effort: ExplanationLimits,
) -> Result<Explanation> {
    let mut line = line.to_vec();
    let mut given = line.len();
    loop {
        let seen = watch(root, &line, settings, effort)?;
        let added = effort.deeper > 0 && line.len() < LONGEST;
        if !added || !seen.lengthen(root, &mut line, settings, effort.deeper)? {
            return Ok(record::of(root, given, settings, &seen));
        }
        // The last move is not the user's, and those that stood behind it are gone.
        given = given.min(line.len() - 1);
    }
}

/// Record of a watched search.
struct WatchedSearch {
    follower: LineRecorder<Move>,
    /// The line's positions, the root's first.
    positions: Vec<Position>,
    story: CutOffTrace<Move>,
    /// Its reports; the last one is final.
    reports: Vec<Report<Move>>,
    last: Report<Move>,
    /// The report since which all have the line's first move as best move; `None` if the last one has another.
    found: Option<Report<Move>>,
}

impl WatchedSearch {
    /// Replaces the line's moves after the last stage by one, the search's answer or a longer search's; returns whether
    /// there is one.
    fn lengthen(
        &self,
        root: &Root<Position>,
        line: &mut Vec<Move>,
        settings: &EngineSettings,
        nodes: u64,
    ) -> Result<bool> {
        let is_open = matches!(self.story.cause, Cause::LineEnds | Cause::OtherReply);
        let Some(last) = self.story.stages.last().filter(|_| is_open) else {
            return Ok(false);
        };
        let after = last.worked_on().after;
        let next = match self.story.reply {
            Some(reply) => Some(reply),
            None => {
                let mut root = root.clone();
                for &m in &line[..after] {
                    root.play(m);
                }
                let limits = Limits::nodes(nodes);
                let mut searcher = settings.guarded();
                let report = searcher.search(&root.position, |it| {
                    it.search(&root, &limits, &mut Unobserved)
                })?;
                report.best_move()
            }
        };
        line.truncate(after);
        line.extend(next);
        Ok(next.is_some())
    }
}

/// Keeps the reports of a search, and ends it when it has found a move.
struct Listener {
    /// The move that ends the search, if one does.
    until: Option<Move>,
    reports: Vec<Report<Move>>,
}

impl Observer<Move> for Listener {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn wants_another_iteration(&mut self, done: &Report<Move>) -> bool {
        self.until.is_none() || done.best_move() != self.until
    }

    fn report(&mut self, report: &Report<Move>) {
        self.reports.push(report.clone());
    }
}

/// Runs a search, and records its reports and its questions along the line.
fn watch(
    root: &Root<Position>,
    line: &[Move],
    settings: &EngineSettings,
    effort: ExplanationLimits,
) -> Result<WatchedSearch> {
    let algorithm = settings.search.algorithm;
    let mut search = settings.watchable().with_context(|| {
        format!(
            "{algorithm} cannot be explained; choose depth-first, alpha-beta or alpha-beta-plain"
        )
    })?;
    let first = line.first().copied();
    let mut follower = LineRecorder::new(&root.position, line);
    let mut listener = Listener {
        until: first.filter(|_| effort.until_found),
        reports: Vec::new(),
    };
    let last = fault::guard(
        || fault::searching(algorithm.name(), &root.position),
        || {
            let limits = Limits::nodes(effort.nodes);
            search.search_watched(root, &limits, &mut listener, &mut follower)
        },
    )?;
    let reports = listener.reports;
    let plays = |it: &&Report<Move>| it.best_move() == first;
    let found = reports.iter().rev().take_while(plays).last().cloned();
    let before = found.as_ref().map_or(u64::MAX, |it| it.nodes);
    let mut positions = vec![root.position.clone()];
    for (ply, &m) in line.iter().enumerate() {
        positions.push(positions[ply].after(m));
    }
    Ok(WatchedSearch {
        story: CutOffTrace::new(&follower, before),
        follower,
        positions,
        reports,
        last,
        found,
    })
}
