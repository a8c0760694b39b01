//! Two values in one: what something is worth in the middlegame and in the endgame.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Middlegame and endgame value in centipawns, packed so that one addition adds both.
///
/// The endgame value sits in the upper half; a negative middlegame value borrows one from it, which
/// [`Score::endgame`] gives back. Either must stay within an `i16`, as it does with up to sixteen
/// pieces a side; boards set up with more than that get values that mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Score(i32);

impl Score {
    /// Worth nothing at all.
    pub const ZERO: Score = Score(0);

    /// A score from its two values.
    pub const fn new(middlegame: i16, endgame: i16) -> Score {
        Score(((endgame as i32) << 16) + middlegame as i32)
    }

    /// Value while all pieces are on the board.
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// Value once the pieces are gone.
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }

    /// The value at `phase` between [`super::phase::FULL`] (middlegame) and 0 (endgame).
    pub const fn tapered(self, phase: i32) -> i32 {
        let full = super::phase::FULL;
        (self.middlegame() * phase + self.endgame() * (full - phase)) / full
    }

    /// The sum, for constants.
    #[must_use]
    pub const fn plus(self, other: Score) -> Score {
        Score(self.0.wrapping_add(other.0))
    }

    /// The difference, for constants.
    #[must_use]
    pub const fn minus(self, other: Score) -> Score {
        Score(self.0.wrapping_sub(other.0))
    }
}

impl Add for Score {
    type Output = Score;

    fn add(self, other: Score) -> Score {
        self.plus(other)
    }
}

impl Sub for Score {
    type Output = Score;

    fn sub(self, other: Score) -> Score {
        self.minus(other)
    }
}

impl Mul<i32> for Score {
    type Output = Score;

    fn mul(self, times: i32) -> Score {
        Score(self.0.wrapping_mul(times))
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(self.0.wrapping_neg())
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    fn sub_assign(&mut self, other: Score) {
        *self = *self - other;
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_survive_arithmetic() {
        let samples = [-3_000, -700, -1, 0, 1, 29, 1_234];
        for a in samples {
            for b in samples {
                let score = Score::new(a, b);
                assert_eq!((score.middlegame(), score.endgame()), (a.into(), b.into()));
                let other = score * 3 - Score::new(b, a) + -score;
                let (a, b) = (i32::from(a), i32::from(b));
                assert_eq!(other.middlegame(), 2 * a - b);
                assert_eq!(other.endgame(), 2 * b - a);
            }
        }
    }

    #[test]
    fn tapering_goes_from_one_value_to_the_other() {
        let score = Score::new(100, -20);
        assert_eq!(score.tapered(super::super::phase::FULL), 100);
        assert_eq!(score.tapered(0), -20);
        assert_eq!(score.tapered(super::super::phase::FULL / 2), 40);
    }
}
