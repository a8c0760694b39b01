//! The engine's output: whole lines, from any thread, to one stream.

use std::io::{self, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::lines::printable;

/// Longest message to the user, in characters; the rest is cut.
const MAX_MESSAGE: usize = 400;

/// A stream of lines, which may be closed.
pub(crate) struct Output {
    stream: Mutex<Box<dyn Write + Send>>,
    /// The error that closed it.
    error: OnceLock<io::Error>,
}

impl Output {
    /// Writes lines to `stream`.
    pub(crate) fn new(stream: impl Write + Send + 'static) -> Output {
        Output {
            stream: Mutex::new(Box::new(stream)),
            error: OnceLock::new(),
        }
    }

    /// Writes `text` and an end of line in one piece, and flushes.
    pub(crate) fn line(&self, text: &str) {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let written = stream.write_all(format!("{text}\n").as_bytes());
        if let Err(error) = written.and_then(|()| stream.flush()) {
            // Later errors tell nothing new.
            let _ = self.error.set(error);
        }
    }

    /// Writes a message to the user as an `info string`: one line, no control characters.
    pub(crate) fn message(&self, text: &str) {
        let beginning: String = text.chars().take(MAX_MESSAGE).collect();
        let mut line = printable(&beginning);
        if text.chars().nth(MAX_MESSAGE).is_some() {
            line.push_str("...");
        }
        self.line(&format!("info string {line}"));
    }

    /// The error of the first line that could not be written; `None` if all could.
    pub(crate) fn error(&self) -> Option<io::Error> {
        let error = self.error.get()?;
        Some(io::Error::new(error.kind(), error.to_string()))
    }

    /// Whether writing has failed, for instance because the reader is gone; then the session ends.
    pub(crate) fn is_closed(&self) -> bool {
        self.error.get().is_some()
    }
}
