//! Lines from untrusted programs and files: none takes more memory than its limit, and users are shown only printable
//! text.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Read as _};

/// A line that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// Its text with its line end, without byte order marks.
    Text(String),
    /// Too long. Its beginning has been read and dropped, the rest is still in the input: see [`BufRead::skip_until`].
    TooLong,
}

/// A text for display: on one line, without control characters, which could be commands to a terminal.
pub(crate) fn printable(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A text for display, with invisible characters as escapes: `\u{200b}`.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        if c.is_control() || is_invisible(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Whether a character has no width and no meaning within a word: soft hyphens, joiners, marks of direction.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}')
        || ('\u{200b}'..='\u{200f}').contains(&c)
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2060}'..='\u{206f}').contains(&c)
        || ('\u{fe00}'..='\u{fe0f}').contains(&c)
}

/// Strips from the beginning of a line the marks that concatenated files leave in the text: byte order marks of UTF-8,
/// and DOS's end of file. Also returns their length in bytes.
pub(crate) fn without_marks(mut bytes: Vec<u8>) -> (usize, Vec<u8>) {
    let mut rest = bytes.as_slice();
    while let Some(behind) = rest
        .strip_prefix(b"\xef\xbb\xbf")
        .or_else(|| rest.strip_prefix(b"\x1a"))
    {
        rest = behind;
    }
    let marks = bytes.len() - rest.len();
    bytes.drain(..marks);
    (marks, bytes)
}

/// Decodes a line: UTF-8, or else Windows-1252, one byte for each character; also returns whether it was the latter.
pub(crate) fn decoded(bytes: Vec<u8>) -> (String, bool) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => {
            let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(error.as_bytes());
            (text.into_owned(), true)
        }
    }
}

/// Fails if an input that begins with `start` is UTF-16, with or without a byte order mark, or no text at all.
pub(crate) fn ensure_text(start: &[u8]) -> io::Result<()> {
    let pairs = start.chunks_exact(2).take(128);
    let zeros = |place: usize| pairs.clone().filter(|pair| pair[place] == 0).count();
    let (first, second, most) = (zeros(0), zeros(1), pairs.len());
    let is_marked = start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff");
    let name = match (first, second) {
        _ if is_marked => "UTF-16",
        (0, 2..) if 2 * second >= most => "UTF-16LE",
        (2.., 0) if 2 * first >= most => "UTF-16BE",
        _ if is_binary(start) => {
            let expected =
                "this is not a text; give a file of games or positions, such as PGN or EPD";
            return Err(io::Error::new(io::ErrorKind::InvalidData, expected));
        }
        _ => return Ok(()),
    };
    Err(io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the text is {name}; convert it to UTF-8, as with `iconv -f {name} -t UTF-8`"),
    ))
}

/// Whether at least a twentieth of the first bytes are control characters, of three kinds and zeros among them, as in a
/// picture or an archive. A text with a flaw has one kind: zeros where the power failed. False for fewer than 64 bytes.
fn is_binary(start: &[u8]) -> bool {
    let is_odd = |it: &u8| it.is_ascii_control() && !it.is_ascii_whitespace();
    let odd = start.iter().copied().filter(is_odd);
    let kinds: BTreeSet<_> = odd.clone().collect();
    start.len() >= 64 && kinds.contains(&0) && kinds.len() >= 3 && 20 * odd.count() >= start.len()
}

/// Reads the next line of at most `longest` bytes, line feed excluded; `None` at the end of the input. Fails only if
/// the input does.
pub(crate) fn read(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    // One more byte, for the line feed or to see that the line is too long.
    let most = longest as u64 + 1;
    input.by_ref().take(most).read_until(b'\n', &mut bytes)?;
    Ok(match bytes.len() {
        0 => None,
        length if length > longest && !bytes.ends_with(b"\n") => Some(Line::TooLong),
        _ => Some(Line::Text(decoded(without_marks(bytes).1).0)),
    })
}

/// Reads the next line in any encoding with ASCII's line ends: a line feed, a carriage return, or both. Also returns
/// its length in bytes, line end included. A line that is too long is read to its end and dropped: `None` in its place.
pub(crate) fn read_any_end(
    input: &mut impl BufRead,
    longest: usize,
) -> io::Result<Option<(Option<Vec<u8>>, u64)>> {
    let mut bytes = Vec::new();
    // Two more bytes, for the longest line end.
    let most = longest.saturating_add(2);
    let (mut length, mut is_end) = (0, false);
    while !is_end {
        let (read, ends) = take_piece(input, |piece| {
            let room = most.saturating_sub(bytes.len()).min(piece.len());
            bytes.extend_from_slice(&piece[..room]);
        })?;
        (length, is_end) = (length + read as u64, ends);
    }
    let end = bytes.iter().rev().take_while(|it| b"\r\n".contains(it));
    let text = length - end.count() as u64;
    let line = (text <= longest as u64).then_some(bytes);
    Ok((length > 0).then_some((line, length)))
}

