//! What becomes of the parameters a position calls for: their sum, or a list of them.

use shakmaty::{Bitboard, Color};

use super::parameters::{COUNT, Parameters, TERMS, Term};
use super::score::Score;
use super::weights::WEIGHTS;

/// Receives each parameter that applies to a position.
pub(super) trait Tally {
    /// What stands for a parameter.
    type Weight: Copy + 'static;

    /// All parameters.
    fn parameters() -> &'static Parameters<Self::Weight>;

    /// A parameter applies so many times in favour of `side`.
    fn add(&mut self, side: Color, weight: Self::Weight, times: usize);

    /// A parameter applies once for each of these squares. Mostly there are none, and counting takes
    /// longer than to see that.
    #[inline]
    fn add_each(&mut self, side: Color, weight: Self::Weight, squares: Bitboard) {
        if squares.any() {
            self.add(side, weight, squares.count());
        }
    }
}

/// The sum of the weights.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    sides: [Score; 2],
}

impl Sum {
    /// Starts from a balance in White's favour.
    #[inline]
    pub(super) fn starting_from(balance: Score) -> Sum {
        let mut sum = Sum::default();
        sum.sides[Color::White as usize] = balance;
        sum
    }

    /// White's score less Black's.
    #[inline]
    pub(super) fn balance(&self) -> Score {
        self.sides[Color::White as usize] - self.sides[Color::Black as usize]
    }
}

impl Tally for Sum {
    type Weight = Score;

    #[inline]
    fn parameters() -> &'static Parameters<Score> {
        &WEIGHTS
    }

    #[inline]
    fn add(&mut self, side: Color, weight: Score, times: usize) {
        self.sides[side as usize] += weight * times as i32;
    }
}

/// How often each parameter applies: White's count less Black's.
pub(super) struct Counts(Box<[i16; COUNT]>);

impl Counts {
    /// The parameters that apply, by place.
    pub(super) fn applying(&self) -> Vec<(u16, i16)> {
        let counts = (0..).zip(self.0.iter().copied());
        counts.filter(|entry| entry.1 != 0).collect()
    }

    /// What they come to for White.
    pub(super) fn total(&self) -> Score {
        let groups = WEIGHTS.groups().into_iter();
        let weights = groups.flat_map(|(_, _, weights)| weights.iter());
        let mut total = Score::ZERO;
        for (&weight, &count) in weights.zip(self.0.iter()) {
            total += weight * i32::from(count);
        }
        total
    }
}

impl Default for Counts {
    fn default() -> Counts {
        Counts(Box::new([0; COUNT]))
    }
}

impl Tally for Counts {
    type Weight = Term;

    fn parameters() -> &'static Parameters<Term> {
        &TERMS
    }

    fn add(&mut self, side: Color, term: Term, times: usize) {
        let times = times as i16;
        self.0[term.index()] += side.fold_wb(times, -times);
    }
}
