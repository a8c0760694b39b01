//! `cassius analyze --fen`: from options to what is printed.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use thiserror::Error;

use crate::engine::analyst::{AnalysisError, Analyst, text};
use crate::engine::fault::Fault;
use crate::engine::kept::KeptTree;
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::spec::SearchSpec;
use crate::engine::stopwatch::Watched;
use crate::explorer::command::{self as explorer, ExploreError};
use crate::game::Root;
use crate::games::chess::Evaluation;
use crate::games::chess::notation::{self, FenError};
use crate::report::output_file::Existing;
use crate::report::progress::Progress;
use crate::version;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The position.
    pub fen: String,
    /// What ends the search.
    pub limit: Limit,
    /// The search.
    pub search: SearchSpec,
    /// Memory for its tree or table, in MiB.
    pub hash_megabytes: usize,
    /// Whether to write JSON instead of text.
    pub json: bool,
    /// The tree to write besides.
    pub tree: Option<TreeFile>,
}

/// A file for a tree.
#[derive(Clone, Debug)]
pub struct TreeFile {
    /// Which: DOT if its name ends so, else JSON.
    pub path: PathBuf,
    /// Plies of the tree to write; `None` is all.
    pub plies: Option<u32>,
    /// What becomes of a file that is there already.
    pub existing: Existing,
}

/// Why there is no analysis.
#[derive(Debug, Error)]
pub enum AnalyzeError {
    /// The position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The search.
    #[error(transparent)]
    Search(#[from] AnalysisError),
    /// The search is at fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The search is too large for the machine.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// The tree.
    #[error(transparent)]
    Tree(#[from] ExploreError),
    /// The profile cannot be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Profiles a position; the profile goes to `out`.
pub fn position(options: &Options, out: &mut dyn Write) -> Result<(), AnalyzeError> {
    if let Some(tree) = &options.tree {
        return with_tree(options, tree, out);
    }
    let root = Root::new(notation::parse_fen(&options.fen)?);
    // Profiles are over whole pawns, the scale of the papers.
    let settings = options
        .search
        .settings(Evaluation::Tactical, options.hash_megabytes);
    memory::ensure([settings.megabytes()], 1)?;
    let mut analyst = Analyst::new(&settings)?;
    let limits = options.limit.kept_by_search();
    let progress = Progress::new(
        options
            .limit
            .movetime_ms
            .or(options.limit.nodes)
            .unwrap_or(0),
    );
    let mut watch = Watched::new(&options.limit, &progress);
    let profile = analyst.profile(&root, &limits, &mut watch);
    progress.finish();
    let profile = profile?;
    tell(options, &profile, text::profile, out)
}

/// The same where a tree is to be written.
fn with_tree(options: &Options, tree: &TreeFile, out: &mut dyn Write) -> Result<(), AnalyzeError> {
    let (_, kept) = explorer::grow(&explorer::Options {
        fen: options.fen.clone(),
        limit: options.limit,
        search: options.search.clone(),
        hash_megabytes: options.hash_megabytes,
        plies: tree.plies,
        html: None,
        tree: Some(tree.path.clone()),
        existing: tree.existing,
    })?;
    match &kept {
        KeptTree::Values { profile, .. } => tell(options, profile.as_ref(), text::profile, out),
        KeptTree::Proof { verdict, .. } => tell(options, verdict, text::proof, out),
    }
}

/// Writes what is known, as JSON or in words.
fn tell<T: Serialize>(
    options: &Options,
    known: &T,
    in_words: impl Fn(&T) -> String,
    out: &mut dyn Write,
) -> Result<(), AnalyzeError> {
    if options.json {
        let told = Told {
            cassius: version::NUMBER,
            commit: version::COMMIT,
            known,
        };
        serde_json::to_writer_pretty(&mut *out, &told)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", in_words(known))?;
    }
    Ok(())
}

/// What is known as JSON.
#[derive(Serialize)]
struct Told<'a, T> {
    /// Version of Cassius.
    cassius: &'a str,
    /// Its commit.
    commit: &'a str,
    #[serde(flatten)]
    known: &'a T,
}
