//! `cassius lab selfplay` and `cassius lab tune`.

use std::path::PathBuf;

use clap::Args;

use super::OverwriteArgs;
use crate::lab::tuning::command::{SelfplayOptions, TuneOptions};
use crate::lab::tuning::fit;

/// Which games to play.
#[derive(Debug, Args)]
pub struct SelfplayArgs {
    /// Write the games to this file, one a line
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Play N games
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u64,
    /// Number of the first game, to add to those of an earlier run
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub first: u64,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Positions to visit for each move
    #[arg(long, value_name = "N", default_value_t = 2_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Continue the run that wrote the file
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,
    /// What becomes of a file that is there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl From<SelfplayArgs> for SelfplayOptions {
    fn from(args: SelfplayArgs) -> SelfplayOptions {
        SelfplayOptions {
            file: args.file,
            games: args.games,
            first: args.first,
            seed: args.seed,
            nodes: args.nodes,
            existing: args.overwrite.or_resume(args.resume),
        }
    }
}

/// What to learn from, and how.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// Games written by `cassius lab selfplay`
    #[arg(required = true, value_name = "GAMES")]
    pub files: Vec<PathBuf>,
    /// Steps down the gradient
    #[arg(long, value_name = "N", default_value_t = fit::Settings::default().steps)]
    pub steps: u32,
    /// Length of the first step, in centipawns
    #[arg(long, value_name = "CP", default_value_t = fit::Settings::default().rate)]
    pub rate: f64,
    /// Share of the game's result in the target, from 0 to 1; the rest is the value that the search gave
    #[arg(long, value_name = "SHARE", default_value_t = fit::Settings::default().result_share)]
    pub result_share: f64,
    /// Distance from its start, in centipawns, at which a weight costs as much as one position that is
    /// wrong by a point
    #[arg(long, value_name = "CP", default_value_t = fit::Settings::default().spring)]
    pub spring: f64,
    /// Write the weights to this file, as the text of src/games/chess/evaluation/weights.rs
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What becomes of a file that is there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl From<TuneArgs> for TuneOptions {
    fn from(args: TuneArgs) -> TuneOptions {
        TuneOptions {
            files: args.files,
            fit: fit::Settings {
                steps: args.steps,
                rate: args.rate,
                result_share: args.result_share,
                spring: args.spring,
            },
            output: args.output,
            existing: args.overwrite.existing(),
        }
    }
}
