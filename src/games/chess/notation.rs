//! Positions and moves as text: FEN, UCI's coordinate notation, SAN.

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Position as _, PositionError, Rank,
    Square,
};
use thiserror::Error;

use super::{Move, Position};
use crate::game::MAX_MOVES;

/// Why a text is not a position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FenError {
    /// Not FEN at all.
    #[error("'{fen}' is not a FEN: {reason}")]
    Malformed {
        /// What was given.
        fen: String,
        /// What the parser objects to.
        reason: String,
    },
    /// A position that cannot occur or be played on from.
    #[error("'{fen}' is not a legal position: {reason}")]
    Illegal {
        /// What was given.
        fen: String,
        /// Which rule it breaks.
        reason: String,
    },
}

/// Why a text is not a move.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MoveError {
    /// Not in the notation asked for.
    #[error("'{text}' is not a move in {notation}")]
    Malformed {
        /// What was given.
        text: String,
        /// The notation expected.
        notation: &'static str,
    },
    /// Not legal in this position.
    #[error("'{text}' is not legal in {fen}")]
    Illegal {
        /// What was given.
        text: String,
        /// The position.
        fen: String,
    },
}

/// Most pieces of a side, kings and pawns included: as many as it begins with.
pub const MOST_PIECES: usize = 16;

/// The most moves that a piece can have is a queen's, 27; a pawn that promotes in three ways has 12.
const _: () = assert!(MOST_PIECES * 27 <= MAX_MOVES);

/// Reads a FEN; two to six fields will do. Castling rights that the board contradicts and
/// en passant squares that cannot be are dropped, as GUIs write both.
///
/// # Errors
/// If the text is no FEN or its position cannot be played on from. A side with more than
/// [`MOST_PIECES`] is refused too: it could have more moves than a
/// [list of moves](crate::game::Moves) has room for.
pub fn parse_fen(text: &str) -> Result<Position, FenError> {
    let fen: Fen = text
        .trim()
        .parse()
        .map_err(|e: shakmaty::fen::ParseFenError| FenError::Malformed {
            fen: text.to_owned(),
            reason: e.to_string(),
        })?;
    let setup = fen.into_setup();
    for color in Color::ALL {
        let pieces = setup.board.by_color(color).count();
        if pieces > MOST_PIECES {
            let side = color.fold_wb("White", "Black");
            return Err(FenError::Illegal {
                fen: text.to_owned(),
                reason: format!("{side} has {pieces} pieces, and {MOST_PIECES} are the most"),
            });
        }
    }
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map(|chess| Position::from_shakmaty(&chess))
        .map_err(|e| FenError::Illegal {
            fen: text.to_owned(),
            reason: e.to_string(),
        })
}

/// Writes a FEN; castling rights as `KQkq` where that is unambiguous, else as files.
pub fn to_fen(position: &Position) -> String {
    Fen::from_position(&position.to_shakmaty(), EnPassantMode::Legal).to_string()
}

/// Whether castling in a position needs the rules of Chess960.
pub fn is_chess960(position: &Position) -> bool {
    let setup = position.to_shakmaty().to_setup(EnPassantMode::Legal);
    CastlingMode::detect(&setup) == CastlingMode::Chess960
}

/// Reads a move in UCI's coordinate notation: castling as `e1g1` or `e1h1`, promotions in either
/// case.
pub fn parse_uci(position: &Position, text: &str) -> Result<Move, MoveError> {
    let uci: UciMove = text
        .to_ascii_lowercase()
        .parse()
        .map_err(|_| MoveError::Malformed {
            text: text.to_owned(),
            notation: "coordinate notation (e2e4, e7e8q)",
        })?;
    let chess = position.to_shakmaty();
    uci.to_move(&chess)
        .map(Move::from_shakmaty)
        .map_err(|_| MoveError::Illegal {
            text: text.to_owned(),
            fen: to_fen(position),
        })
}

/// Writes a move in UCI's coordinate notation; castling as `e1h1` in Chess960, else as `e1g1`.
///
/// Castling that standard chess does not know, which a Chess960 position allows, is always written
/// as king takes rook: the king's own step could be a move of its own.
pub fn to_uci(m: Move, chess960: bool) -> String {
    let (king, rook) = (m.from().file(), m.to().file());
    let is_standard = king == File::E && matches!(rook, File::A | File::H);
    let mode = if chess960 || (m.is_castle() && !is_standard) {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    m.to_shakmaty().to_uci(mode).to_string()
}

/// Reads a move in standard algebraic notation; check and annotation marks are ignored.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, MoveError> {
    let bare = text.trim_end_matches(['!', '?', '+', '#']);
    let san: San = bare.parse().map_err(|_| MoveError::Malformed {
        text: text.to_owned(),
        notation: "algebraic notation (Nf3, exd5, O-O)",
    })?;
    san.to_move(&position.to_shakmaty())
        .map(Move::from_shakmaty)
        .map_err(|_| MoveError::Illegal {
            text: text.to_owned(),
            fen: to_fen(position),
        })
}

/// Writes a legal move in standard algebraic notation, with its check or mate mark.
pub fn to_san(position: &Position, m: Move) -> String {
    SanPlus::from_move(position.to_shakmaty(), m.to_shakmaty()).to_string()
}

/// Draws the board for a terminal, White below.
pub fn diagram(position: &Position) -> String {
    let chess = position.to_shakmaty();
    let mut drawing = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        drawing.push(rank.char());
        for file in File::ALL {
            let piece = chess.board().piece_at(Square::from_coords(file, rank));
            drawing.push(' ');
            drawing.push(piece.map_or('.', shakmaty::Piece::char));
        }
        drawing.push('\n');
    }
    drawing.push_str("  a b c d e f g h");
    drawing
}
