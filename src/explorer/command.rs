//! `cassius explore`: reads options, writes files.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{ArgGroup, Args};

use super::record::TreeRecord;
use super::{growing, page};
use crate::engine::kept_tree;
use crate::engine::limit::{Limit, milliseconds};
use crate::engine::memory::parse_hash;
use crate::engine::spec::{SearchSpec, position};
use crate::output::output_file::{self, OverwriteArgs, WholeFile};
use crate::output::progress::Progress;
use crate::output::table::thousands;
use crate::search::registry::{Algorithm, Settings};

/// Tree to grow, and files to write.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("output").required(true).multiple(true).args(["html", "tree"]))]
pub struct Options {
    /// The position
    #[arg(long, value_name = "FEN")]
    pub fen: String,
    /// Read the castling rights of the FEN by the rules of Chess960
    #[arg(long)]
    pub chess960: bool,
    /// Write a page to look at in a browser; it needs no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the tree as JSON
    #[arg(long, value_name = "FILE")]
    pub tree: Option<PathBuf>,

    /// Visit at most N positions [default: 100000, unless --movetime is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search for at most MS milliseconds
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
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
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

const EXAMPLES: &str = "\
Examples:
  cassius explore --fen '8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1' --html tree.html
  cassius explore --fen '6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1' --search proof-number-tree --html mate.html
  cassius explore --fen '8/8/8/8/3k4/8/3PK3/8 w - - 0 1' --nodes 200 --tree tree.json";

/// Searches a position and writes the tree; reports files written to `out`, and oddities of the FEN to `err`.
///
/// # Errors
/// Before the search, if it keeps no tree or a file cannot be written.
pub(crate) fn explore(options: &Options, out: &mut dyn Write, err: &mut dyn Write) -> Result<()> {
    let position = position(&options.fen, options.chess960, err)?;
    let settings = growing::settings(&options.search, options.hash);
    kept_tree::keeps_tree(settings.search.algorithm)?;
    let paths = [options.html.as_deref(), options.tree.as_deref()];
    output_file::check_distinct([Path::new(settings.network.path())], paths)?;
    let claim = |path: &Path| WholeFile::claim(path, options.overwrite.existing());
    let html = options.html.as_deref().map(claim).transpose()?;
    let file = options.tree.as_deref().map(claim).transpose()?;
    let limit = Limit::of_analysis(options.nodes, options.movetime);
    let whole = limit.movetime_ms.or(limit.nodes);
    let progress = Progress::new(whole.unwrap_or(0));
    let kept = growing::grow(&position, &settings, &limit, |done| progress.reach(done));
    progress.finish();
    let kept = kept?;
    let record = TreeRecord::new(&position, &kept, options.tree_plies);
    if let Some(mut html) = html {
        let whole = TreeRecord::new(&position, &kept, None);
        html.write(page::render(&whole).as_bytes())?;
    }
    if let Some(mut file) = file {
        let text = serde_json::to_string(&record)? + "\n";
        file.write(text.as_bytes())?;
    }
    // The page has the whole tree.
    let nodes = [record.size, record.tree.children.len()];
    let files = nodes.into_iter().zip(paths).filter_map(|(nodes, path)| {
        let (nodes, file) = (thousands(nodes as u64), path?.display());
        Some(format!("{nodes} of them written to {file}"))
    });
    let files: Vec<String> = files.collect();
    let (line, size) = (&record.line, thousands(record.size as u64));
    let files = files.join(", ");
    Ok(writeln!(out, "{line}: a tree of {size} nodes, {files}")?)
}
