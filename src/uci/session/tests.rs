//! A session whose search panics.

use super::*;
use crate::engine::fault::tests::{FATAL, Panicker};

#[test]
fn a_panic_is_answered_with_a_move_and_the_session_goes_on() {
    let (reader, writer) = io::pipe().unwrap();
    let (sender, events) = mpsc::sync_channel(READ_AHEAD);
    let written = std::thread::spawn(move || io::read_to_string(reader).unwrap());
    let output = Arc::new(Output::new(writer));
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
    drop(session);
    let text = written.join().unwrap();
    let faults = text.lines().filter(|it| it.contains("internal error"));
    let [fault] = faults.collect::<Vec<&str>>()[..] else {
        panic!("{text}");
    };
    assert!(fault.starts_with("info string internal error in depth-first, position "));
    assert!(fault.contains(FATAL) && fault.contains("please report this"));
    let best = text.lines().filter_map(|it| it.strip_prefix("bestmove "));
    let best: Vec<&str> = best.collect();
    assert_eq!(best.len(), 3, "{text}");
    // The last move reported before the panic.
    let last_pv = text[..text.find("internal error").unwrap()]
        .rsplit(" pv ")
        .next()
        .and_then(|line| line.split_whitespace().next());
    assert_eq!(best[0].split(' ').next(), last_pv, "{text}");
    assert!(!best.contains(&"(none)"), "{text}");
}
