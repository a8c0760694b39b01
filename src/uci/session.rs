//! The event loop of a UCI session.
//!
//! Three threads: one reads lines, one searches while there is something to search, and the one
//! here decides. It never waits for a search, so `isready`, `stop`, `ponderhit` and `quit` take
//! effect at once. Whatever would change what is being searched waits until the search is over;
//! every `go` thus gets its one `bestmove`, in order, and nothing races.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read as _, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::command::{Command, Go, Setup};
use super::job::{ChessSearcher, Finished, Hold, Job, Plan};
use super::observer::Control;
use super::options::{self, Button, EngineSettings};
use super::output::Output;
use crate::game::{Evaluator, Game, Root};
use crate::games::chess::{Move, Position, Quiescence, notation};
use crate::search::registry;
use crate::value::Window;

/// A longer line is read in pieces, so that no input can fill the memory.
const LONGEST_LINE: u64 = 1 << 20;
/// Lines read ahead of the loop.
const READ_AHEAD: usize = 256;
/// How long `quit` waits for a search to notice.
const PATIENCE: Duration = Duration::from_secs(2);
/// Stack of the search thread: searches recurse, and lines get long.
const STACK_BYTES: usize = 64 << 20;

const HELP: &str = "\
Cassius speaks UCI. Commands, one a line:
  uci                             who this is, and its options
  setoption name NAME value VALUE set an option
  ucinewgame                      forget everything
  position startpos|fen FEN [moves M...]
  go [depth|nodes|movetime|mate N] [wtime|btime|winc|binc MS] [movestogo N]
     [searchmoves M...] [infinite] [ponder]
  stop, ponderhit, isready, debug on|off, quit
By hand: d (show the position), eval (its static value), help.
What the info strings mean is told in the README.";

/// What the loop waits for.
enum Event {
    Line(String, Instant),
    EndOfInput,
    Finished(Finished),
}

/// Whether a search is going on.
enum Phase {
    Idle,
    /// A thread searches; with `hold` if only `stop` (or a ponder hit) may end it.
    Searching {
        control: Arc<Control>,
        hold: Option<Hold>,
    },
    /// A search that must not end by itself has: here is its move.
    Holding {
        best: Option<Move>,
        hold: Hold,
    },
}

/// Holds a UCI conversation until `quit`, the end of the input, or a closed output.
///
/// At the end of the input searches that end by themselves run to their `bestmove`, others are
/// stopped.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) {
    let (sender, events) = mpsc::sync_channel(READ_AHEAD);
    let lines = sender.clone();
    let mut session = Session::new(sender, Arc::new(Output::new(output)));
    // Before the first line is read, so that no clock runs yet.
    session.prepare();
    // Left alone at the end: it may hang in a read for ever.
    thread::spawn(move || read_lines(input, &lines));
    session.run(&events);
}

fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
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

struct Session {
    settings: EngineSettings,
    root: Root<Position>,
    /// Absent before its first use, after a change of settings, and while it searches.
    searcher: Option<ChessSearcher>,
    phase: Phase,
    /// Commands that wait for the search to end.
    waiting: VecDeque<Command>,
    input_ended: bool,
    debug: bool,
    events: SyncSender<Event>,
    output: Arc<Output>,
}

impl Session {
    fn new(events: SyncSender<Event>, output: Arc<Output>) -> Session {
        Session {
            settings: EngineSettings::default(),
            root: Root::new(Position::initial()),
            searcher: None,
            phase: Phase::Idle,
            waiting: VecDeque::new(),
            input_ended: false,
            debug: false,
            events,
            output,
        }
    }

    fn run(&mut self, events: &Receiver<Event>) {
        while let Ok(event) = events.recv() {
            match event {
                Event::Line(line, received) => {
                    log::debug!("received {line:?}");
                    let command = Command::parse(&line);
                    if command == Command::Quit {
                        return self.quit(events);
                    }
                    self.handle(command, received);
                }
                Event::EndOfInput => {
                    self.input_ended = true;
                    if !matches!(&self.phase, Phase::Searching { hold: None, .. }) {
                        self.stop();
                    }
                }
                Event::Finished(finished) => self.finish(finished),
            }
            self.work_off();
            let done = self.input_ended && matches!(self.phase, Phase::Idle);
            if done || self.output.is_closed() {
                return;
            }
        }
    }

