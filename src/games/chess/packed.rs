//! Positions in 32 bytes and moves in two, for trainers of evaluation networks.
//!
//! The layout is that of the `viriformat` of the engine Viridithas, whose positions are the
//! `marlinformat` of the trainer Marlinflow: occupied squares, then a code of four bits for each piece in
//! the order of the squares, side to move, en passant square, clocks, and room for a value and a result.

use arrayvec::ArrayVec;
use shakmaty::fen::Fen;
use shakmaty::{Bitboard, Color, Piece, Role, Setup, Square};

use super::notation::{FenError, parse_chess960_fen};
use super::{Move, Position};
use crate::game::Game;

/// Bytes of a position.
pub const POSITION_BYTES: usize = 32;
/// Index of the byte with the game's result: 2 for White's win, 1 for a draw, 0 for Black's.
pub const RESULT_BYTE: usize = 30;
/// Index of the byte that the format leaves free.
pub const FREE_BYTE: usize = 31;

/// Most pieces that fit.
const MOST_PIECES: usize = 32;

/// Code of a rook that may still castle, one above the king's.
const UNMOVED_ROOK: u8 = 6;
/// Bit of Black in a piece's code.
const BLACK: u8 = 8;
/// Stands for no en passant square.
const NO_SQUARE: u8 = 64;
/// Bit beside the en passant square: Black to move.
const BLACK_TO_MOVE: u8 = 0x80;

/// Kinds of moves, in the two highest bits.
const EN_PASSANT: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;
const PROMOTION_SHIFT: u32 = 12;

/// Packs a position; the bytes of value and result and the free one are 0.
pub fn pack(position: &Position) -> [u8; POSITION_BYTES] {
    let mut bytes = [0; POSITION_BYTES];
    bytes[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
    for (place, square) in position.occupied().into_iter().enumerate() {
        let role = position.role_at(square).unwrap_or(Role::Pawn);
        let mut code = role as u8 - 1;
        if position.castling.contains(square) {
            code = UNMOVED_ROOK;
        }
        if position.by_color(Color::Black).contains(square) {
            code |= BLACK;
        }
        // No position has more than 32 pieces.
        bytes[8 + place / 2] |= code << (4 * (place % 2));
    }
    bytes[24] = position.en_passant.map_or(NO_SQUARE, |square| square as u8);
    if position.is_black_to_move() {
        bytes[24] |= BLACK_TO_MOVE;
    }
    bytes[25] = u8::try_from(position.halfmoves()).unwrap_or(u8::MAX);
    let fullmoves = u16::try_from(position.fullmoves()).unwrap_or(u16::MAX);
    bytes[26..28].copy_from_slice(&fullmoves.to_le_bytes());
    bytes
}

/// Unpacks a position packed by [`pack`]; value, result and the free byte are ignored.
///
/// # Errors
/// If the bytes are no position that can be played from.
pub fn unpack(bytes: &[u8; POSITION_BYTES]) -> Result<Position, FenError> {
    let mut setup = Setup::empty();
    let mut occupied = [0; 8];
    occupied.copy_from_slice(&bytes[..8]);
    let squares = Bitboard(u64::from_le_bytes(occupied));
    let malformed = |reason: String| FenError::Malformed {
        fen: format!("{bytes:02x?}"),
        reason,
    };
    if squares.count() > MOST_PIECES {
        return Err(malformed(format!("it has {} pieces", squares.count())));
    }
    for (place, square) in squares.into_iter().enumerate() {
        let code = bytes[8 + place / 2] >> (4 * (place % 2)) & 0xf;
        let role = match code & 7 {
            0 => Role::Pawn,
            1 => Role::Knight,
            2 => Role::Bishop,
            3 | UNMOVED_ROOK => Role::Rook,
            4 => Role::Queen,
            _ => Role::King,
        };
        if code & 7 == UNMOVED_ROOK {
            setup.castling_rights.add(square);
        }
        let color = Color::from_white(code & BLACK == 0);
        setup.board.set_piece_at(square, Piece { color, role });
    }
    setup.turn = Color::from_white(bytes[24] & BLACK_TO_MOVE == 0);
    setup.ep_square = Square::try_from(u32::from(bytes[24] & !BLACK_TO_MOVE)).ok();
    setup.halfmoves = bytes[25].into();
    let fullmoves = u16::from_le_bytes([bytes[26], bytes[27]]);
    setup.fullmoves = u32::from(fullmoves).try_into().unwrap_or(setup.fullmoves);
    let fen = Fen::try_from(setup).map_err(|_| malformed("no FEN stands for it".to_owned()))?;
    parse_chess960_fen(&fen.to_string())
}

/// Square and kind of each piece, from a1 to h8. Ranks count from the side to move's own end of the board, kinds from 0
/// for a pawn to 5 for a king, plus 8 for the opponent's.
pub fn pieces_of_mover(position: &Position) -> ArrayVec<(u8, u8), MOST_PIECES> {
    let us = position.turn();
    let mut pieces = ArrayVec::new();
    for square in position.occupied() {
        let role = position.role_at(square).unwrap_or(Role::Pawn);
        let enemy = if position.by_color(us).contains(square) {
            0
        } else {
            BLACK
        };
        let square = us.fold_wb(square, square.flip_vertical());
        pieces.push((square as u8, (role as u8 - 1) | enemy));
    }
    pieces
}

/// Packs a legal move; the result is never 0.
pub fn pack_move(m: Move) -> u16 {
    let squares = m.from() as u16 | (m.to() as u16) << 6;
    let kind = match m.promotion() {
        Some(role) => PROMOTION | (role as u16 - Role::Knight as u16) << PROMOTION_SHIFT,
        None if m.is_en_passant() => EN_PASSANT,
        None if m.is_castle() => CASTLING,
        None => 0,
    };
    squares | kind
}

/// The legal move of a position that [`pack_move`] packs into `packed`, if any.
pub fn unpack_move(position: &Position, packed: u16) -> Option<Move> {
    // The low twelve bits are those of our own codes.
    let promotion = if packed & PROMOTION == PROMOTION {
        (packed >> PROMOTION_SHIFT & 3) + Role::Knight as u16
    } else {
        0
    };
    let code = packed & 0xfff | promotion << 12;
    let m = position.move_from_code(code)?;
    (pack_move(m) == packed).then_some(m)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::chess::line::tests::random_game;
    use crate::games::chess::notation::to_fen;

    fn assert_round_trip(position: &Position) {
        let there_and_back = unpack(&pack(position)).unwrap();
        assert_eq!(to_fen(&there_and_back), to_fen(position));
        for m in position.legal_moves() {
            assert_eq!(unpack_move(position, pack_move(m)), Some(m), "{m:?}");
        }
    }

    #[test]
    fn positions_and_moves_come_back() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 40",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "8/2P5/8/8/8/k7/5p2/K5N1 b - - 99 200",
            "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 3 9",
        ];
        for fen in fens {
            assert_round_trip(&parse_chess960_fen(fen).unwrap());
        }
    }

    proptest! {
        #[test]
        fn positions_of_random_games_come_back(choices in prop::collection::vec(any::<u16>(), 0..120)) {
            random_game(&choices).iter().for_each(assert_round_trip);
        }

        #[test]
        fn any_bytes_are_a_position_or_an_error(bytes in any::<[u8; POSITION_BYTES]>(), m in any::<u16>()) {
            if let Ok(position) = unpack(&bytes) {
                let _ = unpack_move(&position, m);
            }
        }
    }
}
