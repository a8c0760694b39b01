//! `profile`: leaves that would have to be misjudged for the value to change.

use anyhow::{Result, ensure};
use cassius::engine::analyst::text;
use cassius::games::chess::Evaluation;
use serde_json::{Value as Json, json};

use super::request::Request;
use super::trees::{self, changes};
use super::written::{line, side, value};
use crate::desk::State;
use crate::failure::Stopped;

pub(crate) fn answer(state: &State, request: &Request) -> Result<Json> {
    let (centipawns, named) = (request.change()?, request.most_named());
    let settings = request.settings("best-first", Evaluation::Tactical)?;
    let number = trees::grown(state, request, &settings)?;
    state.kept.with_tree(number, |tree| {
        let profile = tree.profile();
        ensure!(!profile.line.uci.is_empty(), Stopped);
        let root = &tree.root().position;
        let [worse, better] = changes(tree, 0, centipawns, named);
        Ok(json!({
            "fen": profile.fen,
            "side_to_move": side(root),
            "value": value(tree.value()),
            "line": line(root, &tree.line()),
            "nodes": tree.visited(),
            "tree_size": tree.tree().nodes().len(),
            "worse": worse,
            "better": better,
            "text": text::profile(profile, ""),
            "profile": profile,
            "tree": number,
            "stopped": state.is_to_end(),
        }))
    })
}
