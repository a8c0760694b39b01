//! Evidence for verdicts by best-first search: how many positions would have to be misjudged together for the value
//! to change, or for a bad move to be good.

use super::judge::counted;
use super::verdict::{Doubt, PositionVerdict};
use crate::engine::analyst::{Analyst, Sureness};
use crate::engine::limit::Limit;
use crate::engine::settings::EngineSettings;
use crate::engine::stopwatch::Stopwatch;
use crate::game::{Game as _, Root};
use crate::games::chess::line::WrittenLine;
use crate::games::chess::{Move, Position};
use crate::profile::Profile;
use crate::value::Value;

/// Best-first search for evidence.
pub(super) struct EvidenceSearch(Analyst);

impl EvidenceSearch {
    /// Makes the search; `None` if the settings are not those of best-first search.
    pub(super) fn new(settings: &EngineSettings) -> Option<EvidenceSearch> {
        Analyst::new(settings).ok().map(EvidenceSearch)
    }

    /// Adds to a verdict the numbers by a margin; with `all` also C<, C>, MinCN and MaxCN.
    pub(super) fn count(
        &mut self,
        root: &Root<Position>,
        limit: Limit,
        all: bool,
        verdict: PositionVerdict,
    ) -> PositionVerdict {
        let Some((told, threshold)) = self.profile(None, root, limit) else {
            return verdict;
        };
        let is_black = root.position.is_black_to_move();
        if all {
            return counted(is_black, &told, threshold, verdict);
        }
        let numbers = counted(is_black, &told, threshold, PositionVerdict::default());
        PositionVerdict {
            margin_lower: numbers.margin_lower,
            margin_higher: numbers.margin_higher,
            other_move: numbers.other_move,
            ..verdict
        }
    }

    /// The leaves that would have to be misjudged for `played` to be as good as the best move, worth `best` to the
    /// mover.
    pub(super) fn doubt(
        &mut self,
        root: &Root<Position>,
        played: Move,
        best: Value,
        limit: Limit,
    ) -> Option<Doubt> {
        let mut after = root.clone();
        after.play_recorded(played);
        if after.position.outcome().is_some() {
            return None;
        }
        // Leaves that must be wrong for the position to be worth at most `-best` to the opponent, who moves now; none
        // if that is so already.
        let (profile, _) = self.profile(Some(-best), &after, limit)?;
        let asked = profile.asked?;
        let holds = profile.value <= asked.target;
        let first = asked.names.into_iter().next();
        Some(Doubt {
            conspirators: if holds { Some(0) } else { asked.conspirators },
            line: first.map_or_else(String::new, |it| it.line.san),
        })
    }

    /// The conspiracy numbers of a position, and the threshold that the search completed; `None` if it failed.
    fn profile(
        &mut self,
        target: Option<Value>,
        root: &Root<Position>,
        limit: Limit,
    ) -> Option<(Profile<WrittenLine>, u32)> {
        self.0.clear();
        let mut clock = Stopwatch::start(&limit);
        let limits = limit.kept_by_search();
        let profile = self.0.profile_and(target, root, &limits, &mut clock).ok()?;
        match profile.sureness {
            Sureness::Counted(told) => Some((told, profile.iteration)),
            Sureness::Priced(_) => None,
        }
    }
}
