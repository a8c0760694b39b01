//! The command line as its users see it: help, usage errors, `bench`.

use std::io::{BufRead as _, BufReader};
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;
use predicates::prelude::*;

fn cassius() -> Command {
    let mut command = Command::cargo_bin("cassius").expect("the binary");
    command.env_remove("RUST_LOG");
    command
}

#[test]
fn help_names_every_command_and_version_the_version() {
    let commands = ["uci", "bench", "suite"].map(predicate::str::contains);
    let [uci, bench, suite] = commands;
    cassius()
        .arg("--help")
        .assert()
        .success()
        .stdout(uci.and(bench).and(suite));
    cassius()
        .arg("--version")
        .assert()
        .success()
        .stdout(format!("cassius {}\n", cassius::version::WITH_NETWORK));
}

#[test]
fn wrong_usage_is_explained_and_ends_with_2() {
    for args in [
        &["bnech"][..],
        &["bench", "--nodes", "0"],
        &["bench", "--search", "best"],
        &["uci", "extra"],
    ] {
        let assert = cassius().args(args).assert().code(2);
        assert.stderr(predicate::str::contains("--help").or(predicate::str::contains("possible")));
    }
}

#[test]
fn uci_is_the_default_and_a_command() {
    for args in [&[][..], &["uci"]] {
        cassius()
            .args(args)
            .write_stdin("uci\n")
            .assert()
            .success()
            .stdout(predicate::str::ends_with("uciok\n"));
    }
}

#[test]
fn logging_goes_to_standard_error_and_only_if_asked_for() {
    cassius()
        .write_stdin("isready\n")
        .assert()
        .success()
        .stderr("");
    cassius()
        .env("RUST_LOG", "debug")
        .write_stdin("isready\n")
        .assert()
        .success()
        .stdout("readyok\n")
        .stderr(predicate::str::contains("isready"));
}

/// All that take `--hash`, with what they need besides; those that work on several things at a time
/// first.
const WITH_HASH: [&[&str]; 5] = [
    &["suite", "epd/bk.epd", "--nodes", "1"],
    &["analyze", "docs/opera-game.pgn"],
    &["lab", "effort", "epd/bk.epd"],
    &["analyze", "--fen", "8/8/8/8/3k4/8/3PK3/8 w - - 0 1"],
    &["bench"],
];

#[test]
fn sizes_of_memory_that_make_no_sense_are_wrong_usage() {
    let sizes = [0, 65_537, 1 << 20, (1 << 44) + 1, u64::MAX].map(|size| size.to_string());
    for command in WITH_HASH {
        for size in &sizes {
            cassius()
                .args(command)
                .args(["--hash", size])
                .assert()
                .code(2)
                .stdout("")
                .stderr(predicate::str::contains("MiB from 1 to 65536"));
        }
    }
}

#[test]
fn memory_that_the_machine_does_not_have_is_refused() {
    for command in &WITH_HASH[..3] {
        cassius()
            .args(*command)
            .args(["--hash", "65536", "--jobs", "60000"])
            .assert()
            .code(1)
            .stdout("")
            .stderr(predicate::str::contains("does not have the 393"))
            .stderr(predicate::str::contains("0000 searches at a time"));
    }
    for option in ["Hash=0", "Hash=99999999999999999999"] {
        cassius()
            .args(["bench", "--search", &format!("depth-first:{option}")])
            .assert()
            .code(2)
            .stderr(predicate::str::contains("from 1 to 65536"));
    }
}

/// The node count of a `bench`, read as match runners do: from the last line.
fn bench_count() -> u64 {
    let output = cassius()
        .args(["bench", "--nodes", "2000"])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let text = String::from_utf8(output).expect("text");
    let last = text.lines().last().expect("a line");
    let words: Vec<&str> = last.split(' ').collect();
    assert!(
        matches!(words[..], [_, "nodes", _, "nps"]),
        "the last line is '{last}'"
    );
    assert!(words[2].parse::<u64>().is_ok(), "{last}");
    words[0].parse().expect("a number")
}

#[test]
fn bench_counts_the_same_every_time() {
    let count = bench_count();
    assert!(count > 0);
    assert_eq!(bench_count(), count);
}

#[test]
fn a_closed_pipe_is_success() {
    let mut child = Process::new(env!("CARGO_BIN_EXE_cassius"))
        .args(["bench", "--nodes", "2000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process");
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("an output"));
    stdout.read_line(&mut line).expect("a line");
    drop(stdout);
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_closed_pipe_is_no_success_where_files_are_left_half_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games.pgn");
    std::fs::write(&games, "1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n").expect("writable");
    let mut child = Process::new(env!("CARGO_BIN_EXE_cassius"))
        .args(["analyze", "--nodes", "500", "--hash", "1", "--json"])
        .arg(folder.path().join("games.json"))
        .arg(&games)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("the files may not be complete"), "{error}");
}

/// A change of a search or of the evaluation shows here. One that is meant gives the new counts.
#[test]
fn bench_counts_are_pinned() {
    for (search, nodes, count) in [
        ("depth-first", "300000", 147_718),
        ("alpha-beta", "300000", 170_911),
        ("depth-first:Evaluation=positional", "300000", 149_143),
        ("alpha-beta:Evaluation=positional", "300000", 222_992),
        ("best-first:Evaluation=positional", "30000", 354_821),
        ("depth-first-unit:Evaluation=positional", "30000", 408_989),
    ] {
        cassius()
            .args(["bench", "--search", search, "--nodes", nodes])
            .assert()
            .success()
            .stdout(predicate::str::contains(format!("\n{count} nodes ")));
    }
}
