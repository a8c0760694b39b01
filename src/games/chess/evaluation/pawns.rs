//! Pawn structure: what the pawns alone tell, kept in a cache because it changes seldom.

use shakmaty::{Bitboard, Color, Role};

use super::bits;
use super::score::Score;
use super::tally::{Sum, Tally};
use crate::games::chess::Position;

/// Tallies the structure of `us`'s pawns; returns the passed ones.
pub(super) fn tally<T: Tally>(own: Bitboard, enemy: Bitboard, us: Color, t: &mut T) -> Bitboard {
    let p = T::parameters();
    let front = bits::ahead(!us, enemy);
    // Squares an own pawn guards now or could guard by going on.
    let guardable = bits::pawn_attacks(us, own | bits::ahead(us, own));
    let behind_own = bits::ahead(!us, own);

    let passed = own & !(front | bits::sides(front) | behind_own);
    let isolated = own & !bits::sides(bits::files(own));
    let stops = bits::up(us, own) & bits::pawn_attacks(!us, enemy) & !guardable;
    let backward = bits::up(!us, stops) & !isolated;
    let unopposed = (isolated | backward) & !front;
    t.add_each(us, p.isolated[0], isolated);
    t.add_each(us, p.backward[0], backward);
    t.add_each(us, p.weak_unopposed[0], unopposed);
    t.add_each(us, p.doubled[0], own & behind_own);

    let guarded = own & bits::pawn_attacks(us, own);
    for square in guarded {
        t.add(us, p.guarded[bits::rank(us, square)], 1);
    }
    for square in own & bits::sides(own) {
        t.add(us, p.phalanx[bits::rank(us, square)], 1);
    }
    for square in passed {
        t.add(us, p.passed[bits::rank(us, square)], 1);
    }
    passed
}

/// What is known of one arrangement of pawns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Structure {
    /// Pawns by color: they are the key themselves, so that no two arrangements are ever confused.
    pawns: [Bitboard; 2],
    /// Score in White's favour.
    pub(super) score: Score,
    /// Passed pawns of both colors.
    pub(super) passed: Bitboard,
}

impl Structure {
    fn new(pawns: [Bitboard; 2]) -> Structure {
        let mut sum = Sum::default();
        let mut passed = Bitboard::EMPTY;
        for us in Color::ALL {
            passed |= tally(pawns[us as usize], pawns[!us as usize], us, &mut sum);
        }
        Structure {
            pawns,
            score: sum.balance(),
            passed,
        }
    }
}

/// Structures seen lately.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    entries: Box<[Structure]>,
}

const CACHE_BITS: u32 = 12;

impl Cache {
    /// An empty cache. A default entry is right as it is: no pawns, score 0.
    pub(super) fn new() -> Cache {
        Cache {
            entries: vec![Structure::default(); 1 << CACHE_BITS].into_boxed_slice(),
        }
    }

    /// The structure of the position's pawns.
    #[inline]
    pub(super) fn get(&mut self, position: &Position) -> Structure {
        let pawns = [
            position.by_piece(Color::Black, Role::Pawn),
            position.by_piece(Color::White, Role::Pawn),
        ];
        // Multiplying by odd constants without pattern spreads the pawns over the upper bits.
        let mixed = pawns[0].0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ pawns[1]
                .0
                .wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
                .rotate_left(31);
        let slot = (mixed.wrapping_mul(0x1656_67b1_9e37_79f9) >> (64 - CACHE_BITS)) as usize;
        let entry = &mut self.entries[slot];
        if entry.pawns != pawns {
            *entry = Structure::new(pawns);
        }
        *entry
    }
}
