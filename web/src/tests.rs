//! Conversations with a desk, natively: as in WebAssembly, except that no search is suspended.

use std::sync::{Arc, Mutex};

use serde_json::{Value as Json, json};

use crate::desk::{Desk, Said};

const PROBLEM: &str = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";
const GAME: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n";

/// A desk, and its messages.
struct Talk {
    desk: Desk,
    lines: Arc<Mutex<Vec<String>>>,
    answers: Arc<Mutex<Vec<Json>>>,
}

impl Talk {
    fn new() -> Talk {
        let lines: Arc<Mutex<Vec<String>>> = Arc::default();
        let answers: Arc<Mutex<Vec<Json>>> = Arc::default();
        let (to_lines, to_answers) = (Arc::clone(&lines), Arc::clone(&answers));
        let desk = Desk::new(Arc::new(move |said| match said {
            Said::Line(line) => to_lines.lock().unwrap().push(line.to_owned()),
            Said::Answer(text) => {
                let answer = serde_json::from_str(text).unwrap();
                to_answers.lock().unwrap().push(answer);
            }
            Said::Bytes(bytes) => {
                let text = String::from_utf8_lossy(bytes).into_owned();
                to_lines.lock().unwrap().push(text);
            }
        }));
        Talk {
            desk,
            lines,
            answers,
        }
    }

    /// Final answer to a call, and the number of progress messages before it.
    fn call(&self, call: &str, request: Json) -> (Json, usize) {
        let mut request = request;
        request["id"] = 7.into();
        request["call"] = call.into();
        self.desk.hear_call(&request.to_string());
        while self.desk.waits() {
            self.desk.work();
        }
        let mut answers = self.answers.lock().unwrap();
        let answer = answers.pop().unwrap();
        assert_eq!(answer["id"], 7, "{answer}");
        let news = answers.len();
        answers.clear();
        (answer, news)
    }

