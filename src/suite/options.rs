//! Options of `cassius suite`, as clap reads them.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::choice::Filter;
use crate::engine::limit::Limit;
use crate::engine::memory::parse_hash;
use crate::engine::spec::SearchSpec;
use crate::output::output_file::OverwriteArgs;
use crate::output::shard::Shard;
use crate::search::registry::Settings;

/// `cassius suite` with its own commands.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true,
          after_help = EXAMPLES)]
pub struct SuiteArgs {
    /// Command to carry out instead of running a suite.
    #[command(subcommand)]
    pub command: Option<SuiteCommand>,

    /// Suite to run otherwise.
    #[command(flatten)]
    pub run: Options,
}

impl SuiteArgs {
    /// The files to be written.
    pub fn outputs(&self) -> [&Option<PathBuf>; 2] {
        match &self.command {
            Some(SuiteCommand::Merge(merge)) => [&merge.json, &merge.csv],
            None => [&self.run.json, &self.run.csv],
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  cassius suite epd/wac.epd --movetime 1000
  cassius suite epd/wac.epd --nodes 100000 --engine stockfish --json wac.json --resume
  cassius suite epd/wac.epd --nodes 100000 --shard 1/2 --json part-1.json
  cassius suite merge part-1.json part-2.json --json whole.json

Exit code: 0 if every position was run by every search; 1 if a line was malformed, an engine failed
at a position, or the run could not be finished; 2 if the command line is wrong.";

/// The commands of `cassius suite`.
#[derive(Debug, Subcommand)]
pub enum SuiteCommand {
    /// Merge result files of shards and show the tables; a single file is only shown
    Merge(MergeArgs),
}

/// Files to merge, and files to write.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Result files written with --json
    #[arg(required = true, value_name = "RESULTS")]
    pub files: Vec<PathBuf>,
    /// Write the merged results as JSON lines
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the merged results as comma-separated values
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

/// The suite, and the searches and engines to run.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// EPD files; each position needs one of the operations bm, am and dm
    #[arg(required = true, value_name = "FILE.epd")]
    pub files: Vec<PathBuf>,

    /// The limit of each search.
    #[command(flatten)]
    pub limit: Limit,

    /// Searches to run, with UCI options as `NAME:OPTION=VALUE`; each position goes to all of them
    ///
    /// Options that are not given are as in games. Examples: `depth-first:Evaluation=tactical`,
    /// `"best-first:Best-First=strategy=higher-cn delta=1"`.
    #[arg(long, value_name = "NAME", value_delimiter = ',',
          default_value = Settings::default().algorithm.name())]
    pub search: Vec<SearchSpec>,
    /// Add a UCI engine, started by this command, under the same limits
    #[arg(long, value_name = "COMMAND")]
    pub engine: Vec<String>,
    /// Run the engines alone, without a search of Cassius
    #[arg(long, requires = "engine", conflicts_with = "search")]
    pub engines_only: bool,
    /// Seconds that an engine may take beyond --movetime, or in all without it
    ///
    /// Then it has failed at that position. Three failures in a row end the run.
    #[arg(long, value_name = "SECONDS", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub engine_timeout: u64,
    /// Memory for each search's tree or table
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_megabytes,
          value_parser = parse_hash)]
    pub hash: usize,

    /// Read castling rights by the rules of Chess960; without it, only king e1 and rooks a1, h1 have any
    #[arg(long)]
    pub chess960: bool,
    /// Run only some positions: even, odd, or a part of the id; with * or ? a pattern for the whole id
    #[arg(long, value_name = "WHICH")]
    pub filter: Option<Filter>,
    /// Run only part I of N, for a cluster; merge the result files afterwards
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Search N positions at a time; not with --movetime
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "movetime_ms",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,

    /// Write the results as JSON lines, each as soon as it is known
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Continue the run that wrote the --json file
    #[arg(long, requires = "json", conflicts_with = "overwrite")]
    pub resume: bool,
    /// Write the results as comma-separated values, each as soon as it is known
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}
