//! The event loop of a UCI session.
//!
//! There are three threads: one reads lines, one searches, and the event loop handles commands. The loop never waits
//! for a search, so `isready`, `stop`, `ponderhit` and `quit` take effect at once. Commands that would change the
//! position or the searcher wait until the search is over; so every `go` gets exactly one `bestmove`, in order.
//!
//! `hosted` is a session without threads: its caller passes lines and runs the searches.
//!
//! `input` is the reading thread, `waiting` the queue of commands, `search` handles `go` and `stop`, `by_hand` the
//! commands for people.

mod by_hand;
mod hosted;
mod input;
mod search;
#[cfg(test)]
mod tests;
mod waiting;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::command::Command;
use super::options::{self, UciSettings};
use super::output::Output;
use super::plan::Purpose;
use crate::engine::memory;
use crate::engine::settings::ChessSearcher;
use crate::game::Root;
use crate::games::chess::notation::Castling;
use crate::games::chess::{Position, notation};
use crate::platform::Instant;
use crate::search::PREPARATION;
use crate::version;
use crate::workers;
pub use hosted::Hosted;
use input::{Event, LONGEST_LINE, read_lines};
use search::SessionPhase;
use waiting::{Next, SaidSince, Waiting};

/// Lines read ahead of the loop.
const READ_AHEAD: usize = 64;
/// Longest wait of `quit` for the search to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// Longest time for one step of pre-faulting memory: a command may have to wait for its end.
const A_MOMENT: Duration = Duration::from_millis(2);

/// Runs a UCI session until `quit`, the end of the input, or a closed output.
///
/// At the end of the input a search with limits runs to its `bestmove`, others are stopped. Fails if the output cannot
/// be written to, for instance because the reader has closed it, and at once if there is no memory for the search
/// (`OutOfMemory`).
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (sender, events) = mpsc::sync_channel(READ_AHEAD);
    let lines = sender.clone();
    let output = Arc::new(Output::new(output));
    let mut session = Session::new(sender, Arc::clone(&output), Box::new(on_a_thread));
    if let Err(error) = memory::ensure([session.settings.engine.megabytes()], 1) {
        output.message(&error.to_string());
        return Err(io::Error::new(io::ErrorKind::OutOfMemory, error));
    }
    // Builds the searcher before the first line is read: no clock runs yet.
    session.searcher();
    // Not joined at the end: it may block in a read for ever.
    thread::spawn(move || read_lines(input, &lines));
    session.run(&events);
    output.error().map_or(Ok(()), Err)
}

/// The next step after an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Then {
    /// Wait for the next event.
    GoOn,
    /// Handle `quit`.
    Quit,
    /// End the session.
    End,
}

struct Session {
    settings: UciSettings,
    root: Root<Position>,
    /// `None` while it searches, and before its first use, also after a change of settings or a fault.
    searcher: Option<ChessSearcher>,
    /// Purpose of the searcher.
    purpose: Purpose,
    phase: SessionPhase,
    /// Commands that wait for the search to end.
    waiting: Waiting,
    input_ended: bool,
    /// Whether nothing is left of the pre-faulting that `isready` asked for.
    is_prepared: bool,
    debug: bool,
    events: SyncSender<Event>,
    output: Arc<Output>,
    /// Starts searches.
    starter: Starter,
}

/// A search to run.
pub type Work = Box<dyn FnOnce() + Send>;

/// Starts work in parallel with the loop.
type Starter = Box<dyn FnMut(Work) -> io::Result<()>>;

/// Starts work on a new thread.
fn on_a_thread(work: Work) -> io::Result<()> {
    workers::thread().name("search".to_owned()).spawn(work)?;
    Ok(())
}

