//! JSON lines: files of one JSON value a line, which grow by whole lines and lose at most the last
//! one when their writer is killed.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why such a file cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file itself.
    #[error("{}: {reason}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What happened.
        reason: io::Error,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        reason: serde_json::Error,
    },
}

/// A file of JSON lines, open to be added to.
#[derive(Debug)]
pub struct JsonLines {
    file: File,
}

impl JsonLines {
    /// Creates the file, which must not be there yet.
    pub fn create(path: &Path) -> io::Result<JsonLines> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(JsonLines { file })
    }

    /// Opens the file to add to it, first cutting off a last line without its end.
    pub fn append(path: &Path) -> io::Result<JsonLines> {
        let bytes = std::fs::read(path)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        let mut options = OpenOptions::new();
        let file = options.append(true).open(path)?;
        file.set_len(whole.map_or(0, |at| at as u64 + 1))?;
        Ok(JsonLines { file })
    }

    /// Adds a value in one write: the line is there whole, or cut off at the end of the file.
    pub fn push<T: Serialize>(&mut self, value: &T) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
}

/// The whole lines of a file, with their numbers. A last line without its end is left out: that is
/// how a killed run leaves its file.
pub fn read_lines(path: &Path) -> Result<Vec<(usize, String)>, ReadError> {
    let text = std::fs::read_to_string(path).map_err(|reason| ReadError::Io {
        path: path.to_owned(),
        reason,
    })?;
    let whole = text.rfind('\n').map_or("", |at| &text[..at]);
    let lines = whole.lines().enumerate();
    let numbered = lines.map(|(index, line)| (index + 1, line.to_owned()));
    Ok(numbered.filter(|(_, line)| !line.is_empty()).collect())
}

/// One line as a value; `path` and `number` are for the error.
pub fn parse<T: DeserializeOwned>(path: &Path, number: usize, line: &str) -> Result<T, ReadError> {
    serde_json::from_str(line).map_err(|reason| ReadError::Line {
        path: path.to_owned(),
        line: number,
        reason,
    })
}
