//! Positions and moves as text: FEN, UCI's coordinate notation, SAN.

mod objections;
pub(super) mod written;

use std::fmt;

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Position as _, PositionError, Rank,
    Square,
};
use thiserror::Error;

pub use self::written::without_number;
use self::written::{Misfit, Written};
use super::{Move, Position};
use crate::game::MAX_MOVES;
use crate::lines::escaped;

/// The reason why a text is not a position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FenError {
    /// Not FEN at all.
    #[error("'{fen}' is not a FEN: {reason}")]
    Malformed {
        /// The text given.
        fen: String,
        /// The parser's objection.
        reason: String,
    },
    /// A position that cannot occur or cannot be played from.
    #[error("'{fen}' is not a legal position: {reason}")]
    Illegal {
        /// The text given.
        fen: String,
        /// The rule it breaks.
        reason: String,
    },
}

/// The reason why a text is not a move.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MoveError {
    /// Not in the expected notation.
    #[error("'{text}' is not a move in {notation}")]
    Malformed {
        /// The text given.
        text: String,
        /// The notation expected.
        notation: &'static str,
    },
    /// Not legal in this position.
    #[error("'{text}' is not legal in {fen}")]
    Illegal {
        /// The text given.
        text: String,
        /// The position.
        fen: String,
    },
    /// Several legal moves fit.
    #[error("'{text}' could be several moves in {fen}")]
    Ambiguous {
        /// The text given.
        text: String,
        /// The position.
        fen: String,
    },
}

impl MoveError {
    /// The error for a word that fits no legal move of a position, or several.
    pub(super) fn misfit(misfit: Misfit, word: &str, position: &Position) -> MoveError {
        let (text, fen) = (escaped(word), to_fen(position));
        match misfit {
            Misfit::Illegal => MoveError::Illegal { text, fen },
            Misfit::Ambiguous => MoveError::Ambiguous { text, fen },
        }
    }
}

/// Rules by which castling rights are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Castling {
    /// A right counts for a king on e1 or e8 and a rook on the a- or h-file of that rank.
    #[default]
    Standard,
    /// A right counts for any king and rook of the first or the last rank.
    Chess960,
}

impl Castling {
    /// The rules of Chess960, or else of standard chess.
    pub const fn of(is_chess960: bool) -> Castling {
        if is_chess960 {
            Castling::Chess960
        } else {
            Castling::Standard
        }
    }

    /// A hint to append to the message on dropped rights: that `by`, an option, reads the rights of Chess960.
    pub fn hint(self, by: &str) -> String {
        match self {
            Castling::Standard => format!(" ({by} reads those of Chess960)"),
            Castling::Chess960 => String::new(),
        }
    }
}

/// A position read from a FEN.
#[derive(Clone, Debug)]
pub struct FenPosition {
    /// The position.
    pub position: Position,
    /// Castling rights of the FEN that were dropped, if any.
    pub dropped: Option<DroppedRights>,
}

/// Castling rights of a FEN that the board contradicts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DroppedRights {
    /// The rights as written in the FEN.
    given: String,
    /// The rights that were kept.
    kept: String,
}

impl fmt::Display for DroppedRights {
    /// `the castling rights KQkq do not fit the board; kept: Kk`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DroppedRights { given, kept } = self;
        let kept = if kept == "-" { "none" } else { kept };
        write!(
            f,
            "the castling rights {given} do not fit the board; kept: {kept}"
        )
    }
}

/// Most pieces of a side, king and pawns included, as in the initial position.
pub const MOST_PIECES: usize = 16;

/// No piece has more than a queen's 27 moves: a pawn has at most 12, to three squares with four promotions each.
const _: () = assert!(MOST_PIECES * 27 <= MAX_MOVES);

/// Reads a FEN by the rules of standard chess: see [`read_fen`].
///
/// # Errors
/// As [`read_fen`].
pub fn parse_fen(text: &str) -> Result<Position, FenError> {
    Ok(read_fen(text, Castling::Standard)?.position)
}

/// Reads a FEN by the rules of Chess960: see [`read_fen`]. Use it for the output of [`to_fen`], for either game: no
/// right in it contradicts its board.
///
/// # Errors
/// As [`read_fen`].
pub fn parse_chess960_fen(text: &str) -> Result<Position, FenError> {
    Ok(read_fen(text, Castling::Chess960)?.position)
}

