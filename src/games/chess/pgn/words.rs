//! Words of PGN: moves, results, tags, and words without meaning.

use crate::games::chess::notation::written::{
    REMARKS, Written, plain, without_number, without_verdict,
};
use crate::lines::escaped;

/// Most characters of a text that an error quotes.
const MOST_REPEATED: usize = 40;

/// A word of the movetext.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A result.
    Result(&'static str),
    /// A move.
    Move(Written),
    /// A number, a glyph, a remark such as `N`.
    Nothing,
    /// A word unknown to PGN.
    Stray,
}

/// Whether a word looks like a move, though it may not be one: `e44`, `Nf3f`.
pub(super) fn resembles_move(word: &str) -> bool {
    let word = plain(word);
    let word = without_number(&word);
    let is_begin = |c: char| "abcdefghKQRBNO".contains(c);
    word.starts_with(is_begin) && word.contains(|c: char| ('1'..='8').contains(&c))
}

/// Classifies a word.
pub(super) fn read(word: &str) -> Word {
    if let Some(result) = known_result(word) {
        return Word::Result(result);
    }
    let word = plain(word);
    let word = without_number(&word);
    match Written::read(word) {
        Some(written) => Word::Move(written),
        None if is_stray(without_verdict(word)) => Word::Stray,
        None => Word::Nothing,
    }
}

/// The result of a game that both sides have lost, as after a double forfeit.
pub(super) const BOTH_LOST: &str = "0-0";

/// The result that a word stands for, if any. [`BOTH_LOST`] is none, since castling is written like it.
pub(super) fn known_result(word: &str) -> Option<&'static str> {
    let word = plain(word).replace(':', "-");
    match word.trim_end_matches(['.', ',', ';']) {
        "1-0" => Some("1-0"),
        "0-1" => Some("0-1"),
        "1/2-1/2" | "1/2" | "½-½" | "½" | "0.5-0.5" => Some("1/2-1/2"),
        "*" => Some("*"),
        _ => None,
    }
}

/// The result in a tag: as [`known_result`], and [`BOTH_LOST`], forfeits, `*` for an unknown one; blanks are ignored.
pub(super) fn result_of_tag(value: &str) -> Option<&'static str> {
    let value = value.replace(' ', "");
    match plain(&value).replace(':', "-").as_str() {
        BOTH_LOST => Some(BOTH_LOST),
        "+--" | "+/-" => Some("1-0"),
        "--+" | "-/+" => Some("0-1"),
        "" | "?" => Some("*"),
        _ => known_result(&value),
    }
}

/// Whether a word is unknown: it has letters, but is no single letter, remark (`TN`) or manner of a move (`e.p.`).
fn is_stray(word: &str) -> bool {
    let manners = ["e.p", "e.p.", "ep", "ch", "dis", "dbl", "mate", "check"];
    let is_known = REMARKS.contains(&word) || manners.contains(&word);
    word.chars().nth(1).is_some() && word.contains(char::is_alphabetic) && !is_known
}

/// Whether a word is or begins with a move number or its dots: `12.`, `...`, `12.Nf3`.
pub(crate) fn is_numbered(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '…') && !word.starts_with('0')
}

/// Whether a tag of this name may begin a game anywhere.
pub(super) fn is_usual_tag(name: &str) -> bool {
    const USUAL: [&str; 10] = [
        "Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp", "Variant",
    ];
    USUAL.contains(&name)
}

/// Whether a text begins a tag that continues in the next line.
pub(super) fn is_tag_begun(text: &str) -> bool {
    let value = tag_name(text).and_then(|(_, rest)| rest.strip_prefix('"'));
    value.is_some_and(|value| !value.contains(['"', ']']))
}

/// Whether a line begins with a tag: `[Name "value"`. Commands in comments, `[%clk 0:10]`, are none.
pub(super) fn is_tag(line: &str) -> bool {
    tag_name(line).is_some_and(|(_, rest)| rest.starts_with('"') && rest[1..].contains('"'))
}

/// The name of a tag, and the text after it and its blanks.
pub(super) fn tag_name(line: &str) -> Option<(&str, &str)> {
    let inner = line.trim_start().strip_prefix('[')?.trim_start();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let length = inner.find(|c| !is_word(c)).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(length);
    (!name.is_empty()).then(|| (name, rest.trim_start()))
}

/// The tag at the beginning of a text: its name, its value, the rest; `None` if there is no complete tag. Quotes within
/// a value should be escaped; if not, the value extends to the last one of the line.
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

