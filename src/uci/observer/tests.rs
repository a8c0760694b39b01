//! Lines printed during a search, and the end of its time.

use std::io;

use super::*;
use crate::game::Game;
use crate::games::chess::line::tests::moves;
use crate::uci::time_limits::Clock;
use crate::value::Value;

/// An observer of a search begun at `start`, whose clock has run since `clock_start`.
fn observer<'a>(
    root: &'a Root<Position>,
    output: &'a Output,
    clock_start: Option<Instant>,
    time: TimeLimits,
    start: Instant,
) -> UciObserver<'a> {
    let settings = ObserverSettings {
        time,
        lines: 1,
        ..ObserverSettings::default()
    };
    let control = Arc::new(Control::new(clock_start));
    UciObserver::new(root, settings, output, control, start)
}

fn report(occasion: Occasion, value: Value, pv: Vec<Move>) -> Report<Move> {
    Report {
        occasion,
        iteration: 5,
        nodes: 40_000,
        ..Report::before_search(value, pv)
    }
}

#[test]
fn a_hit_that_comes_late_ends_the_search() {
    let output = Output::new(io::sink());
    let root = Root::new(Position::initial());
    let pv = vec![root.position.legal_moves()[0]];
    let done = report(Occasion::Iteration, Value::DRAW, pv);
    let clock = Clock {
        remaining: Duration::from_mins(1),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    let time = TimeLimits::new(Some(clock), None, Duration::ZERO);
    for (pondered, is_overdue) in [(0, false), (30, true)] {
        let start = Instant::now().checked_sub(Duration::from_secs(pondered));
        let mut observer = observer(&root, &output, None, time, start.unwrap());
        assert!(observer.wants_another_iteration(&done), "it ponders");
        assert!(!observer.should_stop(50_000));
        observer.control.start_clock(Instant::now());
        assert_eq!(observer.should_stop(50_000), is_overdue);
    }
}

/// Memory of a large table may be so slow that even the minimum takes long.
#[test]
fn the_least_is_searched_whatever_the_clock_unless_it_takes_long() {
    let output = Output::new(io::sink());
    let root = Root::new(Position::initial());
    let over = TimeLimits::new(None, Some(Duration::from_millis(1)), Duration::ZERO);
    let go = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
    let mut observer = observer(&root, &output, Some(go), over, Instant::now());
    assert!(observer.should_stop(LEAST_NODES));
    observer.start = go;
    assert!(observer.should_stop(1));
    observer.start = Instant::now() + Duration::from_secs(60);
    assert!(!observer.should_stop(1));
}

/// Lines printed about a mate in two with the moves `pv`, reported on this occasion, or known during a long silence.
fn printed(occasion: Occasion, pv: &str, silent: bool) -> String {
    let (reader, writer) = io::pipe().unwrap();
    let output = Output::new(writer);
    let fen = "6k1/5ppp/8/8/8/8/1r3PPP/R3R1K1 w - - 0 1";
    let root = Root::new(notation::parse_fen(fen).unwrap());
    let time = TimeLimits::default();
    let mut observer = observer(&root, &output, None, time, Instant::now());
    let report = report(occasion, Value::win_in(3), moves(&root, pv));
    if silent {
        observer.tracker.learn(&report);
        observer.last_line = Instant::now().checked_sub(SILENCE).unwrap();
        assert!(!observer.should_stop(50_000));
    } else {
        observer.report(&report);
    }
    drop(observer);
    drop(output);
    io::read_to_string(reader).unwrap()
}

#[test]
fn a_mate_comes_within_an_iteration_only_with_its_line() {
    const SHORT: &str = "e1e8";
    const WHOLE: &str = "a1a8 b2b8 a8b8";
    let told = printed(Occasion::Improvement, SHORT, true);
    assert!(told.starts_with("info nodes 50000 "), "{told:?}");
    assert_eq!(printed(Occasion::Improvement, SHORT, false), "");
    // The final report does not wait.
    let told = printed(Occasion::Final, SHORT, false);
    assert!(told.contains(" score mate 2 "), "{told:?}");
    for silent in [false, true] {
        let told = printed(Occasion::Improvement, WHOLE, silent);
        assert!(
            told.contains(" score mate 2 ") && told.contains(" pv a1a8 b2b8 a8b8"),
            "{told:?}"
        );
    }
}
