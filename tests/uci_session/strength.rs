//! Play at a limited strength, and evidence that is hidden.

use std::collections::BTreeSet;
use std::time::Duration;

use cassius::game::Game as _;
use cassius::games::chess::notation;

use super::engine::{Engine, MIDDLEGAME, best_move, count_moves, nodes, strings, without_time};
use crate::common::Has as _;

/// White's queen is attacked, and every move but its capture of Black's queen loses a piece or more.
const QUEEN_EN_PRISE: &str = "3r2k1/pp3ppp/8/3q4/3Q4/8/PP3PPP/3R2K1 w - - 0 1";

fn limited(elo: u16) -> Engine {
    let limit = "setoption name UCI_LimitStrength value true";
    Engine::told(&format!("{limit}\nsetoption name UCI_Elo value {elo}"))
}

#[test]
fn the_options_are_offered_and_refuse_what_is_out_of_range() {
    let mut engine = Engine::told("uci");
    let declared = engine.read_until("uciok");
    for option in [
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 2000 min 1200 max 3000",
        "option name Show Evidence type check default true",
    ] {
        assert!(declared.iter().any(|line| line == option), "{option}");
    }
    for wrong in ["1199", "3001", "strong"] {
        engine.send(&format!("setoption name UCI_Elo value {wrong}"));
        let said = engine.sync();
        let error = said.iter().find(|line| line.contains("UCI_Elo")).unwrap();
        assert!(error.starts_with("info string"), "{error}");
        error.has_all(["1200", "3000", "2000"]);
    }
}

/// Twenty moves of either side on a clock, each legal and with one full line that begins with it.
#[test]
fn limited_searches_play_legal_moves_and_show_one_line() {
    for elo in [1_200, 2_000] {
        let mut engine = limited(elo);
        engine.send("setoption name MultiPV value 3\nucinewgame");
        let mut position = notation::parse_fen(MIDDLEGAME).unwrap();
        let mut played = String::new();
        for _ in 0..40 {
            if position.outcome().is_some() {
                break;
            }
            engine.send(&format!("position fen {MIDDLEGAME} moves{played}"));
            let lines = engine.search("go wtime 60000 btime 60000");
            let best = best_move(&lines).to_owned();
            let full: Vec<_> = lines.iter().filter(|it| it.contains(" pv ")).collect();
            assert_eq!(full.len(), 1, "{lines:#?}");
            assert_eq!(strings(&lines), Vec::<&String>::new());
            assert!(full[0].contains(" multipv 1 "), "{}", full[0]);
            assert!(full[0].contains(&format!(" pv {best}")), "{}", full[0]);
            let m = notation::parse_uci(&position, &best).unwrap();
            assert!(position.legal_moves().contains(&m), "{best}");
            position.play(m);
            played = format!("{played} {best}");
        }
        assert_eq!(count_moves(&engine.quit()), 0);
    }
}

/// A limited search needs little of its time, and takes no more; an earlier limit ends it.
#[test]
fn it_answers_at_once_and_within_every_limit() {
    let mut engine = limited(2_000);
    engine.send(&format!("position fen {MIDDLEGAME}"));
    engine.sync();
    let free = nodes(&engine.search_within(20, "go wtime 3600000 btime 3600000"));
    assert!(free < 100_000, "{free}");
    let bounded = nodes(&engine.search("go nodes 100"));
    assert!(bounded <= 100, "{bounded}");
    let lines = engine.search("go depth 1 searchmoves a2a3 a2a4");
    assert!(["a2a3", "a2a4"].contains(&best_move(&lines)), "{lines:#?}");
    // No time at all.
    let lines = engine.search("go wtime 1 btime 1");
    assert_eq!(count_moves(&lines), 1);
}

#[test]
fn one_game_is_not_like_another() {
    let mut engine = limited(1_200);
    let mut openings = BTreeSet::new();
    for _ in 0..12 {
        engine.send("ucinewgame\nposition startpos");
        openings.insert(best_move(&engine.search("go nodes 1000000")).to_owned());
    }
    assert!(openings.len() > 1, "{openings:?}");
}

