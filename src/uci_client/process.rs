//! A UCI engine as a process: lines in, lines out, and no wait without a limit.

use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::child::Child;
use crate::games::chess::network::weights::checksum;
use crate::lines::{self, BoundedLine};

/// Time limit for `uciok` and `readyok`, which includes clearing the engine's tables.
const HANDSHAKE: Duration = Duration::from_secs(20);
/// Time limit for obeying `stop` and `quit`.
const OBEDIENCE: Duration = Duration::from_secs(2);
/// Lines of output buffered from an engine.
const LINES_AHEAD: usize = 64;
/// Longest line of an engine, in bytes. The longest that make sense have a few thousand.
pub(super) const LONGEST_LINE: usize = 1 << 16;
/// Most bytes of option declarations to store; no engine has a tenth of it.
const MOST_DECLARED: usize = 1 << 20;

/// Failures of an engine. A `&'static str` in one is the UCI command under way.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("cannot be started: {0}")]
    Start(#[from] io::Error),
    /// It has ended, or closed its output.
    #[error("crashed or ended by itself ({0})")]
    Crashed(&'static str),
    /// It did not answer within this time.
    #[error("did not answer '{}' within {} s", .0, .1.as_secs_f64())]
    Silent(&'static str, Duration),
    /// Its line is too long.
    #[error("wrote a line of more than {LONGEST_LINE} bytes ({0})")]
    TooLong(&'static str),
    /// It does not know Chess960.
    #[error("has no option UCI_Chess960, which this position needs")]
    NoChess960,
    /// Its answer has no move, or an illegal one; the text is the reason.
    #[error("gave no move that can be played: {0}")]
    NoMove(String),
    /// Its answer has a move but no value, where one is needed.
    #[error("gave a move without a value")]
    NoValue,
}

impl Failure {
    /// Whether the process cannot be asked again. One that exceeded its time has been told to stop.
    pub(super) fn needs_a_restart(&self) -> bool {
        !matches!(
            self,
            Failure::Silent("go", _) | Failure::NoChess960 | Failure::NoMove(_) | Failure::NoValue
        )
    }
}

/// The program that a command starts, and its arguments.
pub(super) fn words(command: &str) -> Vec<&str> {
    if Path::new(command).is_file() {
        vec![command]
    } else {
        command.split_whitespace().collect()
    }
}

/// Identity of a command: the first digits of its program's SHA-256, or the program's name if it is unreadable, and the
/// arguments. The name that an engine reports does not identify it: two builds may report the same.
pub(super) fn program(command: &str) -> String {
    let words = words(command);
    let Some((&program, arguments)) = words.split_first() else {
        return String::new();
    };
    let folders = std::env::var_os("PATH").filter(|_| !program.contains('/'));
    let folders: Vec<PathBuf> = match &folders {
        Some(folders) => std::env::split_paths(folders).collect(),
        None => vec![PathBuf::new()],
    };
    let bytes = folders
        .iter()
        .find_map(|folder| std::fs::read(folder.join(program)).ok());
    let name = bytes.map_or_else(|| program.to_owned(), |bytes| checksum(&bytes));
    [&[name.as_str()], arguments].concat().join(" ")
}

/// A running engine and its output.
pub(super) struct Process {
    child: Child,
    /// Lines on their way to it: an engine that does not read must not hold up who talks to it.
    input: Sender<String>,
    /// Its lines with their times; ends after a line that is too long.
    lines: Receiver<(Instant, BoundedLine)>,
    /// The name it reports, if any.
    pub(super) name: Option<String>,
    /// Its option declarations: the text after `option name`.
    options: Vec<String>,
}

impl Process {
    /// Starts the engine that `command` names (see [`super::engine::EngineCommand`]) and reads its name and options.
    pub(super) fn start(command: &str) -> Result<Process, Failure> {
        let mut process = Process::spawn(command)?;
        process.send("uci", "uci")?;
        let deadline = Instant::now() + HANDSHAKE;
        let mut declared = 0;
        loop {
            let line = process.line("uci", deadline, HANDSHAKE)?.1;
            if let Some(name) = line.strip_prefix("id name ") {
                process.name = Some(lines::printable(name.trim()));
            } else if let Some(option) = line.strip_prefix("option name ") {
                declared += option.len();
                if declared <= MOST_DECLARED {
                    process.options.push(option.to_owned());
                }
            } else if line.trim() == "uciok" {
                return Ok(process);
            }
        }
    }

    fn spawn(command: &str) -> Result<Process, Failure> {
        let words = words(command);
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| io::Error::other("the command is empty"))?;
        let mut child = Child::start(
            Command::new(program)
                .args(arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
        )?;
        let (mut stdin, stdout) = child.pipes().ok_or_else(|| io::Error::other("no pipes"))?;
        let (input, told) = mpsc::channel::<String>();
        thread::spawn(move || {
            let mut send = |line: String| stdin.write_all(line.as_bytes());
            // An error means that it has ended, as the end of its output tells too.
            let _ = told.into_iter().try_for_each(&mut send);
        });
        let (sender, lines) = mpsc::sync_channel(LINES_AHEAD);
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            while let Ok(Some(line)) = lines::read(&mut reader, LONGEST_LINE) {
                let is_last = line == BoundedLine::TooLong;
                if sender.send((Instant::now(), line)).is_err() || is_last {
                    return;
                }
            }
        });
        Ok(Process {
            child,
            input,
            lines,
            name: None,
            options: Vec::new(),
        })
    }

    /// Sets an option and returns true if the engine has it.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<bool, Failure> {
        let has_it = self.option(name).is_some();
        if has_it {
            self.send("setoption", &format!("setoption name {name} value {value}"))?;
        }
        Ok(has_it)
    }

    /// The declaration of an option from its type on, without the word `type`.
    fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find_map(|option| {
            let (found, rest) = option.split_once(" type ")?;
            found.eq_ignore_ascii_case(name).then_some(rest)
        })
    }

    /// The smaller of `wanted` and the option's maximum, as text.
    pub(super) fn at_most(&self, name: &str, wanted: usize) -> String {
        let mut words = self.option(name).unwrap_or_default().split_whitespace();
        let most = words
            .find(|&word| word == "max")
            .and_then(|_| words.next())
            .and_then(|word| word.parse().ok());
        wanted.min(most.unwrap_or(usize::MAX)).to_string()
    }

    pub(super) fn send(&mut self, asked: &'static str, line: &str) -> Result<(), Failure> {
        let sent = self.input.send(format!("{line}\n"));
        sent.map_err(|_| Failure::Crashed(asked))
    }

    /// The next line and its time; `asked` and `waited` are for the error.
    pub(super) fn line(
        &mut self,
        asked: &'static str,
        deadline: Instant,
        waited: Duration,
    ) -> Result<(Instant, String), Failure> {
        let left = deadline.saturating_duration_since(Instant::now());
        let next = if left.is_zero() {
            // Even with lines to read: an engine that talks without end does not answer either.
            Err(RecvTimeoutError::Timeout)
        } else {
            self.lines.recv_timeout(left)
        };
        match next {
            Ok((at, BoundedLine::Text(text))) => Ok((at, text.trim_end().to_owned())),
            Ok((_, BoundedLine::TooLong)) => Err(Failure::TooLong(asked)),
            Err(RecvTimeoutError::Disconnected) => Err(Failure::Crashed(asked)),
            Err(RecvTimeoutError::Timeout) => Err(Failure::Silent(asked, waited)),
        }
    }

    pub(super) fn wait_until_ready(&mut self) -> Result<(), Failure> {
        self.send("isready", "isready")?;
        let deadline = Instant::now() + HANDSHAKE;
        while self.line("isready", deadline, HANDSHAKE)?.1.trim() != "readyok" {}
        Ok(())
    }

    /// Stops a search that takes too long; on success the engine can be used again.
    pub(super) fn recover(&mut self) -> Result<(), Failure> {
        self.send("stop", "stop")?;
        let deadline = Instant::now() + OBEDIENCE;
        let mut line = String::new();
        while !line.starts_with("bestmove") {
            line = self.line("stop", deadline, OBEDIENCE)?.1;
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already: then there is no process to ask or to kill.
        let _ = self.send("quit", "quit");
        let deadline = Instant::now() + OBEDIENCE;
        while Instant::now() < deadline {
            if self.child.has_ended() {
                return;
            }
            // Its output must be read, or it may hang on a full pipe and never see the `quit`.
            let pause = Duration::from_millis(10);
            if self.lines.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
                thread::sleep(pause);
            }
        }
        self.child.kill();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A line longer than a pipe holds, as of a game in which knights go out and back for ever.
    #[test]
    fn an_engine_that_does_not_read_holds_up_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("deaf");
        std::fs::write(&script, "echo uciok\nexec sleep 60\n").unwrap();
        let mut process = Process::start(&format!("sh {}", script.display())).unwrap();
        for _ in 0..3 {
            process.send("position", &"x".repeat(1 << 17)).unwrap();
        }
        let soon = Duration::from_millis(1);
        let error = process.line("go", Instant::now() + soon, soon).unwrap_err();
        assert!(matches!(error, Failure::Silent("go", _)), "{error}");
    }
}