impl Session {
    fn new(events: SyncSender<Event>, output: Arc<Output>, starter: Starter) -> Session {
        Session {
            settings: UciSettings::default(),
            root: Root::new(Position::initial()),
            searcher: None,
            purpose: Purpose::Full,
            phase: SessionPhase::Idle,
            waiting: Waiting::new(waiting::ROOM),
            input_ended: false,
            is_prepared: true,
            debug: false,
            events,
            output,
            starter,
        }
    }

    fn run(&mut self, events: &Receiver<Event>) {
        while let Some(event) = self.next_event(events) {
            match self.take(event) {
                Then::GoOn => {}
                Then::Quit => return self.quit(events),
                Then::End => return,
            }
        }
    }

    /// Handles an event.
    fn take(&mut self, event: Event) -> Then {
        match event {
            Event::Line(line, received) => {
                log::debug!("received {line:?}");
                let command = Command::parse(&line);
                if command == Command::Quit {
                    return Then::Quit;
                }
                self.handle(command, line, received);
            }
            Event::TooLong => self.output.message(&format!(
                "a line of more than {LONGEST_LINE} bytes is ignored"
            )),
            Event::EndOfInput => {
                self.input_ended = true;
                if !matches!(&self.phase, SessionPhase::Searching { hold: None, .. }) {
                    self.stop();
                }
            }
            Event::Finished(searcher, answer) => self.finish(searcher, answer),
        }
        self.work_off();
        let done = self.input_ended && matches!(self.phase, SessionPhase::Idle);
        if done || self.output.is_closed() {
            Then::End
        } else {
            Then::GoOn
        }
    }

    /// Waits for the next event. Meanwhile pre-faults the memory of a large table if `isready` asked for it.
    fn next_event(&mut self, events: &Receiver<Event>) -> Option<Event> {
        while !self.is_prepared
            && matches!(self.phase, SessionPhase::Idle)
            && let Some(searcher) = &mut self.searcher
        {
            match events.try_recv() {
                Err(TryRecvError::Empty) => self.is_prepared = searcher.prepare(A_MOMENT),
                event => return event.ok(),
            }
        }
        events.recv().ok()
    }

