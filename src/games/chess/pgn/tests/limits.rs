//! Long and endless games, and where games end.

use super::*;

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
