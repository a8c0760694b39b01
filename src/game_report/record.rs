//! What is known of analysed games, and the file it is kept in.
//!
//! The file holds JSON lines: a header that says how the games were analysed, then for each game a
//! line that tells what game it is and a line for each of its positions. Every line is written when it
//! is known, so a killed run loses at most the position it was at, and continues there.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::gathering::Gathering;
use super::opening::Opening;
use super::phase::Phase;
use super::summary::Summary;
use crate::engine::limit::Limit;
use crate::engine::outlook::Prospects;
use crate::games::chess::pgn::tag;
use crate::profile::Margin;
use crate::profile::criticality::{Extremes, Turn};
use crate::report::json_lines::{self, ReadError};
use crate::report::provenance::Provenance;
use crate::report::table::thousands;
use crate::value::Value;

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
    /// What ended each search.
    pub limit: Limit,
    /// Memory for the search, in MiB.
    pub hash_mb: usize,
    /// Whether moves that look bad were looked at a second time: see [`Verdict::doubt`].
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub second_look: bool,
    /// By how much a value is to change where what that takes is counted; `None` if it is not, or the record is
    /// older.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub margin: Option<Margin>,
    /// Where it was made.
    #[serde(flatten)]
    pub provenance: Provenance,
}

impl Header {
    /// The first thing in which two analyses differ, by name; where and when they were made may differ.
    pub fn difference(&self, other: &Header) -> Option<&'static str> {
        let checks = [
            ("version of cassius", self.cassius == other.cassius),
            (
                "commit of cassius",
                self.provenance.may_be_of_one_commit(&other.provenance),
            ),
            ("PGN file", self.file == other.file),
            ("search", self.search == other.search),
            ("limits", self.limit == other.limit),
            ("hash size", self.hash_mb == other.hash_mb),
            ("use of --pgn", self.second_look == other.second_look),
        ];
        let different = checks.into_iter().find(|(_, same)| !same);
        different.map(|(name, _)| name)
    }
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
    /// How it ended: `1-0`, `0-1`, `1/2-1/2`, or `*` if that is not told.
    pub result: String,
    /// What is wrong with it, if something is: the moves end before that.
    pub error: Option<String>,
    /// Positions in which there is something to search; `None`: not recorded, as in older
    /// files.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub positions: Option<usize>,
    /// Its opening, if its positions have a name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opening: Option<Opening>,
}

impl GameInfo {
    /// The value of a tag, if the game has it and it says something (`?` does not).
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
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
    pub played: Option<Step>,
    /// What the search made of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What the paper's rule says of it.
    #[serde(flatten)]
    pub turn: Turn,
    /// What is known besides; nothing in older files.
    #[serde(flatten)]
    pub facts: Facts,
}

/// What is known of a position and its move without a search, and which other moves would have done.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// The phase of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// What the mover's clock shows after the move played, in seconds, if the game tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_s: Option<f64>,
    /// The time that the move took, in seconds, if the game tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent_s: Option<f64>,
    /// The moves that would have held instead of the one that led here, if that cost a twentieth of a point or more: see
    /// `holding`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<Vec<Step>>,
}

impl Row {
    /// The numbers that the rule is about.
    pub fn extremes(&self) -> Extremes {
        Extremes {
            max_cn: self.verdict.max_cn,
            min_cn: self.verdict.min_cn,
        }
    }
}

/// A move in both notations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Standard algebraic notation.
    pub san: String,
    /// UCI's coordinates.
    pub uci: String,
}

/// What a search makes of a position. Values and what they rest on are for White.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Verdict {
    /// The move it would play.
    pub best: Option<Step>,
    /// Its principal variation, as people write it; may be empty.
    pub line: String,
    /// Value for White in centipawns, unless a mate is proven.
    pub cp: Option<i32>,
    /// Moves to the mate that is proven, negative if White is mated.
    pub mate: Option<i32>,
    /// How far the evaluation of the position, without search, may be from what a search says: two errors in
    /// three are smaller, in centipawns. `None` if the evaluation does not know, a mate is proven, or the
    /// record is older.
    #[serde(default)]
    pub give_or_take: Option<u32>,
    /// The conspiracy threshold of the last iteration completed: with fewer leaves wrong, the verdict
    /// stands. `None` for searches that count no leaves.
    pub confidence: Option<u32>,
    /// Fewest leaves that must be wrong for White to stand worse; `None`: none will do, or not known.
    pub lower: Option<u32>,
    /// Fewest leaves that must be wrong for White to stand better; `None`: none will do, or not known.
    pub higher: Option<u32>,
    /// Fewest leaves that must be wrong for White to stand worse by the margin ([`Header::margin`]), each by two
    /// margins at most; `None`: none will do, or not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub margin_lower: Option<u32>,
    /// The same for White to stand better.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub margin_higher: Option<u32>,
    /// The same for another move to be better than the one it would play.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other_move: Option<u32>,
    /// The demand of the last iteration completed, from searches that price lines instead of counting
    /// leaves.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub demand: Option<u32>,
    /// Price of the cheapest line by which White would stand worse, 1 for an ordinary ply; `None`: that
    /// is ruled out, or not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub price_lower: Option<f64>,
    /// Price of the cheapest line by which White would stand better; `None`: that is ruled out, or not
    /// known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub price_higher: Option<f64>,
    /// What 16 times the nodes are likely to change; `None`: not known, or the record is older.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub outlook: Option<Prospects>,
    /// The root's largest conspiracy number; `None`: not known.
    pub max_cn: Option<u32>,
    /// The root's smallest conspiracy number but 0; `None`: the value is proven, or not known.
    pub min_cn: Option<u32>,
    /// What speaks for the move that led here, if it looks bad and was looked at a second time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub doubt: Option<Doubt>,
    /// Last iteration completed: depth, demand or conspiracy threshold.
    pub iteration: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken, in milliseconds.
    pub ms: f64,
    /// Why there is no verdict, if the search failed or an engine crashed or hung.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure: Option<String>,
}