    /// Stops the search and waits for its move.
    fn quit(&mut self, events: &Receiver<Event>) {
        self.stop();
        let deadline = Instant::now() + PATIENCE;
        while matches!(self.phase, SessionPhase::Searching { .. }) {
            let left = deadline.saturating_duration_since(Instant::now());
            match events.recv_timeout(left) {
                Ok(Event::Finished(searcher, answer)) => self.finish(searcher, answer),
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    /// Executes a command, or queues its line.
    fn handle(&mut self, command: Command, line: String, received: Instant) {
        let idle = matches!(self.phase, SessionPhase::Idle);
        match command {
            Command::IsReady => {
                if idle {
                    // Built and prepared here, as no clock runs, and not at each `setoption`, as more may follow.
                    self.drop_unusual_searcher();
                    self.is_prepared = self.searcher().prepare(PREPARATION);
                }
                self.output.line("readyok");
            }
            Command::Uci => self.identify(),
            Command::Debug(on) => self.debug = on,
            Command::Help => self.output.line(by_hand::HELP),
            Command::Malformed(error) => self.output.message(&error),
            Command::Unknown(line) if self.debug => {
                self.output.message(&format!("unknown command: {line}"));
            }
            Command::Unknown(_) | Command::Empty | Command::Quit => {}
            Command::Stop => {
                self.waiting.stop();
                self.stop();
            }
            Command::PonderHit => {
                self.waiting.ponder_hit();
                self.ponder_hit(received);
            }
            _ if idle => self.carry_out(command, received, SaidSince::default()),
            _ => {
                let refused = format!(
                    "too many commands wait for the search to end; refused: {}",
                    line.trim()
                );
                if !self.waiting.push(line, matches!(command, Command::Go(_))) {
                    self.output.message(&refused);
                }
            }
        }
    }

    /// Executes queued commands up to the next search.
    fn work_off(&mut self) {
        while matches!(self.phase, SessionPhase::Idle) {
            match self.waiting.pop() {
                Some(Next::Line(line, said)) => {
                    self.carry_out(Command::parse(&line), Instant::now(), said);
                }
                Some(Next::Unanswered) => self.output.line("bestmove (none)"),
                None => return,
            }
        }
    }

    /// Executes a command that needs an idle engine.
    fn carry_out(&mut self, command: Command, received: Instant, said: SaidSince) {
        match command {
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.clear(),
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => self.go(&go, received, said),
            Command::Board => self.show_board(),
            Command::Evaluate => self.show_evaluation(),
            // All others were handled on arrival.
            _ => {}
        }
    }

    /// Sets up a position, or prints its error.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) {
        match self.root_of(fen, moves) {
            Ok(root) => self.root = root,
            Err(error) => self.output.message(&format!("position: {error}")),
        }
    }

    /// The position after `moves`, with its history; prints dropped castling rights of the FEN.
    fn root_of(&self, fen: Option<&str>, moves: &[String]) -> Result<Root<Position>> {
        let mut root = Root::new(Position::initial());
        if let Some(fen) = fen {
            let castling = Castling::of(self.settings.chess960);
            let read = notation::read_fen(fen, castling)?;
            if let Some(rights) = read.dropped {
                let hint = castling.hint("UCI_Chess960");
                self.output.message(&format!("position: {rights}{hint}"));
            }
            root.position = read.position;
        }
        for text in moves {
            root.play(notation::parse_uci(&root.position, text)?);
        }
        Ok(root)
    }

    fn identify(&self) {
        let version = version::NUMBER;
        self.output.line(&format!("id name Cassius {version}"));
        self.output.line("id author the Cassius developers");
        for option in options::declared() {
            self.output.line(&option.declaration());
        }
        self.output.line("uciok");
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let mut settings = self.settings.clone();
        match options::set(&mut settings, name, value) {
            Ok(true) => self.clear(),
            Ok(false) if !makes_the_same_searcher(&settings, &self.settings) => {
                let tables = &settings.engine.tables;
                let needed = [settings.engine.megabytes()];
                let ensured = memory::ensure_for_running(needed).or_else(|_| {
                    // The old searcher is to be dropped anyway: its memory may suffice.
                    self.searcher = None;
                    memory::ensure_for_running(needed)
                });
                if let Err(error) = ensured {
                    return self
                        .output
                        .message(&format!("option {name}: {error}; nothing changes"));
                }
                if *tables != self.settings.engine.tables {
                    let (files, pieces) = tables.size();
                    self.output
                        .message(&format!("{files} Syzygy tables for up to {pieces} pieces"));
                }
                self.searcher = None;
                self.settings = settings;
            }
            Ok(false) => self.settings = settings,
            Err(error) => self.output.message(&error),
        }
    }

    /// The searcher of the settings, built if there is none.
    fn searcher(&mut self) -> &mut ChessSearcher {
        let purpose = self.usual_purpose();
        self.searcher.get_or_insert_with(|| {
            self.purpose = purpose;
            purpose.searcher(&self.settings)
        })
    }

    /// Purpose of a searcher for a `go` with limits other than `mate`.
    fn usual_purpose(&self) -> Purpose {
        self.settings.level().map_or(Purpose::Full, Purpose::Level)
    }

    /// Drops a searcher that does not suit the next move of a game, such as that of `go mate`.
    fn drop_unusual_searcher(&mut self) {
        if self.purpose != self.usual_purpose() {
            self.searcher = None;
        }
    }

    fn clear(&mut self) {
        self.drop_unusual_searcher();
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
        self.searcher();
    }
}

/// Whether two settings make the same searcher, so that it can be kept.
fn makes_the_same_searcher(one: &UciSettings, other: &UciSettings) -> bool {
    one.level() == other.level() && one.engine.makes_the_same_searcher(&other.engine)
}
