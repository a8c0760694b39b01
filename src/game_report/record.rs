//! What is known of analysed games, and the file it is kept in.
//!
//! The file holds JSON lines: a header that says how the games were analysed, then for each game a
//! line that tells what game it is, a line for each of its positions and one that sums it up. Every line is written when it
//! is known; those of a game when the game is done. A killed run loses at most the games it was at.

use serde::{Deserialize, Serialize};

use super::marks::Chances;
use super::opening::Opening;
use super::phase::Phase;
use super::verdict::Verdict;
use crate::engine::limit::Limit;
use crate::games::chess::line::WrittenMove;
use crate::games::chess::pgn::tag;
use crate::output::provenance::Provenance;
use crate::profile::Margin;
use crate::profile::criticality::{Extremes, Turn};

/// A line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Line {
    /// The first line.
    Header(Header),
    /// A game begins.
    Game(GameInfo),
    /// A position of it.
    Position(Box<Row>),
    /// What comes of it as a whole, behind its last position.
    Summary(Summary),
}

/// How games were analysed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of Cassius.
    pub cassius: String,
    /// The PGN file, without folders.
    pub file: String,
    /// What analysed them: a search with its options, or an engine.
    pub search: String,
    /// The network that the search evaluates with, by its checksum; `None` if it evaluates otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// What a position took on average, at the most.
    pub limit: Limit,
    /// What a game took at the most, in seconds, if that was the limit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seconds_a_game: Option<u64>,
    /// Memory for the search, in MiB.
    pub hash_mb: usize,
    /// The engine that judged, with our own search beside it; `None` if our own search judged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub engine: Option<Referee>,
    /// Whether best-first search looked at marked moves, too: see [`Verdict::doubt`].
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub second_look: bool,
    /// By how much a value is to change where what that takes is counted; `None` if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
    /// Where it was made.
    #[serde(flatten)]
    pub provenance: Provenance,
}

impl Header {
    /// Who judged, by name.
    pub(super) fn judge(&self) -> &str {
        self.engine.as_ref().map_or("Cassius", |it| &it.name)
    }

    /// Who judged, and with what effort: `depth-first, 100000 nodes a position`.
    pub(super) fn judged(&self) -> String {
        let effort = |limit: &Limit| match self.seconds_a_game {
            Some(seconds) => format!("{seconds} s a game"),
            None => format!("{limit} a position"),
        };
        let own = format!("{}, {}", self.search, effort(&self.limit));
        match &self.engine {
            None => own,
            Some(engine) if self.seconds_a_game.is_some() => format!("{} and {own}", engine.name),
            Some(engine) => format!("{}, {}, and {own}", engine.name, effort(&engine.limit)),
        }
    }
}

/// Another engine that judged games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Referee {
    /// What it calls itself.
    pub name: String,
    /// Its program, by the first digits of its checksum, and arguments.
    pub program: String,
    /// What a position took on average, at the most.
    pub limit: Limit,
}

/// A game, but for its positions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct GameInfo {
    /// Which game of the file, from 1.
    pub game: usize,
    /// Its tags, names and values.
    pub tags: Vec<(String, String)>,
    /// The position it begins with.
    pub start: String,
    /// Whether castling in it needs the rules of Chess960.
    pub chess960: bool,
    /// Moves played, Black's and White's counted each.
    pub plies: usize,
    /// How it ended: `1-0`, `0-1`, `1/2-1/2`, `0-0` if both lost, or `*` if that is not told.
    pub result: String,
    /// What is wrong with it, if something is: the moves end before that.
    pub error: Option<String>,
    /// Oddities that do not end the game.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub oddities: Vec<String>,
    /// Positions in which there is something to search.
    pub positions: usize,
    /// Its opening, if its positions have a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
}

impl GameInfo {
    /// The value of a tag, if the game has it and it says something (`?` does not).
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// Who played, and how it ended: `Anderssen – Kieseritzky 1-0`.
    pub(super) fn title(&self) -> String {
        let name = |tag: &str| self.tag(tag).unwrap_or("?");
        format!("{} – {} {}", name("White"), name("Black"), self.result)
    }
}

