//! Zobrist keys, filled at compile time by splitmix64.

use shakmaty::{Color, Role, Square};

use crate::random::Random;

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 64],
    en_passant: [u64; 8],
    turn: u64,
}

static KEYS: Keys = {
    let mut random = Random::new(0x00ca_5510_5000_0001);
    Keys {
        pieces: [of_pieces(&mut random), of_pieces(&mut random)],
        castling: drawn(&mut random),
        en_passant: drawn(&mut random),
        turn: random.bits(),
    }
};

/// The keys of a side's six kinds of pieces on all squares.
const fn of_pieces(random: &mut Random) -> [[u64; 64]; 6] {
    let mut keys = [[0; 64]; 6];
    let mut role = 0;
    while role < 6 {
        keys[role] = drawn(random);
        role += 1;
    }
    keys
}

/// Keys drawn one after the other.
const fn drawn<const COUNT: usize>(random: &mut Random) -> [u64; COUNT] {
    let mut keys = [0; COUNT];
    let mut place = 0;
    while place < COUNT {
        keys[place] = random.bits();
        place += 1;
    }
    keys
}

/// Key of a piece on a square.
#[inline]
pub(super) fn piece(color: Color, role: Role, square: Square) -> u64 {
    KEYS.pieces[color as usize][role as usize - 1][square as usize]
}

/// Key of the right to castle with the rook on a square.
#[inline]
pub(super) fn castling(rook: Square) -> u64 {
    KEYS.castling[rook as usize]
}

/// Key of a possible en passant capture on a square's file.
#[inline]
pub(super) fn en_passant(square: Square) -> u64 {
    KEYS.en_passant[square.file() as usize]
}

/// Key of Black being to move.
#[inline]
pub(super) fn turn() -> u64 {
    KEYS.turn
}
