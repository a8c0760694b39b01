//! `bench`: the program's benchmark.

use anyhow::Result;
use cassius::bench::{Options, bench};
use cassius::engine::limit::Limit;
use cassius::engine::stopwatch::Stopwatch;
use serde_json::{Value as Json, json};

use super::request::Request;
use crate::desk::State;
use crate::failure::Stopped;

pub(crate) fn answer(state: &State, request: &Request) -> Result<Json> {
    let usual = Options::default();
    let options = Options {
        iterations: request.iterations.unwrap_or(usual.iterations).max(1),
        nodes: request.nodes.unwrap_or(usual.nodes).max(1),
        hash: request.megabytes(),
        search: request.search(&usual.search.to_string())?,
    };
    state.kept.let_go();
    state.kept.ensure(options.hash)?;
    let clock = Stopwatch::start(&Limit::default());
    let mut text = Vec::new();
    bench(&options, &mut text)?;
    anyhow::ensure!(!state.is_to_end(), Stopped);
    let text = String::from_utf8(text)?;
    let last = text.lines().last().unwrap_or_default();
    let nodes = last.split(' ').next().and_then(|it| it.parse::<u64>().ok());
    Ok(json!({ "nodes": nodes, "ms": clock.ms(), "text": text }))
}
