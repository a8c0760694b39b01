//! Zobrist keys, filled at compile time by splitmix64.

use shakmaty::{Color, Role, Square};

use crate::random::Random;

/// Row of the rights to castle, by the rook's square; before it are the rows of Black's pieces and of White's.
const CASTLING: usize = 12;
/// Row of en passant captures, by file; the key of Black being to move comes behind them.
const EN_PASSANT: usize = 13;

static KEYS: [[u64; 64]; EN_PASSANT + 1] = keys();

const fn keys() -> [[u64; 64]; EN_PASSANT + 1] {
    let mut keys = [[0; 64]; EN_PASSANT + 1];
    let mut random = Random::new(0x00ca_5510_5000_0001);
    let mut index = 0;
    while index < keys.len() * 64 {
        keys[index / 64][index % 64] = random.bits();
        index += 1;
    }
    keys
}

/// Key of a piece on a square.
#[inline]
pub(super) fn piece(color: Color, role: Role, square: Square) -> u64 {
    KEYS[6 * color as usize + role as usize - 1][square as usize]
}

/// Key of the right to castle with the rook on a square.
#[inline]
pub(super) fn castling(rook: Square) -> u64 {
    KEYS[CASTLING][rook as usize]
}

/// Key of a possible en passant capture on a square's file.
#[inline]
pub(super) fn en_passant(square: Square) -> u64 {
    KEYS[EN_PASSANT][square.file() as usize]
}

/// Key of Black being to move.
#[inline]
pub(super) fn turn() -> u64 {
    KEYS[EN_PASSANT][8]
}
