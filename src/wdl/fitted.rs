//! The numbers of the chances of winning. Written by `cassius lab fit-chances`.

/// Value at which every second game is won, in centipawns.
pub(super) const A: f64 = 208.0;
/// Centipawns ahead that multiply the odds of a win by e.
pub(super) const B: f64 = 187.0;
/// Centipawns behind that divide these odds by e.
pub(super) const C: f64 = 108.0;
