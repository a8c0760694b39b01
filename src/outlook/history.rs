//! The course of a search: statistics of its iterations.

use super::counted;
use super::features::{Features, features};
use super::model::Outlook;
use crate::search::{Occasion, Report, Support};

/// Nodes that count as the beginning of a search.
pub const BEGINNING: u64 = 1_000;

/// Factor by which every iteration reduces the weight of earlier ones.
const MEMORY: f64 = 0.5;

/// Properties of a position before it is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scene {
    /// Number of legal moves.
    pub moves: usize,
    /// Number of pieces on the board, kings and pawns included.
    pub pieces: u32,
    /// Width of the evaluation's error, in centipawns ([`Evaluator::width`](crate::game::Evaluator::width)).
    pub width: Option<f32>,
}

/// Statistics after the last iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchState<M> {
    /// The chosen move.
    pub best: M,
    /// Its value in centipawns, clamped by [`counted`](super::counted).
    pub value: i32,
    /// The first iteration's value.
    pub first_value: i32,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes at which the move was chosen.
    pub since: u64,
    /// The iteration, from 1.
    pub iteration: u32,
    /// Iterations since the move was chosen.
    pub iterations_kept: u32,
    /// Reports of [`Occasion::Improvement`] during this iteration.
    pub improvements: u32,
    /// Number of different moves chosen so far, those chosen during iterations included.
    pub candidates: usize,
    /// Changes of the choice; the weight of each halves with every iteration.
    pub changes: f64,
    /// Total change of the value, in centipawns, weighted likewise.
    pub swing: f64,
    /// Change of the value in the last iteration, in centipawns.
    pub rise: i32,
    /// Costs of a lower and of a higher value, in plies beyond the demand. `None` if such a value is ruled out, or its
    /// cost not reported.
    pub surplus: [Option<f64>; 2],
}

/// Tracks a search, iteration by iteration.
#[derive(Clone, Debug)]
pub struct SearchHistory<M> {
    scene: Scene,
    state: Option<SearchState<M>>,
    /// Moves that were chosen.
    candidates: Vec<M>,
    /// Improvements since the last iteration.
    improvements: u32,
}

impl<M: Copy + Eq> SearchHistory<M> {
    /// The course of a search that begins now.
    pub fn new(scene: Scene) -> SearchHistory<M> {
        SearchHistory {
            scene,
            state: None,
            candidates: Vec::new(),
            improvements: 0,
        }
    }

    /// Takes a report; only those on the best line count.
    pub fn learn(&mut self, report: &Report<M>) {
        let Some(best) = report.best_move().filter(|_| report.line == 1) else {
            return;
        };
        if report.occasion != Occasion::Final && !self.candidates.contains(&best) {
            self.candidates.push(best);
        }
        match report.occasion {
            Occasion::Iteration => self.iteration(best, report),
            Occasion::Improvement => self.improvements += 1,
            // It repeats the last report.
            Occasion::Final => {}
        }
    }

    fn iteration(&mut self, best: M, done: &Report<M>) {
        let value = counted(done.value);
        let nodes = done.nodes.max(BEGINNING);
        let mut state = SearchState {
            best,
            value,
            first_value: value,
            nodes,
            since: nodes,
            iteration: done.iteration,
            iterations_kept: 0,
            improvements: std::mem::take(&mut self.improvements),
            candidates: self.candidates.len(),
            changes: 0.0,
            swing: 0.0,
            rise: 0,
            surplus: surplus(done),
        };
        if let Some(last) = &self.state {
            state.first_value = last.first_value;
            state.rise = value - last.value;
            state.swing = MEMORY * last.swing + f64::from(state.rise.abs());
            state.changes = MEMORY * last.changes;
            if last.best == best {
                state.since = last.since;
                state.iterations_kept = last.iterations_kept + 1;
            } else {
                state.changes += 1.0;
            }
        }
        self.state = Some(state);
    }

    /// The chosen move; `None` before the first iteration.
    pub fn choice(&self) -> Option<M> {
        self.state.map(|state| state.best)
    }

    /// Features of the search's stability; `None` before the first iteration.
    pub fn features(&self) -> Option<Features> {
        self.state
            .as_ref()
            .map(|state| features(&self.scene, state))
    }

    /// Expected changes by more thinking; `None` before the first iteration.
    pub fn outlook(&self) -> Option<Outlook> {
        let features = self.features()?;
        let mut outlook = Outlook::of(&features);
        if self.scene.moves == 1 {
            outlook.move_stays = 1.0;
        }
        Some(outlook)
    }
}

