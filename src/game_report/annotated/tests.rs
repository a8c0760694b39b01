//! Remarks in the text of a game: where they stand, and what becomes of those that are there.

use super::lines::Lines;
use super::splice::{Part, annotator, edits};
use crate::game_report::fixtures::{header, row, with_costs};
use crate::game_report::record::Game;
use crate::game_report::run::info;
use crate::games::chess::notation::to_fen;
use crate::games::chess::pgn::{Games, PgnGame};

/// A text with remarks on its moves, by the best moves and the values of its positions.
fn remarked(text: &str, best: &[&str], values: &[i32]) -> String {
    let games: Vec<PgnGame> = Games::new(text.as_bytes()).map(Result::unwrap).collect();
    let pgn = &games[0];
    let mut position = pgn.start.clone();
    let rows = values.iter().enumerate().map(|(ply, &cp)| {
        let word = pgn.layout.moves.get(ply).map(|it| &it.word);
        let played = word.map(|it| &text[it.start as usize..it.end as usize]);
        let mut row = row(ply, played, best[ply], cp);
        row.fen = to_fen(&position);
        if let Some(&m) = pgn.moves.get(ply) {
            position.play_legal(m);
        }
        row
    });
    let game = Game {
        info: info(pgn),
        rows: with_costs(rows.collect()),
    };
    let bytes = text.as_bytes();
    let mut lines = Lines::new(bytes);
    let annotator = annotator(&header("depth-first", 500));
    let part = Part { begin: 0, bytes };
    lines.change(edits(pgn, &game, &annotator, part));
    let lines = std::iter::from_fn(|| lines.next(u64::MAX).unwrap());
    String::from_utf8(lines.flatten().collect()).unwrap()
}

