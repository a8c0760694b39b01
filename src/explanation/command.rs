//! `cassius explain`: options, and the printing of the explanation.

use std::io::Write;

use anyhow::{Result, ensure};
use clap::Args;

use super::{ExplanationLimits, explain, text};
use crate::engine::limit::DEFAULT_NODES;
use crate::engine::memory::{self, parse_hash};
use crate::engine::spec::{SearchSpec, position};
use crate::game::{Game as _, Root};
use crate::games::chess::line::moves_of;
use crate::games::chess::notation::{parse_san, without_number};
use crate::games::chess::{Evaluation, Move, Position};
use crate::search::registry::{Algorithm, Settings};

/// Default effort of a longer search, as a multiple of the explained one's positions.
const DEEPER: u64 = 10;

/// Line to explain, and how.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The position
    #[arg(long, value_name = "FEN")]
    pub fen: String,
    /// The move that is not played, and the moves after it as far as you like: 'Rxf7 Kxf7 Qh5+' or 'f1f7 e8f7'
    #[arg(long, value_name = "MOVES", alias = "moves")]
    pub line: String,
    /// Read the castling rights of the FEN by the rules of Chess960
    #[arg(long)]
    pub chess960: bool,

    /// Visit N positions
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODES, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Stop as soon as an iteration ends with the move, and tell why it did not earlier
    #[arg(long)]
    pub until_found: bool,
    /// Visit N positions for each move added after the line's end; 0 adds none [default: 10 times --nodes]
    #[arg(long, value_name = "N")]
    pub deeper: Option<u64>,
    /// Search to explain, with UCI options as NAME:OPTION=VALUE: depth-first, alpha-beta or alpha-beta-plain
    #[arg(long, value_name = "NAME", default_value = Algorithm::DepthFirst.name())]
    pub search: SearchSpec,
    /// Memory for its table
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_megabytes,
          value_parser = parse_hash)]
    pub hash: usize,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Examples:
  cassius explain --fen '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1' --line Qg6 --nodes 2000
  cassius explain --fen FEN --line 'Rxf7 Kxf7 Qh5+' --search alpha-beta
  cassius explain --fen FEN --line Rxf7 --nodes 10000000 --until-found";

/// Explains a line: prints the explanation to `out`, and oddities of the FEN to `err`.
pub(crate) fn run(options: &Options, out: &mut dyn Write, err: &mut dyn Write) -> Result<()> {
    let position = position(&options.fen, options.chess960, err)?;
    let line = read_line(&position, &options.line)?;
    let settings = options.search.settings(Evaluation::default(), options.hash);
    memory::ensure([settings.megabytes()], 1)?;
    let effort = ExplanationLimits {
        nodes: options.nodes,
        until_found: options.until_found,
        deeper: options
            .deeper
            .unwrap_or(options.nodes.saturating_mul(DEEPER)),
    };
    let explanation = explain(&Root::new(position), &line, &settings, effort)?;
    if options.json {
        let text = serde_json::to_string_pretty(&explanation)?;
        return Ok(writeln!(out, "{text}")?);
    }
    Ok(write!(out, "{}", text::explanation(&explanation))?)
}

/// Reads the moves of a line, in SAN or UCI notation, with or without numbers.
fn read_line(start: &Position, text: &str) -> Result<Vec<Move>> {
    let mut position = start.clone();
    let mut line = Vec::new();
    for word in moves_of(text) {
        let m = parse_san(&position, without_number(word))?;
        position.play(m);
        line.push(m);
    }
    ensure!(
        !line.is_empty(),
        "--line has no move; give the move that is not played"
    );
    Ok(line)
}
