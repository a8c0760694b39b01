//! The weights of the chances that marks are right. Written by `cassius lab fit-marks`; see docs/games.md.

use super::FEATURES;

/// In the order of the features.
#[rustfmt::skip]
pub(super) static WEIGHTS: [f64; FEATURES] = [
    -0.2381, -0.3679, -0.6328, 1.1596, 0.7469, -0.5769, 1.7795, -0.0354, -2.3871, 1.2558, -2.5149, 0.2013, -0.1506,
];
