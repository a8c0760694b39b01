//! MTD(f) in place of aspiration windows: the next θ to ask about, until the value is settled.
//!
//! In centipawns the root's value seldom stays the same, and following it point by point costs a search of the whole
//! tree for each. So steps double while the answers run in one direction, the remaining range is halved, and a range of
//! [`Scale::range`] suffices: conspiracy numbers ask for a likely range, not a point (N. Klingbeil's thesis, 1989, chapter
//! 3), and a move that is better by
//! less is not worth the effort of finding out.

use super::certificates::Certificate;
use crate::search::Cost;
use crate::value::Value;

/// Resolution of the questions, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scale {
    /// The evaluator's grain: no two values are closer.
    pub(crate) grain: i32,
    /// The first step beyond an answer.
    pub(crate) step: i32,
    /// A range narrower than this is settled.
    pub(crate) range: i32,
}

/// The range left by the answers so far.
#[derive(Clone, Debug)]
pub(crate) struct Settling {
    scale: Scale,
    /// The last demand's value, where the questions start.
    guess: Value,
    /// The last answer that held: a lower bound.
    pub(crate) lower: Certificate,
    /// The last answer that failed: an upper bound.
    pub(crate) upper: Certificate,
    step: i32,
}

impl Settling {
    /// A start without answers; the last demand's value was `guess`.
    pub(crate) fn new(scale: Scale, guess: Value) -> Settling {
        let unknown = |value| Certificate::new(value, Cost::INFINITE);
        Settling {
            scale,
            guess,
            lower: unknown(-Value::INFINITY),
            upper: unknown(Value::INFINITY),
            step: scale.step.max(scale.grain),
        }
    }

    /// Starts from a move that unexpectedly answered "at least `theta`?" with yes.
    pub(crate) fn after(scale: Scale, theta: Value, held: Certificate) -> Settling {
        let mut settling = Settling::new(scale, held.value);
        settling.learn(theta, held);
        settling
    }

    /// The next θ to ask about; `None` if the value is settled.
    ///
    /// "More?" is asked before "still as much?": it may change the move to play; the other takes half the nodes and
    /// mostly confirms it. An answer's bound is usually the value itself, so two questions suffice while the value stays
    /// (A. Plaat et al., "Best-first fixed-depth minimax algorithms", Artificial Intelligence 87, 1996).
    pub(crate) fn next_question(&mut self) -> Option<Value> {
        let Scale { grain, range, .. } = self.scale;
        let (lower, upper) = (self.lower.value, self.upper.value);
        if lower.offset(range - 1) >= upper {
            return None;
        }
        let theta = if (lower, upper) == (-Value::INFINITY, Value::INFINITY) {
            self.guess.next_up_by(grain)
        } else if lower == -Value::INFINITY {
            if upper > self.guess.offset(-grain) {
                // "Still as much?", or the part of it left by the first answer.
                upper
            } else {
                upper.offset(-self.stride()).next_up_by(grain).min(upper)
            }
        } else if upper == Value::INFINITY {
            let least = lower.next_up_by(grain);
            lower.offset(self.stride()).next_down_by(grain).max(least)
        } else if lower.is_decided() || upper.is_decided() {
            upper
        } else {
            let gap = i32::from(upper.get()) - i32::from(lower.get());
            lower.offset(gap / 2).next_up_by(grain).min(upper)
        };
        Some(theta)
    }

    /// The present step; doubles it for the next time.
    fn stride(&mut self) -> i32 {
        let stride = self.step;
        self.step = stride.saturating_mul(2);
        stride
    }

    /// Takes the answer to "at least `theta`?".
    pub(crate) fn learn(&mut self, theta: Value, answer: Certificate) {
        if answer.holds(theta) {
            self.lower = answer;
            return;
        }
        self.upper = answer;
        if answer.value.is_loss() {
            // An upper bound that is a loss counts as exact.
            self.lower = Certificate::new(answer.value, Cost::INFINITE);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Settles on `value` with answers whose bounds are at most `slack` off it, but never on the wrong side of the
    /// question. Returns the range and the number of questions.
    fn settle(scale: Scale, guess: i32, value: i32, slack: i32) -> (i32, i32, usize) {
        let mut settling = Settling::new(scale, Value::centipawns(guess));
        let mut questions = 0;
        while let Some(theta) = settling.next_question() {
            questions += 1;
            assert!(questions < 200, "never settles");
            let t = i32::from(theta.get());
            assert_eq!(t % scale.grain, 0, "a value the evaluator cannot give");
            let bound = if value >= t {
                t.max(value - slack)
            } else {
                (t - scale.grain).min(value + slack)
            };
            settling.learn(theta, Certificate::new(Value::centipawns(bound), Cost::ONE));
        }
        let end = |certificate: Certificate| i32::from(certificate.value.get());
        (end(settling.lower), end(settling.upper), questions)
    }

    const FINE: Scale = Scale {
        grain: 1,
        step: 30,
        range: 8,
    };

    #[test]
    fn a_value_that_stays_takes_two_questions() {
        assert_eq!(settle(FINE, 25, 25, 0), (25, 25, 2));
    }

    #[test]
    fn a_value_that_moves_far_takes_few() {
        let (lower, upper, questions) = settle(FINE, 0, 900, 1_000);
        assert!(lower <= 900 && 900 <= upper, "{lower} {upper}");
        assert!(questions <= 14, "{questions}");
        assert!(settle(FINE, 0, -900, 1_000).2 <= 14);
    }

    #[test]
    fn steps_are_pawns_where_values_are() {
        let pawns = Scale { grain: 100, ..FINE };
        assert_eq!(settle(pawns, 0, 100, 1_000), (100, 100, 2));
        assert_eq!(settle(pawns, 0, 0, 0), (0, 0, 2));
    }

    proptest! {
        #[test]
        fn the_range_holds_the_value_and_is_narrow(
            guess in -1_500..1_500,
            value in -1_500..1_500,
            slack in 0..1_500,
            pawns: bool,
        ) {
            let grain = if pawns { 100 } else { 1 };
            let round = |v: i32| v / grain * grain;
            let scale = Scale { grain, ..FINE };
            let (lower, upper, questions) = settle(scale, round(guess), round(value), round(slack));
            prop_assert!(lower <= round(value) && round(value) <= upper);
            prop_assert!(upper - lower < scale.range);
            prop_assert!(questions <= 20, "{}", questions);
        }
    }
}
