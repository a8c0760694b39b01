//! The outlook of chess searches: probabilities that more thinking changes nothing.

use super::settings::EngineSettings;
use crate::game::Evaluator as _;
use crate::games::chess::{Evaluation, Move, Position};
pub(crate) use crate::outlook::NEAR;
use crate::outlook::history::BEGINNING;
use crate::outlook::{MORE_EFFORT, Outlook, Scene, SearchHistory};
use crate::search::Report;
use crate::search::registry::Algorithm;

/// The history, still empty, of a search of `position` among `choices` root moves. `None` for settings without a learnt
/// outlook: all but the default search with the program's network.
pub fn history(
    settings: &EngineSettings,
    position: &Position,
    choices: usize,
) -> Option<SearchHistory<Move>> {
    is_learnt_for(settings).then(|| {
        SearchHistory::new(Scene {
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

/// The outlook at a report on the best line, its probabilities rounded to thousandths. `None` if the search has just
/// begun, the value is proven, or the last iteration chose another move.
pub fn at_report(history: &SearchHistory<Move>, report: &Report<Move>) -> Option<Outlook> {
    let says_nothing = report.nodes < BEGINNING || report.value.is_decided();
    if says_nothing || history.choice() != report.best_move() {
        return None;
    }
    let rounded = |it: f64| (it * 1_000.0).round() / 1_000.0;
    let outlook = history.outlook()?;
    Some(Outlook {
        move_stays: rounded(outlook.move_stays),
        value_stays: rounded(outlook.value_stays),
    })
}

/// An outlook in words; `m` is the move chosen.
pub(crate) fn words(outlook: &Outlook, m: &str) -> String {
    let near = f64::from(NEAR) / 100.0;
    format!(
        "with {MORE_EFFORT} times the nodes {m} stays the choice with {}, its value within {near:.2} with {}",
        percent(outlook.move_stays),
        percent(outlook.value_stays)
    )
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
    fn only_what_was_learnt_for_has_a_history() {
        let has_history = |text: &str| {
            let spec: SearchSpec = text.parse().unwrap();
            let settings = spec.settings(Evaluation::default(), 1);
            history(&settings, &Position::initial(), 20).is_some()
        };
        assert!(has_history("depth-first"));
        assert!(has_history("depth-first:Threads=2"));
        for other in [
            "alpha-beta",
            "best-first",
            "depth-first:Evaluation=tactical",
            "depth-first:Depth-First=late=12",
        ] {
            assert!(!has_history(other), "{other}");
        }
    }

    #[test]
    fn nothing_is_told_to_be_certain() {
        let outlook = Outlook {
            move_stays: 1.0,
            value_stays: 0.423,
        };
        assert_eq!(
            words(&outlook, "e2e4"),
            "with 16 times the nodes e2e4 stays the choice with 99 %, its value within 0.50 with 42 %"
        );
    }
}
