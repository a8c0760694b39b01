//! `cassius analyze`.

use clap::Args;

use super::LimitArgs;
use crate::analysis::command::Options;
use crate::search::registry::{Algorithm, Settings};
use crate::suite::player::SearchSpec;
use crate::suite::results::Limit;

/// Positions visited where nothing else is asked for: a second or less.
const DEFAULT_NODES: u64 = 100_000;

/// What to analyse, and how.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnalyzeArgs {
    /// The position
    #[arg(long, value_name = "FEN", required = true)]
    pub fen: String,

    /// When to stop; after 100000 positions if nothing is given.
    #[command(flatten)]
    pub limits: Option<LimitArgs>,

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
        let limit = self.limits.map(|limits| limits.limit());
        Options {
            fen: self.fen,
            limit: limit.unwrap_or(Limit {
                nodes: Some(DEFAULT_NODES),
                ..Limit::default()
            }),
            search: self.search,
            hash_megabytes: self.hash,
            json: self.json,
        }
    }
}
