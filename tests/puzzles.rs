//! `cassius puzzles` as its users see it: EPD, the page, what is said of malformed games.

use std::path::{Path, PathBuf};
use std::process::{Command as Process, Output};

mod browser;

use browser::chromium;

/// Games of no moves, from positions that make puzzles for most searches; a malformed game; a game without a choice.
const GAMES: &str = r#"[White "A <b>"]
[FEN "r4rk1/p2n2p1/1q1Qpn1p/1P6/P6B/2p5/2B1KP1P/R5R1 w - - 0 1"]

*

[White "No such move"]

1. Ke4 *

[FEN "7k/8/8/8/8/6q1/8/7K b - - 0 1"]

1... Kg8 *

[FEN "6k1/p3b1pp/4p3/4Pp2/Pp1r1P1P/1P4P1/2p2R2/5RK1 b - - 0 1"]

*

[FEN "5k1r/ppqnnp2/3b2p1/2pB2Qp/3p3N/1P1P2P1/P1P2P2/2B1R1K1 w - - 0 1"]

*

[FEN "2r1r1k1/5ppp/p3pn2/1pb1N3/2P5/1PQ3R1/PB2qPPP/3R2K1 w - - 0 1"]

*
"#;

/// A folder of its own for each test, with the games in it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("puzzles-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("games.pgn"), GAMES).expect("a file");
    folder
}

fn puzzles(folder: &Path, arguments: &[&str]) -> Output {
    Process::new(env!("CARGO_BIN_EXE_cassius"))
        .args(["puzzles", "games.pgn", "--hash", "4"])
        .args(arguments)
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .output()
        .expect("a run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_puzzle_is_found_told_and_put_on_a_page() {
    let folder = folder("found");
    let files = ["--epd", "p.epd", "--html", "p.html"];
    let output = puzzles(&folder, &[&["--nodes", "10000"][..], &files].concat());
    assert_eq!(output.status.code(), Some(1), "a game is malformed");
    let errors = text(&output.stderr);
    assert!(
        errors.contains("games.pgn: line 8, game 2, move 1 of White"),
        "{errors}"
    );
    let count = "\n1 malformed item skipped, whole or in part\n";
    assert!(errors.ends_with(count), "{errors}");
    let epd = std::fs::read_to_string(folder.join("p.epd")).expect("a file");
    let found = epd.lines().count();
    assert!(found > 0, "{errors}");
    assert!(errors.contains(&format!("{found} puzzle")), "{errors}");
    let page = std::fs::read_to_string(folder.join("p.html")).expect("a page");
    assert_eq!(page.matches("\"grade\":").count(), found);
    assert!(!page.contains("A <b>"));
    // The same printed, and the same every time.
    let again = puzzles(&folder, &["--nodes", "10000"]);
    assert_eq!(text(&again.stdout), epd);
    // Whoever reads suites can read these.
    for line in epd.lines() {
        assert!(
            line.contains(" bm ") && line.contains("; id \"game "),
            "{line}"
        );
        assert!(
            line.contains("; c0 \"grade ") && line.contains("; c2 \"alpha-beta "),
            "{line}"
        );
    }
    // Files that are there are left alone.
    let output = puzzles(&folder, &[&["--nodes", "10"][..], &files].concat());
    assert!(
        text(&output.stderr).contains("already exists"),
        "{output:?}"
    );
}

#[test]
fn a_file_without_games_is_an_error() {
    let folder = folder("none");
    for games in ["", "no games here\n"] {
        std::fs::write(folder.join("games.pgn"), games).expect("a file");
        let output = puzzles(&folder, &["--epd", "p.epd"]);
        assert_eq!(output.status.code(), Some(1));
        let told = "cassius: games.pgn: there is no game in this file\n";
        assert_eq!(text(&output.stderr), told);
        assert!(!folder.join("p.epd").exists());
    }
}

#[test]
fn terms_that_make_no_sense_are_refused() {
    let folder = folder("terms");
    for gap in ["0", "-1", "2", "x"] {
        let output = puzzles(&folder, &["--gap", gap]);
        assert_eq!(output.status.code(), Some(2), "{gap}");
    }
    let output = puzzles(&folder, &["--nodes", "10", "--epd", "games.pgn"]);
    assert!(text(&output.stderr).contains("given twice"), "{output:?}");
}

/// What the browser is asked to do with the page: a wrong move, the right one, the next puzzle by key, its answer.
const VISIT: &str = r#"<script>
addEventListener("load", () => {
  const notes = [];
  const puzzles = JSON.parse(document.querySelector(".data").textContent);
  const answer = document.querySelector(".answer");
  const press = (key) => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  const play = (move) => {
    for (const square of [move.slice(0, 2), move.slice(2, 4)]) document.querySelector(`[data-square="${square}"]`).click();
    if (move[4]) [...document.querySelectorAll(".choice button")].at("qrbn".indexOf(move[4])).click();
  };
  const { best, legal } = puzzles[0];
  play(legal.split(" ").find((move) => move.length === 4 && !best.startsWith(move.slice(0, 4))));
  notes.push(answer.className);
  play(best);
  notes.push(answer.className, answer.textContent.includes(puzzles[0].line));
  press("n");
  press("s");
  notes.push(answer.textContent.startsWith(puzzles[1 % puzzles.length].san));
  press("ArrowUp");
  notes.push(document.activeElement.dataset.square.length);
  notes.push(document.documentElement.scrollWidth > innerWidth, document.querySelectorAll("[data-square]").length);
  document.body.dataset.notes = notes.join("; ");
});
</script>"#;

#[test]
fn in_a_browser_puzzles_can_be_solved() {
    let Some(chromium) = chromium() else { return };
    let folder = folder("browser");
    let output = puzzles(&folder, &["--nodes", "10000", "--html", "p.html"]);
    let found = text(&output.stdout).lines().count();
    assert!(found > 0, "{output:?}");
    let page = std::fs::read_to_string(folder.join("p.html")).expect("a page");
    let page = page.replacen("<main>", &format!("{VISIT}<main>"), 1);
    std::fs::write(folder.join("visit.html"), page).expect("a file");
    for width in ["390", "1280"] {
        let dom = Process::new(&chromium)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
            .arg(format!("--window-size={width},900"))
            .arg(format!("file://{}", folder.join("visit.html").display()))
            .output()
            .expect("a browser");
        let dom = text(&dom.stdout);
        let (_, notes) = dom.split_once("data-notes=\"").expect("notes");
        let (notes, _) = notes.split_once('"').expect("an end");
        let expected = "answer wrong; answer right; true; true; 2; false; 64";
        assert_eq!(notes, expected, "{width} wide");
    }
}
