//! Trees to look at, as users get them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

const PROBLEM: &str = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";
const MATE: &str = "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1";

fn cassius(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("cassius").expect("the binary");
    command.env_remove("RUST_LOG").args(args);
    command
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).expect("a file")
}

fn json(file: &Path) -> Value {
    serde_json::from_str(&read(file)).expect("JSON")
}

/// The columns of a record are as long as they say, and their shape is a tree's.
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

/// The tree says what an analysis with the same limit says.
#[test]
fn the_tree_is_that_of_an_analysis() {
    let folder = folder();
    let file: PathBuf = folder.path().join("tree.json");
    let path = file.to_str().expect("a name");
    let asked = ["--fen", PROBLEM, "--nodes", "20000"];
    let output = cassius(&[&["analyze", "--json"][..], &asked].concat()).output();
    let profile: Value = serde_json::from_slice(&output.expect("it runs").stdout).expect("JSON");
    let args = [&["explore", "--tree", path][..], &asked].concat();
    cassius(&args).assert().success();
    let record = json(&file);
    let nodes = check_shape(&record);
    assert_eq!(profile["tree_size"].as_u64(), Some(nodes as u64));
    assert_eq!(record["size"].as_u64(), Some(nodes as u64));
    let tree = &record["tree"];
    assert_eq!(
        (&tree["up"][0], &tree["down"][0]),
        (&profile["above"], &profile["below"])
    );
    assert_eq!(record["nodes"], profile["nodes"]);
    assert_eq!(record["value"], profile["value"]["cp"]);
    let line = |names: &Value| -> Vec<String> {
        let names = names.as_array().expect("names").iter();
        names
            .map(|name| {
                name["line"]["uci"]
                    .as_array()
                    .expect("moves")
                    .last()
                    .expect("a move")
                    .to_string()
            })
            .collect()
    };
    let raisers = tree["raisers"].as_array().expect("leaves").iter();
    let raisers: Vec<String> = raisers
        .map(|leaf| tree["uci"][leaf.as_u64().expect("a number") as usize].to_string())
        .collect();
    assert_eq!(raisers, line(&profile["raised"][0]["names"]));
    // It is not written over unless that is asked for.
    cassius(&args)
        .assert()
        .failure()
        .stderr(predicate::str::contains("--overwrite"));
    cassius(&[&args[..], &["--overwrite", "--html", path]].concat())
        .assert()
        .failure()
        .stderr(predicate::str::contains("is given twice"));
    cassius(&[&args[..], &["--overwrite", "--tree-plies", "2"]].concat())
        .assert()
        .success();
    let short = json(&file);
    assert!(check_shape(&short) < nodes && short["tree"]["is_cut"] == true);
}

#[test]
fn a_proof_is_written() {
    let folder = folder();
    let file = folder.path().join("proof.json");
    let path = file.to_str().expect("a name");
    let search = ["--search", "proof-number-tree", "--nodes", "50000"];
    let args = [&["explore", "--fen", MATE][..], &search, &["--tree", path]].concat();
    cassius(&args)
        .assert()
        .success()
        .stdout(predicate::str::contains("#"));
    let record = json(&file);
    check_shape(&record);
    assert_eq!(record["numbers"], "proof");
    assert_eq!(record["attacker"], "white");
    let tree = &record["tree"];
    assert_eq!(
        (&tree["up"][0], &tree["down"][0]),
        (&Value::from(0), &Value::Null)
    );
}

/// Graphviz reads what is written for it, where there is Graphviz.
#[test]
#[allow(clippy::print_stderr)]
fn graphviz_reads_a_tree() {
    let folder = folder();
    let file = folder.path().join("tree.dot");
    let path = file.to_str().expect("a name");
    let args = [
        "explore", "--fen", PROBLEM, "--nodes", "300", "--tree", path,
    ];
    let said = predicate::str::contains("a tree of ").and(predicate::str::contains("tree.dot"));
    cassius(&args).assert().success().stdout(said);
    let graph = read(&file);
    let (nodes, edges) = (
        graph.matches("shape=").count(),
        graph.matches(" -> ").count(),
    );
    assert_eq!(nodes, edges + 1);
    let Ok(output) = process::Command::new("dot")
        .arg("-Tplain")
        .arg(&file)
        .output()
    else {
        eprintln!("skipped: no Graphviz");
        return;
    };
    assert!(output.status.success(), "{output:?}");
    let drawn = String::from_utf8_lossy(&output.stdout);
    assert_eq!(drawn.matches("\nnode ").count(), nodes);
    assert_eq!(drawn.matches("\nedge ").count(), edges);
}

#[test]
fn a_page_holds_the_tree_and_needs_nothing_else() {
    let folder = folder();
    let [page, tree] = ["tree.html", "tree.json"].map(|name| folder.path().join(name));
    let paths = [&page, &tree].map(|path| path.to_str().expect("a name"));
    let args = [
        "explore", "--fen", PROBLEM, "--nodes", "3000", "--html", paths[0], "--tree", paths[1],
    ];
    cassius(&args).assert().success();
    let html = read(&page);
    let (_, data) = html
        .split_once("<script type=\"application/json\" id=\"data\">")
        .expect("data");
    let (data, _) = data.split_once("</script>").expect("an end");
    assert_eq!(
        serde_json::from_str::<Value>(data).expect("JSON"),
        json(&tree)
    );
    assert!(html.contains("<noscript>") && html.contains("<h1>"));
    for outside in ["src=", "@import", "https://", "<link rel=\"stylesheet"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn what_cannot_be_is_told() {
    let says = |args: &[&str], part: &str| {
        let said = predicate::str::contains(part);
        cassius(args).assert().failure().stderr(said);
    };
    let over = "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1";
    let [html, tree] = ["/nonexistent/tree.html", "/nonexistent/tree.json"];
    says(&["explore", "--fen", PROBLEM], "--html");
    says(
        &["explore", "--fen", PROBLEM, "--html", html],
        "/nonexistent/tree.html",
    );
    says(
        &["explore", "--fen", "nonsense", "--html", html],
        "nonsense",
    );
    says(
        &["explore", "--fen", over, "--html", "/dev/stdout"],
        "the game is over",
    );
    for search in ["depth-first", "alpha-beta", "proof-number"] {
        let args = [
            "explore", "--fen", PROBLEM, "--tree", tree, "--search", search,
        ];
        says(
            &args,
            "keeps no tree; choose best-first or proof-number-tree",
        );
    }
}
