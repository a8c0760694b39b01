//! Marks on questions under search, so that other threads search something else first ("simplified ABDADA", T.
//! Kerrigan 2017; ABDADA is J.-C. Weill, "The ABDADA distributed minimax search algorithm", ICCA Journal 19(1), 1996).
//!
//! A mark is only a hint: it may be missing, as two questions can want the same slot. It holds no answer: it affects
//! the order of the search, the work of a waiting thread, and how much effort a table entry needs to answer a question.

use crate::search::kit::sync::{AtomicU64, Ordering};

/// Number of slots; one for Loom, which tracks each. An answered question keeps its slot until another one wants it.
const SLOTS: usize = if cfg!(all(test, loom)) { 1 } else { 1 << 15 };

/// Hash of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) struct Mark(u64);

impl Mark {
    /// Hashes a position's key and a question about it.
    #[inline]
    pub(in crate::search) fn new(key: u64, question: u64) -> Mark {
        // Multiplied by odd constants and folded, so that higher bits affect the slot too.
        let mixed = (key ^ question.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        Mark(mixed ^ mixed >> 32)
    }

    fn slot(self) -> usize {
        self.0 as usize % SLOTS
    }

    /// The upper 40 bits, stored for verification. None of them chooses the slot.
    fn tag(self) -> u64 {
        self.0 >> 24
    }
}

/// Contents of a slot; all zero if empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Content {
    tag: u64,
    /// Largest effort of the threads that entered, those that have left included.
    effort: u16,
    /// Threads working on it; 0 once it has been answered.
    threads: u8,
}

impl Content {
    const NOTHING: u64 = 0;

    fn pack(self) -> u64 {
        self.tag << 24 | u64::from(self.effort) << 8 | u64::from(self.threads)
    }

    fn unpack(word: u64) -> Content {
        Content {
            tag: word >> 24,
            effort: (word >> 8) as u16,
            threads: word as u8,
        }
    }
}

/// The table of marks. Memory: 256 KiB.
#[derive(Debug)]
pub(in crate::search) struct Marks(Vec<AtomicU64>);

impl Marks {
    /// A table without marks.
    pub(super) fn new() -> Marks {
        Marks(
            (0..SLOTS)
                .map(|_| AtomicU64::new(Content::NOTHING))
                .collect(),
        )
    }

    fn content(&self, mark: Mark) -> Option<Content> {
        let content = Content::unpack(self.0[mark.slot()].load(Ordering::Relaxed));
        (content.tag == mark.tag()).then_some(content)
    }

    /// Whether threads are working on the question, and one that entered had at least this effort.
    #[inline]
    pub(in crate::search) fn is_taken(&self, mark: Mark, effort: i32) -> bool {
        let content = self.content(mark);
        content.is_some_and(|it| it.threads > 0 && it.effort >= kept(effort))
    }

    /// Whether the question has been answered, and one of its threads had at least this effort.
    #[inline]
    pub(in crate::search) fn is_done(&self, mark: Mark, effort: i32) -> bool {
        let content = self.content(mark);
        content.is_some_and(|it| it.threads == 0 && it.effort >= kept(effort))
    }

    /// Runs `work` on a question, and marks the question meanwhile. An error of `work` stands for no answer.
    pub(in crate::search) fn during<T, N>(
        &self,
        mark: Mark,
        effort: i32,
        work: impl FnOnce() -> Result<T, N>,
    ) -> Result<T, N> {
        let is_marked = self.enter(mark, effort);
        let answer = work();
        if is_marked {
            self.leave(mark, answer.is_ok());
        }
        answer
    }

