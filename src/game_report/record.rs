//! Records of analysed games, as types and as a file.
//!
//! The file has JSON lines: a [`Header`], then for each game a [`GameInfo`], a [`Row`] for each position and a
//! [`Summary`]. The lines of a game are written when it is done, so that a killed run loses at most the games under
//! way.

use serde::{Deserialize, Serialize};

use super::chances::Chances;
use super::opening::Opening;
use super::phase::Phase;
use super::verdict::{PositionVerdict, pawns};
use crate::engine::analyst::error_of_searched;
use crate::engine::limit::Limit;
use crate::games::chess::line::{WrittenMove, is_number};
use crate::games::chess::pgn::tag;
use crate::output::provenance::Provenance;
use crate::profile::Margin;
use crate::profile::criticality::{Extremes, Turn};

/// A line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum RecordLine {
    /// The first line.
    Header(Header),
    /// A game begins.
    Game(GameInfo),
    /// A position of the game.
    Position(Box<Row>),
    /// The game as a whole, after its last position.
    Summary(Summary),
}

/// Conditions of an analysis.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    /// Version of Cassius.
    pub cassius: String,
    /// Name of the PGN file, without folders.
    pub file: String,
    /// Our own search with its options; it judged, alone or beside an engine.
    pub search: String,
    /// Checksum of the network; `None` for other evaluations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// Limit of our own search for a position, on average.
    pub limit: Limit,
    /// Limit for a game, in seconds, if there was one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seconds_a_game: Option<u64>,
    /// Memory for the search, in MiB.
    pub hash_mb: usize,
    /// The engine that judged, with our own search beside it; `None` if our own search judged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub engine: Option<Referee>,
    /// Whether best-first search gave evidence at marked moves: see [`PositionVerdict::doubt`].
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub second_look: bool,
    /// Margin of [`PositionVerdict::margin_lower`] and the like; `None` if they were not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
    /// Commit, day and machine of the analysis.
    #[serde(flatten)]
    pub provenance: Provenance,
}

impl Header {
    /// Name of the judge.
    pub(super) fn judge(&self) -> &str {
        self.engine.as_ref().map_or("Cassius", |it| &it.name)
    }

    /// Judge and limits: `depth-first, 100000 nodes a position`.
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
    /// Name, as the engine gives it.
    pub name: String,
    /// First digits of its program's checksum, and its arguments.
    pub program: String,
    /// Limit for a position, on average.
    pub limit: Limit,
}

/// A game without its positions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct GameInfo {
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// Tags: names and values.
    pub tags: Vec<(String, String)>,
    /// Start position, a FEN.
    pub start: String,
    /// Whether castling follows the rules of Chess960.
    pub chess960: bool,
    /// Number of plies.
    pub plies: usize,
    /// Result: `1-0`, `0-1`, `1/2-1/2`, `0-0` if both lost, `*` if unknown.
    pub result: String,
    /// Fault at which the moves end, if there is one.
    pub error: Option<String>,
    /// Oddities that do not end the moves.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub oddities: Vec<String>,
    /// Number of its positions in the file of results; a final mate is none.
    pub positions: usize,
    /// Opening, if one of its positions has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
}

impl GameInfo {
    /// Value of a tag; `None` if it is missing, empty or `?`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// Players and result: `Anderssen – Kieseritzky 1-0`.
    pub(super) fn title(&self) -> String {
        let name = |tag: &str| self.tag(tag).unwrap_or("?");
        format!("{} – {} {}", name("White"), name("Black"), self.result)
    }
}

/// Plies without capture or pawn move from which on a draw can be claimed.
pub(super) const CLAIM: u16 = 100;

/// A position of a game, with the verdict on it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// Plies played before.
    pub ply: usize,
    /// Number of the move, as players count.
    pub number: u32,
    /// Whether Black is to move.
    pub black: bool,
    /// Position, a FEN.
    pub fen: String,
    /// Move played; `None` after the last one.
    pub played: Option<WrittenMove>,
    /// Verdict of the judge.
    #[serde(flatten)]
    pub verdict: PositionVerdict,
    /// Opinion of our own search, if an engine judges.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub own: Option<Box<Opinion>>,
    /// Whether the position is critical, by the rule of Khalid et al. (2015).
    #[serde(flatten)]
    pub turn: Turn,
    /// Further facts.
    #[serde(flatten)]
    pub facts: Facts,
}

/// Opinion of our own search on a position that an engine judges. Values are for White.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Opinion {
    /// Verdict, without the evidence, which stands with the engine's verdict.
    #[serde(flatten)]
    pub verdict: PositionVerdict,
    /// Cost of the move played, in points, at least 0; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cost: Option<f64>,
    /// Chances that a stronger judge calls the move played a loss.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chances: Option<Chances>,
}

/// Facts about a position and the move played, beside the verdict.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Whether there is at most one legal move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// Phase of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Mover's clock after the move played, in seconds, if the game has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_s: Option<f64>,
    /// Time spent on the move, in seconds, if the game has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent_s: Option<f64>,
    /// Cost of the move played, in points, at least 0; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Chances that a stronger judge calls the move played a loss; `None` if none were learnt for this judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chances: Option<Chances>,
    /// Moves that would have held, if the one played is marked: see `holding`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<Vec<WrittenMove>>,
    /// Cost of the best move that does not hold, in points; `None` if no such move was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<f64>,
    /// The chance that no other move holds; `None` if no chances were learnt for this judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<f64>,
    /// Positions visited from scratch before the search kept to a move that holds; if it did not: all, at least 1,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<u64>,
}

