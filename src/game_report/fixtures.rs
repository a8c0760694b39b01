//! Records for tests.

use super::move_marks;
use super::record::{Game, GameInfo, Header, Opinion, Row};
use super::verdict::PositionVerdict;
use crate::engine::limit::Limit;
use crate::games::chess::line::WrittenMove;
use crate::output::provenance::Provenance;

/// The header of a record.
pub(super) fn header(search: &str, nodes: u64) -> Header {
    Header {
        cassius: "1".to_owned(),
        file: "games.pgn".to_owned(),
        search: search.to_owned(),
        limit: Limit::of_analysis(Some(nodes), None),
        hash_mb: 1,
        provenance: Provenance {
            command: "cassius".to_owned(),
            commit: Some("0123456789ab-dirty".to_owned()),
            date: "2026-11-20".to_owned(),
            machine: "none".to_owned(),
        },
        ..Header::default()
    }
}

/// The initial position.
pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(super) fn step(san: &str) -> WrittenMove {
    WrittenMove {
        san: san.to_owned(),
        uci: san.to_owned(),
    }
}

/// Tags by their names and values.
pub(super) fn tags(tags: &[(&str, &str)]) -> Vec<(String, String)> {
    let tags = tags.iter();
    tags.map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

pub(super) fn info(game: usize) -> GameInfo {
    GameInfo {
        game,
        plies: 1,
        result: "*".to_owned(),
        positions: 1,
        ..GameInfo::default()
    }
}

pub(super) fn row(ply: usize, played: Option<&str>, best: &str, cp: i32) -> Row {
    Row {
        game: 1,
        ply,
        number: 1 + ply as u32 / 2,
        black: ply % 2 == 1,
        fen: START.to_owned(),
        played: played.map(step),
        verdict: PositionVerdict {
            best: Some(step(best)),
            cp: Some(cp),
            ..PositionVerdict::default()
        },
        ..Row::default()
    }
}

/// A verdict by the values for White of the best move and of the one played.
pub(super) fn verdict(best: i32, played: i32) -> PositionVerdict {
    PositionVerdict {
        cp: Some(best),
        played_cp: Some(played),
        ..PositionVerdict::default()
    }
}

/// An opinion by its value for White and the cost of the move played.
pub(super) fn opinion(cp: i32, cost: Option<f64>) -> Opinion {
    Opinion {
        verdict: PositionVerdict::worth(Some(cp), None),
        cost,
        chances: None,
    }
}

/// A game by its values, in which "b" is better everywhere than "a", which is played and leads to the next value.
pub(super) fn game(values: &[i32]) -> Game {
    let rows = (0..)
        .zip(values)
        .map(|(ply, &cp)| row(ply, Some("a"), "b", cp));
    Game {
        info: info(1),
        rows: with_costs(rows.collect()),
    }
}

/// Adds the value of each move played (the next position's, or its own position's if it is the best) and its cost.
pub(super) fn with_costs(mut rows: Vec<Row>) -> Vec<Row> {
    let mut next = None;
    for row in rows.iter_mut().rev() {
        let is_best = row.played.is_some() && row.better().is_none();
        row.verdict.played_cp = if is_best { row.verdict.cp } else { next };
        row.facts.cost = move_marks::cost(row.black, &row.verdict);
        next = row.verdict.cp;
    }
    rows
}
