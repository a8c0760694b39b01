//! `cassius explore` from the user's side.

use serde_json::Value;

use crate::common::{Folder, Said};

const PROBLEM: &str = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";
const MATE: &str = "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1";

impl Folder {
    /// Runs a command on the problem.
    fn problem(&self, command: &str, options: &str) -> Said {
        self.run(&format!("{command} --fen '{PROBLEM}' {options}"))
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Checks the lengths of a record's columns and the shape of its tree; returns the number of nodes.
fn check_shape(record: &Value) -> usize {
    let tree = &record["tree"];
    let length = |name: &str| tree[name].as_array().map(Vec::len);
    let nodes = length("children").expect("children");
    for column in ["uci", "san", "up", "down"] {
        assert_eq!(length(column), Some(nodes), "{column}");
    }
    assert_eq!(tree["state"].as_str().map(str::len), Some(nodes));
    let children = tree["children"].as_array().expect("a column").iter();
    let children: u64 = children.filter_map(Value::as_u64).sum();
    assert_eq!(children as usize + 1, nodes);
    nodes
}

/// The tree has the values of an analysis with the same limit.
#[test]
fn the_tree_is_that_of_an_analysis() {
    let folder = Folder::new("explore-analysis");
    let analyzed = folder.problem("analyze", "--nodes 20000 --json");
    let profile = analyzed.json();
    let explore = |options: &str| {
        let options = format!("--nodes 20000 --tree tree.json {options}");
        folder.problem("explore", &options)
    };
    explore("").ended(0);
    let record = json(&folder.read("tree.json"));
    let nodes = check_shape(&record);
    assert_eq!(profile["tree_size"].as_u64(), Some(nodes as u64));
    assert_eq!(record["size"].as_u64(), Some(nodes as u64));
    let tree = &record["tree"];
    assert_eq!(tree["up"][0], profile["above"]);
    assert_eq!(tree["down"][0], profile["below"]);
    assert_eq!(record["nodes"], profile["nodes"]);
    assert_eq!(record["value"], profile["value"]["cp"]);
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let last_move = |name: Value| list(&name["line"]["uci"]).pop().expect("a move");
    let raised = list(&profile["raised"][0]["names"]).into_iter();
    let raisers = list(&tree["raisers"]).into_iter();
    let raisers = raisers.map(|leaf| &tree["uci"][leaf.as_u64().expect("a number") as usize]);
    assert!(raised.map(last_move).eq(raisers.cloned()));
    let lowerers = list(&tree["lowerers"]).len() as u64;
    assert_eq!(Some(lowerers), profile["below"].as_u64());
    // It is overwritten only on request.
    explore("").failed().tells("--overwrite");
    let twice = explore("--overwrite --html tree.json");
    twice.failed().tells("is given twice");
    explore("--overwrite --tree-plies 2").ended(0);
    let short = json(&folder.read("tree.json"));
    assert!(check_shape(&short) < nodes && short["tree"]["is_cut"] == true);
    assert!(tree["is_cut"] == false && short["size"] == record["size"]);
    for column in ["up", "san"] {
        let shown = list(&short["tree"][column]);
        assert!(list(&tree[column]).starts_with(&shown), "{column}");
    }
}

#[test]
fn a_proof_is_written() {
    let folder = Folder::new("explore-proof");
    let options = "--search proof-number-tree --nodes 50000 --tree proof.json";
    let said = folder.run(&format!("explore --fen '{MATE}' {options}"));
    said.ended(0).prints("#");
    let record = json(&folder.read("proof.json"));
    check_shape(&record);
    assert_eq!(record["numbers"], "proof");
    assert_eq!(record["attacker"], "white");
    let tree = &record["tree"];
    assert_eq!(tree["up"][0], 0);
    assert_eq!(tree["down"][0], Value::Null);
}

#[test]
fn a_page_holds_the_tree() {
    let folder = Folder::new("explore-page");
    let said = folder.problem("explore", "--nodes 3000 --html tree.html --tree tree.json");
    said.ended(0);
    let html = folder.read("tree.html");
    let begin = "<script type=\"application/json\" id=\"data\">";
    let (_, data) = html.split_once(begin).expect("data");
    let (data, _) = data.split_once("</script>").expect("an end");
    assert_eq!(json(data), json(&folder.read("tree.json")));
    assert!(html.contains("<noscript>") && html.contains("<h1>"));
}

#[test]
fn what_cannot_be_is_told() {
    let folder = Folder::new("explore-refused");
    let says = |line: &str, part: &str| {
        folder.run(line).failed().tells(part);
    };
    let fen = format!("--fen '{PROBLEM}'");
    let html = "--html /nonexistent/tree.html";
    says(&format!("explore {fen}"), "--html");
    says(&format!("explore {fen} {html}"), "/nonexistent/tree.html");
    says(&format!("explore --fen nonsense {html}"), "nonsense");
    for search in ["best-first", "proof-number-tree"] {
        let over = "--fen '7k/5QQ1/8/8/8/8/8/K7 b - - 0 1' --html /dev/stdout";
        let line = format!("explore {over} --search {search}");
        says(&line, "the game is over here");
    }
    for search in ["depth-first", "alpha-beta", "proof-number"] {
        let line = format!("explore {fen} --tree /nonexistent/tree.json --search {search}");
        says(
            &line,
            "keeps no tree; choose best-first or proof-number-tree",
        );
    }
}
