//! Games with the values of a search and of a judge.

use anyhow::{Result, bail, ensure};

use super::WON;
use crate::statistics::elo_score;
use cassius::game_report::record::{self, Record, Row};
use cassius::game_report::verdict::PositionVerdict;
use cassius::profile::criticality::{Extremes, Turn};

/// A game.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// Its positions, in order.
    pub(super) plies: Vec<Ply>,
    /// The first position from which the winner's expected score stays at [`WON`] or more; `None` for draws, and if
    /// there is no such position or it is the first.
    pub(super) turning_point: Option<usize>,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    /// White's expected score by the judge.
    pub(super) expected: f64,
    /// Whether it may be marked: by the judge the game is open, its player has moved before, and something follows.
    pub(super) open: bool,
    /// White's expected score by the search.
    pub(super) value: f64,
    /// The rule's verdict.
    pub(super) turn: Turn,
    /// The conspiracy numbers that the rule uses.
    pub(super) extremes: Extremes,
}

impl Game {
    /// Indices of the positions that may be marked.
    pub(super) fn open(&self) -> Vec<usize> {
        let plies = self.plies.iter().enumerate();
        plies.filter(|it| it.1.open).map(|it| it.0).collect()
    }
}

/// Error for analyses that do not belong together.
const NOT_TOGETHER: &str = "expected two analyses of the same games: one with conspiracy numbers (`--search best-first`), and one of a judge";

/// Whether an analysis has conspiracy numbers; otherwise it is the judge's.
pub(super) fn has_numbers(record: &Record) -> bool {
    let mut rows = record.games.iter().flat_map(|game| &game.rows);
    rows.any(|row| row.verdict.min_cn.is_some())
}

/// The games of two analyses, in any order: one with conspiracy numbers, and one of a judge.
pub(super) fn games(records: &[Record]) -> Result<Vec<Game>> {
    let (search, judge) = match records {
        [search, judge] | [judge, search] if has_numbers(search) && !has_numbers(judge) => {
            (search, judge)
        }
        _ => bail!(NOT_TOGETHER),
    };
    let infos = judge.games.iter().map(|game| &game.info);
    let is_same = search.games.iter().map(|game| &game.info).eq(infos);
    ensure!(is_same, NOT_TOGETHER);
    let games = search.games.iter().zip(&judge.games);
    let games = games.filter(|(game, _)| game.info.error.is_none());
    Ok(games.map(|(game, judged)| joined(game, judged)).collect())
}

fn joined(game: &record::Game, judged: &record::Game) -> Game {
    let pairs = game.rows.iter().zip(&judged.rows);
    let known = pairs.map_while(|(row, judged)| ply(row, judged));
    let mut plies: Vec<Ply> = known.collect();
    if let Some(last) = plies.last_mut() {
        last.open = false;
    }
    let winner: Option<fn(f64) -> f64> = match game.info.result.as_str() {
        "1-0" => Some(|expected| expected),
        "0-1" => Some(|expected| 1.0 - expected),
        _ => None,
    };
    let turning_point = winner.and_then(|winners| {
        let undecided = plies.iter().rposition(|ply| winners(ply.expected) < WON);
        Some(undecided? + 1).filter(|&at| at < plies.len())
    });
    Game {
        plies,
        turning_point,
    }
}

/// A position, if both analyses have a value for it.
fn ply(row: &Row, judged: &Row) -> Option<Ply> {
    let expected = expected(&judged.verdict, row.black)?;
    Some(Ply {
        expected,
        open: row.ply >= 2 && (0.1..=0.9).contains(&expected),
        value: self::expected(&row.verdict, row.black)?,
        turn: row.turn,
        extremes: row.extremes(),
    })
}

/// White's expected score by a value.
fn expected(verdict: &PositionVerdict, black: bool) -> Option<f64> {
    let centipawns = match (verdict.mate, verdict.cp) {
        // The side to move is mated.
        (Some(0), _) if black => f64::INFINITY,
        (Some(0), _) => f64::NEG_INFINITY,
        (Some(moves), _) => f64::from(moves.signum()) * f64::INFINITY,
        (None, Some(cp)) => f64::from(cp),
        (None, None) => return None,
    };
    Some(elo_score(centipawns))
}