/// A position of a game, with what a search made of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Which game of the file, from 1.
    pub game: usize,
    /// Moves played before, Black's and White's counted each.
    pub ply: usize,
    /// Number of the move to be played, as players count.
    pub number: u32,
    /// Whether Black is to move.
    pub black: bool,
    /// The position.
    pub fen: String,
    /// The move that was played; `None` after the last.
    pub played: Option<WrittenMove>,
    /// What who judges made of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What our own search makes of it beside another engine that judges.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub own: Option<Box<Opinion>>,
    /// What the paper's rule says of it.
    #[serde(flatten)]
    pub turn: Turn,
    /// What is known besides.
    #[serde(flatten)]
    pub facts: Facts,
}

/// What our own search makes of a position that another engine judges. Values are for White.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Opinion {
    /// Its verdict. What the verdict rests on stands with the engine's.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The points that the move played costs by it; `None` if that is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cost: Option<f64>,
    /// The chances that a stronger judge calls it a loss.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chances: Option<Chances>,
}

/// What is known of a position and its move without a search, and which other moves would have done.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Whether there is only one legal move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// The phase of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// What the mover's clock shows after the move played, in seconds, if the game tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_s: Option<f64>,
    /// The time that the move took, in seconds, if the game tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent_s: Option<f64>,
    /// The points that the move played costs, not below 0; `None` if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The chances that a stronger judge calls it a loss; `None` where nothing was learnt of who judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chances: Option<Chances>,
    /// The moves that would have held instead of the one played, if that is marked: see `holding`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<Vec<WrittenMove>>,
    /// The points that the best of the others costs, where that was looked at: of those that did not hold, or of all but the best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<f64>,
    /// The chance that no other move holds; `None` where nothing was learnt of who judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<f64>,
    /// Of the nodes of a search from scratch the part after which it had a move that holds for good; 1 if it would play another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<f64>,
}

impl Row {
    /// The move that the search would play, if another one was played. They are compared in standard notation: castling
    /// in Chess960 has two spellings in UCI.
    pub fn better(&self) -> Option<&WrittenMove> {
        let played = self.played.as_ref().map(|it| &it.san);
        self.verdict
            .best
            .as_ref()
            .filter(|best| Some(&best.san) != played)
    }

    /// Who is to move: `White` or `Black`.
    pub(super) const fn mover(&self) -> &'static str {
        if self.black { "Black" } else { "White" }
    }

    /// A move in the position with its number: `12. Nf3`, `12... Nf6`.
    pub(super) fn numbered(&self, san: &str) -> String {
        let dots = if self.black { "..." } else { "." };
        format!("{}{dots} {san}", self.number)
    }

    /// The move played with its number; `end` after the last.
    pub(super) fn move_text(&self) -> String {
        let played = self.played.as_ref();
        played.map_or_else(|| "end".to_owned(), |it| self.numbered(&it.san))
    }

    /// The numbers that the rule is about.
    pub fn extremes(&self) -> Extremes {
        Extremes {
            max_cn: self.verdict.max_cn,
            min_cn: self.verdict.min_cn,
        }
    }
}

/// Something of either player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sides<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

/// A game as a whole. All of it follows from its positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Which game of the file, from 1.
    pub game: usize,
    /// How accurately both have played, from 0 to 100; see `accuracy`.
    pub accuracy: Sides<Option<f64>>,
    /// Points that their moves have cost.
    pub lost: Sides<f64>,
    /// The moments that decided it, by the moves played before them; see `moments`.
    pub moments: Vec<usize>,
    /// The positions that the engine which judged and our own search disagree about, likewise; see `disagreement`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub disagreements: Vec<usize>,
}

/// A game with its positions, in order.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Which game.
    pub info: GameInfo,
    /// Its positions so far.
    pub rows: Vec<Row>,
}

/// A whole file.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// How it was made.
    pub header: Header,
    /// The games in the order of the PGN file.
    pub games: Vec<Game>,
}
