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

/// A text that repeats one piece and is generated while read.
struct Endless {
    piece: &'static [u8],
    at: usize,
    /// Bytes left.
    left: usize,
}

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(self.left);
        for byte in &mut buffer[..length] {
            *byte = self.piece[self.at % self.piece.len()];
            self.at += 1;
        }
        self.left -= length;
        Ok(length)
    }
}

fn endless(piece: &'static str, length: usize) -> impl std::io::BufRead {
    std::io::BufReader::new(Endless {
        piece: piece.as_bytes(),
        at: 0,
        left: length,
    })
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
        let text = std::io::Read::chain(&b"[Event \"long\"]\n\n"[..], endless(piece, 9 << 20));
        let next = &b"\n[Event \"next\"]\n\n1. e4 1-0\n"[..];
        let games: Vec<PgnGame> = Games::new(std::io::Read::chain(text, next))
            .map(Result::unwrap)
            .collect();
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
    let read = |piece: &'static str| Games::new(endless(piece, 9 << 20)).next().unwrap().unwrap();
    let game = read("[A \"b\"]\n");
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
    // A gigabyte would take a minute to read.
    let mut games = Games::new(endless("1. e4 e5 1-0\n", 1 << 30));
    for number in 1..=1_000 {
        let game = games.next().unwrap().unwrap();
        assert_eq!((game.number, game.moves.len()), (number, 2));
    }
    assert_eq!(games.bytes(), 13 * 1_000);
}

#[test]
fn an_encoding_that_is_none_of_ours_is_named() {
    let text: Vec<u8> = "\u{feff}1. e4 *"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let error = Games::new(&text[..]).next().unwrap().unwrap_err();
    assert!(error.to_string().contains("UTF-16"), "{error}");
    let games = games("\u{feff}[Event \"x\"]\r\n\r\n1. e4 *\r\n");
    assert_eq!((games.len(), &games[0].flaw), (1, &None));
}
