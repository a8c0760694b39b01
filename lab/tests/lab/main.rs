//! `cassius lab` from the user's side: help, tables, JSON, exit codes, the page of results, self-play and learning.

mod experiments;
mod learning;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

/// Three problems that any search solves at once, and one that declares the right move wrong.
const PROBLEMS: &str = "\
6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; id \"mate.white\";
k3r3/8/8/8/8/8/5PPP/6K1 b - - bm Re1#; id \"mate.black\";
6k1/5ppp/8/3q4/8/4N3/5PPP/6K1 w - - bm Nxd5; id \"queen\";
6k1/5ppp/8/8/8/8/8/K3R3 w - - am Re8#; id \"wrong.1\";
";

/// A test's own folder, empty but for the problems.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lab-{test}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("creatable");
    write(&path, "four.epd", PROBLEMS);
    path
}

fn write(folder: &Path, file: &str, content: impl AsRef<[u8]>) {
    fs::write(folder.join(file), content).expect("writable");
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).expect("a file")
}

fn json(folder: &Path, file: &str) -> Value {
    serde_json::from_str(&read(folder, file)).expect("JSON")
}

/// The result of `cassius lab` with the arguments in a line.
fn lab(folder: &Path, line: &str) -> Assert {
    run("cassius-lab", folder, line)
}

fn run(program: &str, folder: &Path, line: &str) -> Assert {
    let mut command = Command::cargo_bin(program).expect("the binary");
    command.current_dir(folder).env_remove("RUST_LOG");
    command.args(line.split_whitespace()).assert()
}

/// Standard output of a run.
fn said(run: &Assert) -> String {
    String::from_utf8_lossy(&run.get_output().stdout).into_owned()
}

/// The tables of a successful experiment.
fn tables(folder: &Path, line: &str) -> Value {
    let line = format!("{line} --json outcome.json --overwrite");
    lab(folder, &line).success().stderr("");
    json(folder, "outcome.json")["tables"].take()
}

#[test]
fn help_and_list_name_the_experiments_and_their_figures() {
    let folder = folder("help");
    for argument in ["--help", "list"] {
        let told = said(&lab(&folder, argument).success());
        for experiment in cassius_lab::EXPERIMENTS {
            let names = experiment.figures.iter().chain([&experiment.name]);
            names.for_each(|it| assert!(told.contains(it), "{argument}: {it}"));
        }
    }
    lab(&folder, "").code(2).stderr(contains("Experiments:"));
}

#[test]
fn what_cannot_be_run_is_explained() {
    let folder = folder("errors");
    write(&folder, "bad.epd", format!("nonsense\n{PROBLEMS}"));
    write(&folder, "empty.epd", "");
    lab(&folder, "fig9.9").code(2).stderr(contains("effort"));
    let leave_out = "leave out --nodes and --movetime";
    for (line, reason) in [
        ("effort none.epd", "none.epd"),
        ("effort", "epd/wac.epd"),
        ("effort four.epd --filter nobody", "no positions"),
        ("effort four.epd --json no/such.json", "no/such.json"),
        ("effort bad.epd --nodes 200", "bad.epd:1"),
        (
            "effort empty.epd",
            "empty.epd: there are no positions in this file",
        ),
        ("effort empty.epd", "no positions to run"),
        ("fig4.6 four.epd", "takes no files"),
        ("hex four.epd", "takes no files"),
        ("star1 --size 7", "plays no games on a board"),
        ("star1 --games 4", "plays no games"),
        ("memory --states s.jsonl", "keeps no states"),
        ("threads four.epd --movetime 50", "give --nodes"),
        ("storages --nodes 500", leave_out),
        ("storages --movetime 500", leave_out),
        ("turns", "no positions to run"),
    ] {
        lab(&folder, line).code(1).stderr(contains(reason));
    }
    let count = "\n1 malformed item skipped, whole or in part\n";
    let told = lab(&folder, "effort bad.epd --nodes 200");
    told.stderr(predicate::str::ends_with(count));
    let small = lab(&folder, "hex --size 4").code(2);
    small.stderr(contains("5..=11"));
}

