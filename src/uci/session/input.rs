//! What the event loop is told, and the thread that tells it the lines.

use std::io::{self, BufRead, Read as _};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use crate::uci::job::Finished;

/// A longer line is read in pieces, so that no input can fill the memory.
const LONGEST_LINE: u64 = 1 << 20;
/// What the loop waits for.
pub(super) enum Event {
    /// A line, and when it came.
    Line(String, Instant),
    /// No line will come any more.
    EndOfInput,
    /// A search is over.
    Finished(Finished),
    /// A profile has been written.
    Profiled,
}

/// Reads lines up to the end of the input, or until nobody listens.
pub(super) fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let mut bytes = Vec::new();
        let read = input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes);
        let event = match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => Event::EndOfInput,
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).into_owned();
                Event::Line(line, Instant::now())
            }
        };
        let ended = matches!(event, Event::EndOfInput);
        if events.send(event).is_err() || ended {
            return;
        }
    }
}
