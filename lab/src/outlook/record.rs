//! The record of a search as a line of JSON.

use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::outcome::Input;
use crate::resumption::read_records;

/// The first line of a file: the conditions of its searches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of this format.
    pub outlook: u32,
    /// Version and commit of Cassius.
    pub version: String,
    /// The search, as on the command line.
    pub search: String,
    /// Checksum of the search's network; `None` for other evaluations.
    pub network: Option<String>,
    /// Memory of the search, in MiB.
    pub hash: usize,
    /// Fewest and most nodes of a search.
    pub nodes: [u64; 2],
    /// Plies between two positions of a game.
    pub every: usize,
    /// Seed of the choice of positions and of nodes.
    pub seed: u64,
}

/// The record of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Search {
    /// Index of the game among those given, from 0.
    pub game: u64,
    /// Index of the move, from 0.
    pub ply: usize,
    pub fen: String,
    pub moves: usize,
    /// Number of pieces on the board.
    pub pieces: u32,
    /// Width of the evaluation's error, in centipawns.
    pub width: Option<f32>,
    /// The limit, in nodes.
    pub nodes: u64,
    /// The reports on the best line.
    pub course: Vec<Step>,
}

/// A report on the best line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Nodes so far.
    pub n: u64,
    /// The iteration.
    pub i: u32,
    /// Whether the iteration is complete.
    pub done: bool,
    /// The value for the side to move, as [`Value::get`](cassius::value::Value::get) encodes it.
    pub v: i16,
    /// The chosen move.
    pub m: String,
    /// Prices of a lower and of a higher value, in sixteenths of the price of an ordinary ply; the maximum is infinity.
    /// `None` if the search has no prices.
    pub costs: Option<[u16; 2]>,
}

/// Reads files of one search and network, empty or not; returns the searches, and the files with numbers of positions.
pub(super) fn read(paths: &[PathBuf]) -> Result<(Vec<Search>, Vec<Input>)> {
    let conditions = |header: &Header| {
        let network = header.network.as_deref().unwrap_or("none");
        (format!("{}, network {network}", header.search), header.seed)
    };
    let place = |it: &Search| (it.game, it.ply, it.fen.clone());
    read_records(paths, conditions, place)
}
