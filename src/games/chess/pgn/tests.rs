use proptest::prelude::*;

use super::*;
use crate::game::Game as _;
use crate::games::chess::notation::to_fen;

fn games(text: &str) -> Vec<PgnGame> {
    read(text.as_bytes())
}

fn read(bytes: &[u8]) -> Vec<PgnGame> {
    Games::new(bytes).map(Result::unwrap).collect()
}

fn flaw(game: &PgnGame) -> String {
    game.flaw
        .as_ref()
        .map_or_else(String::new, ToString::to_string)
}

/// Checks the number of a game's moves and the beginning of its flaw, as in `2: line 3, game 1`; `4: ` has no flaw.
fn assert_read(game: &PgnGame, expected: &str) {
    let (plies, start) = expected.split_once(": ").unwrap();
    let flaw = flaw(game);
    assert!(flaw.starts_with(start), "{expected}: {flaw}");
    assert_eq!(flaw.is_empty(), start.is_empty(), "{expected}: {flaw}");
    assert_eq!(game.moves.len().to_string(), plies, "{expected}");
}

#[test]
fn tags_moves_comments_and_variations_are_read() {
    let text = "\
% a line for programs
[Event \"A \\\"match\\\"\"]
[White \"?\"]
[Result \"1-0\"]

1. e4 {best [%clk 0:10]
[%eval 0.3]} e5 (1... c5 2. Nf3 (2. c3 d5)) 2. Nf3!? $14 N Nc6
; a remark with Xyz
3.Bb5 a6 4. 0-0 +- Nf6 1-0

1. d4 d5 1/2-1/2
";
    let games = games(text);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].flaw, None);
    assert_eq!(games[0].moves.len(), 8);
    assert_eq!(games[0].tag("Event"), Some("A \"match\""));
    assert_eq!(games[0].tag("White"), None);
    assert_eq!(games[0].result, "1-0");
    assert_eq!((games[1].moves.len(), games[1].number), (2, 2));
    assert_eq!(games[1].result, "1/2-1/2");
}

#[test]
fn each_flaw_is_named_with_game_and_move_and_spoils_no_other_game() {
    let text = "\
[Event \"1: illegal\"]

1. e4 e5 2. Nf4 Nc6 *

[Event \"2: no word of ours\"]

1. e4 Xe5 2. Nf3 *

[Event \"3: a comment without end\"]

1. e4 e5 { and so on 2. Nf3

[Event \"4: FEN\"]
[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]

1. e4 *

[Event \"5: from move 30, Black first\"]
[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]

30... Kd7 31. e4 Ke9 *

[Event \"6: variant\"]
[Variant \"Crazyhouse\"]

1. e4 *

[Event \"7: the last word\"]

1. e4 e5 2. Nf3 Nxx9 1-0

[Event \"8: sound\"]

1. e4 e5 2. Nf3 Nc6 *
";
    let games = games(text);
    // The moves of each game, and its flaw.
    let expected = [
        "2: line 3, game 1, move 2 of White: 'Nf4' is not legal",
        "1: line 7, game 2, move 1 of Black: 'Xe5' is not a move",
        "2: line 11, game 3, move 2 of White: the comment '{' is not closed",
        "0: line 14, game 4, tags: '8/8/8/8/8/8/8/8 w - - 0 1' is not a legal position",
        "2: line 21, game 5, move 31 of Black: 'Ke9' is not a move",
        "0: line 24, game 6, tags: the variant 'Crazyhouse' is not chess",
        "3: line 30, game 7, move 2 of Black: 'Nxx9' is not a move",
        "4: ",
    ];
    assert_eq!(games.len(), expected.len());
    for (game, expected) in games.iter().zip(expected) {
        assert_read(game, expected);
    }
}

#[test]
fn nothing_and_prose_are_no_games() {
    for text in [
        "",
        "\n\n{nothing}\n\n",
        "{at first 1. e4",
        "1. Introduction, by A. Author\n",
        "It must be said; he made a [very \"good\" move].\n",
    ] {
        assert!(games(text).is_empty(), "{text}");
    }
}

#[test]
fn a_game_is_read_up_to_its_flaw() {
    // A game in one line or several, its moves, and its flaw.
    for case in [
        "1. e4 (1. d4 d5 e5 1-0 => 1: line 1, move 1 of Black: the variation '(' is not closed",
        "1. e4\n(1. d4 (1. c4) d5\ne5 1-0\n => 1: line 2, move 1 of Black: the variation '('",
        "1. e4 e5 (1... c5 {x) 2. Nf3 1-0 => 2: line 1, move 2 of White: the comment '{'",
        "[Event \"x\"]\n\n{at first 1. e4 => 0: line 3, move 1 of White: the comment",
        "1. e4 ) e5 1-0 => 1: line 1, move 1 of Black: ')' closes nothing",
        "1. e4 e5 } 2. Nf3 1-0 => 2: line 1, move 2 of White: '}' closes nothing",
        "[Event \"x]\n\n1. e4 1-0 => 1: ",
        "1. e4\n[%clk 1]\n1-0 => 1: line 2, move 1 of Black: '[%clk 1]' is no tag",
        "1. e4\0 e5 1-0 => 0: line 1, move 1 of White: a NUL byte",
        "1. e4\n\0\0\n => 1: line 2, move 1 of Black: a NUL byte",
        "1. e4 e5 2. ♘f9 Nc6 1-0 => 2: line 1, move 2 of White: '♘f9' is not a move",
        "1. e4 e5 2. ♘f3 Nc6 1-0 => 4: ",
        "1. e4 (1. d4 1-0) (1. c4 *) e5 1-0 => 2: ",
        "1. e4 -- 1-0 => 2: ",
        "1. e4 f6 2. Qh5 -- 1-0 => 3: line 1, move 2 of Black: '--' is not legal",
        "1. e9, e5, 2. Nf3 *\n => 0: line 1, move 1 of White",
        "1. e4, e5, 2. Nf3 *\n => 3: ",
        // Old notations.
        "1. e2-e4 d7-d5 2. e4xd5 Ng8-f6 3. g1f3 Nxd5 4. Bf1-c4+- e7e5 5. e1g1 b7-b5 * => 10: ",
        "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8Q *\n => 1: ",
    ] {
        let (text, expected) = case.split_once(" => ").unwrap();
        let games = games(text);
        assert_eq!(games.len(), 1, "{text}: {games:?}");
        assert_read(&games[0], &expected.replace(", move", ", game 1, move"));
    }
    let unclosed = &games("1. e4 (1. d4 d5 e5 1-0")[0];
    assert_eq!(unclosed.result, "1-0", "it can be told nevertheless");
}

proptest! {
    /// Whatever precedes it, a game with tags is read; and what has been read can be played.
    #[test]
    fn nothing_takes_another_game_with_it(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "1. e4", "e5", "2. Nf3", "Nc6", "Ke2", "{", "}", "(", ")", ";", "%", "[", "]", "\"", "\\", "1-0", "*",
                "$1", "Xyz", "\n", "\n\n", " ", "\0", "\u{e9}", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]", "[A \"b\"]",
            ]),
            0..60,
        ),
    ) {
        let text = pieces.concat() + "\n[Event \"last\"]\n[Event \"last\"]\n\n1. d4 d5 1-0\n";
        let games = games(&text);
        let lines = text.lines().count();
        for (number, game) in (1..).zip(&games) {
            prop_assert_eq!(game.number, number);
            prop_assert!(game.flaw.as_ref().is_none_or(|flaw| (1..=lines).contains(&flaw.line)));
            let mut position = game.start.clone();
            for &m in &game.moves {
                prop_assert!(position.legal_moves().contains(&m));
                position.play(m);
            }
        }
        prop_assert_eq!(games.last().map(|game| game.result), Some("1-0"));
    }
}

/// The text in a range of bytes.
fn at(text: &[u8], range: &std::ops::Range<u64>) -> String {
    let bytes = &text[range.start as usize..range.end as usize];
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

#[test]
fn it_is_told_where_moves_and_comments_stand() {
    let text = b"\xef\xbb\xbf[Event \"A\"]\r
[White \"M\xfcller\"] [Black \"B\"]\r
\r
1. e4 $14 {f\xfcr [%eval 0.25] [%clk 0:10]} (1. d4 {no} d5) 1...e5?! ; a line\r
2.Nf3 {of
two lines} {and another} Nc6 (2... d6) {behind} 3. Bb5 a6 N 1-0 1. d4 *\r
between\r
";
    let games = read(text);
    assert_eq!(games.len(), 2);
    // Text that is not UTF-8 is Windows-1252.
    assert_eq!(games[0].tag("White"), Some("M\u{fc}ller"));
    let layout = &games[0].layout;
    let spots = &layout.moves;
    let words: Vec<String> = spots.iter().map(|spot| at(text, &spot.word)).collect();
    assert_eq!(words, ["e4", "1...e5?!", "2.Nf3", "Nc6", "Bb5", "a6"]);
    let numbered: Vec<bool> = spots.iter().map(|spot| spot.is_numbered).collect();
    assert_eq!(numbered, [true, true, true, false, true, false]);
    let belonging = |spot: usize| at(text, &(spots[spot].word.end..spots[spot].end));
    let first = " $14 {f\u{fc}r [%eval 0.25] [%clk 0:10]} (1. d4 {no} d5)";
    assert_eq!(belonging(0), first);
    assert_eq!(belonging(1), " ; a line");
    assert_eq!(belonging(2), " {of\ntwo lines} {and another}");
    assert_eq!(belonging(3), " (2... d6) {behind}");
    assert_eq!([belonging(4), belonging(5)], ["", " N"]);
    let end = layout.tags_end.unwrap();
    assert!(at(text, &(0..end)).ends_with("[Black \"B\"]"));
    assert!(at(text, &(0..layout.end)).ends_with("a6 N 1-0"));
    assert!(at(text, &(layout.end..games[1].layout.end)).ends_with("1. d4 *\r\n"));
}

#[test]
fn joined_files_keep_their_tags_and_nothing_commands_a_terminal() {
    let text =
        "\u{feff}[Event \"one\"]\n\n1. e4 *\n\n\u{feff}[Event \"two\u{1b}[31m\"]\n\n1. d4 *\n";
    let games = games(text);
    let event = |game: usize| games[game].tags[0].1.as_str();
    assert_eq!((event(0), event(1)), ("one", "two [31m"));
}

#[test]
fn lines_may_break_within_what_a_comment_tells() {
    let games = games("1. e4 {[%clk\r\n1:19:46] [%emt\n0:02]\nand so} *");
    let spot = &games[0].layout.moves[0];
    assert_eq!(spot.clock.map(|it| it.ms), Some(4_786_000));
    assert_eq!(spot.elapsed.map(|it| it.ms), Some(2_000));
}

#[test]
fn a_game_may_begin_behind_the_result_of_another() {
    let text = "[White \"A\"] 1. e4 e5 1-0 [White \"B\"] [SetUp \"1\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] 1. e4 *";
    let games = games(text);
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|it| it.flaw.is_none()));
    assert_eq!(games[1].tag("White"), Some("B"));
    assert!(to_fen(&games[1].start).starts_with("4k3/8/8/8/8/8/4P3/4K3 w"));
    assert_eq!(games[1].moves.len(), 1);
}

#[test]
fn behind_a_flaw_nothing_is_located() {
    let text = b"1. e4 e5 2. Ke4 d5 {c} (2... d6) *\n\n1. e4 (1. d4 d5 2. c4 *\n\n1. d4 {open";
    let games = read(text);
    let counts: Vec<usize> = games.iter().map(|it| it.layout.moves.len()).collect();
    assert_eq!(counts, [2, 1, 1]);
    for game in &games {
        assert_eq!(game.moves.len(), game.layout.moves.len());
        for spot in &game.layout.moves {
            assert_eq!(spot.end, spot.word.end);
        }
    }
}

#[test]
fn a_game_ends_where_the_next_one_begins() {
    let text = "\
Letters and [Name of something] before the first game
1. e4 (1. d4 1-0

1. c4 { and ( so } c5 1-0 1. d4 d5
0-1
[Event \"tags alone\"]

[Event \"tags on one line\"] [Result \"0-1\"] 1. f4

[Event \"a comment\"]

1. g4 {
[Event \"a result is missing\"]

1. h4
[Event \"\"]
";
    let found: Vec<(usize, &str, bool)> = games(text)
        .iter()
        .map(|game| (game.moves.len(), game.result, game.flaw.is_some()))
        .collect();
    let expected = [
        (1, "1-0", true),
        (2, "1-0", false),
        (2, "0-1", false),
        (0, "*", false),
        (1, "0-1", false),
        (1, "*", true),
        (1, "*", false),
        (0, "*", false),
    ];
    assert_eq!(found, expected);
}

/// Nine MiB of a piece of text, more than a game may have.
fn too_much_of(piece: &str) -> String {
    piece.repeat((9 << 20) / piece.len())
}

#[test]
fn a_game_may_be_so_long_and_no_longer() {
    let shuffle = "1. Nf3 Nf6 2. Ng1 Ng8\n";
    for (piece, expected) in [
        (shuffle, "more than 10,000 moves"),
        ("{ chatter }\n", "more than 4 MiB"),
        ("{chatter ", "more than 4 MiB"),
        ("e4", "more than 4 MiB"),
        ("( ", "more than 4 MiB"),
    ] {
        let long = too_much_of(piece);
        let text = format!("[Event \"long\"]\n\n{long}\n[Event \"next\"]\n\n1. e4 1-0\n");
        let games = games(&text);
        assert_eq!(games.len(), 2, "{piece}");
        assert!(
            flaw(&games[0]).contains(expected),
            "{piece}: {}",
            flaw(&games[0])
        );
        assert!(games[0].moves.len() <= 20_000);
        assert_eq!(games[1].flaw, None);
        assert_eq!(games[1].moves.len(), 1);
    }
}

#[test]
fn tags_take_no_more_memory_than_a_game_may() {
    let text = too_much_of("[A \"b\"]\n");
    let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
    assert!(flaw(&game).contains("more than 4 MiB"), "{}", flaw(&game));
    // Four MiB of lines of seven characters, without their ends.
    assert!(game.tags.len() <= 600_000, "{}", game.tags.len());
}

#[test]
fn a_move_number_may_be_as_large_as_it_likes() {
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 4294967295\"]\n\n1. e4 Kd7 2. Ke8 *\n";
    let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
    assert!(flaw(&game).contains("4294967295"), "{}", flaw(&game));
}

#[test]
fn games_are_read_as_they_are_asked_for() {
    let mut text = std::io::Cursor::new(too_much_of("1. e4 e5 1-0\n"));
    let mut games = Games::new(&mut text);
    for number in 1..=1_000 {
        let game = games.next().unwrap().unwrap();
        assert_eq!((game.number, game.moves.len()), (number, 2));
        assert_eq!(game.layout.end, 13 * number as u64);
    }
    drop(games);
    assert!(text.position() <= 13 * 1_001, "at most one line ahead");
}
