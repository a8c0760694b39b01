//! Whole games: `game` and `puzzles`.

use anyhow::{Result, ensure};
use cassius::engine::limit::Limit;
use cassius::engine::stopwatch::Stopwatch;
use cassius::game_report::from_text;
use cassius::game_report::record::Record;
use cassius::puzzles::finding::Terms;
use cassius::puzzles::from_text as puzzles_of;
use serde_json::{Value as Json, json};

use super::request::{DEFAULT_NODES, Request};
use crate::desk::State;
use crate::failure::Stopped;

/// Least milliseconds between two reports of progress.
const PACE: f64 = 80.0;

/// Makes the analysis request.
fn wanted(request: &Request) -> Result<from_text::Request> {
    let name = request.name.as_deref().unwrap_or("game.pgn");
    let search = request.search("depth-first")?;
    let limit = request.limit(Some(DEFAULT_NODES));
    Ok(from_text::Request {
        hash_megabytes: request.megabytes(),
        second_look: request.second_look.unwrap_or(true),
        ..from_text::Request::new(name, search, limit)
    })
}

/// `game`: analyses games.
pub(crate) fn game(state: &State, request: &Request, bytes: Option<&[u8]>) -> Result<Json> {
    let pgn = request.pgn(bytes)?;
    let wanted = wanted(request)?;
    state.kept.let_go();
    let mut stopped = false;
    let record = from_text::analyze_with_progress(pgn, &wanted, |news| {
        // A stopped search gives no verdict.
        stopped = state.is_to_end();
        if stopped {
            return false;
        }
        state.progress(&json!({ "game": news.game, "done": news.done, "of": news.of }));
        true
    })?;
    ensure!(!record.games.is_empty(), Stopped);
    told(state, request, pgn, &record, stopped)
}

/// The answer: record, page and text with remarks.
fn told(
    state: &State,
    request: &Request,
    pgn: &[u8],
    record: &Record,
    stopped: bool,
) -> Result<Json> {
    // Remarks need the record of all games of the text.
    let mut text = None;
    if !stopped {
        let annotated = from_text::annotated(pgn, record)?;
        match &request.pgn {
            Some(_) => text = Some(String::from_utf8(annotated)?),
            None => state.say_bytes(&annotated),
        }
    }
    let games = record.games.iter();
    let games = games.map(|game| json!({ "info": game.info, "rows": game.rows }));
    Ok(json!({
        "record": { "header": record.header, "games": games.collect::<Vec<Json>>() },
        "html": from_text::page(record),
        "pgn": text,
        "stopped": stopped,
    }))
}

/// `puzzles`: finds puzzles of games.
pub(crate) fn puzzles(state: &State, request: &Request, bytes: Option<&[u8]>) -> Result<Json> {
    let pgn = request.pgn(bytes)?;
    let terms = Terms {
        nodes: request.nodes.unwrap_or(DEFAULT_NODES).max(1),
        gap: request.gap.unwrap_or(0.2),
        hash_megabytes: request.megabytes(),
    };
    ensure!(
        terms.gap > 0.0 && terms.gap <= 1.0,
        "'gap' must be in points, more than 0 and at most 1, not {}",
        terms.gap
    );
    let name = request.name.as_deref().unwrap_or("game.pgn");
    state.kept.let_go();
    let clock = Stopwatch::start(&Limit::default());
    let mut last = None;
    let found = puzzles_of::find(pgn, name, &terms, |puzzles, games| {
        let now = clock.ms();
        if last.is_none_or(|last| now - last >= PACE) {
            last = Some(now);
            state.progress(&json!({ "done": games, "puzzles": puzzles }));
        }
        !state.is_to_end()
    })?;
    Ok(json!({
        "puzzles": found.puzzles.len(),
        "epd": found.epd(),
        "html": found.page(),
        "remarks": found.remarks,
        "stopped": state.is_to_end(),
    }))
}
