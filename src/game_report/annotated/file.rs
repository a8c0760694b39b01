//! A file of games with remarks.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Error, Result, ensure};

use super::Annotator;
use crate::game_report::record::{Game, Header};
use crate::output::output_file::{Existing, GrowingFile, OutputError};

/// The file of games with remarks.
pub(crate) struct AnnotatedPgn {
    file: GrowingFile,
    /// The file of games, without remarks.
    source: PathBuf,
    annotator: Annotator<File>,
}

impl AnnotatedPgn {
    /// Opens both files; nothing is written yet.
    pub(crate) fn create(
        path: &Path,
        existing: Existing,
        source: &Path,
        header: &Header,
    ) -> Result<AnnotatedPgn> {
        let name = source.display();
        let open = || File::open(source).with_context(|| name.to_string());
        let text = open()?;
        ensure!(
            text.metadata().with_context(|| name.to_string())?.is_file(),
            "{name}: --pgn needs a file of games that can be read twice, not a pipe"
        );
        Ok(AnnotatedPgn {
            file: GrowingFile::create(path, existing)?,
            source: source.to_owned(),
            annotator: Annotator::new([open()?, open()?, text], header),
        })
    }

    /// Adds a finished game.
    pub(crate) fn add(&mut self, game: Game) -> Result<()> {
        let file = &mut self.file;
        let mut push = |text: &[u8]| Ok(file.push(text)?);
        let added = self.annotator.add(game, &mut push);
        added.map_err(|error| self.of_source(error))
    }

    /// Writes the rest of the file after the last game.
    pub(crate) fn finish(&mut self) -> Result<()> {
        let file = &mut self.file;
        let mut push = |text: &[u8]| Ok(file.push(text)?);
        let finished = self.annotator.finish(&mut push);
        finished.map_err(|error| self.of_source(error))
    }

    /// Adds the name of the source file to an error that does not name the other file.
    fn of_source(&self, error: Error) -> Error {
        if error.is::<OutputError>() {
            error
        } else {
            error.context(self.source.display().to_string())
        }
    }
}
