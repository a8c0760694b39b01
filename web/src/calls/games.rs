//! Whole games: `game`, `report` and `puzzles`.

use anyhow::{Result, ensure};
use cassius::engine::limit::Limit;
use cassius::engine::stopwatch::Stopwatch;
use cassius::game_report::from_text::{self, Share};
use cassius::game_report::record::{Game, Record, Row};
use cassius::puzzles::finding::Terms;
use cassius::puzzles::from_text as puzzles_of;
use serde_json::{Value as Json, json};

use super::request::{DEFAULT_NODES, Request, ShareOf};
use crate::desk::State;
use crate::failure::Stopped;

/// Milliseconds between two reports that tell no more than how far it is.
const PACE: f64 = 80.0;

/// How games are to be analysed.
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

/// `game`: all positions of games, or a share of them.
pub(crate) fn game(state: &State, request: &Request, bytes: Option<&[u8]>) -> Result<Json> {
    let pgn = request.pgn(bytes)?;
    let wanted = wanted(request)?;
    let share = request.share.unwrap_or(ShareOf { number: 0, of: 1 });
    ensure!(
        share.number < share.of,
        "'share' is a number from 0 on, less than 'of'"
    );
    state.kept.let_go();
    let mut rows: Vec<Row> = Vec::new();
    let share_of = Share {
        number: share.number,
        of: share.of,
    };
    let games = from_text::analyze_share(pgn, &wanted, share_of, |news| {
        // What was stopped is no verdict.
        if state.is_to_end() {
            return false;
        }
        rows.push(news.row.clone());
        state.progress(&json!({ "done": news.done, "of": news.of, "row": news.row }));
        true
    })?;
    let stopped = state.is_to_end();
    if request.share.is_some() {
        return Ok(json!({ "share": share, "rows": rows, "stopped": stopped }));
    }
    ensure!(!stopped || !rows.is_empty(), Stopped);
    let record = from_text::put_together(games, &wanted, rows)?;
    told(state, request, pgn, record, stopped)
}

/// `report`: of all shares.
pub(crate) fn report(state: &State, request: &Request, bytes: Option<&[u8]>) -> Result<Json> {
    let pgn = request.pgn(bytes)?;
    let mut rows: Vec<Row> = Vec::new();
    let mut stopped = false;
    for share in &request.shares {
        let of_share: Vec<Row> = serde_json::from_value(share["rows"].clone())?;
        rows.extend(of_share);
        stopped |= share["stopped"] == true;
    }
    rows.sort_by_key(|row| (row.game, row.ply));
    // What comes after a gap is left out.
    let mut last: Option<(usize, usize)> = None;
    rows.retain(|row| {
        let follows = match last {
            Some((game, ply)) if game == row.game => row.ply == ply + 1,
            _ => row.ply == 0,
        };
        last = if follows {
            Some((row.game, row.ply))
        } else {
            last
        };
        follows
    });
    let games = from_text::games(pgn)?;
    ensure!(!games.is_empty(), Stopped);
    let record = from_text::put_together(games, &wanted(request)?, rows)?;
    told(state, request, pgn, record, stopped)
}

/// A record with what is made of it.
fn told(
    state: &State,
    request: &Request,
    pgn: &[u8],
    mut record: Record,
    stopped: bool,
) -> Result<Json> {
    // Remarks go with whole games only.
    let is_whole = |game: &Game| game.rows.len() == game.info.positions;
    let is_whole = record.games.iter().all(is_whole);
    let annotated = is_whole.then(|| from_text::annotated(pgn, &record));
    let mut text = None;
    if let Some(annotated) = annotated.transpose()? {
        match &request.pgn {
            Some(_) => text = Some(String::from_utf8(annotated)?),
            None => state.say_bytes(&annotated),
        }
    }
    if stopped {
        // There may be thousands of which nothing is known.
        record.games.retain(|game| !game.rows.is_empty());
    }
    let games = record.games.iter();
    let games = games.map(|game| json!({ "info": game.info, "rows": game.rows }));
    Ok(json!({
        "record": { "header": record.header, "games": games.collect::<Vec<Json>>() },
        "html": from_text::page(&record),
        "pgn": text,
        "stopped": stopped,
    }))
}

/// `puzzles`: of games.
pub(crate) fn puzzles(state: &State, request: &Request, bytes: Option<&[u8]>) -> Result<Json> {
    let pgn = request.pgn(bytes)?;
    let terms = Terms {
        nodes: request.nodes.unwrap_or(DEFAULT_NODES).max(1),
        gap: request.gap.unwrap_or(0.2),
        hash_megabytes: request.megabytes(),
    };
    ensure!(
        terms.gap > 0.0 && terms.gap <= 1.0,
        "'gap' is in points, more than 0 and at most 1"
    );
    let name = request.name.as_deref().unwrap_or("game.pgn");
    state.kept.let_go();
    let clock = Stopwatch::start(&Limit::default());
    let mut last = None;
    let found = puzzles_of::find_and_tell(pgn, name, &terms, |puzzles, games| {
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
