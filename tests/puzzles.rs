//! `cassius puzzles` from the user's side: EPD, the page, messages about malformed games.

use std::sync::LazyLock;

use crate::common::browser::check_notes;
use crate::common::{Folder, Has, Said};

/// Games without moves, from positions that are puzzles for most searches; a malformed game; a game without a choice.
const GAMES: &str = r#"[White "A <b>"]
[FEN "r1k5/1p3q2/1Qpb4/3N1p2/5Pp1/3P2Pp/PPPK3P/4R3 w - - 0 1"]

*

[White "No such move"]

1. Ke4 *

[FEN "7k/8/8/8/8/6q1/8/7K b - - 0 1"]

1... Kg8 *

[FEN "1k1r2r1/ppq5/1bp4p/3pQ3/8/2P2N2/PP4P1/R4R1K b - - 0 1"]

*

[FEN "4r1k1/5bpp/2p5/3pr3/8/1B3pPq/PPR2P2/2R2QK1 b - - 0 1"]

*

[FEN "1k1r4/pp1r1pp1/4n1p1/2R5/2Pp1qP1/3P2QP/P4PB1/1R4K1 w - - 0 1"]

*
"#;

/// A test's own folder with the games.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("puzzles-{name}"));
    folder.write("games.pgn", GAMES);
    folder
}

fn puzzles(folder: &Folder, options: &str) -> Said {
    folder.run(&format!("puzzles games.pgn --hash 4 {options}"))
}

/// The puzzles in all files, and the output.
static FOUND: LazyLock<(Folder, Said)> = LazyLock::new(|| {
    let folder = folder("found");
    let said = puzzles(&folder, "--nodes 20000 --epd p.epd --html p.html");
    (folder, said)
});

#[test]
fn a_puzzle_is_found_told_and_put_on_a_page() {
    let (folder, said) = &*FOUND;
    assert_eq!(said.code, Some(1), "a game is malformed");
    let errors = &said.err;
    errors.has("games.pgn: line 8, game 2, move 1 of White");
    said.tells_at_the_end("\n1 malformed item skipped, whole or in part\n");
    let epd = folder.read("p.epd");
    let found = epd.lines().count();
    assert!(found > 0, "{errors}");
    errors.has(&format!("{found} puzzle"));
    let page = folder.read("p.html");
    assert_eq!(page.matches("\"grade\":").count(), found);
    assert!(!page.contains("A <b>"));
    // Without files the same lines are printed, and the same every time.
    assert_eq!(puzzles(folder, "--nodes 20000").out, epd);
    // The suite reader accepts these lines.
    for line in epd.lines() {
        line.has_all([" bm ", "; id \"game "]);
        line.has_all(["; c0 \"grade ", "; c2 \"alpha-beta "]);
    }
    // Existing files are left alone.
    puzzles(folder, "--nodes 10 --epd p.epd --html p.html").tells("already exists");
}

#[test]
fn a_file_without_games_is_an_error() {
    let folder = folder("none");
    for games in ["", "no games here\n"] {
        folder.write("games.pgn", games);
        let said = puzzles(&folder, "--epd p.epd").ended(1);
        let told = "cassius: games.pgn: there is no game in this file\n";
        assert_eq!(said.err, told);
        assert!(!folder.join("p.epd").exists());
    }
}

#[test]
fn games_without_puzzles_say_what_to_do() {
    let folder = folder("dull");
    folder.write("games.pgn", "1. e4 e5 *\n");
    let said = puzzles(&folder, "--nodes 10 --html p.html").ended(0);
    // No terminal: nothing is said about the page.
    let told = "0 puzzles: most games have none; give more games, or a smaller --gap\n";
    assert_eq!(said.err, told);
}

#[test]
fn terms_that_make_no_sense_are_refused() {
    let folder = folder("terms");
    for gap in ["0", "-1", "2", "x"] {
        puzzles(&folder, &format!("--gap {gap}")).ended(2);
    }
    puzzles(&folder, "--nodes 10 --epd games.pgn").tells("given twice");
}

/// Actions on the page: a wrong move, the right one, the next puzzle by key, its answer.
const VISIT: &str = r#"
const puzzles = JSON.parse(document.querySelector(".data").textContent);
const answer = document.querySelector(".answer");
const press = (key) => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
const play = (move) => {
  for (const square of [move.slice(0, 2), move.slice(2, 4)]) document.querySelector(`[data-square="${square}"]`).click();
  if (move[4]) [...document.querySelectorAll(".choice button")].at("qrbn".indexOf(move[4])).click();
};
const { best, legal } = puzzles[0];
play(legal.split(" ").find((move) => move.length === 4 && !best.some((it) => it.startsWith(move.slice(0, 4)))));
notes.push(answer.className);
play(best.at(-1));
notes.push(answer.className, answer.textContent.includes(puzzles[0].line));
press("n");
press("s");
notes.push(answer.textContent.startsWith(puzzles[1 % puzzles.length].san));
press("ArrowUp");
notes.push(document.activeElement.dataset.square.length);
notes.push(document.querySelectorAll("[data-square]").length);
"#;

#[test]
fn in_a_browser_puzzles_can_be_solved() {
    let (folder, _) = &*FOUND;
    let expected = "answer wrong; answer right; true; true; 2; 64";
    check_notes(&folder.join("p.html"), VISIT, &[390, 1280], expected);
}
