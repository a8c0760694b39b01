//! The numbers of the chances of winning. Written by `cassius lab fit-chances`.

/// Value at which every second game is won, in centipawns.
pub(super) const A: f64 = 204.0;
/// Centipawns that multiply the odds of a win by e.
pub(super) const B: f64 = 160.0;