    /// Stops the search, lets it say its move, and leaves.
    fn quit(&mut self, events: &Receiver<Event>) {
        self.stop();
        let deadline = Instant::now() + PATIENCE;
        while matches!(self.phase, Phase::Searching { .. }) {
            let left = deadline.saturating_duration_since(Instant::now());
            match events.recv_timeout(left) {
                Ok(Event::Finished(finished)) => self.finish(finished),
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    /// Carries out a command, or has it wait.
    fn handle(&mut self, command: Command, received: Instant) {
        let idle = matches!(self.phase, Phase::Idle);
        match command {
            Command::IsReady => {
                if idle {
                    self.prepare();
                }
                self.output.line("readyok");
            }
            Command::Uci => self.identify(),
            Command::Debug(on) => self.debug = on,
            Command::Help => self.output.line(HELP),
            Command::Malformed(error) => self.output.message(&error.to_string()),
            Command::Unknown(line) if self.debug => {
                self.output.message(&format!("unknown command: {line}"));
            }
            Command::Unknown(_) | Command::Register | Command::Empty | Command::Quit => {}
            Command::Stop | Command::PonderHit => {
                // Meant for the searches that wait, too.
                if !self.waiting.is_empty() {
                    self.waiting.push_back(command.clone());
                }
                if command == Command::Stop {
                    self.stop();
                } else {
                    self.ponder_hit(received);
                }
            }
            _ if idle => self.carry_out(command, received),
            _ => self.waiting.push_back(command),
        }
    }

    /// Carries out what has waited for the search to end, up to the next search.
    fn work_off(&mut self) {
        while matches!(self.phase, Phase::Idle) {
            let Some(command) = self.waiting.pop_front() else {
                return;
            };
            self.carry_out(command, Instant::now());
        }
    }

    /// Carries out a command that needs the engine to be idle.
    fn carry_out(&mut self, command: Command, received: Instant) {
        match command {
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.forget(),
            Command::Position { setup, moves } => match set_up(&setup, &moves) {
                Ok(root) => self.root = root,
                Err(error) => self.output.message(&error.to_string()),
            },
            Command::Go(go) => self.go(&go, received),
            Command::Board => self.show_board(),
            Command::Evaluate => self.show_evaluation(),
            // Everything else has been dealt with on arrival.
            _ => {}
        }
    }

    fn identify(&self) {
        let version = env!("CARGO_PKG_VERSION");
        self.output.line(&format!("id name Cassius {version}"));
        self.output.line("id author the Cassius developers");
        for option in options::OPTIONS {
            self.output.line(&option.declaration());
        }
        self.output.line("uciok");
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let mut settings = self.settings.clone();
        match options::set(&mut settings, name, value) {
            Ok(Some(Button::ClearHash)) => self.forget(),
            Ok(None) if settings.search != self.settings.search => {
                let megabytes = settings.search.hash_megabytes;
                if can_allocate(megabytes) {
                    self.searcher = None;
                    self.settings = settings;
                } else {
                    let kept = self.settings.search.hash_megabytes;
                    self.output.message(&format!(
                        "option Hash: this machine has no {megabytes} MiB to give; it stays {kept}"
                    ));
                }
            }
            Ok(None) => self.settings = settings,
            Err(error) => self.output.message(&error.to_string()),
        }
    }

    /// Makes the searcher that the settings describe, unless it is there.
    fn prepare(&mut self) {
        if self.searcher.is_none() {
            self.searcher = Some(build(&self.settings));
        }
    }

    fn forget(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.forget();
        }
        self.prepare();
    }

    /// Begins a search.
    fn go(&mut self, go: &Go, received: Instant) {
        for note in &go.ignored {
            self.output.message(note);
        }
        let ponder_hit = self.waiting.contains(&Command::PonderHit);
        let plan = match Plan::new(go, &self.root, &self.settings, ponder_hit) {
            Ok(plan) => plan,
            Err(error) => return self.output.message(&error.to_string()),
        };
        for note in &plan.notes {
            self.output.message(note);
        }
        let stopped =
            self.waiting.contains(&Command::Stop) || (self.input_ended && plan.hold.is_some());
        let hold = plan.hold.filter(|_| !stopped);
        if self.root.position.legal_moves().is_empty() {
            let mated = self.root.position.in_check();
            let score = if mated { "mate 0" } else { "cp 0" };
            self.output.line(&format!("info depth 0 score {score}"));
            return self.answer(None, hold);
        }
        let pondering = hold == Some(Hold::PonderHit);
        let control = Arc::new(Control::new((!pondering).then_some(received)));
        if stopped {
            control.stop();
        }
        self.phase = Phase::Searching {
            control: Arc::clone(&control),
            hold,
        };
        let searcher = self.searcher.take();
        let job = Job {
            searcher: searcher.unwrap_or_else(|| build(&self.settings)),
            root: self.root.clone(),
            chess960: self.settings.chess960,
            plan,
            control,
            start: received,
            output: Arc::clone(&self.output),
        };
        let fallback = job.any_move();
        let events = self.events.clone();
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                // Nobody listens any more once the session is over.
                let _ = events.send(Event::Finished(job.run()));
            });
        if let Err(error) = thread {
            self.output
                .message(&format!("no thread to search with: {error}"));
            self.answer(fallback, None);
        }
    }

