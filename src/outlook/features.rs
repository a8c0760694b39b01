//! Features of a search's course that tell its stability, as numbers of about the size of 1.

use super::history::{BEGINNING, Scene, SearchState};

/// Number of features.
pub(crate) const COUNT: usize = NAMES.len();

/// Names of the features, in order.
pub const NAMES: [&str; 22] = [
    "effort",
    "kept",
    "just chosen",
    "from the beginning",
    "changes",
    "swing",
    "rise",
    "fall",
    "drift",
    "width",
    "no width",
    "lead",
    "level",
    "pieces",
    "few pieces",
    "moves",
    "below",
    "above",
    "depth for effort",
    "iterations kept",
    "improvements",
    "candidates",
];

/// The features, in the order of [`NAMES`].
pub type Features = [f64; COUNT];

/// Cap on effort, as a logarithm to base 2 of nodes: the weights were not learnt from longer searches.
const MOST_EFFORT: f64 = 17.3;
/// Effort at which the first feature is 0, as a logarithm to base 2 of nodes.
const USUAL_EFFORT: f64 = 14.0;
/// Doublings of effort for each unit of the first feature.
const DOUBLINGS: f64 = 4.0;
/// Most pieces of a position with few pieces.
const FEW_PIECES: u32 = 10;
/// Width of the evaluation's error at which its feature is 0, in centipawns.
const USUAL_WIDTH: f64 = 60.0;
/// Centipawns of a large change of value.
const MUCH: f64 = 100.0;
/// Cap on costs beyond the demand, in plies.
const MOST_SURPLUS: f64 = 4.0;

/// A logarithmic scale of centipawns: 0 for 0, and 1 for about a pawn.
fn amount(centipawns: f64) -> f64 {
    (1.0 + centipawns.abs() / 15.0).log2() / 3.0
}

/// The features of a scene and a state.
pub fn features<M>(scene: &Scene, state: &SearchState<M>) -> Features {
    let log2 = |nodes: u64| (nodes.max(1) as f64).log2();
    let effort = log2(state.nodes).min(MOST_EFFORT);
    let rise = f64::from(state.rise) / MUCH;
    let surplus =
        |plies: Option<f64>| plies.map_or(1.0, |it| it.clamp(0.0, MOST_SURPLUS) / MOST_SURPLUS);
    let width = scene.width.map(f64::from);
    [
        (effort - USUAL_EFFORT) / DOUBLINGS,
        (log2(state.nodes) - log2(state.since)).min(10.0) / 4.0,
        f64::from(state.since == state.nodes),
        f64::from(state.since == BEGINNING),
        state.changes.min(2.0),
        amount(state.swing),
        rise.clamp(0.0, 2.0),
        (-rise).clamp(0.0, 2.0),
        amount(f64::from(state.value - state.first_value)),
        width.map_or(0.0, |width| (width.max(1.0) / USUAL_WIDTH).ln()),
        f64::from(width.is_none()),
        amount(f64::from(state.value)),
        f64::from(state.value == 0),
        f64::from(scene.pieces) / 32.0,
        f64::from(scene.pieces <= FEW_PIECES),
        (scene.moves.max(1) as f64).ln() / 3.0,
        surplus(state.surplus[0]),
        surplus(state.surplus[1]),
        f64::from(state.iteration) / log2(state.nodes).max(1.0),
        f64::from(state.iterations_kept.min(10)) / 5.0,
        f64::from(state.improvements.min(4)) / 2.0,
        state.candidates as f64 / 3.0,
    ]
}
