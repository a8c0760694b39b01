//! JSON lines: files of one JSON value on each line, which grow by whole lines and lose at most the last one when their
//! writer is killed.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::output_file::{Existing, GrowingFile, OutputError, Refusal};
use crate::lines;

/// Most bytes of a line. No value that is written takes a hundredth of it.
const LONGEST_LINE: u64 = 1 << 26;

/// A file of JSON lines, open for appending.
#[derive(Debug)]
pub struct JsonLines {
    file: GrowingFile,
}

impl JsonLines {
    /// Opens a file that has, or will have, `header` as its first line; writes nothing yet.
    pub fn open<T: Serialize>(
        path: &Path,
        existing: Existing,
        header: &T,
    ) -> Result<JsonLines, OutputError> {
        let line = to_line(path, header)?;
        // The first field's name identifies the kind of file.
        let (signature, _) = line.split_once(':').unwrap_or((&line, ""));
        let file = GrowingFile::open(path, existing, Some(signature))?;
        Ok(JsonLines { file })
    }

    /// Whether there is nothing to continue, not even a header.
    pub fn is_empty(&self) -> bool {
        self.file.is_empty()
    }

    /// Whether an earlier run has begun the file that this one continues. It may hold no whole line.
    pub(crate) fn is_begun(&self) -> bool {
        self.file.is_begun()
    }

    /// The lines of the file.
    pub fn lines(&mut self) -> Result<Lines<impl Read + '_>, OutputError> {
        let path = self.file.path.clone();
        Ok(Lines::new(path, self.file.reader()?))
    }

    /// Appends a value: its line is written whole or not at all, unless the process is killed meanwhile.
    pub fn push<T: Serialize>(&mut self, value: &T) -> Result<(), OutputError> {
        let line = to_line(&self.file.path, value)?;
        let is_header = self.file.is_empty();
        self.file.push(line.as_bytes())?;
        if is_header {
            // By it the next run knows the other files as those of this run: it reaches the disk before they are begun.
            self.file.sync();
        }
        Ok(())
    }
}

/// A value as a line; `path` is for errors.
pub(crate) fn to_line<T: Serialize>(path: &Path, value: &T) -> Result<String, OutputError> {
    let text = serde_json::to_string(value);
    let text = text.map_err(|error| Refusal::Io(error.into()).of(path))?;
    Ok(text + "\n")
}

/// The whole lines of a file. A last line without its end is skipped, as a killed run leaves one. Blank lines are
/// skipped too.
pub fn read_lines(path: &Path) -> Result<Lines<File>> {
    let file = lines::open(path).with_context(|| path.display().to_string())?;
    Ok(Lines::new(path.to_owned(), file))
}

/// Names in `err` each file whose last line has no end and is skipped by [`read_lines`]; returns their number.
pub fn name_torn(paths: &[PathBuf], err: &mut dyn Write) -> io::Result<usize> {
    let mut count = 0;
    for path in paths {
        if is_torn(path)? {
            writeln!(
                err,
                "{}: the last line is cut short and left out",
                path.display()
            )?;
            count += 1;
        }
    }
    Ok(count)
}

/// Whether the last line of a file has no end; false for a pipe.
fn is_torn(path: &Path) -> io::Result<bool> {
    // To open a pipe that has been read would wait for another writer.
    let there = fs::metadata(path)?;
    if !there.is_file() || there.len() == 0 {
        return Ok(false);
    }
    let mut file = File::open(path)?;
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// The lines of an input, parsed one after the other.
#[derive(Debug)]
pub struct Lines<R> {
    path: PathBuf,
    reader: BufReader<R>,
    number: usize,
}

impl<R: Read> Lines<R> {
    fn new(path: PathBuf, reader: R) -> Lines<R> {
        Lines {
            path,
            reader: BufReader::new(reader),
            number: 0,
        }
    }

    /// Parses the next line; `None` at the end. Also returns its number, from 1.
    pub fn parse_next<T: DeserializeOwned>(&mut self) -> Result<Option<(usize, T)>> {
        let name = self.path.display();
        loop {
            let mut bytes = Vec::new();
            let mut limited = self.reader.by_ref().take(LONGEST_LINE + 1);
            let read = limited.read_until(b'\n', &mut bytes);
            read.with_context(|| name.to_string())?;
            self.number += 1;
            let number = self.number;
            ensure!(
                bytes.len() as u64 <= LONGEST_LINE,
                "{name}:{number}: the line has more than {} MiB",
                LONGEST_LINE >> 20
            );
            if bytes.last() != Some(&b'\n') {
                return Ok(None);
            }
            // Bytes that are no text are no JSON either: the parser names the line.
            let line = String::from_utf8_lossy(&bytes);
            if line.trim().is_empty() {
                continue;
            }
            let parsed = serde_json::from_str(&line).map_err(|reason| match number {
                1 => anyhow!(
                    "{name} is not a file that this command reads, or of another version: its first line is not its heading ({reason})"
                ),
                _ => anyhow!("{name}:{number}: {reason}"),
            });
            return Ok(Some((number, parsed?)));
        }
    }
}
