//! The pages of `cassius analyze --html-dir` in use: moments solved by keyboard, an index that searches and sorts.

use std::sync::LazyLock;

use crate::common::browser::{Browser, check_notes};
use crate::common::{Folder, Has};

/// A game in which Black does not see a mate, one in which White lets himself be mated, and one with a name to be escaped.
const GAMES: &str = r#"[Event "Club <b>"]
[White "Zoë Ångström"]
[Black "Ben"]
[Date "2026.03.01"]
[Result "1-0"]
[SetUp "1"]
[FEN "1r4k1/5p1p/7Q/8/8/8/5PPP/6K1 b - - 4 30"]

30... f5 31. Qe6+ Kh8 32. Qf6+ Kg8 33. Qxf5 h6 1-0

[White "Carl"]
[Black "Zoe Q."]
[Date "2025.12.24"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "<script>alert(1)</script>"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 1/2-1/2
"#;

/// The pages of these games.
static PAGES: LazyLock<Folder> = LazyLock::new(|| {
    let folder = Folder::new("games-folder");
    folder
        .analyze(GAMES, "--nodes 5000 --html-dir out --json g.json")
        .ended(0);
    folder
});

#[test]
fn a_folder_has_a_page_for_each_game_and_an_index() {
    let index = PAGES.read("out/index.html");
    assert!(index.contains("<title>games.pgn: 3 games</title>"));
    let has_habits = index.contains("class=\"habits\"");
    assert!(!has_habits, "nobody has played twice");
    assert!(!index.contains("<b>") && !index.contains("<script>alert"));
    for number in 1..=3 {
        let name = format!("game-{number}.html");
        assert!(index.contains(&format!("<a href=\"{name}\">")), "{number}");
        let page = PAGES.read(&format!("out/{name}"));
        assert!(page.contains("<a href=\"index.html\">All games</a>"));
        assert!(page.len() < 100_000, "{} bytes", page.len());
    }
    // Existing files are left alone.
    let again = PAGES.analyze(GAMES, "--nodes 1000 --html-dir out");
    again.tells("index.html: already exists");
    // A killed run that is continued makes the same pages.
    let folder = Folder::new("games-half");
    let whole = PAGES.read("g.json");
    let half: String = whole.split_inclusive('\n').take(6).collect();
    folder.write("g.json", half);
    folder.analyze(GAMES, "--nodes 5000 --html-dir out --json g.json --resume");
    for page in ["out/game-2.html", "out/index.html"] {
        assert_eq!(folder.read(page), PAGES.read(page));
    }
}

#[test]
fn a_file_is_no_folder() {
    let folder = Folder::new("games-file");
    folder.write("out", "kept");
    let said = folder.analyze(GAMES, "--nodes 1000 --html-dir out");
    said.failed().tells("out: is not a folder");
    assert_eq!(folder.read("out"), "kept");
}

/// A player who was asked for is shown first; a name that nobody has is reported.
#[test]
fn a_player_s_habits_stand_in_the_index() {
    let folder = Folder::new("games-habits");
    let run = "--nodes 500 --overwrite --html-dir out --player";
    folder.analyze(GAMES, &format!("{run} Carl")).ended(0);
    let index = folder.read("out/index.html");
    index.has("<option>Carl (1 game)</option><option>");
    index.has_all(["<caption>Carl, 1 game</caption>", "won game given away"]);
    let said = folder.analyze(GAMES, &format!("{run} Nobody")).ended(0);
    said.tells("nobody is called 'Nobody'");
}

/// Finds the right square with the arrow keys, like a user who cannot see or has no mouse.
const SOLVE: &str = r#"
const data = JSON.parse(document.querySelector(".data").textContent);
const puzzle = data.moments.at(-1);
const card = document.querySelector(`.moment[data-ply="${puzzle.ply}"]`);
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const walk = (square) => {
  for (let steps = 0; steps < 20 && document.activeElement.dataset.square !== square; steps += 1) {
    const here = document.activeElement.dataset.square;
    const side = puzzle.black ? -1 : 1;
    if (here[0] !== square[0]) press((square.charCodeAt(0) - here.charCodeAt(0)) * side > 0 ? "ArrowRight" : "ArrowLeft");
    else press((Number(square[1]) - Number(here[1])) * side > 0 ? "ArrowUp" : "ArrowDown");
  }
  // Enter on a button is a click.
  document.activeElement.click();
};
const play = (move) => [move.slice(0, 2), move.slice(2, 4)].forEach(walk);
const answer = card.querySelector(".answer");
const before = document.querySelector("tr.now").id;
notes.push(card.querySelector("h4").textContent.includes("Black to move: "));
card.querySelector('.grid [tabindex="0"]').focus();
notes.push(document.querySelectorAll(".moment .grid [role=gridcell]").length / data.moments.length);
play(puzzle.played);
notes.push(answer.className, answer.textContent.includes("In the game"));
notes.push(document.querySelector("tr.now").id === before);
play(puzzle.held[0]);
notes.push(answer.className, answer.textContent.startsWith("Yes."));
notes.push(document.querySelector("tr.now").id === `g1p${puzzle.ply}`);
notes.push(card.querySelector(".still").hidden);
"#;

#[test]
fn in_a_browser_a_moment_is_solved_by_keyboard() {
    let page = PAGES.join("out/game-1.html");
    let expected = "true; 64; answer wrong; true; true; answer right; true; true; true";
    check_notes(&page, SOLVE, &[390, 1280], expected);
}

/// White could promote twice, at once and after Black's mistake, and nothing else held: three moments.
const PROMOTION: &str = r#"[White "A"]
[Black "B"]
[SetUp "1"]
[FEN "8/P6k/8/8/6P1/8/7K/5r2 w - - 0 41"]
[Result "*"]

41. Kg3 Kg6 42. Kh4 Ra1 43. Kg3 Rxa7 *
"#;

/// Opens the choice of pieces, walks in it, leaves it with Escape and with a piece; then asks for an answer.
const PROMOTE: &str = r#"
const { moments } = JSON.parse(document.querySelector(".data").textContent);
const card = document.querySelector(".moment");
const choice = card.querySelector(".choice");
const caption = document.querySelector(".caption");
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const square = () => document.activeElement.dataset.square;
const piece = () => [...choice.children].indexOf(document.activeElement);
const ask = () => {
  for (const square of ["a7", "a8"]) {
    card.querySelector(`[data-square="${square}"]`).focus();
    document.activeElement.click();
  }
};
notes.push(moments[0].ply, caption.textContent === "", document.querySelectorAll(".viewer .played, .viewer .best").length);
ask();
notes.push(piece());
for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowRight"]) {
  press(key);
  notes.push(piece());
}
for (const key of ["End", "Home"]) {
  press(key);
  notes.push(piece());
}
notes.push(document.querySelector("tr.now").id);
press("h");
notes.push(choice.hidden, square(), card.querySelector(".from").dataset.square);
for (const key of ["Home", "End"]) {
  press(key);
  notes.push(square());
}
notes.push(document.querySelector("tr.now").id);
press("Escape");
card.querySelector('[data-do="hint"]').focus();
press("End");
notes.push(document.querySelector("tr.now").id);
ask();
press("Escape");
notes.push(choice.hidden, square());
ask();
choice.querySelector("[aria-label=queen]").focus();
document.activeElement.click();
notes.push(card.querySelector(".answer").textContent.startsWith("Yes."), square());
notes.push(caption.textContent.startsWith("41. Kg3"));
const other = document.querySelectorAll(".moment:has(.solve)")[1];
other.querySelector('[data-do="show"]').focus();
document.activeElement.click();
notes.push(other.querySelector(".grid").contains(document.activeElement));
"#;

