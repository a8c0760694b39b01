//! `cassius lab sample-outlook` and `fit-outlook`: what more thinking changes.

use std::path::PathBuf;

use clap::Args;

use super::training::number_within;
use crate::outlook::command::FitOptions;
use crate::outlook::drawn::Draw;
use crate::outlook::sampling::SamplingOptions;
use cassius::cli::OverwriteArgs;
use cassius::engine::memory::parse_hash;
use cassius::engine::spec::SearchSpec;
use cassius::suite::results::Shard;

/// Which positions to draw.
#[derive(Debug, Args)]
pub struct DrawArgs {
    /// Games written by `cassius lab selfplay`: folders, or single shards
    #[arg(required = true, value_name = "GAMES")]
    pub games: Vec<PathBuf>,
    /// Write the searches to this file, a line of JSON each; given again with --resume, the command goes on
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Take one position in N plies of a game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub every: u16,
    /// Seed of what is left to chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Search only part I of N of the positions, for a cluster
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Search N positions at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Go on with a file that an earlier run of the same command began
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,
    /// What becomes of a file that is there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl From<DrawArgs> for Draw {
    fn from(args: DrawArgs) -> Draw {
        Draw {
            games: args.games,
            output: args.output,
            existing: args.overwrite.or_resume(args.resume),
            every: usize::from(args.every),
            seed: args.seed,
            shard: args.shard,
            jobs: usize::from(args.jobs),
        }
    }
}

/// What to sample.
#[derive(Debug, Args)]
pub struct SampleOutlookArgs {
    /// Which positions, and where the searches go.
    #[command(flatten)]
    pub draw: DrawArgs,
    /// The search: NAME[:OPTION=VALUE]...
    #[arg(long, value_name = "SEARCH", default_value = "depth-first")]
    pub search: SearchSpec,
    /// Memory for each search's table
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = parse_hash)]
    pub hash: usize,
    /// Fewest positions to visit in a search
    #[arg(long, value_name = "N", default_value_t = 16_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub least_nodes: u64,
    /// Most positions to visit; between the two, the logarithm is spread evenly
    #[arg(long, value_name = "N", default_value_t = 320_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub most_nodes: u64,
}

impl From<SampleOutlookArgs> for SamplingOptions {
    fn from(args: SampleOutlookArgs) -> SamplingOptions {
        SamplingOptions {
            draw: args.draw.into(),
            search: args.search,
            hash_megabytes: args.hash,
            nodes: [args.least_nodes, args.most_nodes],
        }
    }
}

/// What to learn from, and where it goes.
#[derive(Debug, Args)]
pub struct FitOutlookArgs {
    /// Files of `cassius lab sample-outlook`
    #[arg(required = true, value_name = "FILE")]
    pub samples: Vec<PathBuf>,
    /// Observations that say of each weight that it is 0
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = number_within(0.0, 1_000_000.0))]
    pub ridge: f64,
    /// Write the numbers to this file, as the text of src/outlook/weights.rs
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write how true they are as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Judge the numbers of the program instead of learning others
    #[arg(long, conflicts_with_all = ["output", "ridge"])]
    pub judge_only: bool,
    /// What becomes of files that are there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl FitOutlookArgs {
    /// What they ask for; `command` is the command line they stood in.
    pub fn into_options(self, command: String) -> FitOptions {
        FitOptions {
            samples: self.samples,
            ridge: self.ridge,
            output: self.output,
            json: self.json,
            existing: self.overwrite.existing(),
            judge_only: self.judge_only,
            command,
        }
    }
}