#[test]
fn remarks_stand_where_readers_look_for_them() {
    let text = "[White \"A\"]\n\n1. e4 $14 {best [%clk 0:10]} e5 2. f4 ; bold\nd5 (2... exf4) *\n";
    let best = ["e4", "e5", "Nf3", "exf4", "Nf3"];
    let edited = remarked(text, &best, &[30, 30, 30, -60, 300]);
    let expected = "\
[White \"A\"]
[Annotator \"Cassius 1, depth-first, 500 nodes a position\"]

1. e4 $14 {[%eval 0.30] best [%clk 0:10]} 1... e5 {[%eval 0.30]} 2. f4 $2
{[%eval -0.60] [%cassius 2] f4 costs 0.12 points. 2. Nf3 is worth +0.30.
[%cassius end]} ; bold
(2. Nf3 {[%eval 0.30] [%cassius line]})
2... d5 $4 {[%eval 3.00] [%cassius 4] d5 costs 0.38 points. 2... exf4 is worth
-0.60. [%cassius end]} (2... exf4) *
";
    assert_eq!(edited, expected);
    assert_eq!(remarked(&edited, &best, &[30, 30, 30, -60, 300]), expected);
    // Judged otherwise, the remarks go, and what is somebody else's stays.
    let milder = remarked(&edited, &best, &[30, 30, 30, 30, 90]);
    let expected = "\
[White \"A\"]
[Annotator \"Cassius 1, depth-first, 500 nodes a position\"]

1. e4 $14 {[%eval 0.30] best [%clk 0:10]} 1... e5 {[%eval 0.30]} 2. f4
{[%eval 0.30]} ; bold
2... d5 $6 {[%eval 0.90] [%cassius 6] d5 costs 0.07 points. 2... exf4 is worth
+0.30. [%cassius end]} (2... exf4) *
";
    assert_eq!(milder, expected);
}

#[test]
fn only_one_value_is_left_wherever_others_stood() {
    let text = "1. f3 {good} {[%eval 2.50] [%eval 1]} e5 (1... d5) {[%eval 9.99]} 2. a3 *\n";
    let edited = remarked(text, &["f3", "e5", "a3", "e4"], &[30, -60, -60, -60]);
    let expected = "1. f3 {good} {[%eval -0.60] } 1... e5 (1... d5) {[%eval -0.60]} 2. a3\n{[%eval -0.60]} *\n";
    assert_eq!(edited, expected);
    let broken = blamed("1. f3 {and [%eval\n  0.35] f\u{fc}r} *\n", "f3");
    assert_eq!(broken, "1. f3 {and [%eval -2.00] f\u{fc}r} *\n");
}

#[test]
fn a_value_before_the_first_move_is_the_first_position_s() {
    let of = |text: &str| remarked(text, &["f3", "e5", "a3"], &[30, 20, 10]);
    let tags = "[White \"A\"]\n[Annotator \"Me\"]\n\n";
    let moves = "1. f3 {[%eval 0.20]} *\n";
    for (before, expected) in [
        (
            "{ [%eval -4.25] Let us begin. } ",
            "{ [%eval 0.30] Let us begin. } ",
        ),
        (
            "{Now.} {[%eval -4.25] [%eval 1]}\n",
            "{Now.} {[%eval 0.30] }\n",
        ),
        ("{[%eval\n-4.25]} ", "{[%eval 0.30]} "),
        (
            "{[%eval #3,20]} ; [%eval 1]\n",
            "{[%eval 0.30]} ; [%eval 1]\n",
        ),
        ("{Let us begin.} ", "{Let us begin.} "),
    ] {
        for tags in [tags, ""] {
            let text = [tags, before, "1. f3 *\n"].concat();
            let expected = [tags, expected, moves].concat();
            assert_eq!(of(&text), expected, "{text}");
            assert_eq!(of(&expected), expected);
        }
    }
}

#[test]
fn what_is_there_already_is_kept_or_replaced() {
    let text = "[Annotator \"Me\"]\r\n\r\n1. f3?! {[%eval 0.99] mine} {more} 1... e5 {} 2. g4?? Qh4# 0-1\r\n";
    let best = ["e4", "e5", "e4", "Qh4#"];
    let edited = remarked(text, &best, &[30, -60, -60, -3_000]);
    let expected = "[Annotator \"Me\"]\r\n\r\n1. f3?! {[%eval -0.60] mine}\r\n\
            {[%cassius 0] f3?! costs 0.12 points. 1. e4 is worth +0.30. [%cassius end]}\r\n\
            {more}\r\n(1. e4 {[%eval 0.30] [%cassius line]}) 1... e5 {[%eval -0.60]} 2. g4??\r\n\
            {[%eval -30.00] [%cassius 0] g4?? costs 0.42 points. 2. e4 is worth -0.60.\r\n\
            [%cassius end]}\r\n(2. e4 {[%eval -0.60] [%cassius line]}) 2... Qh4# 0-1\r\n";
    assert_eq!(edited, expected);
}

/// A text with remarks, in which White's first move is a blunder unless it is `best`.
fn blamed(text: &str, best: &str) -> String {
    remarked(text, &[best, "e5"], &[30, -200])
}

/// The reader skips lines in brackets among the moves: what follows one must not join it.
#[test]
fn a_line_that_goes_takes_no_move_with_it() {
    let text = "1. f3\n[Diagram \"#\"]\n(1. e4 {[%cassius line]}) e5 *\n";
    let edited = blamed(text, "f3");
    assert!(!edited.contains("1. e4"), "{edited}");
    let game = Games::new(edited.as_bytes()).next().unwrap().unwrap();
    assert_eq!(game.moves.len(), 2, "{edited}");
}

#[test]
fn what_others_add_to_remarks_is_kept() {
    let fresh = blamed("1. f3 *\n", "e4");
    let expected = "1. f3 $4 {[%eval -2.00] [%cassius 4] f3 costs 0.26 points. 1. e4 is worth +0.30.\n\
            [%cassius end]}\n(1. e4 {[%eval 0.30] [%cassius line]}) *\n";
    assert_eq!(fresh, expected);
    // Other programs join comments, break lines and put blanks in; people write before and behind.
    for text in [
        "1. f3 $4 { [%eval -2.00] why? [%cassius 4] so it\ncosts [%cassius\nend] I see } ( 1. e4 { [%eval 0.30]\n[%cassius line] } ) *\n",
        "1. f3 $4 {[%eval -2.00] why? [%cassius 4] so [%clk 0:01] I see} (1. e4 {[%cassius line]}) *\n",
        "1. f3 $4 {[%eval -2.00] why?} {[%cassius 4] so [%cassius end]} {[%cassius 0] so [%cassius end] I see} (1. e4 {[%cassius line]}) (1. e4 {[%cassius line]}) *\n",
    ] {
        let edited = blamed(text, "e4");
        for part in ["why?", "I see", "$4"] {
            assert_eq!(edited.matches(part).count(), 1, "{edited}");
        }
        assert_eq!(edited.matches("costs 0.26").count(), 1, "{edited}");
        assert_eq!(edited.matches(" 1. e4").count(), 1, "{edited}");
        assert_eq!(edited.matches("1. e4").count(), 2, "{edited}");
        assert_eq!(edited.contains("[%clk 0:01]"), text.contains("[%clk 0:01]"));
        assert_eq!(blamed(&edited, "e4"), edited);
        let praised = blamed(&edited, "f3");
        assert!(
            praised.contains("why?") && praised.contains("I see"),
            "{praised}"
        );
        assert!(
            !praised.contains("cassius") && !praised.contains('$'),
            "{praised}"
        );
    }
    // A line that somebody has added something to is his.
    for line in [
        "(1. e4 $1 {[%eval 0.30] [%cassius line]})",
        "(1. e4 {[%eval 0.30] [%cassius line] good})",
        "(1. e4 (1. d4) {[%eval 0.30] [%cassius line]})",
        "(1. e4 {[%eval 0.30] [%cassius line]} e5)",
    ] {
        let text = fresh.replace("(1. e4 {[%eval 0.30] [%cassius line]})", line);
        assert_eq!(blamed(&text, "e4"), text);
        assert!(blamed(&text, "f3").contains(line));
        assert!(blamed(&text, "d4").contains(&format!("{line}\n(1. d4 {{")));
    }
}

#[test]
fn a_remark_joins_a_value_that_stands_alone() {
    let praised = blamed("1. f3 *\n", "f3");
    assert_eq!(praised, "1. f3 {[%eval -2.00]} *\n");
    assert_eq!(blamed(&praised, "e4"), blamed("1. f3 *\n", "e4"));
}

#[test]
fn glyphs_of_others_are_kept() {
    let fresh = blamed("1. f3 *\n", "e4");
    let other = fresh.replace("$4", "$1");
    assert_eq!(
        blamed(&other, "e4"),
        other.replace("[%cassius 4]", "[%cassius 0]")
    );
    assert!(blamed(&other, "f3").starts_with("1. f3 $1 {[%eval -2.00]} *"));
    let none = fresh.replace(" $4", "");
    assert_eq!(blamed(&none, "e4"), fresh);
    let both = fresh.replace("$4", "$4 $14 $5");
    assert!(blamed(&both, "e4").starts_with("1. f3 $14 $5 {[%eval -2.00] [%cassius 0]"));
}

#[test]
fn words_without_marks_are_somebody_else_s() {
    for text in [
        "1. f3 $6 {[%eval -2.00] f3 costs 0.20 points. 1. e4 is worth +0.30.} *\n",
        "1. f3 {[%eval -2.00] f3 costs a point.} (1. e4 {[%eval 0.30]}) *\n",
    ] {
        assert_eq!(blamed(text, "f3"), text);
    }
}

#[test]
fn what_goes_takes_no_line_with_it() {
    let line = "(1. e4 {[%cassius line]})";
    for (behind, left) in [
        (format!(" ; hm\n{line}\n{line} e5"), " ; hm\ne5"),
        (format!(" ; hm\n{line}\n\n{line}\ne5"), " ; hm\ne5"),
        (format!("\n% hm\n{line} e5"), "\n% hm\ne5"),
        (format!("\n{line}\ne5"), "\ne5"),
        (format!(" {{[%cassius 0] x}}\n{line} {{hm}} e5"), " {hm} e5"),
    ] {
        let text = format!("1. f3{behind} *\n");
        let rows = remarked(&text, &["f3", "e5", "e4"], &[30, 30, 30]);
        let rows = rows
            .replace(" {[%eval 0.30]}", "")
            .replace("[%eval 0.30] ", "");
        let expected = format!("1. f3{left} *\n").replace("e5", "1... e5");
        assert_eq!(rows, expected, "{text}");
    }
}

#[test]
fn lines_that_begin_like_the_better_one_stand_for_it() {
    for there in [
        "(1.e4 e5 2.Nf3)",
        "(1. d4) (1. e2-e4! {good} (1. c4) 1... e5)",
        "(1. e4)",
    ] {
        let text = format!("1. f3 {there} *\n");
        assert!(!blamed(&text, "e4").contains("line]"));
        assert!(blamed(&text, "g3").contains("\n(1. g3 {[%eval 0.30] [%cassius line]}) *"));
    }
}

#[test]
fn only_the_tag_of_cassius_is_replaced() {
    for (annotator, is_ours) in [
        ("Cassius 0.9, best-first, 20 nodes a position", true),
        ("Cassius Clay", false),
        ("Cassius 0.9, best-first, 20 nodes a position and Me", false),
    ] {
        let text = format!("[Annotator \"{annotator}\"]\n[White \"A\"]\n\n1. f3 *\n");
        let edited = blamed(&text, "f3");
        let ours = "[Annotator \"Cassius 1, depth-first, 500 nodes a position\"]\n[White";
        assert_eq!(edited.starts_with(ours), is_ours);
        assert_eq!(edited.contains(annotator), !is_ours);
        assert_eq!(edited.matches("Annotator").count(), 1);
    }
    // A blank one stays, and ours beside it is replaced.
    let edited = blamed("[Annotator \"?\"]\n\n1. f3 *\n", "f3");
    assert_eq!(edited.matches("Annotator").count(), 2);
    assert_eq!(blamed(&edited, "f3"), edited);
}

#[test]
fn blanks_that_are_not_ascii_end_a_glyph() {
    let edited = blamed("1. f3\u{a0}{hm} *\n", "e4");
    for edited in [&edited, &blamed(&edited, "e4")] {
        assert_eq!(edited.matches("$4").count(), 1, "{edited}");
    }
    let marked = blamed("1. f3 $2\u{a0}{hm} *\n", "e4");
    assert!(!marked.contains("$4"), "{marked}");
}

#[test]
fn what_goes_on_to_the_end_of_a_line_is_never_broken() {
    let rest =
        "; on time here, and the rest of the game is not known to us, but it went on with 3. d4 d5";
    let moves = |text: &str| -> Vec<_> {
        let games = Games::new(text.as_bytes());
        games.map(|it| it.unwrap().moves).collect()
    };
    for (text, whole) in [
        ("1. f3 e5 2. a3 1-0 REST\n", "REST"),
        ("[Result \"1-0\"] REST\n\n1. f3 e5 1-0\n", "REST"),
        ("1. f3 e5 2. Ke4 REST\n*\n", "REST"),
        ("1. f3 e5 2. REST\na3 *\n", "REST"),
        ("1. f3 (1. d4 REST\n) e5 REST\n*\n", "REST"),
        ("1. f3 e5\n%REST\n2. a3 {[%cassius 0] x} *\n", "%REST"),
        ("1. f3 e5 *  [A \"REST\"]\n1. e4 *\n", "REST"),
        ("[ A \"REST\" ] 1. f3 e5 *\n", "REST"),
        ("1. f3 e5 * [%REST ] 1. e4 *\n", "[%REST"),
    ] {
        let [text, whole] = [text, whole].map(|it| it.replace("REST", rest));
        for text in [text.clone(), text.replace('\n', "\r")] {
            let edited = remarked(&text, &["e4", "e5", "a3", "e4"], &[30, -200, 30, 30]);
            assert!(
                edited.contains("costs") && edited.contains(&whole),
                "{edited}"
            );
            assert_eq!(moves(&edited), moves(&text), "{edited}");
        }
    }
}

#[test]
fn lines_may_end_in_a_carriage_return() {
    let text =
        "[White \"A\"]\n\n1. f3 {good\nand bad} e5 ; so it is\n% and so\n2. a3 *\n\n1. e4 *\n";
    let values = [30, -200, 30, 30];
    let best = ["e4", "e5", "a3", "e4"];
    let expected = remarked(text, &best, &values);
    for newline in ["\r", "\r\n"] {
        let edited = remarked(&text.replace('\n', newline), &best, &values);
        assert_eq!(edited, expected.replace('\n', newline));
        assert_eq!(remarked(&edited, &best, &values), edited);
    }
}

#[test]
fn values_that_are_not_closed_are_left_alone() {
    for comment in [
        "[%eval [%eval 0.39] [%eval 1.",
        "[%eval [%eval 0.39]",
        "[%eval [%clk 0:01] so",
        "[%eval\n[%eval 1]",
        "[%eval\nno end",
    ] {
        let text = format!("1. f3 {{{comment}}} *\n");
        for best in ["f3", "e4"] {
            let edited = blamed(&text, best);
            assert_eq!(blamed(&edited, best), edited, "{text}");
            assert!(edited.contains("%clk 0:01] so") || !comment.contains("clk"));
        }
    }
}

#[test]
fn a_value_leaves_no_blank_at_the_end_of_its_line() {
    let line = format!("{{{}}} 1. f3 {{", "x".repeat(56));
    let edited = blamed(&format!("{line}\nbest }} *\n"), "f3");
    assert_eq!(edited, format!("{line}[%eval -2.00]\nbest }} *\n"));
}
