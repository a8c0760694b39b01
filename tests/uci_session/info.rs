//! The engine's output during a search.

use std::time::Duration;

use cassius::game::{Game as _, Root};
use cassius::games::chess::line::playable;
use cassius::games::chess::{Position, notation};
use cassius::search::registry::Algorithm;

use super::engine::{Engine, best_move, full_lines, strings, without_time};

/// Openings, tactics, endgames, mates for and against, an only move, and games about to be drawn by
/// repetition or by the fifty-move rule.
const POSITIONS: &[&str] = &[
    "startpos",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "fen 8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "fen 6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1",
    "fen k7/8/1K6/8/8/8/8/7R b - - 0 1",
    "fen r6k/8/8/8/8/8/1r6/K7 w - - 0 1",
    "fen 7k/8/5K2/8/8/8/8/R7 w - - 97 150",
    "fen 7k/8/5K2/8/8/8/8/R7 w - - 99 150",
    "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    "fen 7k/8/8/8/8/8/1q6/7K b - - 6 80 moves b2c1 h1g2 c1b2 g2h1",
    "fen n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
];

/// The library's position for a `position` command.
fn root(position: &str) -> Root<Position> {
    let (start, moves) = position.split_once(" moves ").unwrap_or((position, ""));
    let mut root = Root::new(match start.strip_prefix("fen ") {
        Some(fen) => notation::parse_fen(fen).unwrap(),
        None => Position::initial(),
    });
    for text in moves.split_whitespace() {
        root.play(notation::parse_uci(&root.position, text).unwrap());
    }
    root
}

/// The fields of a full info line.
struct Info {
    depth: u32,
    score: (String, i32),
    bound: bool,
    nodes: u64,
    pv: Vec<String>,
}

/// Parses a full line; every field must be there and a number.
fn parse(line: &str) -> Info {
    let words: Vec<&str> = line.split(' ').collect();
    let at = |keyword: &str| words.iter().position(|&word| word == keyword).expect(line);
    let number = |keyword: &str| -> i64 { words[at(keyword) + 1].parse().expect(line) };
    for keyword in ["seldepth", "nps", "tbhits", "time"] {
        assert!(number(keyword) >= 0, "{line}");
    }
    assert!((0..=1_000).contains(&number("hashfull")), "{line}");
    assert!(number("seldepth") >= number("depth"), "{line}");
    assert_eq!(number("multipv"), 1, "{line}");
    let score = at("score");
    let value = words[score + 2].parse().expect(line);
    Info {
        depth: u32::try_from(number("depth")).unwrap(),
        score: (words[score + 1].to_owned(), value),
        bound: matches!(words[score + 3], "lowerbound" | "upperbound"),
        nodes: u64::try_from(number("nodes")).unwrap(),
        pv: words[at("pv") + 1..]
            .iter()
            .map(ToString::to_string)
            .collect(),
    }
}

/// Checks a whole search's output; the last line is the move. Returns whether that line has a reply to ponder on.
fn check(position: &str, lines: &[String]) -> bool {
    let root = root(position);
    let infos = full_lines(lines).into_iter().map(|line| parse(line));
    let infos: Vec<Info> = infos.collect();
    let last = infos.last();
    let last = last.unwrap_or_else(|| panic!("{position}: {lines:#?}"));
    assert_eq!(last.pv[0], best_move(lines), "{position}: {lines:#?}");
    for pair in infos.windows(2) {
        assert!(pair[0].nodes <= pair[1].nodes, "{position}: {lines:#?}");
        assert!(pair[0].depth <= pair[1].depth, "{position}: {lines:#?}");
    }
    for info in &infos {
        let mut game = root.clone();
        let mut moves = Vec::new();
        for text in &info.pv {
            let m = notation::parse_uci(&game.position, text).unwrap();
            game.play(m);
            moves.push(m);
        }
        // The line does not go on past the end of the game.
        assert_eq!(playable(&root, &moves), moves, "{position}: {:?}", info.pv);
        let (kind, value) = &info.score;
        if kind == "mate" && !info.bound {
            let plies = if *value > 0 {
                2 * value - 1
            } else {
                -2 * value
            };
            let plies = usize::try_from(plies).unwrap();
            assert_eq!(moves.len(), plies, "{position}: {lines:#?}");
            let mated = game.position.legal_moves().is_empty() && game.position.in_check();
            assert!(mated, "{position}: {lines:#?}");
        }
    }
    let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
    let mut game = root;
    game.play(notation::parse_uci(&game.position, words[1]).unwrap());
    match words[2..] {
        [] => false,
        ["ponder", reply] => {
            let is_legal = notation::parse_uci(&game.position, reply).is_ok();
            assert!(is_legal, "{position}: {lines:#?}");
            true
        }
        _ => panic!("{position}: {lines:#?}"),
    }
}

