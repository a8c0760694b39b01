//! The command line from the user's side: help, usage errors, `bench`.

use std::process::Command;

use crate::common::{Folder, Has, Said, cassius, command, said};

#[test]
fn help_names_every_command_and_version_the_version() {
    let help = said("--help").ended(0);
    help.prints("uci").prints("bench").prints("suite");
    let version = format!("cassius {}\n", cassius::version::WITH_NETWORK);
    assert_eq!(said("--version").ended(0).out, version);
}

#[test]
fn wrong_usage_is_explained_and_ends_with_2() {
    for line in [
        "bnech",
        "bench --nodes 0",
        "bench --search best",
        "uci extra",
    ] {
        let error = said(line).ended(2).err;
        let has_help = error.contains("--help") || error.contains("possible");
        assert!(has_help, "{error}");
    }
}

#[test]
fn a_file_in_place_of_a_command_gets_the_command() {
    for (file, told) in [
        ("my games.pgn", "cassius analyze 'my games.pgn'"),
        ("a.EPD", "cassius suite 'a.EPD' --movetime 1000"),
    ] {
        said(&format!("'{file}'")).ended(2).tells(told);
    }
}

#[test]
fn a_position_in_place_of_a_file_is_told_apart() {
    let fen = "8/8/8/8/3k4/8/3PK3/8 w - - 0 1";
    let expected =
        format!("cassius: a position is given with --fen: cassius analyze --fen '{fen}'\n");
    let said = said(&format!("analyse '{fen}'")).ended(1);
    assert_eq!(said.prints_nothing().err, expected);
}

#[test]
fn uci_is_the_default_and_a_command() {
    for line in ["", "uci"] {
        let said = Said::by_with_input(&mut command(line), "uci\n").ended(0);
        assert!(said.out.ends_with("uciok\n"), "{said:?}");
    }
}

#[test]
fn logging_goes_to_standard_error_and_only_if_asked_for() {
    let said = Said::by_with_input(&mut cassius(), "isready\n");
    said.ended(0).tells_nothing();
    let said = Said::by_with_input(cassius().env("RUST_LOG", "debug"), "isready\n");
    assert_eq!(said.ended(0).tells("isready").out, "readyok\n");
}

/// Commands with `--hash`, with their other arguments; first those that work on several items at a time.
const WITH_HASH: [&str; 4] = [
    "suite epd/bk.epd --nodes 1",
    "analyze docs/opera-game.pgn",
    "analyze --fen '8/8/8/8/3k4/8/3PK3/8 w - - 0 1'",
    "bench",
];

#[test]
fn sizes_of_memory_that_make_no_sense_are_wrong_usage() {
    for command in WITH_HASH {
        said(&format!("{command} --hash 0"))
            .ended(2)
            .prints_nothing()
            .tells("MiB from 1 to 65536");
    }
}

#[test]
fn memory_that_the_machine_does_not_have_is_refused() {
    for command in &WITH_HASH[..2] {
        said(&format!("{command} --hash 65536 --jobs 60000"))
            .ended(1)
            .prints_nothing()
            .tells("0000 MiB of memory that ")
            .tells("0000 searches at a time");
    }
    for option in ["Hash=0", "Hash=99999999999999999999"] {
        said(&format!("bench --search depth-first:{option}"))
            .ended(2)
            .tells("from 1 to 65536");
    }
}

/// Exit code and error of a command whose output has no reader.
fn unread(command: &mut Command) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let said = Said::by(command.stdout(writer));
    (said.code, said.err)
}

#[test]
fn a_closed_pipe_is_success() {
    for line in [
        "--help",
        "--version",
        "help suite",
        "bench --nodes 2000",
        "analyze --fen '8/8/8/4k3/8/4K3/4P3/8 w - - 0 1' --nodes 100 --json",
        "completions bash",
    ] {
        let done = unread(&mut command(line));
        assert_eq!(done, (Some(0), String::new()), "{line}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    for line in ["--help", "--version", "help suite"] {
        let full = std::fs::File::create("/dev/full").expect("a device");
        let error = Said::by(command(line).stdout(full)).ended(1).err;
        let told = "cassius: standard output cannot be written to: ";
        assert!(error.starts_with(told), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_closed_pipe_is_no_success_where_files_are_left_half_done() {
    let folder = Folder::new("cli-pipe");
    folder.write("games.pgn", "1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n");
    let wac = concat!(env!("CARGO_MANIFEST_DIR"), "/epd/wac.epd");
    for line in [
        "analyze --nodes 500 --hash 1 games.pgn --json a.json",
        &format!("suite '{wac}' --filter 1 --nodes 10 --json s.json"),
    ] {
        let (code, error) = unread(&mut folder.command(line));
        assert_eq!(code, Some(1), "{line}");
        error.has("the files may not be complete");
    }
}

/// Shows any change of a search or the evaluation. An intended change must give the new counts, which match runners read
/// from the last line.
#[test]
fn bench_counts_are_pinned() {
    for (search, nodes, count) in [
        ("depth-first", 300_000, 82_459),
        ("alpha-beta", 300_000, 72_538),
        ("depth-first:Evaluation=tactical", 300_000, 52_159),
        ("alpha-beta:Evaluation=tactical", 300_000, 55_751),
        ("best-first", 30_000, 325_673),
        ("depth-first-unit", 30_000, 400_355),
    ] {
        let said = said(&format!("bench --search {search} --nodes {nodes}")).ended(0);
        let last = said.out.lines().last().expect("a line");
        let words: Vec<&str> = last.split(' ').collect();
        let [found, "nodes", speed, "nps"] = words[..] else {
            panic!("the last line is '{last}'");
        };
        assert_eq!(found, count.to_string(), "{search}");
        assert!(speed.parse::<u64>().is_ok(), "{last}");
    }
}
