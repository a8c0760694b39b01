//! A session whose search panics.

use std::io;
use std::sync::Mutex;

use super::*;
use crate::engine::fault::tests::{FATAL, Panicker};

/// A stream whose text the test can read.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_panic_is_answered_with_a_move_and_the_session_goes_on() {
    let written = Written::default();
    let (sender, events) = mpsc::sync_channel(READ_AHEAD);
    let output = Arc::new(Output::new(written.clone()));
    let mut session = Session::new(sender.clone(), output, Box::new(on_a_thread));
    session.searcher = Some(Panicker::boxed());
    let lines = [
        &format!("position fen {FATAL}"),
        "go depth 3",
        "isready",
        "go depth 2",
        "position startpos",
        "go depth 2",
    ];
    for line in lines {
        let line = Event::Line(line.to_owned(), Instant::now());
        sender.send(line).unwrap();
    }
    sender.send(Event::EndOfInput).unwrap();
    session.run(&events);
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let faults: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("internal error"))
        .collect();
    let [fault] = faults[..] else {
        panic!("{text}");
    };
    assert!(fault.starts_with("info string internal error in depth-first, position "));
    assert!(fault.contains(FATAL) && fault.contains("please report this"));
    let best: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("bestmove "))
        .collect();
    assert_eq!(best.len(), 3, "{text}");
    // The last move reported before the panic.
    let last_pv = text[..text.find("internal error").unwrap()]
        .rsplit(" pv ")
        .next()
        .and_then(|line| line.split_whitespace().next());
    assert_eq!(best[0].split(' ').next(), last_pv, "{text}");
    assert!(!best.contains(&"(none)"), "{text}");
}