    fn result(&self, call: &str, request: Json) -> Json {
        let (answer, _) = self.call(call, request);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    fn failure(&self, call: &str, request: Json) -> String {
        let (answer, _) = self.call(call, request);
        assert_eq!(answer["error"]["kind"], "input", "{answer}");
        answer["error"]["message"].as_str().unwrap().to_owned()
    }
}

#[test]
fn lines_are_answered_by_lines() {
    let talk = Talk::new();
    let lines = [
        "uci",
        "setoption name Hash value 1",
        "position startpos moves f2f3 e7e5 g2g4",
        "go depth 2",
        "isready",
        "position startpos",
        "go infinite",
        "stop",
        "quit",
    ];
    for line in lines {
        talk.desk.hear_line(line);
    }
    // The second search waits for the first one to be carried out.
    while talk.desk.waits() {
        talk.desk.work();
    }
    assert!(talk.desk.is_over());
    let lines = talk.lines.lock().unwrap();
    let best: Vec<&String> = lines
        .iter()
        .filter(|it| it.starts_with("bestmove"))
        .collect();
    assert_eq!(best.len(), 2, "{lines:?}");
    assert!(lines.iter().any(|line| line == "uciok"));
    assert!(lines.iter().any(|line| line == "readyok"));
}

#[test]
fn positions_and_moves_are_told() {
    let talk = Talk::new();
    let told = talk.result("position", json!({ "moves": ["e2e4", "e5", "Nf3"] }));
    assert_eq!(told["side_to_move"], "black");
    assert_eq!(told["legal"].as_array().unwrap().len(), 29);
    assert_eq!(told["played"][2]["from"], "g1");
    let taken = talk.result("position", json!({ "moves": ["e4", "d5", "exd5"] }));
    let legal = taken["legal"].as_array().unwrap().iter();
    let expected = legal.filter(|it| it["expected"] == true);
    let expected: Vec<&Json> = expected.map(|it| &it["san"]).collect();
    assert_eq!(expected, ["Qxd5"]);
    let castling = json!({ "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "moves": ["O-O"] });
    assert_eq!(talk.result("position", castling)["played"][0]["to"], "g1");
}

#[test]
fn a_verdict_is_the_library_s() {
    let talk = Talk::new();
    let request = json!({ "fen": PROBLEM, "nodes": 5_000, "hash": 1, "lines": 2 });
    let told = talk.result("verdict", request.clone());
    assert_eq!(told["nodes"], 5_000);
    assert_eq!(told["sureness"]["basis"], "prices");
    assert_eq!(told["lines"].as_array().unwrap().len(), 2);
    let mut clear = request;
    clear["clear"] = true.into();
    let again = talk.result("verdict", clear);
    assert_eq!(told["lines"], again["lines"]);
    let over = json!({ "fen": "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1", "nodes": 5 });
    assert_eq!(talk.result("verdict", over)["over"], "checkmate");
}

#[test]
fn trees_stay_open_and_grow() {
    let talk = Talk::new();
    let profile = talk.result(
        "profile",
        json!({ "fen": PROBLEM, "nodes": 15_000, "centipawns": 200 }),
    );
    let named = profile["better"]["names"].as_array().unwrap().len();
    assert_eq!(profile["better"]["conspirators"], named);
    let tree = profile["tree"].clone();
    let before = talk.result("children", json!({ "tree": tree, "path": ["Rxb2"] }));
    let request = json!({ "tree": tree, "path": ["b3b2"], "nodes": 30_000 });
    let grown = talk.result("grow", request.clone());
    assert!(grown["size"].as_u64() > profile["tree_size"].as_u64());
    let after = talk.result("children", json!({ "tree": tree, "path": ["Rxb2"] }));
    assert!(after["node"]["size"].as_u64() > before["node"]["size"].as_u64());
    assert_eq!(after["node"]["grown"], true);
    assert_eq!(grown["moved"][1]["after"], after["node"]["value"]);
    // The search below the node goes on where it ended; so does the root's at the end of this test.
    let on = talk.result("grow", request);
    assert!(on["size"].as_u64() > grown["size"].as_u64());
    let asked = json!({ "tree": tree, "path": ["Rxb2"], "centipawns": 200, "named": 1_000 });
    let below = talk.result("conspirators", asked);
    let node = talk.result("children", json!({ "tree": tree, "path": ["Rxb2"] }));
    assert_eq!(below["value"], node["node"]["value"]);
    let names = below["better"]["names"].as_array().unwrap();
    assert_eq!(below["better"]["conspirators"], names.len());
    assert!(!names.is_empty());
    for name in names {
        assert_eq!(name["line"]["uci"][0], "b3b2");
    }
    // The tree's numbers for the same question are the same, and it marks the same leaves.
    let of =
        |path: &[Json]| json!({ "tree": tree, "path": path, "of": ["Rxb2"], "centipawns": 200 });
    let node = talk.result("children", of(&[json!("Rxb2")]));
    assert_eq!(node["higher"], below["better"]["target"]);
    assert_eq!(node["node"]["up"], below["better"]["conspirators"]);
    assert_eq!(node["node"]["down"], below["worse"]["conspirators"]);
    for name in names {
        let path = name["line"]["uci"].as_array().unwrap();
        let leaf = talk.result("children", of(path));
        assert_eq!(leaf["node"]["raises"], true);
        assert_eq!(leaf["node"]["state"], "leaf");
    }
    let root = talk.result("grow", json!({ "tree": tree, "nodes": 15_000 }));
    assert!(root["size"].as_u64() > on["size"].as_u64());
    let kept = talk.result("children", json!({ "tree": tree, "path": ["Rxb2"] }));
    assert_eq!(kept["node"]["grown"], true);
    assert_eq!(talk.result("close", json!({ "tree": tree })), Json::Null);
    assert!(
        talk.failure("conspirators", json!({ "tree": tree }))
            .contains("is not open")
    );
}

#[test]
fn a_bad_move_is_refuted() {
    let talk = Talk::new();
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 4 4";
    let request = json!({ "fen": fen, "move": "d6", "nodes": 5_000, "hash": 1 });
    let told = talk.result("move", request);
    assert_eq!(told["grade"], "blunder");
    assert_eq!(told["refutation"]["san"], "4... d6 5. Qxf7#");
    assert!(told["cost"]["centipawns"].is_null());
}

#[test]
fn a_game_is_analysed_as_text_and_as_bytes() {
    let talk = Talk::new();
    let (answer, news) = talk.call("game", json!({ "pgn": GAME, "nodes": 1_000, "hash": 1 }));
    let whole = &answer["result"];
    assert!(news >= 14, "{news}");
    assert_eq!(
        whole["record"]["games"][0]["rows"]
            .as_array()
            .unwrap()
            .len(),
        14
    );
    talk.desk.take_bytes(GAME.as_bytes().to_vec());
    let bytes = talk.result("game", json!({ "nodes": 1_000, "hash": 1 }));
    assert!(bytes["pgn"].is_null());
    let said = talk.lines.lock().unwrap();
    assert_eq!(said.as_slice(), [whole["pgn"].as_str().unwrap()]);
}

#[test]
fn what_waits_can_be_stopped() {
    let talk = Talk::new();
    let verdict = |id: u32| json!({ "id": id, "call": "verdict", "nodes": 10 }).to_string();
    talk.desk.hear_call(&verdict(1));
    talk.desk.hear_call(&verdict(2));
    talk.desk.hear_call(r#"{ "call": "stop", "id": 1 }"#);
    while talk.desk.waits() {
        talk.desk.work();
    }
    let answers = talk.answers.lock().unwrap();
    assert_eq!(
        answers[0],
        json!({ "id": 1, "error": { "kind": "stopped", "message": "stopped before anything was known" } })
    );
    let last = answers.last().unwrap();
    assert_eq!(
        (&last["id"], &last["result"]["nodes"]),
        (&2.into(), &10.into())
    );
}

#[test]
fn nonsense_is_told() {
    let talk = Talk::new();
    assert!(
        talk.failure("think", json!({}))
            .contains("there is no call 'think'")
    );
    assert!(
        talk.failure("verdict", json!({ "node": 5 }))
            .contains("unknown field `node`")
    );
    assert!(
        talk.failure("position", json!({ "fen": "x" }))
            .contains('x')
    );
    assert!(
        talk.failure("profile", json!({ "centipawns": 0 }))
            .contains("'centipawns'")
    );
    assert!(
        talk.failure("tree", json!({ "search": "depth-first", "nodes": 2_000 }))
            .contains("best-first")
    );
    assert!(
        talk.failure("move", json!({ "nodes": 5 }))
            .contains("'move' is missing")
    );
    assert!(
        talk.failure("game", json!({ "pgn": "" }))
            .contains("there is no game")
    );
    for text in ["", "5", "[]", r#"{ "id": "x", "call": "bench" }"#] {
        talk.desk.hear_call(text);
        let answer = talk.answers.lock().unwrap().pop().unwrap();
        assert_eq!(answer["error"]["kind"], "input", "{text}");
    }
}
