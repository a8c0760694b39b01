//! The desk: receives lines of UCI and calls, and runs them one after the other.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;

use cassius::uci::Hosted;
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::calls::{self, Call};
use crate::failure::Failure;
use crate::kept::Kept;

/// A message of the desk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said<'a> {
    /// A line of UCI.
    Line(&'a str),
    /// An answer to a call, as JSON.
    Answer(&'a str),
    /// Bytes that belong to the next answer.
    Bytes(&'a [u8]),
}

/// Receiver of messages.
pub type Say = Arc<dyn Fn(Said<'_>) + Send + Sync>;

/// Receives lines and calls. [`Desk::work`] runs a search or call; others can be received meanwhile.
#[derive(Clone)]
pub struct Desk(Rc<State>);

/// State of a desk. Nothing stays borrowed during a search.
pub(crate) struct State {
    say: Say,
    uci: RefCell<Hosted>,
    waiting: RefCell<VecDeque<Call>>,
    /// Number of the running call.
    running: Cell<Option<u64>>,
    /// Whether the running call is to end.
    is_to_end: Cell<bool>,
    /// Bytes for the next call.
    bytes: RefCell<Option<Vec<u8>>>,
    pub(crate) kept: Kept,
}

/// Writer that passes lines of UCI on one by one.
struct Lines(Say);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in String::from_utf8_lossy(bytes).lines() {
            (self.0)(Said::Line(line));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Desk {
    /// A desk that sends its messages to `say`.
    pub fn new(say: Say) -> Desk {
        Desk(Rc::new(State {
            uci: RefCell::new(Hosted::new(Lines(Arc::clone(&say)))),
            say,
            waiting: RefCell::default(),
            running: Cell::new(None),
            is_to_end: Cell::new(false),
            bytes: RefCell::default(),
            kept: Kept::default(),
        }))
    }

    /// Receives a line of UCI.
    pub fn hear_line(&self, line: &str) {
        self.0.uci.borrow_mut().hear(line);
    }

    /// Ends the input of UCI lines.
    pub fn end_of_lines(&self) {
        self.0.uci.borrow_mut().end_of_input();
    }

    /// Receives bytes for the next call.
    pub fn take_bytes(&self, bytes: Vec<u8>) {
        *self.0.bytes.borrow_mut() = Some(bytes);
    }

    /// Receives a call. Calls without a search are answered at once, others wait for [`Desk::work`].
    pub fn hear_call(&self, text: &str) {
        let state = &self.0;
        let call = Call::read(text, state.bytes.take());
        match call {
            Err((id, failure)) => state.answer(id, Err(failure)),
            Ok(Call::Stop(id)) => self.stop(id),
            Ok(Call::Asked(id, asked)) if asked.is_quick() => {
                let answer = calls::answer(state, &asked).map_err(Failure::from);
                state.answer(Some(id), answer);
            }
            Ok(call) => state.waiting.borrow_mut().push_back(call),
        }
    }

    /// Ends the call with this number; without one all calls and the search of UCI.
    fn stop(&self, id: Option<u64>) {
        let state = &self.0;
        let (ended, rest): (VecDeque<Call>, VecDeque<Call>) = state
            .waiting
            .take()
            .into_iter()
            .partition(|call| id.is_none() || call.id() == id);
        *state.waiting.borrow_mut() = rest;
        for call in ended {
            state.answer(call.id(), Err(Failure::Stopped));
        }
        let running = state.running.get();
        if running.is_some() && (id.is_none() || id == running) {
            state.is_to_end.set(true);
        }
        if id.is_none() {
            self.hear_line("stop");
        }
    }

    /// Runs the waiting search of UCI, else the first waiting call.
    pub fn work(&self) {
        let state = &self.0;
        let search = state.uci.borrow_mut().work();
        if let Some(search) = search {
            state.kept.let_go();
            search();
            state.uci.borrow_mut().attend();
            return;
        }
        let call = state.waiting.borrow_mut().pop_front();
        if let Some(Call::Asked(id, asked)) = call {
            state.running.set(Some(id));
            state.is_to_end.set(false);
            state.uci.borrow_mut().let_go();
            let answer = calls::answer(state, &asked).map_err(Failure::from);
            state.running.set(None);
            state.is_to_end.set(false);
            state.answer(Some(id), answer);
        }
    }

    /// Whether a search or call waits.
    pub fn waits(&self) -> bool {
        self.0.uci.borrow().has_work() || !self.0.waiting.borrow().is_empty()
    }

    /// Whether the running call is to end.
    pub fn is_to_end(&self) -> bool {
        self.0.is_to_end()
    }

    /// Whether the UCI session has ended.
    pub fn is_over(&self) -> bool {
        self.0.uci.borrow().is_over()
    }
}

impl State {
    /// Whether the running call is to end.
    pub(crate) fn is_to_end(&self) -> bool {
        self.is_to_end.get()
    }

    /// Sends bytes that belong to the next answer.
    pub(crate) fn say_bytes(&self, bytes: &[u8]) {
        (self.say)(Said::Bytes(bytes));
    }

    /// Sends the progress of the running call.
    pub(crate) fn progress(&self, news: &impl Serialize) {
        let told = json!({ "id": self.running.get(), "progress": news });
        (self.say)(Said::Answer(&told.to_string()));
    }

    fn answer(&self, id: Option<u64>, answer: Result<Json, Failure>) {
        let mut told = match answer {
            Ok(result) => json!({ "result": result }),
            Err(failure) => json!({ "error": failure }),
        };
        if let (Some(id), Some(fields)) = (id, told.as_object_mut()) {
            fields.insert("id".to_owned(), id.into());
        }
        (self.say)(Said::Answer(&told.to_string()));
    }
}