#[test]
fn in_a_browser_a_promotion_is_chosen_by_keyboard() {
    let folder = Folder::new("games-promotion");
    folder
        .analyze(PROMOTION, "--nodes 3000 --html-dir out")
        .ended(0);
    let page = folder.join("out/game-1.html");
    let expected = "0; true; 0; 0; 1; 2; 1; 0; 0; 1; 3; 0; g1p0; true; a8; a7; a8; h8; g1p0; g1p0; true; a8; true; a8; true; true";
    // The list of moves is wider than its column.
    check_notes(&page, PROMOTE, &[390, 820, 1280], expected);
}

const SEARCH: &str = r#"
const players = () => [...document.querySelectorAll(".index tbody tr")].filter((row) => !row.hidden).map((row) => row.querySelector("a").textContent.slice(0, 3)).join(" ");
const [input, select, output] = [".search input", ".search select", "output"].map((name) => document.querySelector(name));
const search = (text) => { input.value = text; input.dispatchEvent(new Event("input")); };
const heading = (name) => [...document.querySelectorAll(".index thead th")].find((it) => it.textContent === name);
const sort = (name) => { heading(name).querySelector("button").click(); return heading(name).ariaSort; };
notes.push(players(), output.textContent);
search("zoe");
notes.push(players(), output.textContent);
search("angstrom 2026");
notes.push(players());
search("");
select.value = "0-1";
select.dispatchEvent(new Event("change"));
notes.push(players());
select.value = "";
select.dispatchEvent(new Event("change"));
notes.push(sort("players"), players(), sort("players"), players());
notes.push(sort("moves"), players());
notes.push(sort("date"), players(), heading("moves").ariaSort);
search("nobody");
notes.push(document.querySelector(".none").hidden);
"#;

#[test]
fn in_a_browser_the_index_searches_and_sorts() {
    let expected = "Zoë Car &lt;sc; 3 games; Zoë Car; 2 of 3 games; Zoë; Car; \
        ascending; &lt;sc Car Zoë; descending; Zoë Car &lt;sc; \
        descending; Zoë &lt;sc Car; ascending; &lt;sc Car Zoë; none; false";
    check_notes(
        &PAGES.join("out/index.html"),
        SEARCH,
        &[390, 1280],
        expected,
    );
}

/// A printed page has the boards and their answers.
#[test]
fn in_a_browser_a_page_can_be_printed() {
    let Some(browser) = Browser::find() else {
        return;
    };
    let pdf = PAGES.join("game.pdf");
    let print = format!("--print-to-pdf={}", pdf.display());
    browser.open(&[print], &PAGES.join("out/game-1.html"));
    let pdf = PAGES.bytes("game.pdf");
    let is_whole = pdf.starts_with(b"%PDF") && pdf.len() > 10_000;
    assert!(is_whole, "{}", pdf.len());
}
