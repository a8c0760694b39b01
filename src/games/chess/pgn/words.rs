//! Words of PGN: what is a move, a result, a tag, and what means nothing.

use std::fmt;

use shakmaty::san::San;
use shakmaty::uci::UciMove;

use crate::games::chess::{Move, Position};
use crate::lines::printable;

/// Most characters of a text that errors repeat.
const MOST_REPEATED: usize = 40;

/// A word of the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// How the game ended.
    Result(&'static str),
    /// A move.
    Move(Written),
    /// A number, a glyph, a remark of one letter.
    Nothing,
    /// Nothing that PGN knows.
    Stray,
}

/// A move as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// In standard algebraic notation, or nearly so.
    San(San),
    /// By its two squares alone: `g1f3`, `e7-e8=Q`.
    Squares(UciMove),
}

impl Written {
    fn read(word: &str) -> Option<Written> {
        // Long notation has a dash, old books write `8Q`, `8(Q)` or `8/Q`, and some say how a move captures or mates.
        let endings = ["e.p.", "ep.", "ep", "mate"];
        let ending = endings.iter().find_map(|ending| word.strip_suffix(ending));
        let mut word = ending.unwrap_or(word).to_owned();
        if word.starts_with("0-0") {
            word = word.replace('0', "O");
        }
        if !word.starts_with(['O', '-']) {
            word.retain(|c| !"-=()/".contains(c));
        }
        if let Ok(squares) = word.to_ascii_lowercase().parse()
            && word.starts_with(|c: char| c.is_ascii_lowercase())
        {
            return Some(Written::Squares(squares));
        }
        let promoted = word.chars().next_back().filter(|it| "QRBN".contains(*it));
        if let Some(role) = promoted.filter(|_| word.len() > 2) {
            word.truncate(word.len() - 1);
            word.extend(['=', role]);
        }
        word.parse().ok().map(Written::San)
    }

    /// The move in a position; `None` if it is not legal there, or if several are meant.
    pub(super) fn in_position(&self, position: &Position) -> Option<Move> {
        let position = position.to_shakmaty();
        let found = match self {
            Written::San(san) => san.to_move(&position).ok(),
            Written::Squares(squares) => squares.to_move(&position).ok(),
        };
        found.map(Move::from_shakmaty)
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Written::San(san) => san.fmt(f),
            Written::Squares(squares) => squares.fmt(f),
        }
    }
}

/// Whether a word that is none may well be meant for a move: `e4,`, `♘f3`.
pub(super) fn resembles_move(word: &str) -> bool {
    let is_begin = |c: char| "abcdefghKQRBNO".contains(c) || ('♔'..='♟').contains(&c);
    let word = without_number(word);
    word.starts_with(is_begin) && word.contains(|c: char| ('1'..='8').contains(&c))
}

/// What a word means.
pub(super) fn read(word: &str) -> Word {
    if let Some(result) = known_result(word) {
        return Word::Result(result);
    }
    let unnumbered = without_number(word);
    let bare = unnumbered.split(['!', '?', '$']).next().unwrap_or_default();
    let verdict = ["+-", "-+", "="]
        .iter()
        .find_map(|it| bare.strip_suffix(it));
    let bare = verdict.unwrap_or(bare).trim_end_matches(['+', '#']);
    match Written::read(bare) {
        Some(written) => Word::Move(written),
        None if is_stray(bare) => Word::Stray,
        None => Word::Nothing,
    }
}

/// The result that a word tells, if it does.
pub(super) fn known_result(word: &str) -> Option<&'static str> {
    let known = ["1-0", "0-1", "1/2-1/2", "*"];
    known.into_iter().find(|&it| it == word)
}

/// `12.Nf3`, `12...Nf3` and `12Nf3` are `Nf3`; `0-0` stays what it is.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dotless = rest.trim_start_matches(['.', '…']);
    let has_dots = dotless.len() < rest.len();
    if has_dots || rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
        dotless
    } else {
        word
    }
}

/// Signs and single letters are remarks (`N` a novelty, `+-` a verdict); `e.p.` belongs to its move.
fn is_stray(word: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || ('♔'..='♟').contains(&c);
    word.chars().nth(1).is_some() && word.chars().any(is_letter) && word != "e.p."
}

/// Whether a word says how good a move is, alone or behind the move: `!?`, `Nf3??`, `$2`.
pub(super) fn is_mark(word: &str) -> bool {
    let glyph = word.split_once('$').map(|(_, glyph)| glyph);
    word.contains(['!', '?']) || matches!(glyph, Some("1" | "2" | "3" | "4" | "5" | "6"))
}

/// Whether a word is the number of a move, with its dots or without, or begins with one.
pub(super) fn is_numbered(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '…')
        && !word.starts_with("0-0")
}

/// Whether a line begins a tag: `[Name "`. Commands in comments, `[%clk 0:10]`, do not.
pub(super) fn is_tag(line: &str) -> bool {
    tag_name(line).is_some_and(|(_, rest)| rest.starts_with('"') && rest[1..].contains('"'))
}

