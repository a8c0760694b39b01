//! Why a search does not play a move: `cassius explain`.
//!
//! A search is watched while it looks at a position. What it asks along a line, and what answers, tells where it gave
//! the line up. Where the given line ends before that, or the search answers otherwise, it is made longer: by the search's
//! answers, and by moves that a longer search finds.
//!
//! - `follower`: the questions about a line;
//! - `story`: those that matter, from the root to where the line was cut off;
//! - `record`: the same for chess, as data;
//! - `text`: in words;
//! - `command`: from options to what is printed.

pub(crate) mod command;
mod follower;
mod record;
mod story;
#[cfg(test)]
mod tests;
mod text;

use anyhow::{Context as _, Result};

use self::follower::Follower;
use self::record::Explanation;
use self::story::{Cause, Story};
use crate::engine::fault;
use crate::engine::settings::EngineSettings;
use crate::game::Root;
use crate::games::chess::{Move, Position};
use crate::search::{Limits, Observer, Report, Unobserved};

/// Moves of a line, those that are added too: one that is longer explains no more.
const LONGEST: usize = 24;

/// How much is searched.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Positions that the explained search visits.
    nodes: u64,
    /// Whether it ends as soon as an iteration ends with the move.
    until_found: bool,
    /// Positions that a longer search visits for each move that is added to the line; 0: none is added.
    deeper: u64,
}

/// Why the search that the settings describe does not play the first move of a line of legal moves, or why it did not at
/// first.
///
/// # Errors
/// If the search cannot be watched, or is at fault.
fn explain(
    root: &Root<Position>,
    line: &[Move],
    settings: &EngineSettings,
    effort: Effort,
) -> Result<Explanation> {
    let mut line = line.to_vec();
    let given = line.len();
    loop {
        let seen = watch(root, &line, settings, effort)?;
        let added = effort.deeper > 0 && line.len() < LONGEST;
        if !added || !seen.lengthen(root, &mut line, settings, effort.deeper)? {
            return Ok(record::of(root, &line, given, settings, &seen));
        }
    }
}

/// What was seen of a search.
struct Seen {
    follower: Follower<Move>,
    story: Story<Move>,
    /// All that it reported; the last one is final.
    reports: Vec<Report<Move>>,
    last: Report<Move>,
    /// The report from which on it played the first move of the line, if it did at the end.
    found: Option<Report<Move>>,
}

impl Seen {
    /// Adds to the line the next move that the search's answers or a longer search give, in place of what the line has there;
    /// tells whether there is one.
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

/// Ends a search that has found a move, and keeps what it reports.
struct Listener {
    /// The move, if the search is to end with it.
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

/// Watches a search.
fn watch(
    root: &Root<Position>,
    line: &[Move],
    settings: &EngineSettings,
    effort: Effort,
) -> Result<Seen> {
    let algorithm = settings.search.algorithm;
    let mut search = settings.watchable().with_context(|| {
        format!(
            "{algorithm} cannot be explained; choose depth-first, alpha-beta or alpha-beta-plain"
        )
    })?;
    let first = line.first().copied();
    let mut follower = Follower::new(&root.position, line);
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
    Ok(Seen {
        story: Story::new(&follower, line, before),
        follower,
        reports,
        last,
        found,
    })
}
