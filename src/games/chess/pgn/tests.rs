use super::*;
use crate::games::chess::notation::{is_chess960, to_uci};

fn games(text: &str) -> Vec<PgnGame> {
    read_games(text.as_bytes().to_vec())
}

fn flaw(game: &PgnGame) -> String {
    game.flaw
        .as_ref()
        .map_or_else(String::new, ToString::to_string)
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
    let expected = [
        (2, "game 1, move 2 of White: 'Nf4' is no legal move"),
        (1, "game 2, move 1 of Black: 'Xe5' is not a move"),
        (2, "game 3, move 2 of White: unterminated comment"),
        (
            0,
            "game 4, tags: '8/8/8/8/8/8/8/8 w - - 0 1' is not a legal position",
        ),
        (2, "game 5, move 31 of Black: 'Ke9' is not a move"),
        (0, "game 6, tags: the variant 'Crazyhouse' is not chess"),
        (3, "game 7, move 2 of Black: 'Nxx9' is not a move"),
        (4, ""),
    ];
    assert_eq!(games.len(), expected.len());
    for (game, (plies, start)) in games.iter().zip(expected) {
        assert!(flaw(game).starts_with(start), "{}", flaw(game));
        assert_eq!(game.flaw.is_none(), start.is_empty());
        assert_eq!(game.moves.len(), plies, "{start}");
    }
}

#[test]
fn chess960_games_begin_where_they_say() {
    let text = "\
[Variant \"Chess960\"]
[FEN \"nrk1rbbq/pppppppp/8/8/8/8/PPPPPPPP/NRK1RBBQ w KQkq - 0 1\"]

1. O-O-O *
";
    let games = games(text);
    assert_eq!(games[0].flaw, None);
    assert!(is_chess960(&games[0].start));
    assert_eq!(to_uci(games[0].moves[0], true), "c1b1");
}

#[test]
fn text_that_is_not_utf8_is_latin1() {
    let games = read_games(b"[White \"Gr\xfcnfeld\"]\n\n1. e4 *\n".to_vec());
    assert_eq!(games[0].tag("White"), Some("Gr\u{fc}nfeld"));
}

#[test]
fn nothing_is_no_game() {
    assert!(games("").is_empty());
    assert!(games("\n\n{nothing}\n\n").is_empty());
}
