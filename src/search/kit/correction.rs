//! Corrections of static values learnt during the search ("correction history").
//!
//! An evaluator misjudges some features wherever they occur: a pawn structure, the placement of one side's pieces, the
//! position after a pair of moves. Where a search finds another value than the static one, the difference is stored for
//! the position's parts and for the last two moves, and corrects the static values of positions that share them
//! (Caissa, 2023, and most chess programs since; the parts are Stockfish's).

use crate::game::{Game, PARTS, Side};
use crate::search::kit::history::Previous;
use crate::search::kit::statistics::{LIMIT, Statistics};

/// Units per centipawn in the sum of a position's entries at full weight.
const STEPS: i32 = 256;

/// Entries of each table of parts: a power of two.
const ENTRIES: usize = 1 << 14;

/// Units by which an entry moves for each centipawn of error and ply of search depth.
const PER_PLY: i32 = 2;

/// Largest step of an entry.
const MOST_AT_ONCE: i32 = LIMIT / 4;
/// Largest error learnt, in centipawns: larger ones come from outcomes, as tablebases know them.
const MOST_ERROR: i32 = 10_000;

/// Full weight; weights are in sixteenths.
const FULL_WEIGHT: i32 = 16;

/// The tables, shared by all threads. Memory: 0.2 MB, and 2 bytes for each pair of history slots (chess: 1.2 MB).
#[derive(Debug)]
pub(crate) struct Corrections {
    slots: usize,
    /// `[side to move][part][key]`, flattened.
    parts: Statistics,
    /// `[the move before the last][the last move]`, flattened.
    continuation: Statistics,
}

/// Indices of one position's entries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    parts: [usize; PARTS],
    continuation: Option<usize>,
}

impl Corrections {
    /// Empty tables for a game with `slots` history slots.
    pub(crate) fn new(slots: usize) -> Corrections {
        Corrections {
            slots,
            parts: Statistics::new(2 * PARTS * ENTRIES),
            continuation: Statistics::new(slots * slots),
        }
    }

    /// The tables for a search that gives corrections this weight, in sixteenths, with an evaluator of this grain: one
    /// coarser than a centipawn is not corrected.
    pub(crate) fn weighed(&self, weight: i32, grain: i32) -> Weighed<'_> {
        Weighed {
            tables: self,
            weight: if grain > 1 { 0 } else { weight },
        }
    }
}

/// The tables, and the weight of their corrections in a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighed<'a> {
    tables: &'a Corrections,
    weight: i32,
}

impl Weighed<'_> {
    /// Indices for a position after two moves; `None` if its static value is not corrected: corrections have no weight,
    /// or its game has no parts.
    #[inline]
    pub(crate) fn places<G: Game>(self, position: &G, previous: Previous) -> Option<Places> {
        if self.weight == 0 {
            return None;
        }
        let keys = position.part_keys()?;
        let side = match position.side_to_move() {
            Side::First => 0,
            Side::Second => PARTS,
        };
        let mut parts = [0; PARTS];
        for (part, (place, key)) in parts.iter_mut().zip(keys).enumerate() {
            *place = (side + part) * ENTRIES + key as usize % ENTRIES;
        }
        let continuation = match previous {
            [Some(last), Some(before)] => Some(before * self.tables.slots + last),
            _ => None,
        };
        Some(Places {
            parts,
            continuation,
        })
    }

    /// The correction to add to the static value, in centipawns; 0 without places.
    #[inline]
    pub(crate) fn of(self, places: Option<Places>) -> i32 {
        let Some(places) = places else {
            return 0;
        };
        let mut sum = 0;
        for place in places.parts {
            sum += self.tables.parts.get(place);
        }
        if let Some(place) = places.continuation {
            sum += self.tables.continuation.get(place);
        }
        sum * self.weight / (FULL_WEIGHT * STEPS)
    }

    /// Learns from a search of `plies` plies whose value exceeded the corrected one by `error` centipawns.
    pub(crate) fn learn(self, places: &Places, error: i32, plies: i32) {
        if error.abs() > MOST_ERROR {
            return;
        }
        let step = (error * plies.max(1) * PER_PLY).clamp(-MOST_AT_ONCE, MOST_AT_ONCE);
        for &place in &places.parts {
            self.tables.parts.update(place, step);
        }
        if let Some(place) = places.continuation {
            self.tables.continuation.update(place, step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::{Position, notation::parse_fen};
    use crate::games::tic_tac_toe::TicTacToe;
    use proptest::prelude::*;

    const NO_MOVES: Previous = [None; 2];

    fn position(fen: &str) -> Position {
        parse_fen(fen).unwrap()
    }

    proptest! {
        #[test]
        fn corrections_are_bounded_and_follow_the_error(errors in prop::collection::vec((-30_000..30_000, 0..200), 1..99)) {
            let tables = Corrections::new(Position::HISTORY_SLOTS);
            let corrections = tables.weighed(FULL_WEIGHT, 1);
            let root = Position::initial();
            let places = corrections.places(&root, [Some(1), Some(2)]).unwrap();
            for (error, plies) in errors {
                let before = corrections.of(Some(places));
                corrections.learn(&places, error, plies);
                let after = corrections.of(Some(places));
                prop_assert!(after.abs() <= 4 * LIMIT / STEPS);
                let follows = if error >= 0 { after >= before } else { after <= before };
                prop_assert!(follows);
            }
        }
    }

    #[test]
    fn positions_that_share_a_part_share_its_correction() {
        let known = position("4k3/pp6/8/3n4/8/8/PP6/4K1N1 w - - 0 1");
        let tables = Corrections::new(Position::HISTORY_SLOTS);
        let corrections = tables.weighed(FULL_WEIGHT, 1);
        let full = corrections.places(&known, NO_MOVES).unwrap();
        for _ in 0..1_000 {
            corrections.learn(&full, 100, 8);
        }
        let of = |fen: &str| {
            let places = corrections.places(&position(fen), NO_MOVES);
            assert!(places.is_some());
            corrections.of(places)
        };
        let all = corrections.of(Some(full));
        let pawns_alone = of("2k5/pp6/8/8/8/8/PP6/2K5 w - - 0 1");
        let without_black_pieces = of("2k5/pp6/8/8/8/8/PP6/4K1N1 w - - 0 1");
        assert!(
            0 < pawns_alone && pawns_alone < without_black_pieces && without_black_pieces < all
        );
        assert_eq!(
            of("4k3/p7/8/3n1b2/8/8/P7/4K1NB w - - 0 1"),
            0,
            "no part is the same"
        );
        assert_eq!(
            of("4k3/pp6/8/3n4/8/8/PP6/4K1N1 b - - 0 1"),
            0,
            "the other side's turn"
        );
        assert_eq!(tables.weighed(0, 1).of(Some(full)), 0, "no weight");
    }

    #[test]
    fn a_game_without_parts_has_no_corrections() {
        let tables = Corrections::new(1);
        let corrections = tables.weighed(FULL_WEIGHT, 1);
        assert!(corrections.places(&TicTacToe::new(), NO_MOVES).is_none());
    }
}