#[test]
fn the_page_of_results_is_what_its_sections_and_files_make() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let written = read(&docs, "results.md");
    let made = cassius_lab::page::generate(&docs.join("results")).expect("a page");
    let make = "cassius lab page lab/docs/results --output lab/docs/results.md --overwrite";
    assert!(written == made, "make it again: {make}");
    let links = made.split("](results/").skip(1);
    for link in links.filter_map(|rest| rest.split(')').next()) {
        let picture = docs.join("results").join(link);
        assert!(picture.is_file(), "scripts/plot has not drawn {link}");
    }
}

#[test]
fn a_page_shows_sections_and_results() {
    let folder = folder("page");
    fs::create_dir_all(folder.join("results")).expect("creatable");
    let effort = "effort four.epd --nodes 500 --json results/effort.json";
    lab(&folder, effort).success();
    let suite = "suite four.epd --nodes 500 --search minimax,alpha-beta --json results/suite.json";
    run("cassius", &folder, suite).success();

    let section = "## Effort\n\n{{effort.json made}}\n\n{{effort.json fig5.2}}\n\n\
        At {{effort.json fig5.2; last; nodes}} nodes, Phoenix {{effort.json fig5.2; last; Phoenix}}.\n";
    write(&folder, "results/2.md", section);
    let wrong = lab(&folder, "page results").code(1);
    wrong.stderr(contains("suite.json"));

    write(&folder, "results/1.md", "# Results\n\n{{suite.json}}\n");
    let made = lab(&folder, "page results --output results.md");
    made.success().stdout("");
    let text = read(&folder, "results.md");
    let expected = [
        "# Results",
        "cassius suite four.epd --nodes 500",
        "500 nodes a position",
        "| alpha-beta | 3 | 4 |",
        "## Effort",
        "cassius lab effort four.epd",
        "*Conspire*",
        "](results/effort-fig5.2.svg)",
        "At 500 nodes, Phoenix 58.",
    ];
    let mut rest = text.as_str();
    for part in expected {
        let at = rest.find(part);
        assert!(at.is_some(), "{part} in order in\n{text}");
        rest = &rest[at.unwrap_or(0)..];
    }
    let no_row = "text\n\nIt is {{effort.json fig5.2; 7; nodes}} nodes.\n";
    let no_part = "text\n{{effort.json fig9}}\n";
    let nothing = "{{suite.json against minimax}}\n\n{{suite.json against chance}}\n";
    for (section, place, reason) in [
        (no_row, "3.md:3", "no row '7'"),
        (no_part, "3.md:2", "no part called 'fig9'"),
        (
            nothing,
            "3.md:3",
            "suite.json compares nothing with 'chance'",
        ),
    ] {
        write(&folder, "results/3.md", section);
        let wrong = lab(&folder, "page results").code(1);
        wrong.stderr(contains(place).and(contains(reason)));
    }
}

/// `cassius lab` starts the laboratory beside it; if it is missing the error says how to build it.
#[test]
fn cassius_starts_its_laboratory() {
    let laboratory = Path::new(env!("CARGO_BIN_EXE_cassius-lab"));
    let cassius = laboratory.with_file_name(format!("cassius{}", std::env::consts::EXE_SUFFIX));
    if !cassius.is_file() {
        println!("skipped: no {}", cassius.display());
        return;
    }
    let tree = |program: &Path, tree: &str| {
        let mut command = Command::new(program);
        command.args(["lab", "tree", tree]).assert()
    };
    let drawn = tree(&cassius, "MAX(1,2)").code(0);
    drawn.stdout(predicate::str::starts_with("A MAX 2"));
    tree(&cassius, "MAX(").code(2);
    let alone = folder("alone").join("cassius");
    fs::copy(&cassius, &alone).expect("a copy");
    let missing = tree(&alone, "MAX(1,2)").code(1);
    missing.stderr(contains("cargo build --release --workspace"));
}

#[test]
fn a_closed_pipe_is_success() {
    for line in ["list", "tree MAX(1,2)", "completions bash"] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_cassius-lab"))
            .args(line.split(' '))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("a process");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("an end");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{line}");
    }
}
