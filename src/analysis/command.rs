//! `cassius analyze --fen`: from options to what is printed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use crate::engine::analyst::{AnalysisError, Analyst, text};
use crate::engine::fault::Fault;
use crate::engine::kept_tree::KeptTree;
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::spec::SearchSpec;
use crate::engine::stopwatch::Watched;
use crate::explorer::command::{self as explorer, ExploreError};
use crate::game::Root;
use crate::games::chess::{Evaluation, Position};
use crate::output::output_file::{self, Existing, OutputError, WholeFile};
use crate::output::progress::Progress;
use crate::version;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The position.
    pub position: Position,
    /// What ends the search.
    pub limit: Limit,
    /// The search.
    pub search: SearchSpec,
    /// Memory for its tree or table, in MiB.
    pub hash_megabytes: usize,
    /// Where to write JSON: `-` is standard output, instead of the text.
    pub json: Option<PathBuf>,
    /// The tree to write besides.
    pub tree: Option<TreeFile>,
    /// What becomes of files that are there already.
    pub existing: Existing,
}

/// A file for a tree.
#[derive(Clone, Debug)]
pub struct TreeFile {
    /// Which: DOT if its name ends so, else JSON.
    pub path: PathBuf,
    /// Plies of the tree to write; `None` is all.
    pub plies: Option<u32>,
}

/// Why there is no analysis.
#[derive(Debug, Error)]
pub enum AnalyzeError {
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
    /// The profile cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The file for it.
    #[error(transparent)]
    File(#[from] OutputError),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] io::Error),
}

impl Options {
    /// The file that JSON goes to, if it is one.
    fn json_file(&self) -> Option<&Path> {
        self.json.as_deref().filter(|&it| it != Path::new("-"))
    }
}

/// Profiles a position; the profile goes to `out`, and as JSON to the file for it.
pub fn position(options: &Options, out: &mut dyn Write) -> Result<(), AnalyzeError> {
    let file = options.json_file();
    let tree = options.tree.as_ref();
    output_file::check_distinct([], [file, tree.map(|it| it.path.as_path())])?;
    let file = file
        .map(|path| WholeFile::claim(path, options.existing))
        .transpose()?;
    if let Some(tree) = tree {
        return with_tree(options, tree, file, out);
    }
    let root = Root::new(options.position.clone());
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
    let mut watch = Watched::new(&options.limit, |done| progress.reach(done));
    let profile = analyst.profile(&root, &limits, &mut watch);
    progress.finish();
    let profile = profile?;
    tell(options, &profile, text::profile, file, out)
}

/// The same where a tree is to be written.
fn with_tree(
    options: &Options,
    tree: &TreeFile,
    file: Option<WholeFile>,
    out: &mut dyn Write,
) -> Result<(), AnalyzeError> {
    let (_, kept) = explorer::grow(&explorer::Options {
        position: options.position.clone(),
        limit: options.limit,
        search: options.search.clone(),
        hash_megabytes: options.hash_megabytes,
        plies: tree.plies,
        html: None,
        tree: Some(tree.path.clone()),
        existing: options.existing,
    })?;
    match &kept {
        KeptTree::Values { profile, .. } => {
            tell(options, profile.as_ref(), text::profile, file, out)
        }
        KeptTree::Proof { verdict, .. } => tell(options, verdict, text::proof, file, out),
    }
}

/// Writes what is known, as JSON or in words.
fn tell<T: Serialize>(
    options: &Options,
    known: &T,
    in_words: impl Fn(&T) -> String,
    file: Option<WholeFile>,
    out: &mut dyn Write,
) -> Result<(), AnalyzeError> {
    if options.json.is_some() {
        let told = Told {
            cassius: version::NUMBER,
            commit: version::COMMIT,
            known,
        };
        let text = serde_json::to_string_pretty(&told)? + "\n";
        match file {
            Some(mut file) => file.write(text.as_bytes())?,
            None => return Ok(out.write_all(text.as_bytes())?),
        }
    }
    Ok(write!(out, "{}", in_words(known))?)
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
