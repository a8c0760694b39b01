//! How a search went, as a line of JSON.

use serde::{Deserialize, Serialize};

use cassius::suite::results::Shard;

/// The first line of a file: what its searches depend on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of this format.
    pub outlook: u32,
    /// The version and commit of Cassius.
    pub version: String,
    /// The search, as a command line names it.
    pub search: String,
    /// The network that the search evaluates with, by its checksum; none if it evaluates otherwise.
    pub network: Option<String>,
    /// Memory of the search, in MiB.
    pub hash: usize,
    /// The least and the most nodes of a search.
    pub nodes: [u64; 2],
    /// Plies of a game between two positions.
    pub every: usize,
    /// Seed of the choice of positions and of nodes.
    pub seed: u64,
    /// Which part of the positions was searched; none for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl Header {
    /// What must be the same in files that are put together, as the user is told.
    pub(super) fn search(&self) -> String {
        let network = self.network.as_deref().unwrap_or("none");
        format!("{}, network {network}", self.search)
    }
}

/// A search and how it went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Search {
    /// The number of the game among those given, from 0.
    pub game: u64,
    /// The number of the move, from 0.
    pub ply: usize,
    pub fen: String,
    pub moves: usize,
    /// Pieces on the board.
    pub pieces: u32,
    /// The width of the evaluation's error, in centipawns.
    pub width: Option<f32>,
    /// The limit, in nodes.
    pub nodes: u64,
    /// What was reported on the best line.
    pub course: Vec<Step>,
    /// Moves that were the choice once but not in the end, with what a search of that move alone says of them.
    pub given_up: Vec<(String, i16)>,
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
    /// The move chosen.
    pub m: String,
    /// What a lower value and a higher one cost, in sixteenths, the largest number being infinite; `None` if
    /// the search prices nothing.
    pub costs: Option<[u16; 2]>,
}
