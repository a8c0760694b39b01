//! `position`: facts about a position that need no search.

use anyhow::Result;
use cassius::game::Game as _;
use cassius::game_report::is_expected;
use cassius::games::chess::notation::to_fen;
use serde_json::{Value as Json, json};

use super::request::Request;
use super::written::{over, side, step};

pub(crate) fn answer(request: &Request) -> Result<Json> {
    let given = request.position()?;
    let position = &given.root.position;
    let mut passed = given.start.clone();
    let played = given.moves.iter().map(|&m| {
        let told = step(&passed, m);
        passed.play(m);
        told
    });
    let played: Vec<Json> = played.collect();
    let legal = position.legal_moves();
    let last = given.moves.last().copied();
    let legal = legal.iter().map(|&m| {
        let mut told = step(position, m);
        told["expected"] = json!(is_expected(position, last, m));
        told
    });
    let legal: Vec<Json> = legal.collect();
    Ok(json!({
        "fen": to_fen(position),
        "side_to_move": side(position),
        "check": position.in_check(),
        "over": over(position),
        "legal": legal,
        "played": played,
        "note": given.dropped.map(|rights| rights.to_string()),
    }))
}
