//! Which positions of recorded games a command draws, and where what comes of them goes.

use std::path::PathBuf;

use clap::Args;

use super::OverwriteArgs;
use crate::lab::outlook::drawn::Draw;
use crate::suite::results::Shard;

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