/// The name of a tag, and what follows it and the blanks behind it.
pub(super) fn tag_name(line: &str) -> Option<(&str, &str)> {
    let inner = line.trim_start().strip_prefix('[')?.trim_start();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let length = inner.find(|c| !is_word(c)).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(length);
    (!name.is_empty()).then(|| (name, rest.trim_start()))
}

/// The tag at the beginning of a text, its name and value, and what follows it; `None` if there is none that
/// is complete. Quotes within a value should be escaped; where they are not, the value goes on to the
/// last one of the line.
pub(super) fn tag(text: &str) -> Option<(String, String, &str)> {
    let (name, rest) = tag_name(text)?;
    let quoted = rest.strip_prefix('"')?;
    let (mut value, mut characters) = (String::new(), quoted.char_indices());
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => {
                if let Some(after) = quoted[at + 1..].trim_start().strip_prefix(']') {
                    return Some((name.to_owned(), value, after));
                }
                let value = quoted.trim_end().strip_suffix(']')?.trim_end();
                let value = value.strip_suffix('"')?;
                return Some((name.to_owned(), value.to_owned(), ""));
            }
            '\\' => match characters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                Some((_, other)) => value.extend(['\\', other]),
                None => return None,
            },
            c => value.push(c),
        }
    }
    None
}

/// The time that a comment gives under a name, as in `[%clk 1:02:03.4]`, in milliseconds.
pub(super) fn time(comment: &str, name: &str) -> Option<u64> {
    let (_, rest) = comment.split_once(&format!("[%{name} "))?;
    let (text, _) = rest.split_once(']')?;
    let mut parts = text.trim().rsplit(':');
    let seconds: f64 = parts.next()?.parse().ok()?;
    let mut whole = || parts.next().map_or(Some(0), |it| it.parse::<u32>().ok());
    let (minutes, hours) = (whole()?, whole()?);
    let is_time = (0.0..60.0 * 60.0).contains(&seconds) && parts.next().is_none();
    let minutes = u64::from(minutes) + 60 * u64::from(hours);
    is_time.then(|| 60_000 * minutes + (1_000.0 * seconds).round() as u64)
}

/// A text as errors repeat it: not all of it if it is long.
pub(super) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(MOST_REPEATED).collect();
    if short.len() < text.len() {
        short += "...";
    }
    printable(&short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart() {
        for word in [
            "e4", "1.e4", "12...Nf6", "1e4", "12.0-0", "0-0-0+", "Qxf7#!?", "e8=Q++", "--",
            "e2-e4", "Ng1-f3", "g1f3", "e7e8q", "e7-e8=Q", "a8Q", "bxa8N+", "a8(Q)", "a8/Q",
            "dxe3e.p.", "dxe3ep", "Qh4mate", "Nf3+-", "Nf3=", "exd5",
        ] {
            assert!(matches!(read(word), Word::Move(_)), "{word}");
        }
        for word in [
            "12.", "...", "1", "$14", "N", "+-", "±", "e.p.", "!", "1/2", "½-½",
        ] {
            assert_eq!(read(word), Word::Nothing, "{word}");
        }
        for word in ["Xe5", "♘f3", "e4,", "Zobrist", "fü", "Nxx9"] {
            assert_eq!(read(word), Word::Stray, "{word}");
        }
        assert_eq!(read("1-0"), Word::Result("1-0"));
    }

    #[test]
    fn times_are_read_in_all_their_forms() {
        assert_eq!(time("[%clk 1:02:03]", "clk"), Some(3_723_000));
        assert_eq!(
            time("so [%eval 0.3] [%emt 0:00:01.25] so", "emt"),
            Some(1_250)
        );
        assert_eq!(time("[%emt 59.5]", "emt"), Some(59_500));
        assert_eq!(time("[%clk  12:05 ]", "clk"), Some(725_000));
        for text in [
            "",
            "[%clk 0:10",
            "[%clk x]",
            "[%clk -1]",
            "[%clk 1:2:3:4]",
            "[%clk 0:00:NaN]",
            "[%clk -1:00:00]",
            "[%emt 0:01]",
        ] {
            assert_eq!(time(text, "clk"), None, "{text}");
        }
    }

    #[test]
    fn tags_have_names_and_values() {
        let read = |text: &'static str| {
            tag(text).map(|(name, value, rest)| format!("{name}={value}|{rest}"))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(read(r#"[A "b"] [C "d"]"#), some(r#"A=b| [C "d"]"#));
        assert_eq!(read(r#"[ A  "b\"c\\" ]"#), some(r#"A=b"c\|"#));
        assert_eq!(
            read(r#"[A "the "best" game"]"#),
            some(r#"A=the "best" game|"#)
        );
        assert_eq!(read(r#"[A ""]"#), some("A=|"));
        for text in [
            r#"[A "b"#,
            r#"[A "b""#,
            "[A b]",
            "[%clk 0:10]",
            "[",
            r#"["b"]"#,
            r#"[A "b\"#,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(shortened(&"x".repeat(100)).len(), 43);
    }
}