/// Passes to `take` the part of a line (see [`read_any_end`]) in the input's buffer, line end included. Returns its
/// length in bytes, and whether the line, or the input, ends there.
pub(crate) fn take_piece(
    input: &mut impl BufRead,
    mut take: impl FnMut(&[u8]),
) -> io::Result<(usize, bool)> {
    let buffer = filled(input)?;
    let end = buffer.iter().position(|it| matches!(it, b'\r' | b'\n'));
    let is_return = end.is_some_and(|end| buffer[end] == b'\r');
    let used = end.map_or(buffer.len(), |end| end + 1);
    take(&buffer[..used]);
    input.consume(used);
    let has_feed = is_return && filled(input)?.starts_with(b"\n");
    if has_feed {
        take(b"\n");
        input.consume(1);
    }
    Ok((used + usize::from(has_feed), used == 0 || end.is_some()))
}

/// Returns the input's filled buffer; retries after signals.
fn filled(input: &mut impl BufRead) -> io::Result<&[u8]> {
    while let Err(error) = input.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    input.fill_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_may_be_so_long_and_no_longer() {
        let mut input = &b"1234567\n12345678\n123456789\n\xff\nend"[..];
        let mut next = |longest| read(&mut input, longest).unwrap();
        let text = |text: &str| Some(Line::Text(text.to_owned()));
        assert_eq!(next(8), text("1234567\n"));
        assert_eq!(next(8), text("12345678\n"));
        assert_eq!(next(8), Some(Line::TooLong));
        // Nothing of the next line is lost.
        assert_eq!(input.skip_until(b'\n').unwrap(), 1);
        let mut next = |longest| read(&mut input, longest).unwrap();
        assert_eq!(next(8), text("\u{ff}\n"));
        assert_eq!(next(3), text("end"));
        assert_eq!(next(8), None);
    }

    #[test]
    fn a_line_of_a_file_ends_in_any_of_three_ways() {
        let text = b"one\ntwo\rthree\r\n\r\r\n12345678\r123456789\r\nend";
        // A buffer of three bytes splits two-byte line ends.
        let mut input = io::BufReader::with_capacity(3, &text[..]);
        let mut lines = Vec::new();
        while let Some((line, length)) = read_any_end(&mut input, 8).unwrap() {
            lines.push(match line {
                Some(bytes) => {
                    assert_eq!(bytes.len() as u64, length);
                    String::from_utf8(bytes).unwrap()
                }
                None => format!("{length} bytes"),
            });
        }
        let expected = [
            "one\n",
            "two\r",
            "three\r\n",
            "\r",
            "\r\n",
            "12345678\r",
            "11 bytes",
            "end",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn text_that_is_no_utf8_is_windows_1252() {
        assert_eq!(
            decoded(b"\x84gut\x93 \x9e".to_vec()),
            ("„gut“ ž".to_owned(), true)
        );
        assert_eq!(decoded("ž".into()), ("ž".to_owned(), false));
        let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(bytes).collect()
        };
        for text in ["\n\n[Event \"One\"]", "1. e4 {Żółć}", "[Site \"Łódź\"]"] {
            let error = |bytes: &[u8]| ensure_text(bytes).unwrap_err().to_string();
            assert!(
                error(&utf16(text, u16::to_le_bytes)).contains("UTF-16LE"),
                "{text}"
            );
            assert!(
                error(&utf16(text, u16::to_be_bytes)).contains("UTF-16BE"),
                "{text}"
            );
            let marked = "\u{feff}".to_owned() + text;
            assert!(error(&utf16(&marked, u16::to_le_bytes)).contains("UTF-16"));
            assert!(ensure_text(text.as_bytes()).is_ok(), "{text}");
        }
        for text in ["", "\0\0\0\0", "1. e4\0 e5", "\0"] {
            assert!(ensure_text(text.as_bytes()).is_ok(), "{text:?}");
        }
        let after_power_failed = "1. e4 e5 1-0\n".to_owned() + &"\0".repeat(100);
        assert!(ensure_text(after_power_failed.as_bytes()).is_ok());
        let picture = [
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(),
            &[0, 1, 200, 3, 250, 7, 130, 90].repeat(30),
        ]
        .concat();
        let error = ensure_text(&picture).unwrap_err().to_string();
        assert!(error.contains("not a text"), "{error}");
    }

    #[test]
    fn marks_at_the_beginning_of_a_line_are_taken_off() {
        let text = b"\x1a\xef\xbb\xbf\xef\xbb\xbfM\xfcller".to_vec();
        assert_eq!(without_marks(text), (7, b"M\xfcller".to_vec()));
        assert_eq!(without_marks(b"a\x1a".to_vec()), (0, b"a\x1a".to_vec()));
        assert_eq!(without_marks(Vec::new()), (0, Vec::new()));
    }

    #[test]
    fn invisible_characters_are_shown() {
        assert_eq!(escaped("\u{200b}e4\u{7}é"), "\\u{200b}e4\\u{7}é");
    }

    /// The input never ends.
    #[test]
    fn an_endless_line_is_given_up() {
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert_eq!(read(&mut endless, 1 << 16).unwrap(), Some(Line::TooLong));
    }
}
