//! `go`: limits of a search, and the moves it may consider.

use super::{Words, expected};

/// Arguments of `go`. Times are in milliseconds; negative ones count as 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Last iteration.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Exact time for this move.
    pub movetime: Option<u64>,
    /// White's clock.
    pub white_time: Option<u64>,
    /// Black's clock.
    pub black_time: Option<u64>,
    /// White's increment per move.
    pub white_increment: Option<u64>,
    /// Black's increment per move.
    pub black_increment: Option<u64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// Search until told to stop.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider these moves only; empty means all.
    pub search_moves: Vec<String>,
    /// Messages to the user about words that were ignored.
    pub ignored: Vec<String>,
    /// Whether a limit was ignored.
    pub lost_limit: bool,
}

/// The keywords.
pub(super) const KEYWORDS: &str =
    "depth nodes movetime wtime btime winc binc movestogo mate infinite ponder searchmoves";

/// Reads the words after `go`.
pub(super) fn parse_go(words: &mut Words<'_>) -> Go {
    let to_u32 = |n: i128| n.clamp(0, u32::MAX.into()) as u32;
    let to_u64 = |n: i128| n.clamp(0, u64::MAX.into()) as u64;
    let mut go = Go::default();
    let mut in_search_moves = false;
    while let Some(word) = words.next() {
        let was_in_search_moves = std::mem::replace(&mut in_search_moves, word == "searchmoves");
        match word {
            "searchmoves" => {}
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "depth" => go.depth = go.number(word, words).map(to_u32),
            "nodes" => go.nodes = go.number(word, words).map(to_u64),
            "movetime" => go.movetime = go.number(word, words).map(to_u64),
            "wtime" => go.white_time = go.number(word, words).map(to_u64),
            "btime" => go.black_time = go.number(word, words).map(to_u64),
            "winc" => go.white_increment = go.number(word, words).map(to_u64),
            "binc" => go.black_increment = go.number(word, words).map(to_u64),
            "movestogo" => go.moves_to_go = go.number(word, words).map(to_u32),
            // A negative number, for being mated, asks for the same search.
            "mate" => go.mate = go.number(word, words).map(|n| to_u32(n.abs())),
            _ if was_in_search_moves && looks_like_a_move(word) => {
                go.search_moves.push(word.to_owned());
                in_search_moves = true;
            }
            _ => {
                go.ignored.push(format!("go: unknown word '{word}'"));
                in_search_moves = was_in_search_moves;
            }
        }
    }
    go
}

impl Go {
    /// Whether only `stop` ends the search.
    pub(crate) fn is_unlimited(&self) -> bool {
        self.infinite
            || (self.depth.is_none()
                && self.nodes.is_none()
                && self.movetime.is_none()
                && self.white_time.is_none()
                && self.black_time.is_none()
                && self.mate.is_none())
    }

    /// Whether what is said of a clock lacks its time: there is no limit in it.
    pub(crate) fn lacks_a_time(&self) -> bool {
        let is_told = self.white_increment.is_some()
            || self.black_increment.is_some()
            || self.moves_to_go.is_some();
        is_told && self.white_time.is_none() && self.black_time.is_none()
    }

    /// The number after `keyword`, if the next word is one; else notes that `keyword` was ignored.
    fn number(&mut self, keyword: &str, words: &mut Words<'_>) -> Option<i128> {
        let next = words.peek();
        if next.is_some_and(|word| KEYWORDS.split(' ').all(|it| it != word)) {
            words.next();
        }
        let number = next.and_then(parse_number);
        if number.is_none() {
            self.lost_limit = true;
            let what = format!("a whole number after '{keyword}'");
            self.ignored.push(expected("go", &what, next));
        }
        number
    }
}

/// A whole number of any length, which saturates.
fn parse_number(word: &str) -> Option<i128> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // Digits are no such number only if they are too many.
    let magnitude = digits.parse().unwrap_or(i128::MAX);
    Some(if word.starts_with('-') {
        -magnitude
    } else {
        magnitude
    })
}

/// Whether a word has the form of a move: `e2e4`, `e7e8q`, in either case.
fn looks_like_a_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let square = |file: u8, rank: u8| {
        (b'a'..=b'h').contains(&file.to_ascii_lowercase()) && (b'1'..=b'8').contains(&rank)
    };
    matches!(bytes.len(), 4 | 5)
        && square(bytes[0], bytes[1])
        && square(bytes[2], bytes[3])
        && bytes.get(4).is_none_or(u8::is_ascii_alphabetic)
}