impl Row {
    /// Move that the judge prefers to the one played, if it does. They are compared in SAN, since castling in
    /// Chess960 has two spellings in UCI.
    pub fn better(&self) -> Option<&WrittenMove> {
        let played = self.played.as_ref().map(|it| &it.san);
        let best = self.verdict.best.as_ref();
        best.filter(|best| Some(&best.san) != played)
    }

    /// Side to move: `White` or `Black`.
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

    /// First plies of a verdict's line on the position, at most `most`, or else its best move; `None` without either.
    pub(super) fn line(&self, verdict: &PositionVerdict, most: usize) -> Option<String> {
        let mut plies = 0;
        let words = verdict.line.split_whitespace().take_while(|word| {
            let is_move = !is_number(word);
            plies += usize::from(is_move);
            plies < most + usize::from(is_move)
        });
        let words: Vec<&str> = words.collect();
        if words.is_empty() {
            let best = verdict.best.as_ref();
            return best.map(|it| self.numbered(&it.san));
        }
        Some(words.join(" "))
    }

    /// Whether the game went on in a position in which a draw could be claimed by the fifty-move rule, as it could not
    /// before.
    pub(super) fn is_first_claim(&self) -> bool {
        let halfmoves = self.fen.split(' ').nth(4).and_then(|it| it.parse().ok());
        let is_first = |halfmoves: u16| halfmoves == CLAIM || self.ply == 0 && halfmoves > CLAIM;
        self.played.is_some() && halfmoves.is_some_and(is_first)
    }

    /// The error that is shown beside the value of a verdict on the position, in centipawns; `None` if none is true.
    pub(super) fn error(&self, verdict: &PositionVerdict) -> Option<u32> {
        let is_endgame = self.facts.phase == Some(Phase::Endgame);
        error_of_searched(is_endgame, verdict.cp?, verdict.give_or_take)
    }

    /// Value of a verdict on the position with its error, `+0.35 ± 0.60`, with a no-break space after the sign;
    /// [`PositionVerdict::value`] if there is no error.
    pub(super) fn value_and_error(&self, verdict: &PositionVerdict) -> String {
        let error = self.error(verdict);
        let error = error.map(|it| format!(" ±\u{a0}{}", pawns(it)));
        verdict.value() + &error.unwrap_or_default()
    }

    /// MaxCN and MinCN, for the rule of critical positions.
    pub fn extremes(&self) -> Extremes {
        Extremes {
            max_cn: self.verdict.max_cn,
            min_cn: self.verdict.min_cn,
        }
    }
}

/// A property of each player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sides<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> Sides<T> {
    /// Another property, made from this one by `of`.
    pub(super) fn map<U>(self, of: impl Fn(T) -> U) -> Sides<U> {
        Sides {
            white: of(self.white),
            black: of(self.black),
        }
    }
}

/// A game as a whole, derived from its positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// Accuracy, from 0 to 100; `null` if too few moves mattered. See `accuracy`.
    pub accuracy: Sides<Option<f64>>,
    /// Points lost in all.
    pub lost: Sides<f64>,
    /// Plies of the moments that decided it; see `moments`.
    pub moments: Vec<usize>,
    /// Plies of the positions about which engine and our own search disagree; see `disagreement`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub disagreements: Vec<usize>,
}

/// A game with its positions.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Description of the game.
    pub info: GameInfo,
    /// Its positions so far, by their plies from 0.
    pub rows: Vec<Row>,
}

impl Game {
    /// The position after a row's move; `None` if it is not there.
    pub(super) fn after(&self, row: &Row) -> Option<&Row> {
        self.rows.get(row.ply + 1)
    }

    /// Verdict after a row's move: by the next position's own search, or else by the search of the row.
    pub(super) fn verdict_after(&self, row: &Row) -> PositionVerdict {
        let next = self.after(row).map(|it| &it.verdict);
        let known = next.filter(|it| it.value_for_white().is_some());
        known.map_or_else(|| row.verdict.of_played(), PositionVerdict::clone)
    }
}

/// A whole file.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Conditions of the analysis.
    pub header: Header,
    /// The games in the order of the PGN file.
    pub games: Vec<Game>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::row;

    #[test]
    fn an_error_stands_beside_a_value_only_where_it_is_true() {
        let mut row = row(0, Some("a"), "a", 35);
        row.verdict.give_or_take = Some(60);
        let told = |row: &Row| row.value_and_error(&row.verdict);
        assert_eq!(told(&row), "+0.35 ±\u{a0}0.60");
        for (cp, expected) in [(0, "+0.00"), (1_001, "+10.01"), (-1_001, "-10.01")] {
            row.verdict.cp = Some(cp);
            assert_eq!(told(&row), expected);
        }
        row.verdict.cp = Some(-648);
        row.facts.phase = Some(Phase::Endgame);
        assert_eq!(told(&row), "-6.48");
    }

    #[test]
    fn lines_are_no_longer_than_may_be_and_end_with_a_move() {
        let row = row(0, Some("a"), "e4", 0);
        let first = |line: &str, most: usize| {
            let verdict = PositionVerdict {
                line: line.to_owned(),
                ..row.verdict.clone()
            };
            row.line(&verdict, most).unwrap()
        };
        let line = "1... e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5";
        let expected = "1... e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1";
        assert_eq!(first(line, 10), expected);
        let line = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5";
        assert!(first(line, 10).ends_with("5. O-O Be7"));
        let line = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6";
        assert_eq!(first(line, 6), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
        for most in [6, 10] {
            assert_eq!(first("1. e4", most), "1. e4");
            assert_eq!(first("", most), "1. e4", "the best move");
        }
        assert_eq!(row.line(&PositionVerdict::default(), 6), None);
    }
}
