//! Explanations of faults in a FEN: the field, rank or rule at fault, and what was expected.

use shakmaty::fen::ParseFenError;
use shakmaty::{Chess, PositionError, PositionErrorKinds as Kind};

use crate::lines::escaped;

/// The field that cannot be read, and what it should be.
pub(super) fn to_text(fen: &str, error: &ParseFenError) -> String {
    let fields: Vec<&str> = fen.split([' ', '_']).filter(|it| !it.is_empty()).collect();
    let (field, expected) = match error {
        ParseFenError::InvalidBoard => {
            return to_board(fields.first().copied().unwrap_or_default());
        }
        ParseFenError::InvalidTurn => (1, "the side to move, w or b"),
        ParseFenError::InvalidCastling => (2, "castling rights, of the letters KQkq, or -"),
        ParseFenError::InvalidEpSquare => (3, "the en passant square, such as e3, or -"),
        ParseFenError::InvalidHalfmoveClock => (4, "the halfmove clock, a number"),
        ParseFenError::InvalidFullmoves => (5, "the number of the move"),
        ParseFenError::InvalidFen if fields.len() > 6 => {
            return format!("it has {} fields, and 6 are the most", fields.len());
        }
        other => return other.to_string(),
    };
    let found = fields.get(field).copied().unwrap_or_default();
    format!(
        "field {} is '{}' and should be {expected}",
        field + 1,
        escaped(found)
    )
}

/// The rank that does not have eight squares.
fn to_board(board: &str) -> String {
    let ranks: Vec<&str> = board.split('/').collect();
    for (rank, number) in ranks.iter().zip((1..=8).rev()) {
        if let Some(odd) = rank
            .chars()
            .find(|&it| !"pnbrqkPNBRQK12345678~".contains(it))
        {
            return format!(
                "rank {number}, '{}', has '{}', which is no piece",
                escaped(rank),
                odd.escape_default()
            );
        }
        let squares = rank.chars().map(|it| match it {
            '~' => 0,
            _ => it.to_digit(10).unwrap_or(1),
        });
        let squares: u32 = squares.sum();
        if squares != 8 {
            return format!(
                "rank {number}, '{}', has {squares} squares, not 8",
                escaped(rank)
            );
        }
    }
    match ranks.len() {
        8 => "the board cannot be read".into(),
        count => format!("the board has {count} ranks, not 8"),
    }
}

/// The rule that a position breaks.
pub(super) fn to_position(error: &PositionError<Chess>) -> String {
    let kinds = error.kinds();
    let rules = [
        (Kind::EMPTY_BOARD, "there are no pieces"),
        (Kind::MISSING_KING, "a king is missing"),
        (Kind::TOO_MANY_KINGS, "a side has more than one king"),
        (Kind::PAWNS_ON_BACKRANK, "a pawn stands on rank 1 or 8"),
        (
            Kind::OPPOSITE_CHECK,
            "the side that has just moved is in check",
        ),
    ];
    let broken = rules.into_iter().filter(|(kind, _)| kinds.contains(*kind));
    let broken: Vec<&str> = broken.map(|(_, rule)| rule).collect();
    match broken.is_empty() {
        true => error.to_string(),
        false => broken.join(", and "),
    }
}
