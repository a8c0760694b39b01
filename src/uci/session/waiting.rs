//! The queue of commands that wait for a search to end, in bounded memory.
//!
//! `stop` and `ponderhit` do not wait, but they also apply to searches in the queue.
//!
//! Commands beyond the bound are refused, and all that follow them, as later ones make no sense without them; only an
//! empty queue accepts commands again. No GUI comes near the bound; at the bound an error names what was refused, and
//! every `go` still gets a `bestmove`.

use std::collections::VecDeque;

/// Most bytes of waiting commands.
pub(super) const ROOM: usize = 16 << 20;
/// Approximate bytes of a command besides its text.
const OVERHEAD: usize = 64;

/// The waiting commands, as lines.
pub(super) struct Waiting {
    lines: VecDeque<String>,
    room: usize,
    /// Bytes left.
    left: usize,
    /// Number of commands at the front that came before a `stop`.
    stopped: usize,
    /// Number of commands at the front that came before a `ponderhit`.
    ponder_hit: usize,
    /// Whether a command has been refused since the queue was last empty.
    refuses: bool,
    /// Number of refused searches not yet answered.
    unanswered: u64,
}

/// Commands that came while another one waited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct SaidSince {
    pub(super) stop: bool,
    pub(super) ponder_hit: bool,
}

/// The next thing to do.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// Carry out a command.
    Line(String, SaidSince),
    /// Answer a search that was refused.
    Unanswered,
}

impl Waiting {
    /// An empty queue with room for so many bytes.
    pub(super) fn new(room: usize) -> Waiting {
        Waiting {
            lines: VecDeque::new(),
            room,
            left: room,
            stopped: 0,
            ponder_hit: 0,
            refuses: false,
            unanswered: 0,
        }
    }

    /// Appends a command; `false` if there is no room for it. A refused search (`is_search`) is answered later.
    pub(super) fn push(&mut self, line: String, is_search: bool) -> bool {
        let takes = line.len() + OVERHEAD;
        self.refuses |= takes > self.left;
        if self.refuses {
            self.unanswered += u64::from(is_search);
            return false;
        }
        self.left -= takes;
        self.lines.push_back(line);
        true
    }

    /// Applies `stop` to all waiting commands.
    pub(super) fn stop(&mut self) {
        self.stopped = self.lines.len();
    }

    /// Applies `ponderhit` to all waiting commands.
    pub(super) fn ponder_hit(&mut self) {
        self.ponder_hit = self.lines.len();
    }

    /// The next thing to do; `None` if nothing waits.
    pub(super) fn pop(&mut self) -> Option<Next> {
        if let Some(line) = self.lines.pop_front() {
            self.left += line.len() + OVERHEAD;
            let said = SaidSince {
                stop: self.stopped > 0,
                ponder_hit: self.ponder_hit > 0,
            };
            self.stopped = self.stopped.saturating_sub(1);
            self.ponder_hit = self.ponder_hit.saturating_sub(1);
            return Some(Next::Line(line, said));
        }
        if self.unanswered > 0 {
            self.unanswered -= 1;
            return Some(Next::Unanswered);
        }
        // Frees the memory of a flood.
        *self = Waiting::new(self.room);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, stop: bool, ponder_hit: bool) -> Option<Next> {
        Some(Next::Line(text.to_owned(), SaidSince { stop, ponder_hit }))
    }

    #[test]
    fn stop_and_ponderhit_are_for_what_came_before_them() {
        let mut waiting = Waiting::new(ROOM);
        for text in ["a", "b", "c", "d"] {
            assert!(waiting.push(text.to_owned(), true));
            match text {
                "b" => waiting.stop(),
                "c" => waiting.ponder_hit(),
                _ => {}
            }
        }
        assert_eq!(waiting.pop(), line("a", true, true));
        assert_eq!(waiting.pop(), line("b", true, true));
        assert_eq!(waiting.pop(), line("c", false, true));
        assert_eq!(waiting.pop(), line("d", false, false));
        assert_eq!(waiting.pop(), None);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_all_that_follows() {
        let mut waiting = Waiting::new(3 * (OVERHEAD + 4));
        for (text, is_search, fits) in [
            ("go 1", true, true),
            ("go 2", true, true),
            ("position", false, false),
            ("go 3", true, false),
            ("d", false, false),
            ("go 4", true, false),
        ] {
            assert_eq!(waiting.push(text.to_owned(), is_search), fits, "{text}");
        }
        waiting.stop();
        assert_eq!(waiting.pop(), line("go 1", true, false));
        assert!(!waiting.push("go 5".to_owned(), true), "out of order");
        assert_eq!(waiting.pop(), line("go 2", true, false));
        for _ in 3..=5 {
            assert_eq!(waiting.pop(), Some(Next::Unanswered));
        }
        assert_eq!(waiting.pop(), None);
        assert!(waiting.push("go 6".to_owned(), true));
        assert_eq!(waiting.pop(), line("go 6", false, false));
    }
}
