//! `cassius explore`, and the tree of `cassius analyze --fen FEN --tree FILE`: from options to files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::growing::{self, TreeError};
use super::record::TreeRecord;
use super::{dot, page};
use crate::engine::kept_tree::{self, KeptError, KeptTree};
use crate::engine::limit::Limit;
use crate::engine::spec::SearchSpec;
use crate::games::chess::Position;
use crate::output::output_file::{self, Existing, OutputError, WholeFile};
use crate::output::progress::Progress;
use crate::output::table::thousands;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The position.
    pub position: Position,
    /// What ends the search.
    pub limit: Limit,
    /// The search; it keeps a tree.
    pub search: SearchSpec,
    /// Memory for its tree, in MiB.
    pub hash_megabytes: usize,
    /// Plies of the tree to write to the file; `None` is all. The page has the whole tree: it counts its leaves.
    pub plies: Option<u32>,
    /// Page to write.
    pub html: Option<PathBuf>,
    /// File for the tree: DOT if its name ends so, else JSON.
    pub tree: Option<PathBuf>,
    /// What becomes of files that are there already.
    pub existing: Existing,
}

/// Why there is no tree to look at.
#[derive(Debug, Error)]
pub enum ExploreError {
    /// The search, or the position.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// The tree cannot be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Searches a position and writes the tree; what has been written is told to `out`.
pub fn explore(options: &Options, out: &mut dyn Write) -> Result<(), ExploreError> {
    let (record, _) = grow(options)?;
    // The page has the whole tree.
    let told = [
        (&options.html, record.size),
        (&options.tree, record.tree.children.len()),
    ];
    let files: Vec<String> = told
        .into_iter()
        .filter_map(|(file, nodes)| {
            let file = file.as_ref()?.display();
            Some(format!(
                "{} of them written to {file}",
                thousands(nodes as u64)
            ))
        })
        .collect();
    writeln!(
        out,
        "{}: a tree of {} nodes, {}",
        record.line,
        thousands(record.size as u64),
        files.join(", "),
    )?;
    Ok(())
}

/// Searches a position and writes the files that are asked for; gives what has been written, and what the search
/// says.
///
/// # Errors
/// Before the search, if it keeps no tree, or a file cannot be written.
pub fn grow(options: &Options) -> Result<(TreeRecord, KeptTree), ExploreError> {
    let settings = growing::settings(&options.search, options.hash_megabytes);
    kept_tree::keeps_tree(settings.search.algorithm)
        .map_err(|none| TreeError::from(KeptError::from(none)))?;
    let paths = [options.html.as_deref(), options.tree.as_deref()];
    output_file::check_distinct([], paths)?;
    let claim = |path: &Path| WholeFile::claim(path, options.existing);
    let html = options.html.as_deref().map(claim).transpose()?;
    let file = options.tree.as_deref().map(claim).transpose()?;
    let progress = Progress::new(
        options
            .limit
            .movetime_ms
            .or(options.limit.nodes)
            .unwrap_or(0),
    );
    let (position, limit) = (&options.position, &options.limit);
    let kept = growing::grow(position, &settings, limit, |done| progress.reach(done));
    progress.finish();
    let kept = kept?;
    let record = |plies| growing::record(position, &kept, plies);
    let told = record(options.plies)?;
    if let Some(mut html) = html {
        let whole = options.plies.map(|_| record(None)).transpose()?;
        html.write(page::render(whole.as_ref().unwrap_or(&told)).as_bytes())?;
    }
    if let (Some(mut file), Some(path)) = (file, &options.tree) {
        let is_dot = path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("dot") || it.eq_ignore_ascii_case("gv"));
        let text = if is_dot {
            dot::graph(&told)
        } else {
            serde_json::to_string(&told)? + "\n"
        };
        file.write(text.as_bytes())?;
    }
    Ok((told, kept))
}
