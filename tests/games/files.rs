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
    error_of("--html .").has(".: is a folder; --html-dir . fills it");
    error_of("--json").has("--json needs");
    error_of("--html no/such/page.html").has("no/such/page.html");
}

/// The games survive whatever name an output has.
#[test]
fn no_output_is_an_input_or_another_output() {
    let folder = Folder::new("games-distinct");
    folder.write("games.pgn", GAME);
    folder.write("engine.sh", "exit");
    folder.write("net", include_bytes!("../../networks/default.net"));
    std::fs::create_dir(folder.join("pages")).expect("a folder");
    for name in ["same.pgn", "pages/game-7.html"] {
        std::fs::hard_link(folder.join("games.pgn"), folder.join(name)).expect("a link");
    }
    for options in [
        "--pgn same.pgn",
        "--csv same.pgn",
        "--json ./pages/../same.pgn",
        "--html-dir pages",
        "--html-dir new --html new",
        "--html-dir pages --html pages/game-1.html",
        "--html-dir pages --json pages/index.html",
        "--engine 'sh engine.sh' --html engine.sh",
        "--search depth-first:EvalFile=net --csv net",
    ] {
        let options = format!("analyze games.pgn --nodes 50 --overwrite {options}");
        folder.run(&options).ended(1).tells("is given twice");
        assert_eq!(folder.read("games.pgn"), GAME, "{options}");
    }
}

/// A run killed before the header of its JSON file is whole, or while it writes a page.
#[test]
fn a_run_killed_early_goes_on() {
    let folder = Folder::new("games-early");
    let options = "--nodes 50 --json g.json --csv g.csv --html-dir pages --resume";
    folder.write("g.json", "{\"kind\":\"header\",\"cass");
    folder.write("g.csv", "game,ply,move\n");
    std::fs::create_dir(folder.join("pages")).expect("a folder");
    for name in [
        "game-1.html",
        ".game-1.html.aB3dEf.part",
        ".index.html.aB3dEf.part",
    ] {
        folder.write(&format!("pages/{name}"), "half");
    }
    folder.analyze(GAME, options).ended(0);
    assert_eq!(folder.lines("g.json", "position").len(), 47);
    assert_eq!(folder.read("g.csv").lines().count(), 48);
    let pages = std::fs::read_dir(folder.join("pages")).expect("a folder");
    assert_eq!(pages.count(), 2);
    assert!(folder.read("pages/game-1.html").contains("Dufresne"));
}

/// Names of files may have commands to the terminal.
#[cfg(unix)]
#[test]
fn no_name_is_a_command_to_the_terminal() {
    let folder = Folder::new("games-names");
    let name = "\u{1b}[31mevil\u{202e}\u{1b}]0;title\u{7}";
    for command in [
        "",
        "analyze",
        "suite --nodes 1",
        "puzzles",
        "explore --tree x --fen",
    ] {
        let said = Said::by(folder.command(command).arg(name)).failed();
        // Of a wrong command no more is shown than its letters.
        let shown = "\\u{1b}[31mevil\\u{202e}\\u{1b}]0;title\\u{7}";
        said.err
            .has(if command.is_empty() { "evil" } else { shown });
        assert!(
            !said.err.contains(['\u{1b}', '\u{7}', '\u{202e}']),
            "{said:?}"
        );
    }
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

#[test]
fn a_folder_of_games_says_what_to_give() {
    let folder = Folder::new("games-folder");
    for command in ["analyze .", "puzzles .", "suite . --nodes 1"] {
        let said = folder.run(command).ended(1);
        said.tells(".: is a folder; give a file in it, or join its files to one");
    }
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
