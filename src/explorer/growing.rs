//! Grows the search tree of a position, and makes the HTML page that shows it.
//!
//! No file is read or written, so this works in a browser too.
//!
//! ```
//! use cassius::engine::limit::Limit;
//! use cassius::explorer::growing::page;
//!
//! let limit = Limit { nodes: Some(500), ..Limit::default() };
//! let page = page("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", &"best-first".parse()?, 1, limit)?;
//! assert!(page.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use anyhow::Result;

use super::page;
use super::record::TreeRecord;
use crate::engine::kept_tree::{self, KeptTree};
use crate::engine::limit::Limit;
use crate::engine::memory;
use crate::engine::settings::EngineSettings;
use crate::engine::spec::SearchSpec;
use crate::engine::stopwatch::Watched;
use crate::game::Root;
use crate::games::chess::notation::{self, Castling};
use crate::games::chess::{Evaluation, Position};

/// Settings of a search with `hash_megabytes` MiB for the tree. It evaluates in whole pawns, as the papers do.
pub(super) fn settings(search: &SearchSpec, hash_megabytes: usize) -> EngineSettings {
    search.settings(Evaluation::Tactical, hash_megabytes)
}

/// Searches a position and keeps the tree. `reach` receives the progress: milliseconds under a time limit, else nodes.
pub(super) fn grow(
    position: &Position,
    settings: &EngineSettings,
    limit: &Limit,
    reach: impl FnMut(u64),
) -> Result<KeptTree> {
    memory::ensure([settings.megabytes()], 1)?;
    let root: Root<Position> = Root::new(position.clone());
    let mut watch = Watched::new(limit, reach);
    let limits = limit.kept_by_search();
    kept_tree::search(settings, &root, &limits, &mut watch)
}

/// The HTML page of the tree that a search with `hash_megabytes` MiB grows from the position `fen`.
///
/// # Errors
/// If `fen` is not a position, the game is over, the search keeps no tree or panics, or memory is insufficient.
pub fn page(fen: &str, search: &SearchSpec, hash_megabytes: usize, limit: Limit) -> Result<String> {
    let position = notation::read_fen(fen, Castling::Standard)?.position;
    let settings = settings(search, hash_megabytes);
    let kept = grow(&position, &settings, &limit, |_| {})?;
    Ok(page::render(&TreeRecord::new(&position, &kept, None)))
}
