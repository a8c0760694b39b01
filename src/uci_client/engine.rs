//! External UCI engines.
//!
//! An engine is started once and given one thread, a hash size and no book. A position is sent as a new game, or as one
//! of the same game, so that the engine keeps its table ([`EngineQuery`]). An engine that crashes, exceeds its time or
//! sends too long a line fails at that position. It is restarted for the next, unless it exceeded its time and then
//! obeyed `stop`. An answer without a legal move is a failure without a restart. Callers count failures and give an engine up after [`FAILURES_IN_A_ROW`].

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use super::conversation::{Answer, Conversation, EngineProgress};
use super::process::{Failure, Process, program, words};
use crate::engine::limit::Limit;
use crate::games::chess::notation::{is_chess960, to_fen, to_uci};
use crate::games::chess::{Move, Position};

/// Failed positions in a row after which an engine is given up.
pub(crate) const FAILURES_IN_A_ROW: u32 = 3;

/// A position to be sent to an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EngineQuery<'a> {
    /// The position.
    pub(crate) position: &'a Position,
    /// The position after the last irreversible move of its game, and the moves from there to `position`.
    pub(crate) start: &'a Position,
    pub(crate) moves: &'a [Move],
    /// Whether the position belongs to the same game as the one sent before.
    pub(crate) is_same_game: bool,
    /// Number of moves to value, if the engine has the option `MultiPV`.
    pub(crate) moves_wanted: usize,
}

impl EngineQuery<'_> {
    fn position_line(&self, chess960: bool) -> String {
        let mut line = format!("position fen {}", to_fen(self.start));
        if !self.moves.is_empty() {
            line += " moves";
        }
        for &m in self.moves {
            line += " ";
            line += &to_uci(m, chess960);
        }
        line
    }
}

/// The command of an engine, which can be started any number of times.
#[derive(Clone, Debug)]
pub(crate) struct EngineCommand {
    /// Its name by `id name`, or else the command.
    pub(crate) name: String,
    /// A program with arguments separated by blanks, or the path of a program, which may contain blanks.
    command: String,
    /// Longest wait for an answer beyond a search's time limit; without such a limit, from the search's start.
    patience: Duration,
    /// Its hash table, in MiB.
    pub(crate) hash_megabytes: usize,
}

impl EngineCommand {
    /// The engine of a command, which is started and ended once to learn its name.
    pub(crate) fn find(
        command: &str,
        hash_megabytes: usize,
        patience: Duration,
    ) -> Result<EngineCommand> {
        let unnamed = EngineCommand {
            name: command.to_owned(),
            command: command.to_owned(),
            patience,
            hash_megabytes,
        };
        Ok(unnamed.start()?.command)
    }

    /// The files that a command may name: its program, and its arguments.
    pub(crate) fn files(command: &str) -> impl Iterator<Item = &Path> {
        words(command).into_iter().map(Path::new)
    }

    /// Starts the engine.
    pub(crate) fn start(&self) -> Result<Engine> {
        let mut engine = Engine {
            command: self.clone(),
            process: None,
        };
        let launched = engine.connect().map(drop);
        launched.map_err(|failure| anyhow!(self.tells(&failure)))?;
        Ok(engine)
    }

    /// Identity of the program, as results note it: checksum and arguments.
    pub(crate) fn program(&self) -> String {
        program(&self.command)
    }

    /// The message of a failure, with the engine's command.
    fn tells(&self, failure: &Failure) -> String {
        format!("engine '{}' {failure}", self.command)
    }
}

/// A UCI engine.
pub(crate) struct Engine {
    command: EngineCommand,
    process: Option<Process>,
}

impl Engine {
    fn connect(&mut self) -> Result<&mut Process, Failure> {
        let running = match self.process.take() {
            Some(process) => process,
            None => self.launch()?,
        };
        Ok(self.process.insert(running))
    }

    fn launch(&mut self) -> Result<Process, Failure> {
        let mut process = Process::start(&self.command.command)?;
        if let Some(name) = &process.name {
            self.command.name.clone_from(name);
        }
        let hash = process.at_most("Hash", self.command.hash_megabytes);
        process.set_option("Hash", &hash)?;
        process.set_option("Threads", "1")?;
        process.set_option("OwnBook", "false")?;
        process.set_option("Ponder", "false")?;
        Ok(process)
    }

    fn search(
        &mut self,
        query: &EngineQuery<'_>,
        limit: &Limit,
        is_enough: &mut dyn FnMut(EngineProgress) -> bool,
    ) -> Result<Answer, Failure> {
        let patience = self.command.patience;
        // A new process has no game.
        let is_same_game = query.is_same_game && self.process.is_some();
        let process = self.connect()?;
        let chess960 = is_chess960(query.start);
        if !process.set_option("UCI_Chess960", &chess960.to_string())? && chess960 {
            return Err(Failure::NoChess960);
        }
        let moves = process.at_most("MultiPV", query.moves_wanted);
        process.set_option("MultiPV", &moves)?;
        if !is_same_game {
            process.send("ucinewgame", "ucinewgame")?;
        }
        process.wait_until_ready()?;
        process.send("position", &query.position_line(chess960))?;

        let start = Instant::now();
        process.send("go", &go(limit))?;
        let time = limit
            .movetime_ms
            .map_or(Duration::ZERO, Duration::from_millis);
        let deadline = start + time + patience;
        let mut conversation = Conversation::new(query.position, query.moves_wanted, start);
        let (mut is_done, mut told_to_stop) = (false, false);
        loop {
            let (at, line) = match process.line("go", deadline, time + patience) {
                Ok(line) => line,
                Err(silent @ Failure::Silent(..)) => {
                    if process.recover().is_err() {
                        self.process = None;
                    }
                    return Err(silent);
                }
                Err(error) => return Err(error),
            };
            let mut follow = |progress| is_done = is_enough(progress);
            if let Some(answer) = conversation.read(&line, at, &mut follow) {
                return answer.map_err(Failure::NoMove);
            }
            if is_done && !std::mem::replace(&mut told_to_stop, true) {
                process.send("stop", "stop")?;
            }
        }
    }

    /// Searches a position under a limit. `is_enough` receives each report of a best move, and the answer; once it returns
    /// true, the engine is told to stop.
    pub(crate) fn ask(
        &mut self,
        query: &EngineQuery<'_>,
        limit: &Limit,
        is_enough: &mut dyn FnMut(EngineProgress) -> bool,
    ) -> Result<Answer, Failure> {
        let answer = self.search(query, limit, is_enough);
        if answer.as_ref().is_err_and(Failure::needs_a_restart) {
            self.process = None;
        }
        answer
    }

    /// The message of a failure, with the engine's command.
    pub(crate) fn tells(&self, failure: &Failure) -> String {
        self.command.tells(failure)
    }

    /// Ends its process.
    pub(crate) fn end(&mut self) {
        self.process = None;
    }

    /// The message after [`FAILURES_IN_A_ROW`].
    pub(crate) fn was_given_up(&self) -> String {
        let command = &self.command.command;
        format!("engine '{command}' was given up after {FAILURES_IN_A_ROW} failures in a row")
    }
}

fn go(limit: &Limit) -> String {
    let mut line = "go".to_owned();
    let limits = [
        ("movetime", limit.movetime_ms),
        ("nodes", limit.nodes),
        ("depth", limit.depth.map(u64::from)),
    ];
    for (word, number) in limits {
        if let Some(number) = number {
            line.push_str(&format!(" {word} {number}"));
        }
    }
    line
}
