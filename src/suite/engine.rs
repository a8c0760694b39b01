//! External UCI engines as players.
//!
//! An engine is started once, told `ucinewgame` before each position, and given one thread, the
//! common hash size and no book. One that crashes, keeps us waiting or does not keep to lines of a
//! sensible length fails at that position and is started anew for the next; one that answers with no
//! move, or with an illegal one, fails at that position.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};

use super::epd::Record;
use super::player::{Player, Tracker, shows_mate};
use super::process::{Failure, Process};
use super::results::{Moment, Outcome};
use crate::engine::limit::Limit;
use crate::engine::stopwatch::milliseconds;
use crate::game::Game;
use crate::games::chess::notation::{is_chess960, parse_uci, to_fen, to_san};
use crate::games::chess::{Move, Position};

/// So many positions in a row may fail before the engine is given up.
const FAILURES_IN_A_ROW: u32 = 3;
/// Characters shown of an answer that is no move.
const LONGEST_WORD: usize = 20;

/// A UCI engine.
pub(crate) struct Engine {
    command: String,
    hash_megabytes: usize,
    patience: Duration,
    process: Option<Process>,
    name: String,
    failures: u32,
}

impl Engine {
    /// Starts the engine that `command` names, a program with arguments separated by blanks, or the
    /// path of a program that may itself hold blanks.
    ///
    /// `patience` is how long a search may last beyond its time, or altogether if its time is not
    /// limited.
    pub(crate) fn start(
        command: &str,
        hash_megabytes: usize,
        patience: Duration,
    ) -> Result<Engine> {
        let mut engine = Engine {
            command: command.to_owned(),
            hash_megabytes,
            patience,
            process: None,
            name: command.to_owned(),
            failures: 0,
        };
        let launched = engine.launch();
        let running = launched.map_err(|failure| anyhow!(engine.tells(&failure)))?;
        engine.process = Some(running);
        Ok(engine)
    }

    /// The name it gives itself, or else the command.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn connect(&mut self) -> Result<&mut Process, Failure> {
        let running = match self.process.take() {
            Some(process) => process,
            None => self.launch()?,
        };
        Ok(self.process.insert(running))
    }

    fn launch(&mut self) -> Result<Process, Failure> {
        let mut process = Process::start(&self.command)?;
        if let Some(name) = process.name() {
            name.clone_into(&mut self.name);
        }
        let hash = process.at_most("Hash", self.hash_megabytes);
        for (name, value) in [
            ("Hash", hash.as_str()),
            ("Threads", "1"),
            ("OwnBook", "false"),
            ("Ponder", "false"),
        ] {
            if process.has_option(name) {
                process.send("setoption", &format!("setoption name {name} value {value}"))?;
            }
        }
        Ok(process)
    }

    /// A failure with the command that the engine was started by.
    fn tells(&self, failure: &Failure) -> String {
        format!("engine '{}' {failure}", self.command)
    }

    fn search(
        &mut self,
        position: &Position,
        wanted: Option<&Record>,
        limit: &Limit,
    ) -> Result<Outcome, Failure> {
        let patience = self.patience;
        let process = self.connect()?;
        let chess960 = is_chess960(position);
        if process.has_option("UCI_Chess960") {
            let line = format!("setoption name UCI_Chess960 value {chess960}");
            process.send("setoption", &line)?;
        } else if chess960 {
            return Err(Failure::NoChess960);
        }
        process.send("ucinewgame", "ucinewgame")?;
        process.wait_until_ready()?;
        process.send("position", &format!("position fen {}", to_fen(position)))?;

        let start = Instant::now();
        process.send("go", &go(limit))?;
        let time = limit
            .movetime_ms
            .map_or(Duration::ZERO, Duration::from_millis);
        let deadline = start + time + patience;
        let mut conversation = Conversation::new(position, wanted, start);
        let mut told_to_stop = false;
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
            if let Some(answer) = conversation.hear(&line, at) {
                return answer.map_err(Failure::NoMove);
            }
            if conversation.tracker.is_done() && !std::mem::replace(&mut told_to_stop, true) {
                process.send("stop", "stop")?;
            }
        }
    }
}