/// What best-first search says of a move that another search takes for bad.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Doubt {
    /// How many leaves of its tree would have to be misjudged together for the move to be as good as the best;
    /// 0: by that search it is; `None`: no number will do.
    pub conspirators: Option<u32>,
    /// The line from the position after the move to one of them, as people write it; empty where none is
    /// named.
    pub line: String,
}

impl Verdict {
    /// The value for White; `None` if there is none.
    pub(super) fn value_for_white(&self) -> Option<Value> {
        match (self.mate, self.cp) {
            (Some(0), _) => None,
            (Some(moves), _) => {
                let plies = u16::try_from(moves.unsigned_abs()).unwrap_or(Value::MAX_PLIES);
                let plies = plies.saturating_mul(2).min(Value::MAX_PLIES);
                Some(if moves > 0 {
                    Value::win_in(plies - 1)
                } else {
                    Value::loss_in(plies)
                })
            }
            (None, cp) => cp.map(Value::centipawns),
        }
    }

    /// The value with how far it may be wrong: `+0.35 ± 0.60`, which breaks before the sign only; [`Verdict::value`] if that is not known.
    pub fn value_and_error(&self) -> String {
        let error = self.give_or_take.map(|it| format!(" ±\u{a0}{}", pawns(it)));
        self.value() + &error.unwrap_or_default()
    }

    /// How far the value may be wrong, in pawns: `0.60`; `–` if that is not known.
    pub fn error(&self) -> String {
        self.give_or_take.map_or_else(dash, pawns)
    }

    /// The value for White as people write it: `+0.35`, `#-3`; `–` if there is none.
    pub fn value(&self) -> String {
        match (self.mate, self.cp) {
            (Some(moves), _) => format!("#{moves}"),
            (None, Some(cp)) => format!("{:+.2}", f64::from(cp) / 100.0),
            (None, None) => "–".to_owned(),
        }
    }
}

/// A whole number as a table shows it; `–` where there is none or it is infinite.
pub(super) fn number(number: Option<u32>) -> String {
    number.map_or_else(dash, |number| thousands(number.into()))
}

/// Centipawns as people write them.
pub(super) fn pawns(centipawns: u32) -> String {
    format!("{:.2}", f64::from(centipawns) / 100.0)
}

/// Nothing, as a table shows it.
pub(super) fn dash() -> String {
    "–".to_owned()
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

/// Why a file cannot be read or continued.
#[derive(Debug, Error)]
pub enum RecordError {
    /// A file that is not JSON lines of ours.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file that does not begin with a header.
    #[error("{}: there is no analysis in this file", path.display())]
    Empty {
        /// Which.
        path: PathBuf,
    },
    /// A position of a game that the file does not tell of.
    #[error("{}:{line}: a position of game {game} comes before the game itself", path.display())]
    Orphan {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Which game.
        game: usize,
    },
    /// A game that is there already, as when two runs have written to the file.
    #[error("{}:{line}: game {game} is there twice; remove the line", path.display())]
    GameTwice {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Which game.
        game: usize,
    },
    /// A position that is there already, as when two runs have written to the file, or one that comes too
    /// early.
    #[error(
        "{}:{line}: position {ply} of game {game} is there twice, or out of turn; remove the line",
        path.display()
    )]
    OutOfTurn {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Which game.
        game: usize,
        /// Moves played before the position.
        ply: usize,
    },
    /// An analysis of something else, or another one.
    #[error("{}: made under different conditions ({what}); it cannot be continued", path.display())]
    Different {
        /// Which.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
}

impl Record {
    /// Reads a file, finished or not.
    pub fn read(path: &Path) -> Result<Record, RecordError> {
        let empty = || RecordError::Empty {
            path: path.to_owned(),
        };
        let mut lines = json_lines::read_lines(path)?;
        let (number, first) = lines.next().ok_or_else(empty)??;
        let Line::Header(header) = json_lines::parse(path, number, &first)? else {
            return Err(empty());
        };
        let mut gathering = Gathering::new(path);
        let mut games: Vec<Game> = Vec::new();
        for line in lines {
            let (number, line) = line?;
            let done = match json_lines::parse(path, number, &line)? {
                Line::Header(_) => return Err(empty()),
                Line::Game(info) => gathering.begin(info, number)?,
                Line::Position(row) => gathering.add(*row, number)?,
                // It is made of the positions.
                Line::Summary(_) => None,
            };
            games.extend(done);
        }
        games.extend(gathering.open().cloned());
        games.sort_by_key(|game| game.info.game);
        Ok(Record { header, games })
    }
}