/// Costs of a lower and of a higher value, in plies beyond the demand.
fn surplus<M>(done: &Report<M>) -> [Option<f64>; 2] {
    let Some(told) = done.conspiracy else {
        return [None; 2];
    };
    let Support::Prices { below, above } = told.support else {
        return [None; 2];
    };
    let beyond = |units: f64| units - f64::from(told.threshold);
    [below.units().map(beyond), above.units().map(beyond)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::outlook::features::{COUNT, NAMES};
    use crate::search::Cost;
    use crate::search::{Conspiracy, Occasion};
    use crate::value::Value;

    fn report(m: u32, value: i32, nodes: u64) -> Report<u32> {
        let value = Value::centipawns(value);
        Report {
            occasion: Occasion::Iteration,
            iteration: 3,
            nodes,
            conspiracy: Some(Conspiracy {
                threshold: 3,
                likely_range: (value, value),
                support: Support::Prices {
                    below: Cost::whole(5),
                    above: Cost::INFINITE,
                },
                tree: None,
            }),
            ..Report::before_search(value, vec![m])
        }
    }

    const SCENE: Scene = Scene {
        moves: 30,
        pieces: 20,
        width: Some(40.0),
    };

    fn feature(course: &SearchHistory<u32>, name: &str) -> f64 {
        let number = NAMES.iter().position(|&it| it == name).unwrap();
        course.features().unwrap()[number]
    }

    #[test]
    fn nothing_is_foretold_before_the_first_iteration() {
        let course: SearchHistory<u32> = SearchHistory::new(SCENE);
        assert_eq!(course.outlook(), None);
        assert_eq!(course.choice(), None);
    }

    #[test]
    fn a_course_remembers_changes_less_and_less() {
        let mut course = SearchHistory::new(SCENE);
        course.learn(&report(1, 10, 400));
        assert_eq!(feature(&course, "changes"), 0.0);
        assert_eq!(feature(&course, "from the beginning"), 1.0);
        course.learn(&report(2, -20, 4_000));
        assert_eq!(feature(&course, "changes"), 1.0);
        assert_eq!(feature(&course, "just chosen"), 1.0);
        assert!((feature(&course, "fall") - 0.3).abs() < 1e-9);
        course.learn(&report(2, -20, 16_000));
        assert_eq!(feature(&course, "changes"), 0.5);
        assert_eq!(feature(&course, "kept"), 0.5);
        assert_eq!(feature(&course, "fall"), 0.0);
        assert_eq!(feature(&course, "below"), 0.5);
        assert_eq!(feature(&course, "above"), 1.0);
        assert_eq!(course.choice(), Some(2));
    }

    #[test]
    fn improvements_name_candidates_but_change_nothing_yet() {
        let mut course = SearchHistory::new(SCENE);
        course.learn(&report(1, 10, 2_000));
        let improvement = Report {
            occasion: Occasion::Improvement,
            ..report(2, 30, 3_000)
        };
        let before = course.features();
        course.learn(&improvement);
        course.learn(&Report {
            line: 2,
            ..report(5, 0, 3_500)
        });
        assert_eq!((course.choice(), course.features()), (Some(1), before));
        course.learn(&report(1, 30, 4_000));
        assert_eq!(feature(&course, "improvements"), 0.5);
        assert_eq!(feature(&course, "candidates"), 2.0 / 3.0);
        assert_eq!(feature(&course, "iterations kept"), 0.2);
    }

    #[test]
    fn the_only_move_stays() {
        let mut course = SearchHistory::new(Scene { moves: 1, ..SCENE });
        course.learn(&report(1, 0, 5_000));
        assert_eq!(course.outlook().unwrap().move_stays, 1.0);
    }

    #[test]
    fn what_has_stood_long_is_likelier_to_stay() {
        let outlook = |moves: [u32; 5], values: [i32; 5]| {
            let mut course = SearchHistory::new(SCENE);
            for (number, (m, value)) in moves.into_iter().zip(values).enumerate() {
                let iteration = 4 + number as u32;
                course.learn(&Report {
                    iteration,
                    ..report(m, value, 1_000 << number)
                });
            }
            course.outlook().unwrap()
        };
        let settled = outlook([1, 1, 1, 1, 1], [20, 22, 21, 23, 22]);
        let restless = outlook([1, 2, 3, 1, 4], [20, -160, 130, -70, 90]);
        let both = format!("{settled:?} {restless:?}");
        assert!(settled.move_stays > restless.move_stays + 0.05, "{both}");
        assert!(settled.value_stays > restless.value_stays + 0.05, "{both}");
    }

    proptest! {
        #[test]
        fn whatever_a_search_says_the_outlook_is_a_probability(
            moves in 0_usize..300,
            pieces in 0_u32..64,
            width in prop::option::of(0.0_f32..1e9),
            steps in prop::collection::vec((0_u32..4, any::<i16>(), any::<u64>(), any::<u32>()), 1..9),
        ) {
            let mut course = SearchHistory::new(Scene { moves, pieces, width });
            for (m, value, nodes, iteration) in steps {
                let report = report(m, value.into(), nodes);
                course.learn(&Report { iteration, ..report });
                let outlook = course.outlook().unwrap();
                prop_assert!((0.0..=1.0).contains(&outlook.move_stays));
                prop_assert!((0.0..=1.0).contains(&outlook.value_stays));
            }
            prop_assert_eq!(course.features().unwrap().len(), COUNT);
        }
    }
}
