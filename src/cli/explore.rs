//! `cassius explore`.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::{OverwriteArgs, position};
use crate::engine::analyst::DEFAULT_NODES;
use crate::engine::limit::Limit;
use crate::engine::memory::parse_hash;
use crate::engine::spec::SearchSpec;
use crate::explorer::command::Options;
use crate::games::chess::notation::FenError;
use crate::search::registry::{Algorithm, Settings};

/// Whose tree, and where to.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("output").required(true).multiple(true).args(["html", "tree"]))]
pub struct ExploreArgs {
    /// The position
    #[arg(long, value_name = "FEN")]
    pub fen: String,
    /// Read the castling rights of the FEN by the rules of Chess960
    #[arg(long)]
    pub chess960: bool,
    /// Write a page to look at in a browser; it needs no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the tree as JSON, or for Graphviz if FILE ends in .dot
    #[arg(long, value_name = "FILE")]
    pub tree: Option<PathBuf>,

    /// Visit at most N positions [default: 100000, unless --movetime is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search for at most MS milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,
    /// Search to use, with UCI options as NAME:OPTION=VALUE: best-first or proof-number-tree
    #[arg(long, value_name = "NAME", default_value = Algorithm::BestFirst.name())]
    pub search: SearchSpec,
    /// Memory for its tree
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_megabytes,
          value_parser = parse_hash)]
    pub hash: usize,
    /// Write the file of --tree down to this ply only; the page has the whole tree
    #[arg(long, value_name = "N", requires = "tree", value_parser = clap::value_parser!(u32).range(1..))]
    pub tree_plies: Option<u32>,
    /// What becomes of files that are there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

const EXAMPLES: &str = "\
Examples:
  cassius explore --fen '8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1' --html tree.html
  cassius explore --fen '6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1' --search proof-number-tree --html mate.html
  cassius explore --fen '8/8/8/8/3k4/8/3PK3/8 w - - 0 1' --nodes 200 --tree tree.dot";

impl ExploreArgs {
    /// What they ask for; `err` is told what is odd in the FEN.
    ///
    /// # Errors
    /// If the FEN is none.
    pub fn into_options(self, err: &mut dyn Write) -> Result<Options, FenError> {
        let otherwise = self.movetime.is_none().then_some(DEFAULT_NODES);
        Ok(Options {
            position: position(&self.fen, self.chess960, err)?,
            limit: Limit {
                movetime_ms: self.movetime,
                nodes: self.nodes.or(otherwise),
                depth: None,
            },
            search: self.search,
            hash_megabytes: self.hash,
            plies: self.tree_plies,
            html: self.html,
            tree: self.tree,
            existing: self.overwrite.existing(),
        })
    }
}
