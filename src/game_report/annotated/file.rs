//! A file of games with remarks.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::{Annotator, Unfit};
use crate::game_report::command::ReportError;
use crate::game_report::record::{Game, Header};
use crate::output::output_file::{Existing, GrowingFile, OutputError};

/// The file of games with remarks.
pub(in super::super) struct AnnotatedPgn {
    file: GrowingFile,
    /// The file of games without.
    source: PathBuf,
    annotator: Annotator<File>,
}

/// Why the file cannot be written.
enum Failure {
    Unfit(Unfit),
    Output(OutputError),
}

impl From<Unfit> for Failure {
    fn from(unfit: Unfit) -> Failure {
        Failure::Unfit(unfit)
    }
}

impl AnnotatedPgn {
    /// Opens both files; nothing is written yet.
    pub(in super::super) fn create(
        path: &Path,
        existing: Existing,
        source: &Path,
        header: &Header,
    ) -> Result<AnnotatedPgn, ReportError> {
        let at = |reason| ReportError::File {
            path: source.to_owned(),
            reason,
        };
        let open = || File::open(source).map_err(at);
        let text = open()?;
        if !text.metadata().map_err(at)?.is_file() {
            let path = source.to_owned();
            return Err(ReportError::Pipe { path });
        }
        Ok(AnnotatedPgn {
            file: GrowingFile::create(path, existing)?,
            source: source.to_owned(),
            annotator: Annotator::new([open()?, open()?, text], header),
        })
    }

    /// A game is done.
    pub(in super::super) fn add(&mut self, game: Game) -> Result<(), ReportError> {
        let file = &mut self.file;
        let mut push = |text: &[u8]| file.push(text).map_err(Failure::Output);
        let added = self.annotator.add(game, &mut push);
        added.map_err(|failure| self.failed(failure))
    }

    /// All games are done.
    pub(in super::super) fn finish(&mut self) -> Result<(), ReportError> {
        let file = &mut self.file;
        let mut push = |text: &[u8]| file.push(text).map_err(Failure::Output);
        let finished = self.annotator.finish(&mut push);
        finished.map_err(|failure| self.failed(failure))
    }

    fn failed(&self, failure: Failure) -> ReportError {
        let path = self.source.clone();
        match failure {
            Failure::Output(error) => ReportError::Output(error),
            Failure::Unfit(Unfit::Read(reason)) => ReportError::File { path, reason },
            Failure::Unfit(Unfit::Changed) => ReportError::Changed { path },
        }
    }
}
