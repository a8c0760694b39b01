//! `cassius puzzles`.

use std::path::PathBuf;

use clap::Args;

use super::OverwriteArgs;
use crate::engine::memory::parse_hash;
use crate::puzzles::command::Options;
use crate::puzzles::finding::Terms;
use crate::search::registry::Settings;

/// Where to look for puzzles, and on what terms.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PuzzlesArgs {
    /// PGN file of games
    #[arg(value_name = "GAMES.pgn")]
    pub file: PathBuf,
    /// Write the puzzles to FILE, one a line in EPD, each as soon as it is found; without it they are printed
    #[arg(long, value_name = "FILE")]
    pub epd: Option<PathBuf>,
    /// Write a page to solve them on in a browser, anew after each puzzle
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Visit at most N positions in each search, one for most positions of a game; ten times as many to make sure of a puzzle
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// How much better than all others the best move has to be, in points: a win is 1, a draw 0.5
    #[arg(long, value_name = "POINTS", default_value_t = 0.2, value_parser = parse_gap)]
    pub gap: f64,
    /// Memory for each search's table; there are two
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_megabytes, value_parser = parse_hash)]
    pub hash: usize,
    /// Work on N games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// What becomes of files that are there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

const EXAMPLES: &str = "\
A position is a puzzle if one move is better than all others by the gap, if the game is not decided and the move takes
nothing back, if depth-first conspiracy-number search finds the move at a demand of 3 or more and goes on with it, and if
alpha-beta search with as many nodes as that took misses it or has it for good only in the second half. The grade (c0) is
the demand at which it is found.

Examples:
  cassius puzzles games.pgn --epd puzzles.epd --html puzzles.html
  cassius puzzles games.pgn --nodes 20000 --gap 0.3 | head";

/// A gap: more than 0, and no more than a whole point.
fn parse_gap(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(gap) if gap > 0.0 && gap <= 1.0 => Ok(gap),
        _ => Err("expected points, more than 0 and at most 1".to_owned()),
    }
}

impl From<PuzzlesArgs> for Options {
    fn from(args: PuzzlesArgs) -> Options {
        Options {
            file: args.file,
            terms: Terms {
                nodes: args.nodes,
                gap: args.gap,
                hash_megabytes: args.hash,
            },
            jobs: args.jobs.into(),
            epd: args.epd,
            html: args.html,
            existing: args.overwrite.existing(),
        }
    }
}