    /// A search thread has ended.
    fn finish(&mut self, finished: Finished) {
        self.searcher = finished.searcher;
        let hold = match &self.phase {
            Phase::Searching { hold, .. } => *hold,
            _ => None,
        };
        self.answer(finished.best, hold);
    }

    /// Says the move, or holds it back as long as it must be.
    fn answer(&mut self, best: Option<Move>, hold: Option<Hold>) {
        if let Some(hold) = hold {
            self.phase = Phase::Holding { best, hold };
            return;
        }
        self.phase = Phase::Idle;
        let text = best.map(|m| notation::to_uci(m, self.settings.chess960));
        let text = text.as_deref().unwrap_or("(none)");
        self.output.line(&format!("bestmove {text}"));
    }

    fn stop(&mut self) {
        match &mut self.phase {
            Phase::Idle => {}
            Phase::Searching { control, hold } => {
                *hold = None;
                control.stop();
            }
            Phase::Holding { best, .. } => {
                let best = *best;
                self.answer(best, None);
            }
        }
    }

    fn ponder_hit(&mut self, now: Instant) {
        match &mut self.phase {
            Phase::Searching { control, hold } if *hold == Some(Hold::PonderHit) => {
                *hold = None;
                control.start_clock(now);
            }
            Phase::Holding { best, hold } if *hold == Hold::PonderHit => {
                let best = *best;
                self.answer(best, None);
            }
            _ => {}
        }
    }

    fn show_board(&self) {
        let position = &self.root.position;
        self.output.line(&notation::diagram(position));
        self.output
            .line(&format!("fen {}", notation::to_fen(position)));
        self.output.line(&format!("key {:016x}", position.key()));
    }

    fn show_evaluation(&self) {
        let position = &self.root.position;
        let text = if let Some(outcome) = position.outcome() {
            format!("the game is over here: {outcome}")
        } else {
            let mut evaluator = Quiescence::tactical();
            let still = evaluator.static_value(position);
            let quiet = evaluator.evaluate(position, Window::FULL);
            format!("static value {still}, after captures {quiet}, for the side to move")
        };
        self.output.line(&text);
    }
}

fn build(settings: &EngineSettings) -> ChessSearcher {
    registry::build(&settings.search, Quiescence::tactical())
}

/// Whether the system would give that much memory. Searchers take theirs without asking, and a
/// refusal then would end the engine.
fn can_allocate(megabytes: usize) -> bool {
    let bytes = megabytes.saturating_mul(1 << 20);
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Why a position was not taken over.
#[derive(Debug, Error)]
enum PositionError {
    #[error("position: {0}")]
    Fen(#[from] notation::FenError),
    #[error("position: {0}")]
    Move(#[from] notation::MoveError),
}

fn set_up(setup: &Setup, moves: &[String]) -> Result<Root<Position>, PositionError> {
    let mut root = Root::new(match setup {
        Setup::Initial => Position::initial(),
        Setup::Fen(fen) => notation::parse_fen(fen)?,
    });
    for text in moves {
        let m = notation::parse_uci(&root.position, text)?;
        root.play(m);
    }
    Ok(root)
}
