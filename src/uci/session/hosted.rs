//! A session without threads: its caller passes lines one by one and runs the searches.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use super::input::{Event, LONGEST_LINE};
use super::{READ_AHEAD, Session, Then, Work};
use crate::platform::Instant;
use crate::uci::output::Output;

/// A UCI session, line by line.
///
/// `go` makes [`Work`], which [`Hosted::work`] returns. Other lines may be passed while it runs; `stop` ends it.
pub struct Hosted {
    session: Session,
    events: Receiver<Event>,
    /// The search yet to be run, if any: the session begins no other before its end.
    work: Rc<RefCell<Option<Work>>>,
    is_over: bool,
}

impl Hosted {
    /// A session that answers on `output`.
    pub fn new(output: impl Write + Send + 'static) -> Hosted {
        let (sender, events) = mpsc::sync_channel(READ_AHEAD);
        let work = Rc::new(RefCell::new(None));
        let laid_aside = Rc::clone(&work);
        let starter = move |work: Work| {
            *laid_aside.borrow_mut() = Some(work);
            Ok(())
        };
        let output = Arc::new(Output::new(output));
        Hosted {
            session: Session::new(sender, output, Box::new(starter)),
            events,
            work,
            is_over: false,
        }
    }

    /// Handles a line.
    pub fn hear(&mut self, line: &str) {
        let line = line.trim_end_matches(['\r', '\n']);
        self.take(if line.len() > LONGEST_LINE {
            Event::TooLong
        } else {
            Event::Line(line.to_owned(), Instant::now())
        });
    }

    /// Handles the end of the input: a search with limits may run to its end, others are stopped.
    pub fn end_of_input(&mut self) {
        self.take(Event::EndOfInput);
    }

    /// The search to run, if any; call [`Hosted::attend`] after it.
    pub fn work(&mut self) -> Option<Work> {
        self.work.take()
    }

    /// Whether a search waits to be run.
    pub fn has_work(&self) -> bool {
        self.work.borrow().is_some()
    }

    /// Prints the answers of searches that have ended.
    pub fn attend(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.take(event);
        }
    }

    /// Whether the session is over: after `quit`, or after the end of the input and the last answer.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Frees the memory of earlier searches, unless one is running.
    pub fn let_go(&mut self) {
        self.session.searcher = None;
    }

    fn take(&mut self, event: Event) {
        match self.session.take(event) {
            Then::GoOn => {}
            Then::Quit => {
                self.session.stop();
                self.is_over |= matches!(self.session.take(Event::EndOfInput), Then::End);
            }
            Then::End => self.is_over = true,
        }
    }
}
