//! The outlook of chess searches: probabilities that more thinking changes nothing.

use serde::{Deserialize, Serialize};

use super::settings::EngineSettings;
use crate::game::Evaluator as _;
use crate::games::chess::{Evaluation, Move, Position};
pub(crate) use crate::outlook::NEAR;
use crate::outlook::course::BEGINNING;
use crate::outlook::{Course, MORE_EFFORT, Scene};
use crate::search::Report;
use crate::search::registry::Algorithm;

/// The course, still empty, of a search of `position` among `choices` root moves. `None` for settings without a learnt
/// outlook: all but the default search with the program's network.
pub fn course(
    settings: &EngineSettings,
    position: &Position,
    choices: usize,
) -> Option<Course<Move>> {
    is_learnt_for(settings).then(|| {
        Course::new(Scene {
            moves: choices,
            pieces: position.occupied().count() as u32,
            width: settings.evaluator().width(position),
        })
    })
}

/// Whether chances were learnt for these settings: the default search with the program's network.
pub(crate) fn is_learnt_for(settings: &EngineSettings) -> bool {
    let usual = EngineSettings::default();
    settings.search.algorithm == Algorithm::DepthFirst
        && settings.search.depth_first == usual.search.depth_first
        && settings.evaluation == Evaluation::Network
        && settings.network == usual.network
}

/// Probabilities, from 0 to 1, that more thinking changes nothing.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Prospects {
    /// The probability of the same move with 16 times the effort.
    pub move_stays: f64,
    /// The probability that the value then stays within half a pawn of the present one.
    pub value_stays: f64,
}

impl Prospects {
    /// The probabilities at a report on the best line, rounded to thousandths. `None` if the search has just begun, the
    /// value is proven, or the last iteration chose another move.
    pub fn at(course: &Course<Move>, report: &Report<Move>) -> Option<Prospects> {
        let says_nothing = report.nodes < BEGINNING || report.value.is_decided();
        if says_nothing || course.choice() != report.best_move() {
            return None;
        }
        let rounded = |it: f64| (it * 1_000.0).round() / 1_000.0;
        let outlook = course.outlook()?;
        Some(Prospects {
            move_stays: rounded(outlook.move_stays),
            value_stays: rounded(outlook.value_stays),
        })
    }

    /// The probabilities in words; `m` is the move chosen.
    pub fn words(&self, m: &str) -> String {
        let near = f64::from(NEAR) / 100.0;
        format!(
            "with {MORE_EFFORT} times the nodes {m} stays the choice with {}, its value within {near:.2} with {}",
            percent(self.move_stays),
            percent(self.value_stays)
        )
    }
}

/// A probability in percent; nothing is certain that was learnt from examples.
fn percent(probability: f64) -> String {
    format!("{:.0} %", (100.0 * probability).clamp(1.0, 99.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::spec::SearchSpec;

    #[test]
    fn only_what_was_learnt_for_has_a_course() {
        let has_course = |text: &str| {
            let spec: SearchSpec = text.parse().unwrap();
            let settings = spec.settings(Evaluation::default(), 1);
            course(&settings, &Position::initial(), 20).is_some()
        };
        assert!(has_course("depth-first"));
        assert!(has_course("depth-first:Threads=2"));
        for other in [
            "alpha-beta",
            "best-first",
            "depth-first:Evaluation=tactical",
            "depth-first:Depth-First=late=12",
        ] {
            assert!(!has_course(other), "{other}");
        }
    }

    #[test]
    fn nothing_is_told_to_be_certain() {
        let prospects = Prospects {
            move_stays: 1.0,
            value_stays: 0.423,
        };
        assert_eq!(
            prospects.words("e2e4"),
            "with 16 times the nodes e2e4 stays the choice with 99 %, its value within 0.50 with 42 %"
        );
    }
}
