//! The binary as a child process, spoken to line by line.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::RwLockReadGuard;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::common;

/// Time limit of everything here, generous even for a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A tactical middlegame that no search exhausts.
pub(crate) const MIDDLEGAME: &str =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A running engine. One that a test leaves running is told to quit, and must end well.
pub(crate) struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Held during timed tests, so that no other test keeps all processors busy.
    _timed: RwLockReadGuard<'static, ()>,
}

impl Engine {
    /// Starts the binary.
    pub(crate) fn start() -> Engine {
        Engine::run(&mut common::cassius())
    }

    /// Starts the binary, and sends it lines.
    pub(crate) fn told(text: &str) -> Engine {
        let mut engine = Engine::start();
        engine.send(text);
        engine
    }

    /// Starts the binary with a limit on its address space, in MiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_with_memory(megabytes: usize) -> Engine {
        let script = format!("ulimit -v {}; exec \"$0\"", 1024 * megabytes);
        let binary = env!("CARGO_BIN_EXE_cassius");
        Engine::run(Command::new("sh").args(["-c", &script, binary]))
    }

    fn run(command: &mut Command) -> Engine {
        let timed = common::timed();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_remove("RUST_LOG")
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Engine {
            child,
            stdin,
            lines,
            _timed: timed,
        }
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// Reads up to and including the first line that starts with `prefix`.
    pub(crate) fn read_until(&mut self, prefix: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut read = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => read.push(line),
                Err(error) => panic!("no '{prefix}' ({error}) after {read:#?}"),
            }
            if read.last().unwrap().starts_with(prefix) {
                return read;
            }
        }
    }

    /// Reads all lines within `time`.
    pub(crate) fn read_for(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut read = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => read.push(line),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return read,
            }
        }
    }

    /// Sends `go ...` and reads up to the move.
    pub(crate) fn search(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.read_until("bestmove")
    }

    /// Sends `go ...` and reads up to the move, which must come within `seconds`.
    pub(crate) fn search_within(&mut self, seconds: u64, go: &str) -> Vec<String> {
        let asked = Instant::now();
        let lines = self.search(go);
        let took = asked.elapsed();
        assert!(took < Duration::from_secs(seconds), "{go}: {took:?}");
        lines
    }

    /// Waits until all input has been processed.
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        self.read_until("readyok")
    }

    /// Closes the input and waits for the engine to end; returns the lines not read before.
    pub(crate) fn wait(mut self) -> Vec<String> {
        self.stdin = None;
        self.end_well()
    }

    /// Sends `quit` and waits for the engine to end, which must not take long; returns the lines not read before.
    pub(crate) fn quit(&mut self) -> Vec<String> {
        self.send("quit");
        let asked = Instant::now();
        let lines = self.end_well();
        assert!(asked.elapsed() < Duration::from_secs(5), "slow to quit");
        lines
    }

    /// The lines left of an engine that ends well: exit code 0, nothing on standard error, no panic reported.
    fn end_well(&mut self) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > deadline {
                self.child.kill().unwrap();
                panic!("the engine hangs");
            }
            thread::sleep(Duration::from_millis(2));
        };
        let mut stderr = String::new();
        let mut stream = self.child.stderr.take().unwrap();
        stream.read_to_string(&mut stderr).unwrap();
        self.stdin = None;
        assert!(status.success(), "{status:?} {stderr}");
        assert_eq!(stderr, "");
        let lines: Vec<String> = self.lines.iter().collect();
        for line in &lines {
            assert!(!line.contains("internal error"), "{line}");
        }
        lines
    }

    /// A figure of the process's memory, in MiB: `VmRSS` for the present, `VmHWM` for the maximum.
    #[cfg(target_os = "linux")]
    pub(crate) fn megabytes(&self, figure: &str) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let mut lines = status.lines();
        let line = lines.find(|line| line.starts_with(figure)).unwrap();
        let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kilobytes >> 10
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.stdin.is_some() && !thread::panicking() {
            self.quit();
        }
    }
}

/// All output for `input` piped in; the engine must end well.
pub(crate) fn converse(input: &str) -> Vec<String> {
    Engine::told(input).wait()
}

/// Number of `bestmove` lines.
pub(crate) fn count_moves(lines: &[String]) -> usize {
    let moves = lines.iter().filter(|line| line.starts_with("bestmove"));
    moves.count()
}

/// The move of the last `bestmove` line.
pub(crate) fn best_move(lines: &[String]) -> &str {
    let mut moves = lines.iter().rev();
    let line = moves.find(|line| line.starts_with("bestmove")).unwrap();
    line.split_whitespace().nth(1).unwrap()
}

/// The number or word after `keyword` in an info line.
pub(crate) fn field<'a>(line: &'a str, keyword: &str) -> &'a str {
    let mut words = line.split(' ').skip_while(|&word| word != keyword);
    words.nth(1).unwrap_or_else(|| panic!("{keyword}: {line}"))
}

/// The lines that tell an iteration's result.
pub(crate) fn full_lines(lines: &[String]) -> Vec<&String> {
    let full = |line: &&String| line.starts_with("info depth");
    lines.iter().filter(full).collect()
}

/// Nodes of the last full line.
pub(crate) fn nodes(lines: &[String]) -> u64 {
    let full = full_lines(lines);
    field(full.last().unwrap(), "nodes").parse().unwrap()
}

/// The lines of evidence and of messages.
pub(crate) fn strings(lines: &[String]) -> Vec<&String> {
    let is_string = |line: &&String| line.starts_with("info string");
    lines.iter().filter(is_string).collect()
}

/// A line without the fields that depend on the clock.
pub(crate) fn without_time(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if ["time", "nps"].contains(&word) {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}
