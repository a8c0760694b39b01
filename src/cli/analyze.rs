//! `cassius analyze`.

use clap::Args;

use crate::analysis::command::Options;
use crate::analysis::position::DEFAULT_NODES;
use crate::search::registry::{Algorithm, Settings};
use crate::suite::player::SearchSpec;
use crate::suite::results::Limit;

/// What to analyse, and how.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnalyzeArgs {
    /// The position
    #[arg(long, value_name = "FEN")]
    pub fen: String,

    /// Stop after so many positions visited [default: 100000, without --movetime]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Stop after so many milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,

    /// The search, with UCI options as NAME:OPTION=VALUE: best-first, depth-first-unit or depth-first
    ///
    /// Only best-first search keeps a tree in which all can be counted and named.
    #[arg(long, value_name = "NAME", default_value = Algorithm::BestFirst.name())]
    pub search: SearchSpec,
    /// Memory for the search's tree or table
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_megabytes)]
    pub hash: usize,
    /// Write JSON instead of text
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Examples:
  cassius analyze --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3'
  cassius analyze --fen '8/8/8/8/3k4/8/3PK3/8 w - - 0 1' --nodes 1000000 --json";

impl AnalyzeArgs {
    /// What they ask for.
    pub fn into_options(self) -> Options {
        Options {
            fen: self.fen,
            limit: Limit {
                movetime_ms: self.movetime,
                nodes: self
                    .nodes
                    .or(self.movetime.is_none().then_some(DEFAULT_NODES)),
                depth: None,
            },
            search: self.search,
            hash_megabytes: self.hash,
            json: self.json,
        }
    }
}
