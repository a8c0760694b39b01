//! The chance that a mark is right: that a stronger judge calls a move a loss of a twentieth, a tenth or a fifth of a point at the
//! least.
//!
//! What is known of a move when it has been judged becomes [`FEATURES`] numbers for each of the three; a logistic regression
//! turns them into [`Chances`]. Its weights were learnt from games that Stockfish has judged (docs/games.md). They hold
//! for the default search and the program's network.

mod weights;

use serde::{Deserialize, Serialize};

use super::verdict::Verdict;
use crate::value::Value;
use crate::wdl;

/// Losses of which the chance is told, in points.
pub const LOSSES: [f64; 3] = [0.05, 0.1, 0.2];

/// The words for chances, each with the least that it takes, the surest first. Below the last there is no mark.
pub const WORDS: [(&str, f64); 3] = [("surely", 0.85), ("probably", 0.65), ("perhaps", 0.5)];

/// Numbers that a chance is made from, the constant 1 included.
pub const FEATURES: usize = 13;

/// The chances that a stronger judge calls a move a loss of so many points at the least.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Chances {
    /// A twentieth.
    pub dubious: f64,
    /// A tenth; not more than that.
    pub mistake: f64,
    /// A fifth; not more than that.
    pub blunder: f64,
}

/// What is known of a move that has been judged.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'v> {
    /// The verdict on the position before it.
    pub verdict: &'v Verdict,
    /// Whether Black has made it.
    pub is_black: bool,
    /// What it costs, in points.
    pub cost: f64,
    /// Legal moves there were.
    pub choices: usize,
    /// Whether it is the best one by the verdict.
    pub is_best: bool,
}

/// An error that is neither small nor large, in points.
const USUAL_ERROR_IN_POINTS: f64 = 0.05;
/// What is added to costs and errors before their logarithm is taken, in points.
const LITTLE: f64 = 0.01;
/// Effort is told as the logarithm to base 2 of the nodes, from here.
const USUAL_EFFORT: f64 = 17.0;
/// Nodes beyond this logarithm count as this: nothing was learnt from searches that lasted longer.
const MOST_EFFORT: f64 = 22.0;
/// Doublings of effort that count as 1.
const DOUBLINGS: f64 = 4.0;
/// Errors that a cost may be away from a loss, as far as it counts.
const FAR: f64 = 3.0;
/// A cost that is moved by so many points is moved much.
const MUCH: f64 = 0.1;

impl Circumstances<'_> {
    /// The numbers that the chance of a loss of so many points is made from.
    pub fn features(&self, loss: f64) -> [f64; FEATURES] {
        let verdict = self.verdict;
        let value = verdict.value_for_white().unwrap_or(Value::DRAW);
        let value = if self.is_black { -value } else { value };
        let expected = wdl::points(value);
        let error = verdict.error_in_points() + LITTLE;
        let moved = verdict.looks.map_or(0.0, |it| it.moved);
        let effort = (verdict.nodes.max(1) as f64).log2();
        let [move_stays, value_stays] = verdict
            .outlook
            .map_or([0.5; 2], |it| [it.move_stays, it.value_stays]);
        let is_best = f64::from(self.is_best);
        [
            1.0,
            f64::from(loss == LOSSES[1]),
            f64::from(loss == LOSSES[2]),
            ((self.cost + LITTLE) / (loss + LITTLE)).ln(),
            ((self.cost - loss) / error).clamp(-FAR, FAR),
            (error / USUAL_ERROR_IN_POINTS).ln(),
            4.0 * expected * (1.0 - expected),
            (moved / MUCH).min(FAR),
            value_stays,
            is_best,
            move_stays * is_best,
            (self.choices.max(1) as f64).ln() / 3.0,
            (effort.min(MOST_EFFORT) - USUAL_EFFORT) / DOUBLINGS,
        ]
    }
}

impl Chances {
    /// The chances for a move.
    pub fn of(circumstances: &Circumstances<'_>) -> Chances {
        Chances::by_features(&LOSSES.map(|loss| circumstances.features(loss)))
    }

    /// The chances by the features of the three losses.
    pub fn by_features(features: &[[f64; FEATURES]; 3]) -> Chances {
        Chances::by(&weights::WEIGHTS, features)
    }

    /// The same by other numbers. A larger loss is not likelier.
    pub fn by(weights: &[f64; FEATURES], features: &[[f64; FEATURES]; 3]) -> Chances {
        let mut least = 1.0;
        let [dubious, mistake, blunder] = features.map(|features| {
            let sum: f64 = weights.iter().zip(features).map(|(w, f)| w * f).sum();
            let chance = 1.0 / (1.0 + (-sum).exp());
            least = f64::min(least, (chance * 1_000.0).round() / 1_000.0);
            least
        });
        Chances {
            dubious,
            mistake,
            blunder,
        }
    }

    /// The three, the smallest loss first.
    pub fn each(&self) -> [f64; 3] {
        [self.dubious, self.mistake, self.blunder]
    }
}
