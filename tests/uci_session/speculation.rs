//! Speculative play as a GUI sees it.

use std::time::{Duration, Instant};

use cassius::game::Game as _;
use cassius::games::chess::notation;

use crate::engine::{Engine, best_move};

/// White is two pawns down.
const WORSE: &str = "r1bqkb1r/ppp2ppp/2n2n2/3pp3/8/2N2N2/PPPP2P1/R1BQKB1R w KQkq - 0 6";

fn engine(options: &[&str]) -> Engine {
    let mut engine = Engine::start();
    for option in options {
        engine.send(&format!("setoption {option}"));
    }
    engine.send("setoption name Evaluation value positional");
    engine.send(&format!("position fen {WORSE}"));
    engine
}

fn stories(lines: &[String]) -> Vec<&String> {
    let is_story = |line: &&String| line.starts_with("info string speculation: ");
    lines.iter().filter(is_story).collect()
}

#[test]
fn it_is_off_unless_asked_for_and_off_in_analysis() {
    let on = "name Speculative Play value true";
    let wide = "name Speculation Margin value 200";
    let analysis = "name UCI_AnalyseMode value true";
    for (options, expected) in [
        (vec![wide], 0),
        (vec![on, wide], 1),
        (vec![on, wide, analysis], 0),
        (vec![on, wide, "name MultiPV value 2"], 0),
    ] {
        let mut engine = engine(&options);
        let lines = engine.search("go nodes 20000");
        assert_eq!(stories(&lines).len(), expected, "{options:?} {lines:#?}");
        engine.quit().well();
    }
}

#[test]
fn the_move_told_is_the_one_chosen_within_the_nodes() {
    let mut engine = engine(&[
        "name Speculative Play value true",
        "name Speculation Margin value 200",
    ]);
    let lines = engine.search("go nodes 20000");
    let chosen = best_move(&lines);
    let position = notation::parse_fen(WORSE).unwrap();
    let m = notation::parse_uci(&position, chosen).unwrap();
    assert!(position.legal_moves().contains(&m));
    let story = stories(&lines)[0];
    assert!(story.ends_with(&format!("chosen {chosen}")), "{story}");
    let info = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
    assert!(info.contains(&format!(" pv {chosen}")), "{info}");
    let nodes = info.split(' ').skip_while(|&word| word != "nodes").nth(1);
    assert!(nodes.unwrap().parse::<u64>().unwrap() <= 20_000, "{info}");
    engine.quit().well();
}

#[test]
fn a_control_weighs_other_moves_and_plays_the_best() {
    let mut engine = engine(&[
        "name Speculative Play value control",
        "name Speculation Margin value 200",
    ]);
    let lines = engine.search("go nodes 20000");
    let story = stories(&lines)[0];
    let first = story["info string speculation: ".len()..].split(' ').next();
    assert_eq!(first, Some(best_move(&lines)), "{story}");
    engine.quit().well();
}

#[test]
fn the_papers_rules_need_a_move_before_and_keep_the_nodes() {
    for rule in ["maxcn", "mincn", "eithercn"] {
        let rule = format!("name Speculative Play value {rule}");
        let mut engine = engine(&[&rule]);
        let lines = engine.search("go nodes 20000");
        assert!(stories(&lines).is_empty(), "{lines:#?}");
        let info = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        let nodes = info.split(' ').skip_while(|&word| word != "nodes").nth(1);
        let nodes: u64 = nodes.unwrap().parse().unwrap();
        assert!((10_000..=20_000).contains(&nodes), "{info}");
        engine.quit().well();
    }
}

#[test]
fn speculation_is_part_of_the_time() {
    let mut engine = engine(&["name Speculative Play value true"]);
    engine.sync();
    for go in ["go movetime 300", "go wtime 6000 btime 6000"] {
        let asked = Instant::now();
        engine.search(go);
        assert!(
            asked.elapsed() < Duration::from_millis(1_300),
            "{go} {:?}",
            asked.elapsed()
        );
    }
    let asked = Instant::now();
    engine.send("go infinite");
    engine.read_for(Duration::from_millis(300));
    engine.send("stop");
    engine.read_until("bestmove");
    assert!(
        asked.elapsed() < Duration::from_millis(1_300),
        "{:?}",
        asked.elapsed()
    );
    engine.quit().well();
}
