//! Whole UCI conversations: any lines at all, none of which may end or hang the engine.

#![no_main]

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use cassius::uci::command::Command;
use libfuzzer_sys::fuzz_target;

/// Nodes of a search: the conversation is what is tested.
const NODES: u64 = 100;

/// What the engine says, for a look at the end.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Ok(mut said) = self.0.lock() {
            said.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether an option of that name decides how much memory the engine takes.
fn takes_memory(name: &str) -> bool {
    ["hash", "threads"]
        .iter()
        .any(|taking| name.eq_ignore_ascii_case(taking))
}

/// The line as the engine is to hear it: searches short, memory as it is.
fn tamed(line: &str) -> Option<String> {
    match Command::parse(line) {
        // Stopped at once where no limit ends it.
        Command::Go(_) => Some(format!("{line} nodes {NODES}\nstop")),
        Command::SetOption { name, .. } if takes_memory(&name) => None,
        _ => Some(line.to_owned()),
    }
}

fuzz_target!(|text: &str| {
    let lines: Vec<String> = text.lines().filter_map(tamed).collect();
    let said = Said::default();
    let heard = format!("setoption name Hash value 1\n{}\nquit\n", lines.join("\n"));
    let ended = cassius::uci::run(Cursor::new(heard.into_bytes()), said.clone());
    assert!(ended.is_ok(), "memory can always be written to");
    let said = said.0.lock().map(|said| said.clone()).unwrap_or_default();
    assert!(String::from_utf8(said).is_ok(), "the answer is not text");
});