    /// Adds a thread to a question; returns whether the mark was set. If so, the thread must [`leave`](Marks::leave).
    fn enter(&self, mark: Mark, effort: i32) -> bool {
        let effort = kept(effort);
        let joined = |word| {
            let found = Content::unpack(word);
            let tag = mark.tag();
            let others = if found.threads == 0 {
                None
            } else if found.tag == tag {
                Some(found)
            } else {
                return None;
            };
            let content = Content {
                tag,
                effort: effort.max(others.map_or(0, |it| it.effort)),
                threads: others.map_or(0, |it| it.threads).checked_add(1)?,
            };
            Some(content.pack())
        };
        self.0[mark.slot()]
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, joined)
            .is_ok()
    }

    /// Removes a thread that entered; `done` says whether it has an answer.
    fn leave(&self, mark: Mark, done: bool) {
        let left = |word| {
            let mut content = Content::unpack(word);
            content.threads = content.threads.saturating_sub(1);
            let is_answered = content.threads > 0 || done;
            Some(if is_answered {
                content.pack()
            } else {
                Content::NOTHING
            })
        };
        // The closure never returns `None`, so the update cannot fail.
        let _ = self.0[mark.slot()].fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
    }
}

/// Effort as stored in a slot, at least 1.
fn kept(effort: i32) -> u16 {
    effort.clamp(1, i32::from(u16::MAX)) as u16
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_question_is_taken_until_the_last_thread_leaves() {
        let marks = Marks::new();
        let mark = Mark::new(7, 9);
        assert!(!marks.is_taken(mark, 0) && !marks.is_done(mark, 0));
        assert!(marks.enter(mark, 20) && marks.enter(mark, 10));
        assert!(marks.is_taken(mark, 20) && !marks.is_taken(mark, 21));
        marks.leave(mark, false);
        assert!(marks.is_taken(mark, 20) && !marks.is_done(mark, 0));
        marks.leave(mark, true);
        assert!(!marks.is_taken(mark, 0) && marks.is_done(mark, 20));
        assert!(!marks.is_done(mark, 21));
        // A question given up counts as never begun.
        assert!(marks.enter(mark, 5));
        marks.leave(mark, false);
        assert!(!marks.is_taken(mark, 0) && !marks.is_done(mark, 0));
    }

    #[test]
    fn questions_that_want_the_same_slot_do_not_mix() {
        let marks = Marks::new();
        let mark = Mark::new(7, 9);
        let mut others = (0..).map(|n| Mark::new(n, 1));
        let other = others.find(|other| other.slot() == mark.slot()).unwrap();
        assert!(marks.enter(mark, 5));
        assert!(!marks.enter(other, 5) && !marks.is_taken(other, 0));
        marks.leave(mark, true);
        assert!(marks.enter(other, 5));
        assert!(!marks.is_done(mark, 0) && !marks.is_taken(mark, 0));
    }

    #[test]
    fn all_that_enter_and_leave_leave_nothing() {
        let marks = &Marks::new();
        let questions: Vec<Mark> = (0..4).map(|n| Mark::new(n, n)).collect();
        thread::scope(|scope| {
            for thread in 0..4 {
                let questions = &questions;
                scope.spawn(move || {
                    for n in 0..if cfg!(miri) { 50 } else { 20_000 } {
                        let mark = questions[(n * 7 + thread) % questions.len()];
                        if marks.enter(mark, n as i32) {
                            assert!(marks.is_taken(mark, n as i32));
                            marks.leave(mark, n % 2 == 0);
                        }
                    }
                });
            }
        });
        for mark in questions {
            assert!(!marks.is_taken(mark, 0));
        }
    }

    #[cfg(loom)]
    mod in_any_order {
        use loom::sync::Arc;
        use loom::thread;

        use super::super::*;

        /// Two questions want the same slot. A thread that has marked one finds it taken until it leaves, and a
        /// question that was given up never counts as answered.
        #[test]
        fn marks_hold() {
            loom::model(|| {
                let marks = Arc::new(Marks::new());
                let threads = [(0, true), (1, false), (0, false)].map(|(question, done)| {
                    let marks = Arc::clone(&marks);
                    thread::spawn(move || {
                        let mark = Mark::new(question << 40, question);
                        if marks.enter(mark, 7) {
                            assert!(marks.is_taken(mark, 7));
                            marks.leave(mark, done);
                        }
                    })
                });
                for thread in threads {
                    thread.join().unwrap();
                }
                let [answered, given_up] =
                    [0, 1].map(|question| Mark::new(question << 40, question));
                assert!(!marks.is_taken(answered, 0) && !marks.is_taken(given_up, 0));
                assert!(!marks.is_done(given_up, 0));
            });
        }
    }
}