/// A tag in an unusual form, as far as it can be read.
pub(super) struct OddTag<'t> {
    pub(super) name: String,
    pub(super) value: String,
    /// Whether its value ends in a quotation mark and the bracket: others begin a game only under a usual name.
    pub(super) is_closed: bool,
    /// The text after it.
    pub(super) rest: &'t str,
}

/// Reads a tag that [`tag`] refuses: with signs in its name (`[Black-Elo "1"]`), with unusual or no quotation marks
/// around its value, or with a backslash before the last of them.
pub(super) fn odd_tag(text: &str) -> Option<OddTag<'_>> {
    let is_quote = |c: char| "\"“”„‟«»".contains(c);
    let inner = text.trim_start().strip_prefix('[')?;
    let (name, value) = match inner.find(is_quote) {
        Some(quote) => inner.split_at(quote),
        None => inner.trim_start().split_once(char::is_whitespace)?,
    };
    let name = name.trim().trim_end_matches([':', '=']).trim_end();
    if name.len() > MOST_REPEATED || !name.starts_with(char::is_alphabetic) || name.contains(']') {
        return None;
    }
    let quoted = value.strip_prefix(is_quote);
    let mut quotes = quoted.unwrap_or_default().match_indices(is_quote);
    let closed = quotes.find_map(|(at, quote)| {
        let after = quoted?[at + quote.len()..].trim_start().strip_prefix(']')?;
        Some((&quoted?[..at], after))
    });
    let (value, rest) = match closed {
        Some(closed) => closed,
        None => quoted.unwrap_or(value).rsplit_once(']')?,
    };
    Some(OddTag {
        name: name.to_owned(),
        value: value.trim().to_owned(),
        is_closed: closed.is_some(),
        rest,
    })
}

/// A text for errors to quote, cut if it is long.
pub(super) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(MOST_REPEATED).collect();
    if short.len() < text.len() {
        short += "...";
    }
    escaped(&short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart() {
        let moves = "e4 1.e4 12...Nf6 1e4 12.0-0 0-0-0+ Qxf7#!? e8=Q++ -- e2-e4 Ng1-f3 g1f3 e7e8q \
            e7-e8=Q a8Q bxa8N+ a8(Q) a8/Q dxe3e.p. dxe3ep Qh4mate Nf3+- Nf3= exd5 ed5 ♘f3 e4, \
            o-o 4.O–O e4± e4N \u{200b}e4 Z0 @@@@ 3...@@@@ 0000 0-0";
        for word in moves.split_whitespace() {
            assert!(matches!(read(word), Word::Move(_)), "{word}");
        }
        for word in [
            "12.", "...", "1", "$14", "N", "+-", "±", "e.p.", "ep", "RR", "D", "!",
        ] {
            assert_eq!(read(word), Word::Nothing, "{word}");
        }
        for word in ["Xe5", "e9", "Zobrist", "fü", "Nxx9"] {
            assert_eq!(read(word), Word::Stray, "{word}");
        }
        for (word, result) in [
            ("1-0", "1-0"),
            ("1–0", "1-0"),
            ("1/2", "1/2-1/2"),
            ("½–½", "1/2-1/2"),
            ("0.5-0.5", "1/2-1/2"),
        ] {
            assert_eq!(read(word), Word::Result(result), "{word}");
        }
    }

    #[test]
    fn odd_tags_are_read_where_they_can_be() {
        let read = |text: &'static str| {
            odd_tag(text)
                .map(|tag| format!("{}={}|{}{}", tag.name, tag.value, tag.rest, tag.is_closed))
        };
        for (text, expected) in [
            (
                r#"[BlackType: "program"] [C "d"]"#,
                r#"BlackType=program| [C "d"]true"#,
            ),
            (r#"[Black-Elo "2000"]"#, "Black-Elo=2000|true"),
            (r#"[Black Elo "2000" ]"#, "Black Elo=2000|true"),
            ("[White Smith, John]", "White=Smith, John|false"),
            ("[White “Smith”]", "White=Smith|true"),
            ("[White „Smith“]", "White=Smith|true"),
            (r#"[Event "a\"]"#, r"Event=a\|true"),
            (r#"[Event "a]"#, "Event=a|false"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "[", "[]", "[%clk 1]", "[A", "[A ", r#"["b"]"#, r#"["#, "[1 2]",
        ] {
            assert_eq!(read(text), None, "{text}");
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