impl Player for Engine {
    fn solve(
        &mut self,
        position: &Position,
        wanted: Option<&Record>,
        limit: &Limit,
    ) -> Result<Outcome> {
        let solved = self.search(position, wanted, limit);
        match &solved {
            // Nothing is wrong with the engine itself.
            Err(Failure::NoChess960) => {}
            // It has answered, and can be asked again.
            Ok(_) | Err(Failure::NoMove(_)) => self.failures = 0,
            Err(failure) => {
                self.failures += 1;
                if !matches!(failure, Failure::Silent("go", _)) {
                    self.process = None;
                }
                if self.failures == FAILURES_IN_A_ROW {
                    let (last, failures) = (self.tells(failure), self.failures);
                    bail!("{last}; giving up after {failures} failures in a row");
                }
            }
        }
        Ok(solved.unwrap_or_else(|failure| Outcome {
            failure: Some(self.tells(&failure)),
            ..Outcome::default()
        }))
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

/// What an engine has said about a position.
struct Conversation<'a> {
    position: &'a Position,
    start: Instant,
    tracker: Tracker<'a>,
    outcome: Outcome,
}

impl<'a> Conversation<'a> {
    fn new(position: &'a Position, wanted: Option<&'a Record>, start: Instant) -> Conversation<'a> {
        Conversation {
            position,
            start,
            tracker: Tracker::new(wanted),
            outcome: Outcome::default(),
        }
    }

    /// Hears a line that came at a time; the outcome is complete with the `bestmove`, unless that is
    /// none that can be played: then it tells why.
    fn hear(&mut self, line: &str, at: Instant) -> Option<Result<Outcome, String>> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("info") => {
                self.hear_info(words, at);
                None
            }
            Some("bestmove") => {
                let m = match self.read_move(words.next()) {
                    Ok(m) => m,
                    Err(reason) => return Some(Err(reason)),
                };
                let outcome = &mut self.outcome;
                outcome.ms = milliseconds(at - self.start);
                let moment = Moment {
                    ms: outcome.ms,
                    nodes: outcome.nodes,
                    iteration: outcome.iteration,
                };
                self.tracker.answer(m, outcome.mate, moment);
                outcome.best_move = m.map(|m| to_san(self.position, m));
                outcome.solution = self.tracker.solution;
                outcome.solved = outcome.solution.is_some();
                Some(Ok(std::mem::take(outcome)))
            }
            _ => None,
        }
    }

    fn hear_info<'w>(&mut self, mut words: impl Iterator<Item = &'w str>, at: Instant) {
        let mut best = None;
        let mut heard = self.outcome.clone();
        while let Some(word) = words.next() {
            match word {
                "string" => break,
                "depth" => number(&mut words, &mut heard.iteration),
                "seldepth" => number(&mut words, &mut heard.seldepth),
                "nodes" => number(&mut words, &mut heard.nodes),
                "multipv" if words.next() != Some("1") => return,
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse().ok());
                    heard.cp = value.filter(|_| kind == Some("cp"));
                    heard.mate = value.filter(|_| kind == Some("mate"));
                    // That of an earlier line is not this one's.
                    heard.mate_shown = None;
                }
                "pv" => {
                    let line = self.read_line(&mut words);
                    best = line.first().copied();
                    heard.mate_shown = heard
                        .mate
                        .map(|mate| shows_mate(self.position, mate, &line));
                    break;
                }
                _ => {}
            }
        }
        self.outcome = heard;
        if best.is_some() {
            let moment = Moment {
                ms: milliseconds(at - self.start),
                nodes: self.outcome.nodes,
                iteration: self.outcome.iteration,
            };
            self.tracker.answer(best, self.outcome.mate, moment);
        }
    }

    /// The moves of a line, as far as they are legal.
    fn read_line<'w>(&self, words: &mut impl Iterator<Item = &'w str>) -> Vec<Move> {
        let mut position = self.position.clone();
        words
            .map_while(|text| {
                let m = parse_uci(&position, text).ok()?;
                position.play(m);
                Some(m)
            })
            .collect()
    }

    /// The move that `bestmove` tells; none only where there is none.
    fn read_move(&self, word: Option<&str>) -> Result<Option<Move>, String> {
        let position = self.position;
        if position.legal_moves().is_empty() {
            return Ok(None);
        }
        let word = word.ok_or("'bestmove' has nothing behind it")?;
        // A move is shorter, and what is none may be longer than anybody wants to read.
        let word: String = word.chars().take(LONGEST_WORD).collect();
        let m = parse_uci(position, &word).map_err(|error| error.to_string())?;
        Ok(Some(m))
    }
}

/// Reads the next word into `place` if it is a number.
fn number<'w, N: std::str::FromStr>(words: &mut impl Iterator<Item = &'w str>, place: &mut N) {
    if let Some(number) = words.next().and_then(|word| word.parse().ok()) {
        *place = number;
    }
}
