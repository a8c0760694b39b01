//! Events for the loop, and the thread that reads lines.

use std::io::BufRead;
use std::sync::mpsc::SyncSender;

use crate::engine::settings::ChessSearcher;
use crate::lines::{self, BoundedLine};
use crate::platform::Instant;
use crate::uci::job::BestMove;

/// Most bytes of a line: room for a game of 50,000 plies.
pub(super) const LONGEST_LINE: usize = 1 << 18;

/// An event for the loop.
pub(super) enum Event {
    /// A line, and its time of arrival.
    Line(String, Instant),
    /// A line longer than [`LONGEST_LINE`], which is skipped.
    TooLong,
    /// The end of the input.
    EndOfInput,
    /// The end of a search: the searcher, unless it panicked, and the answer.
    Finished(Option<ChessSearcher>, BestMove),
}

/// Reads lines up to the end of the input, or until the session has ended.
pub(super) fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let event = match lines::read(&mut input, LONGEST_LINE) {
            Ok(Some(BoundedLine::Text(line))) => Event::Line(line, Instant::now()),
            Ok(Some(BoundedLine::TooLong)) => Event::TooLong,
            Ok(None) | Err(_) => Event::EndOfInput,
        };
        let ended = matches!(event, Event::EndOfInput);
        let skips = matches!(event, Event::TooLong);
        if events.send(event).is_err() || ended {
            return;
        }
        // Skipped only after the event is sent, as such a line may never end. An error occurs again at the next read.
        if skips {
            let _ = input.skip_until(b'\n');
        }
    }
}
