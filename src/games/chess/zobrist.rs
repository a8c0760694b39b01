//! Zobrist keys, filled at compile time by splitmix64.

use shakmaty::{Color, Role, Square};

const fn splitmix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

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
    let mut state = 0x00ca_5510_5000_0001;
    let mut key;
    let mut color = 0;
    while color < 2 {
        let mut role = 0;
        while role < 6 {
            let mut square = 0;
            while square < 64 {
                (state, key) = splitmix(state);
                keys.pieces[color][role][square] = key;
                square += 1;
            }
            role += 1;
        }
        color += 1;
    }
    let mut square = 0;
    while square < 64 {
        (state, key) = splitmix(state);
        keys.castling[square] = key;
        square += 1;
    }
    let mut file = 0;
    while file < 8 {
        (state, key) = splitmix(state);
        keys.en_passant[file] = key;
        file += 1;
    }
    (_, keys.turn) = splitmix(state);
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

/// Key of an en passant capture being possible on a square.
#[inline]
pub(super) fn en_passant(square: Square) -> u64 {
    KEYS.en_passant[square.file() as usize]
}

/// Key of Black being to move.
#[inline]
pub(super) fn turn() -> u64 {
    KEYS.turn
}
