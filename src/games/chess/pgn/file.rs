//! The games of a file, one after the other.

use std::fs::File;
use std::io::{self, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::{Games, PgnGame};

/// Size of the read buffer, in bytes.
const BUFFER_BYTES: usize = 1 << 16;

/// The games of a file, each with its range of bytes.
pub(crate) struct GamesFile {
    path: PathBuf,
    games: Games<BufReader<File>>,
    /// The first game, read on opening to see whether there is one.
    first: Option<io::Result<PgnGame>>,
    /// Length of the file in bytes; `None` if unknown, as for a pipe.
    pub(crate) length: Option<u64>,
    /// End of the last game, in bytes, by [`Games::bytes`].
    end: u64,
}

impl GamesFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, or holds no game.
    pub(crate) fn open(path: &Path) -> Result<GamesFile> {
        let at = || path.display().to_string();
        let file = File::open(path).with_context(at)?;
        let there = file.metadata().with_context(at)?;
        let mut games = Games::new(BufReader::with_capacity(BUFFER_BYTES, file));
        let Some(first) = games.next() else {
            bail!("{}: there is no game in this file", path.display());
        };
        Ok(GamesFile {
            path: path.to_owned(),
            games,
            first: Some(first),
            length: there.is_file().then_some(there.len()),
            end: 0,
        })
    }
}

impl Iterator for GamesFile {
    type Item = Result<(PgnGame, Range<u64>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.first.take().or_else(|| self.games.next())?;
        let begin = std::mem::replace(&mut self.end, self.games.bytes());
        let game = game.with_context(|| self.path.display().to_string());
        Some(game.map(|game| (game, begin..self.end)))
    }
}
