//! The constants of depth-first search, and the prices that depend on them alone.
//!
//! Prices are in sixteenths of a unit (see [`Cost`]); an ordinary ply costs one unit.

use std::fmt;
use std::str::FromStr;

use crate::search::Cost;
use crate::search::kit::settings_text::{Constant, Tuned};

/// One unit of cost in sixteenths, for demands.
pub(super) const ONE: i32 = Cost::ONE.get() as i32;

/// A pawn in centipawns, the unit of constants that multiply a distance of values.
pub(super) const PAWN: i32 = 100;

/// Denominator of shares, of demands and of surcharges.
pub(super) const WHOLE_SHARE: i32 = 16;

/// The number 1 on the scale of [`LOGARITHMS`].
const LOGARITHM_ONE: i32 = 64;

/// Declares the model's constants once: field, default, range and reason.
macro_rules! constants {
    ($($(#[doc = $reason:literal])+ $name:ident = $default:literal in $least:literal..=$most:literal;)+) => {
        /// The constants of prices. Every one can be set by name, for tuning.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Constants {
            $($(#[doc = $reason])+ pub $name: i32,)+
        }

        impl Default for Constants {
            fn default() -> Constants {
                Constants { $($name: $default,)+ }
            }
        }

        impl Tuned for Constants {
            const CONSTANTS: &'static [Constant<Constants>] = &[
                $(Constant {
                    name: stringify!($name),
                    range: ($least, $most),
                    place: |constants| Some(&mut constants.$name),
                },)+
            ];
        }
    };
}

// A new constant or pruning rule, step by step:
// 1. The constant, here, in its place among its kin; where a rule is off, its default is an end of the range. Its row in
//    docs/search.md stands in the same place.
// 2. The rule, in `moves.rs` or `node.rs`, under a heading with the field's name for it.
// 3. A test of the rule, in `tests/chess.rs`.
// 4. If it is not to be tuned with the others: its name in `LEFT_OUT` of lab/src/tuning/command.rs.
// `cargo test --test integration bench_counts_are_pinned` shows that nothing has changed while it is off.
constants! {
    /// Cost of a leaf whose value is exactly at the question.
    leaf = 18 in 1..=64;
    /// Surcharge for each pawn by which a leaf falls short of the question: it is less likely to be wrong.
    leaf_margin = 6 in 0..=64;
    /// Surcharge for each pawn by which a leaf exceeds the question: the side to move has a move in hand.
    leaf_surplus = 21 in 0..=64;
    /// Most that a leaf costs, however far its value is from the question.
    leaf_most = 70 in 1..=256;
    /// Weight, in sixteenths, of corrections of static values by searches of positions with the same parts; 0: no
    /// correction.
    correction = 16 in 0..=64;
    /// Price of a ply: one more move that must be better than it looks.
    ply = 16 in 1..=64;
    /// Price of a ply in answer to a check: a forced move says little about the line.
    evasion = 9 in 0..=64;
    /// Discount from a ply for a check that loses nothing by exchange: it has few answers.
    check = 1 in 0..=16;
    /// Least demand for a null move: below, quiescence is as good a test.
    null_least = 36 in 0..=1024;
    /// Null-move reduction, its constant part: plies that need no search if the answer stays.
    null_worth = 39 in 0..=256;
    /// Sixteenths of the demand that are added to the null-move reduction.
    null_share = 6 in 0..=12;
    /// Null-move reduction for each pawn beyond the question.
    null_surplus = 7 in 0..=64;
    /// Most that the pawns beyond the question add to the null-move reduction.
    null_surplus_most = 48 in 0..=256;
    /// Demand from which on a position without a table move has a rebate.
    unknown_least = 64 in 0..=1024;
    /// Rebate on the demand on a position without a table move: the next visit will have a move to begin with.
    unknown_rebate = 14 in 0..=64;
    /// Scale of the surcharge of late quiet moves, which grows with the logarithms of the move's number and of the
    /// demand.
    late = 7 in 0..=64;
    /// Surcharge of a late quiet move if the static value has not risen since this side's last turn: where nothing is
    /// under way, single moves matter less.
    stale = 6 in 0..=64;
    /// Further surcharge for that in an endgame: in middlegames it would miss tactics in short searches.
    stale_endgame = 12 in 0..=64;
    /// Surcharge of a late quiet move where the table move captures: a quiet move seldom does better.
    after_capture = 11 in 0..=64;
    /// Surcharge of a late quiet move that loses material by static exchange.
    losing_quiet = 9 in 0..=128;
    /// Sixteenths of the `late` surcharge that a late quiet check pays in an endgame, where few attacks end in mate;
    /// elsewhere it pays nothing.
    late_check = 8 in 0..=16;
    /// Surcharge of a late check that loses material by static exchange, in an endgame.
    losing_check = 33 in 0..=128;
    /// Discount from a quiet move's surcharge for each full table in its favour (history, two continuation histories); a
    /// surcharge for each against it.
    record = 26 in 0..=128;
    /// Surcharge of a capture that loses material by static exchange.
    losing = 18 in 0..=128;
    /// Cost of an unsearched quiet move beyond its ply and surcharge: negative, since near the question a quiet move
    /// may gain what is missing.
    unseen = -3 in -64..=256;
    /// Cost of an unsearched quiet move for each pawn that the position is short of the question.
    unseen_gap = 26 in 0..=128;
    /// An unsearched quiet move costs at least a ply and this much times the square root of its number: near the leaves
    /// a few quiet moves suffice.
    unseen_number = 4 in 0..=256;
    /// Further cost of an unsearched quiet move in an endgame without a rise of the static value.
    unseen_stale = 12 in 0..=64;
    /// Added to `unseen_number` in such an endgame.
    unseen_number_stale = 9 in 0..=256;
    /// Cost of an unsearched capture that loses material, beyond its ply and surcharge; it grows by `unseen_gap` too.
    unseen_losing = -6 in -64..=256;
    /// Least demand for multi-cut and singular extension: a position with a known supporter is asked for a second one.
    second_least = 50 in 16..=4096;
    /// A second supporter must be worth this many sixteenths of the demand; both together meet it.
    second_share = 6 in 1..=15;
    /// Singular extension: a supporter without a second must be worth this much more than the demand.
    second_worth = 19 in 0..=64;
    /// Centipawns from an answer to the next question while the value moves in one direction; they double.
    step = 6 in 1..=1000;
    /// A move's value is settled when its range is narrower than this many centipawns.
    range = 5 in 1..=1000;
}

impl Constants {
    /// Cost of a leaf whose value is `beyond` centipawns beyond the question, or short of it if negative.
    #[inline]
    pub fn leaf_cost(&self, beyond: i32) -> i32 {
        let margin = if beyond < 0 {
            self.leaf_margin
        } else {
            self.leaf_surplus
        };
        (self.leaf + beyond.abs() * margin / PAWN).min(self.leaf_most)
    }

    /// Null-move reduction at a demand, with the position `beyond` centipawns beyond the question.
    #[inline]
    pub fn null_worth(&self, demand: i32, beyond: i32) -> i32 {
        let surplus = (beyond * self.null_surplus / PAWN).min(self.null_surplus_most);
        self.null_worth + demand * self.null_share / WHOLE_SHARE + surplus
    }

    /// Least cost of the `number`-th move (from 0), if quiet and unsearched.
    #[inline]
    pub fn unseen_floor(&self, number: usize, not_improving_endgame: bool) -> i32 {
        // The root in sixteenths, as whole numbers are too coarse.
        let root = (16 * 16 * number as u32).isqrt() as i32;
        let mut scale = self.unseen_number;
        if not_improving_endgame {
            scale += self.unseen_number_stale;
        }
        self.ply + scale * root / 16
    }

    /// Surcharge of the `number`-th move (from 0), if quiet, at a `demand` in sixteenths.
    #[inline]
    pub fn lateness(&self, number: usize, demand: i32) -> i32 {
        let plies = usize::try_from(demand / ONE).unwrap_or(0);
        let logarithm = |n: usize| i32::from(LOGARITHMS[n.min(LOGARITHMS.len() - 1)]);
        logarithm(number) * logarithm(plies) * self.late / (LOGARITHM_ONE * LOGARITHM_ONE)
    }
}

impl fmt::Display for Constants {
    /// Writes the constants that differ from their defaults; `default` if none does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl FromStr for Constants {
    type Err = String;

    /// The inverse of `Display`: words `name=number` separated by blanks, or `default`.
    fn from_str(text: &str) -> Result<Constants, String> {
        Constants::read(text)
    }
}

/// 64 ln n, for numbers of moves and of plies; larger ones count as the last.
const LOGARITHMS: [u16; 64] = [
    0, 0, 44, 70, 89, 103, 115, 125, 133, 141, 147, 153, 159, 164, 169, 173, 177, 181, 185, 188,
    192, 195, 198, 201, 203, 206, 209, 211, 213, 216, 218, 220, 222, 224, 226, 228, 229, 231, 233,
    234, 236, 238, 239, 241, 242, 244, 245, 246, 248, 249, 250, 252, 253, 254, 255, 256, 258, 259,
    260, 261, 262, 263, 264, 265,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_read_as_they_are_written() {
        let constants: Constants = "late=9  ply=20".parse().unwrap();
        assert_eq!((constants.late, constants.ply), (9, 20));
        assert_eq!(constants.to_string(), "ply=20 late=9");
        assert_eq!(constants.to_string().parse(), Ok(constants));
    }

    #[test]
    fn the_logarithms_are_logarithms() {
        for (n, &logarithm) in LOGARITHMS.iter().enumerate().skip(1) {
            assert!(
                (f64::from(logarithm) - f64::from(LOGARITHM_ONE) * (n as f64).ln()).abs() < 1.0,
                "{n}"
            );
        }
    }

    #[test]
    fn a_move_nobody_looked_at_costs_by_the_root_of_its_number() {
        let constants: Constants = "ply=16 unseen_number=22 unseen_number_stale=10"
            .parse()
            .unwrap();
        let costs = [
            (0, 16, 16),
            (1, 38, 48),
            (4, 60, 80),
            (9, 82, 112),
            (16, 104, 144),
        ];
        for (number, cost, stale) in costs {
            assert_eq!(constants.unseen_floor(number, false), cost);
            assert_eq!(constants.unseen_floor(number, true), stale);
        }
    }

    #[test]
    fn a_move_costs_more_the_later_it_comes() {
        let constants = Constants::default();
        for demand in [16, 64, 160, 640] {
            for number in 0..80 {
                assert!(
                    constants.lateness(number, demand) <= constants.lateness(number + 1, demand)
                );
                assert!(
                    constants.lateness(number, demand) <= constants.lateness(number, demand + 16)
                );
            }
        }
    }
}