/// At every level the engine mates when it can, and from 2000 on it keeps its queen.
#[test]
fn it_mates_and_keeps_its_queen() {
    for elo in [1_200, 2_000, 3_000] {
        let mut engine = limited(elo);
        for _ in 0..5 {
            engine.send("ucinewgame\nposition fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1 moves f6f7 h8h7");
            let lines = engine.search("go wtime 60000 btime 60000");
            assert_eq!(best_move(&lines), "a1h1", "{elo}: {lines:#?}");
        }
        if elo < 2_000 {
            continue;
        }
        for _ in 0..10 {
            engine.send(&format!("ucinewgame\nposition fen {QUEEN_EN_PRISE}"));
            let lines = engine.search("go wtime 60000 btime 60000");
            assert_eq!(best_move(&lines), "d4d5", "{elo}: {lines:#?}");
        }
    }
}

/// Analysis and the search for mates have full strength, and so has a game once the option is off again.
#[test]
fn analysis_and_mates_have_full_strength() {
    let fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
    let mut engine = limited(1_200);
    engine.send("setoption name MultiPV value 3");
    engine.send(&format!("position fen {MIDDLEGAME}\ngo infinite"));
    let mut shown = engine.read_until("info depth 3 ");
    while nodes(&shown) <= 20_000 {
        shown.extend(engine.read_until("info depth"));
    }
    engine.search("stop");
    shown.has_all([" multipv 2 ", " multipv 3 "]);
    assert!(!strings(&shown).is_empty());
    engine.send("position fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1");
    engine.search("go mate 2").has(" score mate 2 ");
    engine.send("setoption name MultiPV value 1\nsetoption name UCI_AnalyseMode value true");
    engine.send(&format!("position fen {fen}"));
    let analysis = nodes(&engine.search("go nodes 20000"));
    // A search at the level stops at hundreds of nodes; the last line with nodes comes some time before the limit.
    assert!(analysis > 5_000, "{analysis}");

    // One engine at a time: each holds the lock of timed tests, which may not be taken twice.
    drop(engine);
    let told = |mut engine: Engine| {
        engine.send(&format!("ucinewgame\nposition fen {fen}"));
        let lines = engine.search("go nodes 20000");
        (best_move(&lines).to_owned(), nodes(&lines))
    };
    let never = told(Engine::start());
    let mut switched = limited(1_200);
    switched.send("setoption name UCI_LimitStrength value false");
    assert_eq!(never, told(switched));
}

/// A search on the opponent's time is limited too: it waits with its move.
#[test]
fn it_ponders_at_its_level() {
    let mut engine = limited(1_600);
    engine.send("setoption name Ponder value true");
    engine.send("position startpos moves e2e4 e7e5\ngo ponder wtime 60000 btime 60000");
    let early = engine.read_for(Duration::from_millis(500));
    assert_eq!(count_moves(&early), 0, "{early:#?}");
    assert_eq!(count_moves(&engine.search("ponderhit")), 1);
}

#[test]
fn evidence_can_be_hidden_and_nothing_else_changes() {
    for search in ["depth-first", "best-first"] {
        let mut told = Vec::new();
        for shown in [true, false] {
            let mut engine = Engine::told(&format!("setoption name Search value {search}"));
            engine.send(&format!("setoption name Show Evidence value {shown}"));
            engine.send(&format!("position fen {MIDDLEGAME}"));
            let lines = engine.search("go nodes 20000");
            assert_eq!(strings(&lines).is_empty(), !shown, "{lines:#?}");
            let rest = lines.iter().filter(|it| !it.starts_with("info string"));
            told.push(rest.map(|it| without_time(it)).collect::<Vec<_>>());
            // Errors are still reported.
            engine.send("setoption name Hash value 0");
            assert_eq!(strings(&engine.sync()).len(), 1);
        }
        assert_eq!(told[0], told[1]);
    }
}
