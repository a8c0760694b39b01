//! Files of `cassius analyze`: existing ones are left alone, and failures to write are reported.

use super::{FILES, GAME};
use crate::common::{Folder, Has, Said};

#[test]
fn files_that_are_there_are_left_alone_unless_told_otherwise() {
    let folder = Folder::new("games-overwrite");
    let error_of = |options: &str| {
        let options = format!("--nodes 100 {options}");
        folder.analyze(GAME, &options).ended(1).err
    };
    for kind in ["json", "csv", "html"] {
        let name = &format!("g.{kind}");
        folder.write(name, "mine\n");
        let error = error_of(&format!("--{kind} {name}"));
        error.has_all([name, "--overwrite"]);
        assert_eq!(folder.read(name), "mine\n");
    }
    let overwrite = format!("--nodes 100 --overwrite {FILES}");
    folder.analyze(GAME, &overwrite).ended(0);
    assert_eq!(folder.lines("g.json", "position").len(), 47);
    assert_eq!(folder.read("g.csv").lines().count(), 48);
    assert!(folder.read("g.html").contains("Dufresne"));

    error_of("--html games.pgn --overwrite").has("games.pgn: is given twice");
    error_of("--json").has("--json needs");
    error_of("--html no/such/page.html").has("no/such/page.html");
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_may_go_to_a_device() {
    let folder = Folder::new("games-page");
    let said = folder.analyze(GAME.repeat(2), "--nodes 100 --html /dev/stdout");
    let pages = said.out.matches("<main>").count();
    assert_eq!(pages, 1, "one page, at the end");
    let said = folder.analyze(GAME, "--nodes 100 --html /dev/full");
    said.ended(1).tells("/dev/full: No space left");
}

#[test]
fn a_file_without_games_says_so() {
    let said = Folder::new("games-nothing").analyze("\n\n", "").ended(1);
    said.tells("no game");
}

/// An endless input must be read on demand.
#[cfg(target_os = "linux")]
#[test]
fn an_endless_file_is_begun_at_once() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::Stdio;

    let mut child = crate::common::cassius()
        .args(["analyze", "/dev/stdin", "--hash", "1", "--nodes", "10"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a run");
    let mut input = child.stdin.take().expect("an input");
    let writer = std::thread::spawn(move || while input.write_all(GAME.as_bytes()).is_ok() {});
    let output = BufReader::new(child.stdout.take().expect("an output"));
    let mut lines = output.lines().map(|line| line.expect("a line"));
    assert!(lines.any(|line| line.starts_with("Game 3: Adolf Anderssen")));
    child.kill().expect("killed");
    child.wait().expect("ended");
    writer.join().expect("a thread");
}

/// No room even for the header of the JSON file, which comes first: the CSV file just begun must not block the next
/// run.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_could_not_write_its_header_begins_again() {
    let folder = Folder::new("games-header");
    folder.write("games.pgn", GAME);
    let options = |json: &str| {
        format!("analyze games.pgn --hash 1 --nodes 50 --json {json} --csv g.csv --resume")
    };
    // Two blocks, of 512 or 1,024 bytes, are too little for the header, which holds the command.
    let long = options(&format!("{}g.json", "./".repeat(1_200)));
    let binary = env!("CARGO_BIN_EXE_cassius");
    let limited = format!("trap '' XFSZ; ulimit -f 2; exec '{binary}' {long}");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &limited]).current_dir(folder.path());
    Said::by(&mut shell).tells("g.json: File too large");
    folder.run(&options("g.json")).ended(0);
    assert_eq!(folder.read("g.csv").lines().count(), 48);
}
