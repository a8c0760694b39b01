//! Zobrist keys, filled at compile time by splitmix64.

use shakmaty::{Color, Role, Square};

use crate::random::Random;

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 64],
    en_passant: [u64; 8],
    turn: u64,
}

const fn keys() -> Keys {
    let mut keys = Keys {
        pieces: [[[0; 64]; 6]; 2],
        castling: [0; 64],
        en_passant: [0; 8],
        turn: 0,
    };
    let mut random = Random::new(0x00ca_5510_5000_0001);
    let mut color = 0;
    while color < 2 {
        let mut role = 0;
        while role < 6 {
            let mut square = 0;
            while square < 64 {
                keys.pieces[color][role][square] = random.bits();
                square += 1;
            }
            role += 1;
        }
        color += 1;
    }
    let mut square = 0;
    while square < 64 {
        keys.castling[square] = random.bits();
        square += 1;
    }
    let mut file = 0;
    while file < 8 {
        keys.en_passant[file] = random.bits();
        file += 1;
    }
    keys.turn = random.bits();
    keys
}

static KEYS: Keys = keys();

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
