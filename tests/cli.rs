//! The command line as its users see it: help, usage errors, `bench`.

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
const WITH_HASH: [&[&str]; 4] = [
    &["suite", "epd/bk.epd", "--nodes", "1"],
    &["analyze", "docs/opera-game.pgn"],
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
    for command in &WITH_HASH[..2] {
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

/// How a command ends whose output nobody reads: its code, and what it says of it.
fn unread(command: &mut Process) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let child = command.stdout(writer).stderr(Stdio::piped()).spawn();
    let output = child
        .expect("a process")
        .wait_with_output()
        .expect("an end");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), error)
}

#[test]
fn a_closed_pipe_is_success() {
    const FEN: &str = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1";
    let lines: [&[&str]; 6] = [
        &["--help"],
        &["--version"],
        &["help", "suite"],
        &["bench", "--nodes", "2000"],
        &["analyze", "--fen", FEN, "--nodes", "100", "--json"],
        &["completions", "bash"],
    ];
    for line in lines {
        let done = unread(Process::new(env!("CARGO_BIN_EXE_cassius")).args(line));
        assert_eq!(done, (Some(0), String::new()), "{line:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    for line in [&["--help"][..], &["--version"], &["help", "suite"]] {
        let full = std::fs::File::create("/dev/full").expect("a device");
        let mut command = Process::new(env!("CARGO_BIN_EXE_cassius"));
        let output = command.args(line).stdout(full).output().expect("a run");
        assert_eq!(output.status.code(), Some(1), "{line:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let told = "cassius: standard output cannot be written to: ";
        assert!(
            error.starts_with(told) && error.lines().count() == 1,
            "{error}"
        );
    }
}

#[test]
fn a_closed_pipe_is_no_success_where_files_are_left_half_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games.pgn");
    std::fs::write(&games, "1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n").expect("writable");
    let games = games.to_str().expect("text");
    let lines: [&[&str]; 2] = [
        &["analyze", "--nodes", "500", "--hash", "1", games, "--json"],
        &[
            "suite",
            "epd/wac.epd",
            "--filter",
            "1",
            "--nodes",
            "10",
            "--json",
        ],
    ];
    for line in lines {
        let mut command = Process::new(env!("CARGO_BIN_EXE_cassius"));
        command.args(line).arg(folder.path().join(line[0]));
        let (code, error) = unread(&mut command);
        assert_eq!(code, Some(1), "{line:?}");
        assert!(error.contains("the files may not be complete"), "{error}");
    }
}

/// A change of a search or of the evaluation shows here. One that is meant gives the new counts.
#[test]
fn bench_counts_are_pinned() {
    for (search, nodes, count) in [
        ("depth-first", "300000", 147_718),
        ("alpha-beta", "300000", 170_911),
        ("depth-first:Evaluation=tactical", "300000", 74_130),
        ("alpha-beta:Evaluation=tactical", "300000", 80_642),
        ("best-first", "30000", 354_605),
        ("depth-first-unit", "30000", 404_005),
    ] {
        cassius()
            .args(["bench", "--search", search, "--nodes", nodes])
            .assert()
            .success()
            .stdout(predicate::str::contains(format!("\n{count} nodes ")));
    }
}
