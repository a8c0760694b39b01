//! Games in Portable Game Notation.
//!
//! [`Games`] reads them one after the other, however many there are, in the memory of one. A malformed game spoils no
//! other: a game is read up to the first thing wrong with it, which [`PgnGame::flaw`] names.

mod draft;
#[cfg(feature = "cli")]
mod file;
mod layout;
mod playing;
mod reader;
mod text;
mod words;

use std::fmt;

use thiserror::Error;

#[cfg(feature = "cli")]
pub(crate) use file::GamesFile;
pub(crate) use layout::{Layout, Spot};
pub use reader::Games;

use super::notation::{Castling, DroppedRights, FenError, MoveError};
use super::{Move, Position};

/// A game, as far as it could be read.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Which game of the text, from 1.
    pub number: usize,
    /// The tags in the order of the text, names and values.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Position,
    /// The moves played, variations left out; [`Move::PASS`] where the move was handed over.
    pub moves: Vec<Move>,
    /// How it ended: `1-0`, `0-1`, `1/2-1/2`, `0-0` if both lost, or `*` if that is not told.
    pub result: &'static str,
    /// Oddities that do not end the game.
    pub oddities: Vec<PgnError>,
    /// What is wrong with it, if something is: the moves end before that.
    pub flaw: Option<PgnError>,
    /// Where all this stands in the text.
    pub layout: Layout,
}

/// What is wrong with a game, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, game {game}, {place}: {reason}")]
pub struct PgnError {
    /// The line of the text, from 1.
    pub line: usize,
    /// The game's number, from 1.
    pub game: usize,
    pub place: Place,
    pub reason: PgnFlaw,
}

/// A place in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Tags,
    /// A move, as players number them.
    Move {
        number: u32,
        black: bool,
    },
}

/// What can be wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnFlaw {
    /// The position it begins with.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// Another game than chess.
    #[error("the variant '{0}' is not chess")]
    Variant(String),
    /// A move that is not legal, or could be several.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// Castling rights that the board contradicts.
    #[error("{0}; games of Chess960 have [Variant \"Chess960\"]")]
    Castling(DroppedRights),
    /// A word that means nothing.
    #[error("'{0}' is not a move")]
    Word(String),
    /// A tag that is none.
    #[error("'{0}' is no tag, as in [Name \"value\"]")]
    Tag(String),
    /// A tag that is not as the standard has it, and how it was read.
    #[error("'{text}' is an odd tag, read as [{name} \"{value}\"]")]
    OddTag {
        /// The tag as it stands.
        text: String,
        /// The name that was read.
        name: String,
        /// The value that was read.
        value: String,
    },
    /// A tag `Result` that tells no result.
    #[error("'{0}' is none of the results 1-0, 0-1, 1/2-1/2 and *")]
    Result(String),
    /// A number before a move that is another one's.
    #[error("the number {found} stands before move {due}")]
    Number { found: u32, due: u32 },
    /// A comment or variation without its end.
    #[error("the {0} is not closed")]
    Unclosed(&'static str),
    /// An end of a comment or variation without its beginning, or the like.
    #[error("'{0}' closes nothing")]
    Unopened(char),
    /// A byte that no text has.
    #[error("a NUL byte, which no text has: the file is damaged")]
    Nul,
    /// More text than is read for one game.
    #[error("more than 4 MiB of text for one game")]
    TooLong,
    /// More moves than are read for one game.
    #[error("more than 10,000 moves, which no game has")]
    TooManyMoves,
}

impl fmt::Display for Place {
    /// `tags`, `move 12 of White`, `move 12 of Black`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Tags => f.write_str("tags"),
            Place::Move { number, black } => {
                write!(
                    f,
                    "move {number} of {}",
                    if *black { "Black" } else { "White" }
                )
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

    /// The value of a tag, if the game has it and it says something (`?` does not).
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// The place of the move after so many plies.
    fn place(&self, plies: usize) -> Place {
        let black = self.start.is_black_to_move();
        let halves = plies as u32 + u32::from(black);
        Place::Move {
            number: self.start.fullmoves().saturating_add(halves / 2),
            black: halves % 2 == 1,
        }
    }
}

/// The value of a tag, if it is there and says something (`?` does not). Where no tag has that very name, one that differs
/// in case alone will do.
pub fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    let exact = tags.iter().find(|(tag, _)| tag == name);
    let found = exact.or_else(|| tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)));
    let value = found.map(|(_, value)| value.trim())?;
    (!value.is_empty() && value != "?").then_some(value)
}

/// A variant, by its name.
enum Variant {
    /// Chess by these rules.
    Chess(Castling),
    /// Chess, but not by which rules.
    Unnamed,
    /// Another game.
    Other,
}

impl Variant {
    fn named(name: &str) -> Variant {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        let name: String = letters.flat_map(char::to_lowercase).collect();
        match name.as_str() {
            "standard" | "normal" | "classical" | "regular" | "freestyle" | "orthodox" => {
                Variant::Chess(Castling::Standard)
            }
            "chess960"
            | "960"
            | "fischerandom"
            | "fischerrandom"
            | "fischer"
            | "frc"
            | "dfrc"
            | "wildfr"
            | "chess960dfrc"
            | "doublefischerrandom"
            | "doublefischerandom" => Variant::Chess(Castling::Chess960),
            "chess" | "fromposition" => Variant::Unnamed,
            _ => Variant::Other,
        }
    }
}

#[cfg(test)]
mod tests;
