//! `cassius lab reversals` and `reversal-rates`: what a search answers, and what of it is overturned.

use std::path::PathBuf;

use clap::Args;

use super::OverwriteArgs;
use super::drawn::DrawArgs;
use crate::engine::memory::parse_hash;
use crate::engine::spec::SearchSpec;
use crate::lab::reversals::rates::RatesOptions;
use crate::lab::reversals::sampling::ReversalOptions;

/// Whose answers to sample, and who asks again.
#[derive(Debug, Args)]
pub struct ReversalsArgs {
    /// Which positions, and where the searches go.
    #[command(flatten)]
    pub draw: DrawArgs,
    /// The search that is watched: NAME[:OPTION=VALUE]...
    #[arg(long, value_name = "SEARCH", default_value = "depth-first")]
    pub search: SearchSpec,
    /// The search that asks again
    #[arg(long, value_name = "SEARCH", default_value = "depth-first")]
    pub judge: SearchSpec,
    /// Memory for each search's table
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = parse_hash)]
    pub hash: usize,
    /// Positions to visit in a search that is watched
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The judge visits N times the positions that the answer took
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    pub times: u64,
    /// Answers of each search to be asked again
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    pub samples: u16,
}

impl From<ReversalsArgs> for ReversalOptions {
    fn from(args: ReversalsArgs) -> ReversalOptions {
        ReversalOptions {
            draw: args.draw.into(),
            search: args.search,
            judge: args.judge,
            hash_megabytes: args.hash,
            nodes: args.nodes,
            times: args.times,
            samples: usize::from(args.samples),
        }
    }
}

/// What to make tables of.
#[derive(Debug, Args)]
pub struct ReversalRatesArgs {
    /// Files of `cassius lab reversals`, of one search
    #[arg(required = true, value_name = "FILE")]
    pub samples: Vec<PathBuf>,
    /// Seed of the resamples that the errors come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Write the tables as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// What becomes of a file that is there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl ReversalRatesArgs {
    /// What they ask for; `command` is the command line they stood in.
    pub fn into_options(self, command: String) -> RatesOptions {
        RatesOptions {
            samples: self.samples,
            seed: self.seed,
            json: self.json,
            existing: self.overwrite.existing(),
            command,
        }
    }
}
