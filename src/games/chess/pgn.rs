//! Games in Portable Game Notation.
//!
//! A malformed game spoils no other: the text is cut into sections where tags begin, each is read on
//! its own, and a game is read up to the first thing wrong with it, which [`PgnGame::flaw`] names.

mod scan;

use std::fmt;
use std::ops::ControlFlow;

use pgn_reader::{KnownOutcome, Outcome, RawTag, Reader, SanPlus, Visitor};
use thiserror::Error;

use super::notation::{FenError, parse_fen, to_fen};
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
    /// The moves played, variations left out.
    pub moves: Vec<Move>,
    /// How it ended: `1-0`, `0-1`, `1/2-1/2`, or `*` if that is not told.
    pub result: &'static str,
    /// What is wrong with it, if something is: the moves end before that.
    pub flaw: Option<PgnError>,
}

/// What is wrong with a game, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("game {game}, {place}: {reason}")]
pub struct PgnError {
    /// The game's number, from 1.
    pub game: usize,
    /// Where in it.
    pub place: Place,
    /// What is wrong.
    pub reason: PgnFlaw,
}

/// A place in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The tags.
    Tags,
    /// A move, as players number them.
    Move {
        /// Number of the move.
        number: u32,
        /// Whether Black plays it.
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
    #[error("the variant '{name}' is not chess")]
    Variant {
        /// Its name.
        name: String,
    },
    /// A move that is not legal, or could be several.
    #[error("'{san}' is no legal move, or not the only one, in {fen}")]
    Illegal {
        /// The move.
        san: String,
        /// The position.
        fen: String,
    },
    /// A word that means nothing.
    #[error("'{word}' is not a move")]
    Word {
        /// The word.
        word: String,
    },
    /// A tag or comment without its end.
    #[error("{what}")]
    Unfinished {
        /// What the reader says.
        what: String,
    },
}

impl fmt::Display for Place {
    /// `tags`, `move 12`, `move 12 of Black`.
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
            flaw: None,
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
            number: self.start.fullmoves() + halves / 2,
            black: halves % 2 == 1,
        }
    }

    /// The game ends after so many plies, because something is wrong there.
    fn cut(&mut self, plies: usize, reason: PgnFlaw) {
        self.moves.truncate(plies);
        self.flaw = Some(PgnError {
            game: self.number,
            place: self.place(plies),
            reason,
        });
    }
}

/// The value of a tag, if it is there and says something (`?` does not).
pub fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    let found = tags.iter().find(|(tag, _)| tag == name);
    let value = found.map(|(_, value)| value.trim())?;
    (!value.is_empty() && value != "?").then_some(value)
}

/// All games of a text. Text that is not UTF-8 is taken for Latin-1, as the standard of PGN has it.
pub fn read_games(bytes: Vec<u8>) -> Vec<PgnGame> {
    let latin = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect();
    let text = String::from_utf8(bytes).unwrap_or_else(|error| latin(error.as_bytes()));
    let mut games = Vec::new();
    for section in scan::sections(&text) {
        read_section(section, &mut games);
    }
    games
}

/// Reads the games of a section: one, unless games without tags follow it.
fn read_section(section: &str, games: &mut Vec<PgnGame>) {
    let first = games.len();
    let mut reader = Reader::build(section.as_bytes())
        .set_supported_tag_line_length(section.len())
        .set_supported_comment_length(section.len())
        .finish();
    loop {
        let mut visitor = Recorder::new(games.len() + 1);
        match reader.read_game(&mut visitor) {
            Ok(None) => break,
            Ok(Some(())) => games.extend(visitor.finished()),
            Err(error) => {
                let plies = visitor.game.moves.len();
                let what = error.to_string();
                visitor.game.cut(plies, PgnFlaw::Unfinished { what });
                games.push(visitor.game);
                break;
            }
        }
    }
    // The reader passes over words that it does not know: without them the game is another one.
    for stray in scan::stray_words(section) {
        if let Some(game) = games.get_mut(first + stray.game)
            && game.moves.len() >= stray.plies
            && game.flaw.as_ref().is_none_or(|it| it.place != Place::Tags)
        {
            game.cut(stray.plies, PgnFlaw::Word { word: stray.word });
        }
    }
}

/// Takes down what the reader finds.
struct Recorder {
    game: PgnGame,
    position: Position,
}

impl Recorder {
    fn new(number: usize) -> Recorder {
        Recorder {
            game: PgnGame::new(number),
            position: Position::initial(),
        }
    }

    /// The game, unless there was nothing but blanks and comments.
    fn finished(self) -> Option<PgnGame> {
        let game = self.game;
        let is_game = !game.tags.is_empty() || !game.moves.is_empty() || game.flaw.is_some();
        is_game.then_some(game)
    }

    /// Sets up the position that the tags tell of.
    fn set_up(&mut self) -> Result<(), PgnFlaw> {
        if let Some(name) = self.game.tag("Variant")
            && !is_chess(name)
        {
            let name = name.to_owned();
            return Err(PgnFlaw::Variant { name });
        }
        if let Some(fen) = self.game.tag("FEN") {
            self.position = parse_fen(fen)?;
            self.game.start = self.position.clone();
        }
        Ok(())
    }
}

/// Whether a variant is chess, from whatever position.
fn is_chess(variant: &str) -> bool {
    let letters = variant.chars().filter(|c| c.is_alphanumeric());
    let name: String = letters.flat_map(char::to_lowercase).collect();
    let names = ["standard", "normal", "chess", "classical", "fromposition"];
    let names960 = ["chess960", "960", "fischerandom", "fischerrandom", "frc"];
    names.contains(&name.as_str()) || names960.contains(&name.as_str())
}

impl Visitor for Recorder {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let name = String::from_utf8_lossy(name).into_owned();
        let value = value.decode_utf8_lossy().into_owned();
        if name == "Result" {
            self.game.result = result(&value);
        }
        self.game.tags.push((name, value));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _: ()) -> ControlFlow<()> {
        if let Err(reason) = self.set_up() {
            self.game.flaw = Some(PgnError {
                game: self.game.number,
                place: Place::Tags,
                reason,
            });
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn san(&mut self, _: &mut (), san: SanPlus) -> ControlFlow<()> {
        let Ok(m) = san.san.to_move(&self.position.to_shakmaty()) else {
            let reason = PgnFlaw::Illegal {
                san: san.to_string(),
                fen: to_fen(&self.position),
            };
            self.game.cut(self.game.moves.len(), reason);
            return ControlFlow::Break(());
        };
        let m = Move::from_shakmaty(m);
        self.position.play_legal(m);
        self.game.moves.push(m);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, _: &mut (), outcome: Outcome) -> ControlFlow<()> {
        if let Outcome::Known(outcome) = outcome {
            self.game.result = match outcome {
                KnownOutcome::Draw => "1/2-1/2",
                KnownOutcome::Decisive { winner } => winner.fold_wb("1-0", "0-1"),
            };
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: ()) {}
}

fn result(text: &str) -> &'static str {
    let known = ["1-0", "0-1", "1/2-1/2"];
    known
        .into_iter()
        .find(|&it| it == text.trim())
        .unwrap_or("*")
}

#[cfg(test)]
mod tests;
