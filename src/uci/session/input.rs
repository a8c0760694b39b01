//! What the event loop is told, and the thread that tells it the lines.

use std::io::BufRead;
use std::sync::mpsc::SyncSender;

use crate::lines::{self, Line};
use crate::platform::Instant;
use crate::uci::job::Finished;

/// Bytes a line may have: room for a game of fifty thousand moves.
pub(super) const LONGEST_LINE: usize = 1 << 18;

/// What the loop waits for.
pub(super) enum Event {
    /// A line, and when it came.
    Line(String, Instant),
    /// A line longer than [`LONGEST_LINE`], which is skipped.
    TooLong,
    /// No line will come any more.
    EndOfInput,
    /// A search is over.
    Finished(Finished),
}

/// Reads lines up to the end of the input, or until nobody listens.
pub(super) fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let event = match lines::read(&mut input, LONGEST_LINE) {
            Ok(Some(Line::Text(line))) => Event::Line(line, Instant::now()),
            Ok(Some(Line::TooLong)) => Event::TooLong,
            Ok(None) | Err(_) => Event::EndOfInput,
        };
        let ended = matches!(event, Event::EndOfInput);
        let skips = matches!(event, Event::TooLong);
        if events.send(event).is_err() || ended {
            return;
        }
        // After the message: such a line may have no end. An error comes up again with the next.
        if skips {
            let _ = input.skip_until(b'\n');
        }
    }
}
