//! The weights of the chances that marks are right. Written by `cassius lab fit-marks`; see docs/games.md.

use super::FEATURES;

/// In the order of the features.
#[rustfmt::skip]
pub(super) static WEIGHTS: [f64; FEATURES] = [
    -0.3131, -0.3547, -0.7285, 1.1716, 0.6912, -0.0054, 0.6801, -0.4444, -0.7952, 1.6564, -2.8406, 0.0730, 0.1276,
];
