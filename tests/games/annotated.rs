//! `cassius analyze GAMES.pgn --pgn FILE` as its users see it: nothing of the games is lost, and remarks are added.

use super::cut_short;
use crate::common::{Folder, Has, Said};

/// Bad moves, comments of every kind, a variation, clocks, a game with a fault, Chess960, Windows-1252, and a remark between.
const GAMES: &[u8] = b"\
[Event \"Caf\xe9\"]\r
[White \"A \\\"B\\\"\"]\r
[Black \"C\"]\r
[Result \"0-1\"]\r
\r
{Before} 1. e4 $14 {[%clk 0:03:00] first} e5 ; a line\r
2. Qh5 {[%eval 0.10] old} (2. Nf3 {main} Nc6 (2... d6 {deep})) 2... Nc6\r
{[%clk 0:02:55]} 3. Qxf7+?? Kxf7 {caf\xe9} 4. f3 0-1\r
\r
between the games\r
\r
[Event \"Faulty\"]\r
[Result \"*\"]\r
\r
1. e4 e5 2. Ke4 {never} d5 *\r
\r
[Event \"Cannot begin\"]\r
[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\r
[Result \"*\"]\r
\r
1. e4 *\r
\r
[Event \"960\"]\r
[Variant \"Chess960\"]\r
[SetUp \"1\"]\r
[FEN \"nrk1rbbq/pppppppp/8/8/8/8/PPPPPPPP/NRK1RBBQ w KQkq - 0 1\"]\r
[Annotator \"Me\"]\r
[Result \"*\"]\r
\r
1. O-O-O O-O-O 2. e4 f5 3. exf5 g5 *\r
\r
behind the games\r
";

/// A folder of a test's own with the games in it.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("annotated-{name}"));
    folder.write("games.pgn", GAMES);
    folder
}

fn analyze(folder: &Folder, options: &str) -> Said {
    folder.run(&format!("analyze games.pgn --hash 4 {options}"))
}

/// Bytes as text, whatever their encoding.
fn text(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// Whether the characters of `part` stand in `whole` in the same order.
fn is_within(part: &str, whole: &str) -> bool {
    let mut whole = whole.chars();
    part.chars().all(|c| whole.any(|it| it == c))
}

#[test]
fn games_are_written_again_with_remarks() {
    let folder = folder("remarks");
    let said = analyze(&folder, "--nodes 2000 --pgn out.pgn");
    assert_eq!(said.code, Some(1), "two games are malformed");
    let out = folder.bytes("out.pgn");
    // Except for the value that is replaced not a byte is missing; only line breaks are elsewhere.
    let expected = text(GAMES).replace("[%eval 0.10]", "[%eval ");
    let out = text(&out);
    let letters = |text: &str| text.replace(|c: char| c.is_ascii_whitespace(), "");
    assert!(is_within(&letters(&expected), &letters(&out)), "{out}");
    assert!(out.lines().all(|line| line.len() <= 80), "{out}");
    assert_eq!(out.matches('\n').count(), out.matches("\r\n").count());
    out.has(", depth-first, 2000 nodes a position\"]\r\n");
    let annotators = out.matches("[Annotator").count();
    assert_eq!(annotators, 3, "two of ours, one there");
    // A game with a fault stays as it was behind the fault; one that cannot begin stays so altogether.
    out.has(" 2. Ke4 {never} d5 *\r\n");
    out.has("w - - 0 1\"]\r\n[Result \"*\"]\r\n\r\n1. e4 *\r\n");
    assert!(out.ends_with("behind the games\r\n"), "{out}");
    out.has("\r\n(3. ");
    let said = words(&out);
    assert!(!said.contains("0.10] old"), "{out}");
    // White loses the queen: the move was marked before, the sentence and the better line are new.
    said.has_all([
        "3. Qxf7+?? {[%eval -",
        "[%cassius 0] Qxf7+ costs 0.",
        "as good",
        "3... Kxf7 {[%eval -",
        " O-O-O $6 {[%eval ",
    ]);
}

/// A text in which one blank stands for all that separate words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Annotates games, then annotates the result; returns both texts.
fn twice(name: &str, games: &[u8], nodes: [u32; 2]) -> [String; 2] {
    let folder = folder(name);
    folder.write("games.pgn", games);
    analyze(&folder, &format!("--nodes {} --pgn once.pgn", nodes[0]));
    let once = folder.bytes("once.pgn");
    folder.write("games.pgn", &once);
    analyze(&folder, &format!("--nodes {} --pgn twice.pgn", nodes[1]));
    [once, folder.bytes("twice.pgn")].map(|it| text(&it))
}

#[test]
fn a_second_run_changes_nothing() {
    // Lines that end in a carriage return, and a comment behind the games.
    let last = b"1. f3 e5 1-0 ; 2. a3 a6 3. h3 h6 4. a4 a5 5. h4 h5 6. b3 b6 7. g3 g6";
    let mut returns = [GAMES, last].concat();
    returns.retain(|&it| it != b'\n');
    for (name, games) in [
        ("same", GAMES),
        ("bare", b"1. f3 e5 2. g4 Qh4# 0-1"),
        ("returns", &returns),
    ] {
        let [once, again] = twice(name, games, [1000, 1000]);
        assert_eq!(again, once);
        once.has("[%cassius line]");
        let mut lines = once.split(['\r', '\n']);
        assert!(lines.all(|line| line.len() <= 80), "{once}");
        let has_newlines = games.contains(&b'\n') || name == "bare";
        assert_eq!(once.contains('\n'), has_newlines);
    }
}

#[test]
fn a_second_run_with_another_limit_is_like_a_first() {
    let games = text(GAMES);
    let first = &games[..games.find("between").expect("a second game")];
    let first: Vec<u8> = first.chars().map(|c| c as u8).collect();
    let [fresh, _] = twice("fresh", &first, [1000, 1]);
    let [_, replaced] = twice("replaced", &first, [30, 1000]);
    assert_eq!(words(&replaced), words(&fresh));
}

#[test]
fn a_killed_run_goes_on_and_the_order_stays() {
    let folder = folder("resume");
    let options = "--nodes 300 --json g.json --pgn g.pgn --jobs 2";
    analyze(&folder, options);
    let json = folder.read("g.json");
    let pgn = folder.bytes("g.pgn");
    assert!(json.contains("\"second_look\":true") && json.contains("\"doubt\":{"));
    let lines = json.lines().count();
    for kept in [1, 4, 9, lines - 1, lines] {
        folder.write("g.json", cut_short(&json, kept));
        folder.write("g.pgn", &pgn[..pgn.len() / 2]);
        analyze(&folder, &format!("{options} --resume")).ended(1);
        assert_eq!(text(&folder.bytes("g.pgn")), text(&pgn), "{kept}");
    }
    // The record does not depend on the other files that are made with it.
    let without = "--nodes 300 --search depth-first --json g.json --resume";
    let errors = analyze(&folder, without).err;
    assert!(!errors.contains("different"), "{errors}");
}

#[test]
fn files_are_left_alone_and_pipes_refused() {
    let folder = folder("files");
    folder.write("there.pgn", "mine");
    analyze(&folder, "--nodes 10 --pgn there.pgn").tells("already exists");
    analyze(&folder, "--nodes 10 --pgn games.pgn").tells("given twice");
    assert_eq!(folder.read("there.pgn"), "mine");
    assert_eq!(folder.bytes("games.pgn"), GAMES);
    folder
        .run("analyze /dev/null --nodes 10 --pgn out.pgn")
        .failed();
    assert!(!folder.join("out.pgn").exists());
}
