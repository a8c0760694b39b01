//! The engine's output: whole lines, from any thread, to one stream.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::lines::printable;

/// Longest message to the user, in characters; the rest is cut.
const MAX_MESSAGE: usize = 400;

/// A stream of lines, which may be closed.
pub(crate) struct Output {
    stream: Mutex<Box<dyn Write + Send>>,
    closed: AtomicBool,
    /// The error that closed it.
    error: Mutex<Option<io::Error>>,
}

impl Output {
    /// Writes lines to `stream`.
    pub(crate) fn new(stream: impl Write + Send + 'static) -> Output {
        Output {
            stream: Mutex::new(Box::new(stream)),
            closed: AtomicBool::new(false),
            error: Mutex::new(None),
        }
    }

    /// Writes `text` and an end of line in one piece, and flushes.
    pub(crate) fn line(&self, text: &str) {
        let Ok(mut stream) = self.stream.lock() else {
            self.closed.store(true, Ordering::Relaxed);
            return;
        };
        let written = stream.write_all(format!("{text}\n").as_bytes());
        if let Err(error) = written.and_then(|()| stream.flush()) {
            self.closed.store(true, Ordering::Relaxed);
            if let Ok(mut first) = self.error.lock() {
                first.get_or_insert(error);
            }
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

    /// The error of the first line that could not be written, returned once; `None` if all could.
    pub(crate) fn take_error(&self) -> Option<io::Error> {
        self.error.lock().ok()?.take()
    }

    /// Whether writing has failed, for instance because the reader is gone; then the session ends.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
