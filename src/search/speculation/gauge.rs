//! What counts `MaxCN` and `MinCN` for the rules that need them: a search that keeps its tree.

use crate::game::{Evaluator, Game};
use crate::profile::Question;
use crate::profile::criticality::Extremes;
use crate::search::Searcher;
use crate::search::best_first::BestFirst;

/// A search that can tell the largest and the smallest conspiracy number of the root it searched last.
pub trait Gauge<G: Game>: Searcher<G> {
    /// The numbers; unknown before any search, and where no conspiracy can change the value.
    fn extremes(&self) -> Extremes;
}

/// Exact for its tree if all leaves are evaluated in the whole window.
impl<G, E> Gauge<G> for BestFirst<G, E>
where
    G: Game,
    E: Evaluator<G>,
    BestFirst<G, E>: Searcher<G>,
{
    fn extremes(&self) -> Extremes {
        let question = Question {
            beyond: 0,
            named: 0,
            ..Question::default()
        };
        let profile = self.profile(&question);
        profile.map_or_else(Extremes::default, |profile| Extremes {
            max_cn: profile.max_cn,
            min_cn: profile.min_cn,
        })
    }
}