#[test]
fn lines_are_complete_and_legal_whatever_the_search() {
    let mut with_reply = 0;
    for algorithm in Algorithm::ALL {
        let mut engine = Engine::told(&format!("setoption name Search value {algorithm}"));
        for position in POSITIONS {
            engine.send(&format!("ucinewgame\nposition {position}"));
            engine.sync();
            for go in [
                "go nodes 1",
                "go nodes 20000",
                "go movetime 1",
                "go wtime 60 btime 60",
            ] {
                let lines = engine.search(go);
                with_reply += usize::from(check(position, &lines));
                assert_eq!(engine.sync(), ["readyok"], "{position} {go}");
            }
        }
    }
    assert!(with_reply > 60, "{with_reply}");
}

/// A new game forgets all that was searched before; so does `Clear Hash`.
#[test]
fn a_new_game_is_played_as_the_last() {
    for algorithm in Algorithm::ALL {
        let mut engine = Engine::told(&format!("setoption name Search value {algorithm}"));
        for position in &POSITIONS[..3] {
            let mut search = |forget: &str| {
                engine.send(&format!("{forget}\nposition {position}"));
                engine.sync();
                let mut lines = engine.search("go nodes 20000");
                // A busy machine may print these to break a long silence.
                lines.retain(|line| !line.starts_with("info nodes"));
                lines.iter().map(|it| without_time(it)).collect::<Vec<_>>()
            };
            let first = search("ucinewgame");
            let second = search("setoption name Clear Hash");
            assert_eq!(first, second, "{algorithm} {position}");
        }
    }
}

#[test]
fn a_long_search_neither_floods_nor_falls_silent() {
    let mut engine = Engine::told(&format!("position {}\ngo infinite", POSITIONS[1]));
    engine.read_until("info depth");
    let lines = engine.read_for(Duration::from_secs(4));
    assert!(lines.len() < 300, "{}", lines.len());
    let later = engine.read_for(Duration::from_secs(7));
    let is_told = |line: &&String| line.starts_with("info depth") || line.starts_with("info nodes");
    let told = later.iter().filter(is_told).count();
    assert!((1..50).contains(&told), "{later:#?}");
    engine.search("stop");
}

/// The next search keeps the part of a best-first tree below the moves played.
#[test]
fn a_best_first_search_goes_on_with_its_tree() {
    let mut engine = Engine::told("setoption name Search value best-first");
    let tree_size = |lines: &[String]| -> u64 {
        let mut sizes = lines.iter().filter_map(|line| {
            let (_, size) = line.split_once("tree of ")?;
            size.split_once(" nodes")?.0.parse().ok()
        });
        sizes.next_back().unwrap()
    };
    engine.send("position startpos");
    let lines = engine.search("go nodes 100000");
    let pv = parse(lines.iter().rfind(|it| it.contains(" pv ")).unwrap()).pv;
    let later = format!("position startpos moves {} {}", pv[0], pv[1]);
    engine.send(&later);
    let kept = engine.search("go nodes 100");
    for line in full_lines(&kept) {
        parse(line);
    }
    // A hundred nodes, those of quiescence among them, make no tree of that size.
    assert!(tree_size(&kept) > 200, "{kept:#?}");
    engine.send(&format!("ucinewgame\n{later}"));
    assert!(tree_size(&engine.search("go nodes 100")) <= 100);
}

