//! Games in Portable Game Notation.
//!
//! [`Games`] reads them one after the other and keeps one in memory. A malformed game spoils no other: a game is read
//! up to its first flaw, [`PgnGame::flaw`].

mod draft;
#[cfg(feature = "cli")]
mod file;
mod layout;
mod playing;
mod reader;
mod start;
mod times;
mod words;

use std::fmt;

use thiserror::Error;

#[cfg(feature = "cli")]
pub(crate) use file::GamesFile;
pub(crate) use layout::{Layout, Spot};
pub use reader::Games;
pub(crate) use words::is_numbered;

use super::notation::{Castling, DroppedRights, FenError, MoveError};
use super::{Move, Position};

/// A game, read up to its first flaw.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Number of the game in the text, from 1.
    pub number: usize,
    /// Names and values of the tags, in the order of the text.
    pub tags: Vec<(String, String)>,
    /// The initial position.
    pub start: Position,
    /// The moves of the main line; [`Move::PASS`] for a pass.
    pub moves: Vec<Move>,
    /// The result: `1-0`, `0-1`, `1/2-1/2`, `0-0` if both lost, or `*` if unknown. It is the tag's, else the one behind
    /// the moves. If the two differ, the latter counts only where the last position proves it.
    pub result: &'static str,
    /// Oddities that do not end the game.
    pub oddities: Vec<PgnError>,
    /// The flaw before which the moves end, if any.
    pub flaw: Option<PgnError>,
    /// Places of the tags and moves in the text.
    pub layout: Layout,
}

/// A flaw or an oddity of a game, and its place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, game {game}, {place}: {reason}")]
pub struct PgnError {
    /// Line of the text, from 1.
    pub line: usize,
    /// Number of the game, from 1.
    pub game: usize,
    pub place: PgnPlace,
    pub reason: PgnFlaw,
}

/// A place in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PgnPlace {
    Tags,
    /// A move, by its number and side.
    Move {
        number: u32,
        black: bool,
    },
}

/// Flaws and oddities of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnFlaw {
    /// An invalid initial position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A game other than chess.
    #[error("the variant '{0}' is not chess")]
    Variant(String),
    /// A move that is illegal or ambiguous.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// Castling rights that the board contradicts.
    #[error("{0}; games of Chess960 have [Variant \"Chess960\"]")]
    Castling(DroppedRights),
    /// A word without meaning in PGN.
    #[error("'{0}' is not a move")]
    Word(String),
    /// A malformed tag.
    #[error("'{0}' is no tag, as in [Name \"value\"]")]
    Tag(String),
    /// A tag in an unusual form, and the reading of it.
    #[error("'{text}' is an odd tag, read as [{name} \"{value}\"]")]
    OddTag {
        /// The tag's text.
        text: String,
        /// The name read.
        name: String,
        /// The value read.
        value: String,
    },
    /// A tag `Result` without a result.
    #[error("'{0}' is none of the results 1-0, 0-1, 1/2-1/2 and *")]
    Result(String),
    /// Two results.
    #[error("the tag Result has {tag}, and {behind} stands behind the moves; {counts} counts")]
    Results {
        /// The result in the tag.
        tag: &'static str,
        /// The result behind the moves.
        behind: &'static str,
        /// The one that counts.
        counts: &'static str,
    },
    /// A tag `FEN` with the position after the moves rather than before them.
    #[error(
        "the tag FEN has the position after the moves, which are read from the initial position"
    )]
    FinalPosition,
    /// A tag `FEN` with a position that no move fits.
    #[error(
        "no move fits the position of the tag FEN; all moves are read from the initial position"
    )]
    OtherPosition,
    /// A move number that belongs to another move.
    #[error("the number {found} stands before move {due}")]
    Number { found: u32, due: u32 },
    /// A comment or variation without an end.
    #[error("the {0} is not closed")]
    Unclosed(&'static str),
    /// The end of a comment or variation without a beginning.
    #[error("'{0}' closes nothing")]
    Unopened(char),
    /// A NUL byte.
    #[error("a NUL byte, which no text has: the file is damaged")]
    Nul,
    /// More text than the limit for one game.
    #[error("more than 4 MiB of text for one game")]
    TooLong,
    /// More moves than the limit for one game.
    #[error("more than 10,000 moves, which no game has")]
    TooManyMoves,
}

impl fmt::Display for PgnPlace {
    /// `tags`, `move 12 of White`, `move 12 of Black`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnPlace::Tags => f.write_str("tags"),
            PgnPlace::Move { number, black } => {
                let side = if *black { "Black" } else { "White" };
                write!(f, "move {number} of {side}")
            }
        }
    }
}

impl PgnGame {
    fn new(number: usize) -> PgnGame {
        PgnGame {
            number,
            tags: Vec::new(),
            start: Position::initial(),
            moves: Vec::new(),
            result: "*",
            oddities: Vec::new(),
            flaw: None,
            layout: Layout::default(),
        }
    }

    /// The value of a tag, unless it is missing, empty or `?`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// The place of the move after `plies` plies.
    fn place(&self, plies: usize) -> PgnPlace {
        let black = self.start.is_black_to_move();
        let halves = plies as u32 + u32::from(black);
        PgnPlace::Move {
            number: self.start.fullmoves().saturating_add(halves / 2),
            black: halves % 2 == 1,
        }
    }
}

/// The value of a tag, unless it is missing, empty or `?`. If no tag has exactly this name, one that differs only in
/// case is taken.
pub fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    let exact = tags.iter().find(|(tag, _)| tag == name);
    let found = exact.or_else(|| tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)));
    let value = found.map(|(_, value)| value.trim())?;
    (!value.is_empty() && value != "?").then_some(value)
}

/// Names of standard chess in tags, without signs and capitals.
const STANDARD: &str = "standard normal classical regular freestyle orthodox";
/// Names of Chess960.
const CHESS960: &str = "chess960 960 fischer fischerandom fischerrandom frc dfrc wildfr \
    chess960dfrc doublefischerandom doublefischerrandom";

/// The rules for castling in the variant that a tag `Variant` names; `None` if it is chess and leaves them open.
fn castling_in(variant: &str) -> Result<Option<Castling>, PgnFlaw> {
    let letters = variant.chars().filter(|c| c.is_alphanumeric());
    let name: String = letters.flat_map(char::to_lowercase).collect();
    for (names, castling) in [
        (STANDARD, Some(Castling::Standard)),
        (CHESS960, Some(Castling::Chess960)),
        ("chess fromposition", None),
    ] {
        if names.split(' ').any(|it| it == name) {
            return Ok(castling);
        }
    }
    Err(PgnFlaw::Variant(words::shortened(variant)))
}

#[cfg(test)]
mod tests;
