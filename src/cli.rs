//! The command line: definitions only, carried out by the binary.

mod analyze;
mod completions;
mod explore;
mod lab;
mod manual;
pub mod program;
mod puzzles;
mod suite;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};

use crate::bench;
use crate::engine::memory::parse_hash;
use crate::engine::spec::SearchSpec;
use crate::games::chess::Position;
use crate::games::chess::notation::{Castling, FenError, read_fen};
use crate::output::output_file::Existing;
use crate::search::registry::Settings;
use crate::version;

pub use analyze::{AnalyzeArgs, GameArgs, Task};
pub use completions::{CompletionsArgs, completions};
pub use explore::ExploreArgs;
pub use lab::{LabArgs, LabError};
pub use manual::{ManualArgs, Page, manual};
pub use puzzles::PuzzlesArgs;
pub use suite::{LimitArgs, MergeArgs, RunArgs, SuiteArgs, SuiteCommand};

/// A chess engine that searches by conspiracy numbers.
///
/// Without a command, Cassius speaks UCI on standard input and output: that is how chess GUIs and
/// match runners start it.
#[derive(Debug, Parser)]
#[command(version = version::WITH_NETWORK, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  printf 'position startpos\\ngo movetime 1000\\n' | cassius
  cassius bench
  cassius suite epd/wac.epd --movetime 1000
  cassius lab list

Set RUST_LOG=debug to log what the engine is told and does, on standard error.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Speak UCI on standard input and output (the default)
    Uci,
    /// Search a fixed list of positions and print the node count and the speed
    ///
    /// The count is the same every time: it changes only when the search or the evaluation does.
    Bench(BenchArgs),
    /// Solve test positions with several searches side by side, and compare them
    Suite(Box<SuiteArgs>),
    /// Show how sure the value of a position is, or of each position of a game; annotate games
    Analyze(Box<AnalyzeArgs>),
    /// Show the tree that a search has grown: a page with a board and branches to unfold
    Explore(Box<ExploreArgs>),
    /// Find puzzles in games: one move is better than all others, and not easily seen
    Puzzles(Box<PuzzlesArgs>),
    /// Repeat the experiments of the papers that Cassius follows, play games to learn from, train networks
    Lab(LabArgs),
    /// Print the script by which a shell completes commands and options
    #[command(after_help = completions::EXAMPLES)]
    Completions(CompletionsArgs),
    /// Print a page of the manual, or write all of them to a folder
    #[command(after_help = manual::EXAMPLES)]
    Manual(ManualArgs),
    /// Print the UCI options as a Markdown table
    #[command(hide = true)]
    Options,
}

impl Cli {
    /// Whether files are written, so that to print is not all that is asked for.
    pub fn writes_files(&self) -> bool {
        self.command.as_ref().is_some_and(Command::writes_files)
    }
}

impl Command {
    /// Whether files are written, so that to print is not all that it does.
    pub fn writes_files(&self) -> bool {
        match self {
            Command::Uci
            | Command::Bench(_)
            | Command::Lab(_)
            | Command::Completions(_)
            | Command::Options => false,
            Command::Suite(args) => args.writes_files(),
            Command::Analyze(args) => args.writes_files(),
            Command::Explore(args) => is_any_given(&[&args.html, &args.tree]),
            Command::Puzzles(args) => is_any_given(&[&args.epd, &args.html]),
            Command::Manual(args) => args.folder.is_some(),
        }
    }
}

/// Whether one of these is a file; `-` is standard output.
pub fn is_any_given(files: &[&Option<PathBuf>]) -> bool {
    let mut files = files.iter().filter_map(|file| file.as_deref());
    files.any(|file| file != Path::new("-"))
}

/// The position that a FEN on the command line means. Castling rights that do not count are told to `err`.
fn position(fen: &str, is_chess960: bool, err: &mut dyn Write) -> Result<Position, FenError> {
    let castling = Castling::of(is_chess960);
    let read = read_fen(fen, castling)?;
    if let Some(rights) = read.dropped {
        let hint = castling.hint("--chess960");
        // The position is understood without the message.
        let _ = writeln!(err, "cassius: {rights}{hint}");
    }
    Ok(read.position)
}

/// What becomes of files that are there already: one rule for every file that a command writes.
#[derive(Clone, Copy, Debug, Args)]
pub struct OverwriteArgs {
    /// Replace files that already exist; without it they are left alone
    #[arg(long)]
    pub overwrite: bool,
}

impl OverwriteArgs {
    /// What to do with files that are there already.
    pub fn existing(self) -> Existing {
        if self.overwrite {
            Existing::Overwrite
        } else {
            Existing::Refuse
        }
    }

    /// The same for a command that can go on where it was.
    pub fn or_resume(self, resume: bool) -> Existing {
        if resume {
            Existing::Resume
        } else {
            self.existing()
        }
    }
}

/// How to search the list.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Stop each position after this iteration: a depth, a demand or a conspiracy threshold
    #[arg(long, value_name = "N", default_value_t = bench::ITERATIONS,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: u32,
    /// Stop each position after this many nodes
    #[arg(long, value_name = "N", default_value_t = bench::NODES,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Memory for the search's tree or table
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_megabytes,
          value_parser = parse_hash)]
    pub hash: usize,
    /// Search to use, with UCI options as NAME:OPTION=VALUE; other options are as in games
    #[arg(long, value_name = "NAME", default_value = Settings::default().algorithm.name())]
    pub search: SearchSpec,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }
}