/// Only searches that count leaves mention them. The default search prices lines, proof-number search has proof
/// numbers, alpha-beta neither; and only searches with a tree report its size.
#[test]
fn every_search_says_what_its_numbers_are() {
    let mut engine = Engine::told("setoption name Evaluation value tactical");
    for algorithm in Algorithm::ALL {
        let leaves = matches!(
            algorithm,
            Algorithm::BestFirst | Algorithm::DepthFirstUnit | Algorithm::SiblingConspiracy
        );
        let said = match algorithm {
            Algorithm::BestFirst | Algorithm::SiblingConspiracy => "leaves would have to be wrong",
            Algorithm::DepthFirstUnit => "; at least ",
            Algorithm::DepthFirst => "; a lower value costs ",
            Algorithm::ProofNumber | Algorithm::ProofNumberTree => "proof number of a ",
            Algorithm::AlphaBeta
            | Algorithm::AlphaBetaPlain
            | Algorithm::AlphaBetaConspiracy
            | Algorithm::BStar
            | Algorithm::BStarConspiracy
            | Algorithm::ControlledConspiracy
            | Algorithm::ControlledConspiracy2
            | Algorithm::Minimax => "",
        };
        engine.send(&format!("setoption name Search value {algorithm}"));
        engine.send(&format!("ucinewgame\nposition {}", POSITIONS[1]));
        let lines = engine.search("go nodes 20000");
        let stories = strings(&lines);
        let has = |word: &str| stories.iter().any(|line| line.contains(word));
        assert_eq!(stories.is_empty(), said.is_empty(), "{algorithm}");
        assert!(said.is_empty() || has(said), "{algorithm}: {stories:#?}");
        let has_leaves = has("leaves") || has("leaf");
        assert_eq!(has_leaves, leaves, "{algorithm}: {stories:#?}");
        assert_eq!(has("conspiracy"), leaves, "{algorithm}: {stories:#?}");
        let stores = matches!(
            algorithm,
            Algorithm::BestFirst | Algorithm::SiblingConspiracy | Algorithm::ProofNumberTree
        );
        assert_eq!(has("tree of "), stores, "{algorithm}: {stories:#?}");
    }
}

/// Chances of a change by more thinking are reported only for the search and evaluation that they were learnt from, and
/// only if the value is not proven.
#[test]
fn the_default_search_tells_what_more_thinking_may_change() {
    let mut engine = Engine::start();
    let mut told = |options: &str, position: &str| -> Vec<String> {
        engine.send(&format!("{options}\nucinewgame\nposition {position}"));
        let mut lines = engine.search("go nodes 30000");
        lines.retain(|line| line.starts_with("info string outlook: "));
        lines
    };
    let open = told("", POSITIONS[1]);
    assert!(open.len() > 2, "{open:#?}");
    for line in &open {
        let words: Vec<&str> = line.split(' ').collect();
        let is_sure = |word: &str| (1..=99).contains(&word.parse::<u32>().expect(line));
        let at = |keyword: &str| words.iter().position(|&it| it == keyword).expect(line);
        assert!(is_sure(words[at("choice") + 2]), "{line}");
        assert!(is_sure(words[at("0.50") + 2]), "{line}");
    }
    // A mate is proven.
    assert_eq!(told("", POSITIONS[4]), [""; 0]);
    for other in [
        "setoption name MultiPV value 2",
        "setoption name MultiPV value 1\nsetoption name Search value alpha-beta",
        "setoption name Search value depth-first\nsetoption name Evaluation value tactical",
    ] {
        assert_eq!(told(other, POSITIONS[1]), [""; 0], "{other}");
    }
}
