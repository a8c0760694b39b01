//! `cassius lab selfplay`, `train` and `train-scale`: games, and what is learnt from them.

use std::ops::Range;
use std::path::PathBuf;

use clap::Args;

use crate::selfplay::run::SelfplayOptions;
use crate::training::batches::Settings;
use crate::training::command::TrainOptions;
use cassius::cli::OverwriteArgs;
use cassius::engine::memory::parse_hash;
use cassius::engine::spec::SearchSpec;

/// Shards that a folder may have: their names have five digits.
const MOST_SHARDS: u64 = 100_000;

/// Which games to play.
#[derive(Debug, Args)]
pub struct SelfplayArgs {
    /// Fill this folder with games; those that are there stay
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Make these shards, by number: from 0 up to, but not including, 10, for example. Shards that are
    /// there are left alone, so several runs can share a folder
    #[arg(long, value_name = "FROM..TO", default_value = "0..1", value_parser = parse_range)]
    pub shards: Range<u64>,
    /// Games in a shard
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// The search that plays: NAME[:OPTION=VALUE]...
    #[arg(long, value_name = "SEARCH", default_value = "depth-first")]
    pub search: SearchSpec,
    /// Memory for each search's table
    #[arg(long, value_name = "MIB", default_value_t = 2, value_parser = parse_hash)]
    pub hash: usize,
    /// Positions to visit for each move
    #[arg(long, value_name = "N", default_value_t = 5_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Seed of openings and random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Make N shards at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
}

/// Reads a number between two bounds; NaN is between none.
pub(super) fn number_within(least: f64, most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| format!("expected a number from {least} to {most}"))
    }
}

/// A range of shards.
fn parse_range(text: &str) -> Result<Range<u64>, String> {
    let number = |text: &str| text.trim().parse::<u32>().map(u64::from).ok();
    text.split_once("..")
        .and_then(|(from, to)| Some(number(from)?..number(to)?))
        .filter(|range| range.start < range.end && range.end <= MOST_SHARDS)
        .ok_or_else(|| {
            format!("expected FROM..TO, as 0..10: two whole numbers, the first the smaller, up to {MOST_SHARDS}")
        })
}

impl From<SelfplayArgs> for SelfplayOptions {
    fn from(args: SelfplayArgs) -> SelfplayOptions {
        SelfplayOptions {
            folder: args.folder,
            shards: args.shards,
            games: args.games,
            search: args.search,
            hash_megabytes: args.hash,
            nodes: args.nodes,
            seed: args.seed,
            jobs: usize::from(args.jobs),
        }
    }
}

/// What to learn from, and where what is learnt goes.
#[derive(Debug, Args)]
pub struct FitArgs {
    /// Games written by `cassius lab selfplay`: folders, or single shards
    #[arg(required = true, value_name = "GAMES")]
    pub games: Vec<PathBuf>,
    /// Write the network to this file
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// How often each position is seen
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = number_within(0.0, 10_000.0))]
    pub epochs: f64,
    /// Positions of a step
    #[arg(long, value_name = "N", default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: u32,
    /// About how far a step moves each weight, at most
    #[arg(long, value_name = "RATE", default_value_t = Settings::default().rate, value_parser = number_within(1e-9, 1.0))]
    pub rate: f64,
    /// Fixes the first weights and the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Use N threads; they change nothing about the network
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Write the losses as JSON, for scripts/plot
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// What becomes of files that are there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl FitArgs {
    /// What they ask for; `command` is the command line they stood in.
    pub fn into_options(self, command: String) -> TrainOptions {
        TrainOptions {
            settings: Settings {
                epochs: self.epochs,
                batch: self.batch as usize,
                rate: self.rate,
                seed: self.seed,
                threads: usize::from(self.jobs),
                ..Settings::default()
            },
            games: self.games,
            begin: None,
            output: self.output,
            json: self.json,
            existing: self.overwrite.existing(),
            command,
        }
    }
}

/// What to learn a network from, and how.
#[derive(Debug, Args)]
pub struct TrainArgs {
    /// From what, and where to.
    #[command(flatten)]
    pub fit: FitArgs,
    /// Begin with this network, instead of random weights; the number of its output weights stays
    #[arg(long, value_name = "NETWORK", conflicts_with = "buckets")]
    pub begin: Option<PathBuf>,
    /// Sets of output weights, by the number of pieces
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=32))]
    pub buckets: u16,
    /// Share of the game's result in the target, from 0 to 1; the rest is the value that the search gave
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = number_within(0.0, 1.0))]
    pub result_share: f64,
}

impl TrainArgs {
    /// What they ask for; `command` is the command line they stood in.
    pub fn into_options(self, command: String) -> TrainOptions {
        let mut options = self.fit.into_options(command);
        options.begin = self.begin;
        options.settings.buckets = usize::from(self.buckets);
        options.settings.result_share = self.result_share as f32;
        options
    }
}

/// What to learn a network's scale from, and how.
#[derive(Debug, Args)]
pub struct TrainScaleArgs {
    /// The network whose errors are learnt; its values stay
    #[arg(value_name = "NETWORK")]
    pub network: PathBuf,
    /// From what, and where to.
    #[command(flatten)]
    pub fit: FitArgs,
}
