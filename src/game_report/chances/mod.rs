//! Chances that a stronger judge calls a move a loss of at least a twentieth, a tenth or a fifth of a point.
//!
//! A logistic regression on [`FEATURES`] features of a judged move. Its weights were learnt from games that Stockfish
//! judged (lab/docs/judging.md), for the default search and the program's network.

mod weights;

use serde::{Deserialize, Serialize};

use super::verdict::PositionVerdict;
use crate::value::Value;
use crate::wdl;

/// Losses whose chances are stated, in points.
pub const LOSSES: [f64; 3] = [0.05, 0.1, 0.2];

/// Words for chances, surest first, each with its least chance. Below the last there is no mark.
pub const WORDS: [(&str, f64); 3] = [("surely", 0.85), ("probably", 0.65), ("perhaps", 0.5)];

/// Number of features, the constant 1 included.
pub const FEATURES: usize = 13;

/// Chances that a stronger judge calls a move a loss, by the least size of the loss.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Chances {
    /// A twentieth of a point.
    pub dubious: f64,
    /// A tenth; at most `dubious`.
    pub mistake: f64,
    /// A fifth; at most `mistake`.
    pub blunder: f64,
}

/// Properties of a judged move from which its features are computed.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'v> {
    /// The verdict on the position before it.
    pub verdict: &'v PositionVerdict,
    /// Whether Black made the move.
    pub is_black: bool,
    /// Cost, in points.
    pub cost: f64,
    /// Number of legal moves.
    pub choices: usize,
    /// Whether the verdict prefers it.
    pub is_best: bool,
}

/// A typical error, in points: the unit of the error's feature.
const USUAL_ERROR_IN_POINTS: f64 = 0.05;
/// Added to costs and errors before taking logarithms, in points.
const LITTLE: f64 = 0.01;
/// Origin of the effort's feature, log2 of nodes.
const USUAL_EFFORT: f64 = 17.0;
/// Upper limit of log2 of nodes: nothing was learnt from longer searches.
const MOST_EFFORT: f64 = 22.0;
/// Doublings of nodes per unit of the effort's feature.
const DOUBLINGS: f64 = 4.0;
/// Upper limit of two features: the distance between cost and loss, in errors, and the change of the cost.
const FAR: f64 = 3.0;
/// Unit of the feature for changes of the cost, in points.
const MUCH: f64 = 0.1;

impl Circumstances<'_> {
    /// Features for the chance of a loss of `loss` points.
    pub fn features(&self, loss: f64) -> [f64; FEATURES] {
        let verdict = self.verdict;
        let value = verdict.value_for(self.is_black).unwrap_or(Value::DRAW);
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
    /// Chances for a move.
    pub fn of(circumstances: &Circumstances<'_>) -> Chances {
        Chances::by_features(&LOSSES.map(|loss| circumstances.features(loss)))
    }

    /// Chances by the features of the three losses.
    pub fn by_features(features: &[[f64; FEATURES]; 3]) -> Chances {
        Chances::by(&weights::WEIGHTS, features)
    }

    /// Chances by the features of the three losses, with these weights. A larger loss never gets a larger chance.
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

    /// Chances of a move whose value is proven: a blunder by its `cost` is surely one. If the
    /// value before the move is proven too, the cost decides.
    pub(super) fn of_proven(self, cost: f64, is_proven_before: bool) -> Chances {
        let is_blunder = cost >= LOSSES[2];
        let chance = |loss: f64, learnt: f64| match cost >= loss {
            true if is_blunder || is_proven_before => 1.0,
            false if is_proven_before => 0.0,
            _ => learnt,
        };
        Chances {
            dubious: chance(LOSSES[0], self.dubious),
            mistake: chance(LOSSES[1], self.mistake),
            blunder: chance(LOSSES[2], self.blunder),
        }
    }

    /// The three chances, smallest loss first.
    pub fn each(&self) -> [f64; 3] {
        [self.dubious, self.mistake, self.blunder]
    }
}