/// Reads a FEN of one to six fields, with or without a semicolon behind. Castling rights that the board contradicts and
/// impossible en passant squares are dropped, as board editors and GUIs write both.
///
/// # Errors
/// If the text is no FEN or its position cannot be played from. A side with more than [`MOST_PIECES`] is refused too:
/// it could have more moves than fit into a [list of moves](crate::game::Moves).
pub fn read_fen(text: &str, castling: Castling) -> Result<FenPosition, FenError> {
    let text = text.trim().trim_end_matches(';').trim_end();
    let text = &text.replace(char::is_whitespace, " ");
    let fen: Fen = text
        .parse()
        .map_err(|e: shakmaty::fen::ParseFenError| FenError::Malformed {
            fen: escaped(text),
            reason: objections::to_text(text, &e),
        })?;
    let setup = fen.into_setup();
    let illegal = |reason: String| FenError::Illegal {
        fen: escaped(text),
        reason,
    };
    for color in Color::ALL {
        let pieces = setup.board.by_color(color).count();
        if pieces > MOST_PIECES {
            let side = color.fold_wb("White", "Black");
            return Err(illegal(format!(
                "{side} has {pieces} pieces, and {MOST_PIECES} are the most"
            )));
        }
    }
    let mode = match castling {
        Castling::Standard => CastlingMode::Standard,
        Castling::Chess960 => CastlingMode::Chess960,
    };
    let rights = setup.castling_rights;
    let chess = Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|e| illegal(objections::to_position(&e)))?;
    let position = Position::from_shakmaty(&chess);
    let is_dropped = chess.castles().castling_rights() != rights;
    let dropped = is_dropped.then(|| DroppedRights {
        given: castling_field(text).to_owned(),
        kept: castling_field(&to_fen(&position)).to_owned(),
    });
    Ok(FenPosition { position, dropped })
}

/// The castling field of a FEN.
fn castling_field(fen: &str) -> &str {
    let mut fields = fen.split([' ', '_']).filter(|field| !field.is_empty());
    fields.nth(2).unwrap_or("-")
}

/// Whether a FEN names castling rooks by their files (`HAha`), which only Chess960 needs.
pub fn has_file_letters(fen: &str) -> bool {
    castling_field(fen).contains(|c: char| ('a'..='h').contains(&c.to_ascii_lowercase()))
}

/// Writes a FEN; castling rights as `KQkq` where that is unambiguous, else as files.
pub fn to_fen(position: &Position) -> String {
    Fen::from_position(&position.to_shakmaty(), EnPassantMode::Legal).to_string()
}

/// Whether castling in the position needs the rules of Chess960.
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
            text: escaped(text),
            notation: "coordinate notation (e2e4, e7e8q)",
        })?;
    let chess = position.to_shakmaty();
    uci.to_move(&chess)
        .map(Move::from_shakmaty)
        .map_err(|_| MoveError::misfit(Misfit::Illegal, text, position))
}

/// Writes a move in UCI's coordinate notation; castling as `e1h1` in Chess960, else as `e1g1`.
///
/// Castling that is possible only in Chess960 is always written as king takes rook: the king's own step could be
/// another move.
///
/// A pass is `0000`.
pub fn to_uci(m: Move, chess960: bool) -> String {
    if m.is_pass() {
        return "0000".to_owned();
    }
    let (king, rook) = (m.from().file(), m.to().file());
    let is_standard = king == File::E && matches!(rook, File::A | File::H);
    let mode = if chess960 || (m.is_castle() && !is_standard) {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    m.to_shakmaty().to_uci(mode).to_string()
}

/// Reads a move in standard algebraic notation, or something near it, or by its squares alone: a text that fits exactly
/// one legal move is that move. Check and annotation marks are ignored.
///
/// # Errors
/// If the text is no move in any position, or fits no legal move or several in this one.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, MoveError> {
    let written = Written::read(text).ok_or_else(|| MoveError::Malformed {
        text: escaped(text),
        notation: "algebraic notation (Nf3, exd5, O-O)",
    })?;
    written
        .in_position(position)
        .map_err(|misfit| MoveError::misfit(misfit, text, position))
}

/// Writes a legal move in standard algebraic notation, with its check or mate mark; a pass as `--`.
pub fn to_san(position: &Position, m: Move) -> String {
    if m.is_pass() {
        return "--".to_owned();
    }
    SanPlus::from_move(position.to_shakmaty(), m.to_shakmaty()).to_string()
}

/// Draws the board for a terminal, White at the bottom.
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
