//! The games of a file, one after the other.

use std::fs::File;
use std::io::BufReader;
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::{Games, PgnGame};
use crate::lines;

/// Size of the read buffer, in bytes.
const BUFFER_BYTES: usize = 1 << 16;

/// The games of a file, of which there is at least one.
pub(crate) struct GamesFile {
    path: PathBuf,
    games: Peekable<Games<BufReader<File>>>,
    /// Length of the file in bytes; `None` if unknown, as for a pipe.
    pub(crate) length: Option<u64>,
}

impl GamesFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, or holds no game.
    pub(crate) fn open(path: &Path) -> Result<GamesFile> {
        let at = || path.display().to_string();
        let file = lines::open(path).with_context(at)?;
        let there = file.metadata().with_context(at)?;
        let mut games = Games::new(BufReader::with_capacity(BUFFER_BYTES, file)).peekable();
        if games.peek().is_none() {
            bail!("{}: there is no game in this file", path.display());
        }
        Ok(GamesFile {
            path: path.to_owned(),
            games,
            length: there.is_file().then_some(there.len()),
        })
    }
}

impl Iterator for GamesFile {
    type Item = Result<PgnGame>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.games.next()?;
        Some(game.with_context(|| self.path.display().to_string()))
    }
}
