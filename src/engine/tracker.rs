//! Reports of a search so far: the last one on each line, the last one with certificates, and the history that the
//! [`outlook`] needs.

use std::collections::{BTreeMap, HashSet};

use super::outlook;
use crate::games::chess::Move;
use crate::outlook::{Outlook, SearchHistory};
use crate::search::{Bound, Report};

/// Keeps what an observer needs of the reports that it passes on to [`Tracker::learn`].
#[derive(Debug, Default)]
pub struct Tracker {
    /// The last report on each line, by its number.
    lines: BTreeMap<usize, Report<Move>>,
    /// The last report on the best line with a statement of sureness.
    certified: Option<Report<Move>>,
    history: Option<SearchHistory<Move>>,
}

impl Tracker {
    /// A tracker before the first report; `history` is `None` for searches without an outlook.
    pub fn new(history: Option<SearchHistory<Move>>) -> Tracker {
        Tracker {
            history,
            ..Tracker::default()
        }
    }

    /// Learns from the next report.
    pub fn learn(&mut self, report: &Report<Move>) {
        if report.line == 1 {
            if let Some(history) = &mut self.history {
                history.learn(report);
            }
            if report.conspiracy.is_some() {
                self.certified = Some(report.clone());
            }
        }
        self.lines.insert(report.line, report.clone());
    }

    /// The last report on the best line.
    pub fn best(&self) -> Option<&Report<Move>> {
        self.lines.get(&1)
    }

    /// The last report on each line, the best first. An iteration under way may have reported some lines only: the
    /// others are of the iteration before.
    pub fn lines(&self) -> impl Iterator<Item = &Report<Move>> {
        self.lines.values()
    }

    /// The lines of the last iteration, the best first.
    pub(crate) fn last_iteration(&self) -> impl Iterator<Item = &Report<Move>> {
        let last = self.best().map(|best| best.iteration);
        self.lines().filter(move |it| Some(it.iteration) == last)
    }

    /// The final best line, then those of the last iteration that begin with other moves. A larger value than the final
    /// one is lowered to it, as an upper bound: the search still prefers the best line.
    pub(crate) fn final_lines(&self, best: &Report<Move>) -> Vec<Report<Move>> {
        let mut lines = vec![best.clone()];
        lines.extend(self.last_iteration().cloned());
        let mut seen = HashSet::new();
        lines.retain(|it| seen.insert(it.best_move()));
        for line in &mut lines {
            if line.value > best.value {
                (line.value, line.bound) = (best.value, Bound::Upper);
            }
        }
        lines
    }

    /// The last report on the best line with a statement of sureness.
    pub fn certified(&self) -> Option<&Report<Move>> {
        self.certified.as_ref()
    }

    /// The outlook at a report on the best line that has been learnt from, if there is one ([`outlook::at_report`]).
    pub fn outlook_at(&self, report: &Report<Move>) -> Option<Outlook> {
        outlook::at_report(self.history.as_ref()?, report)
    }
}
