//! Lines from untrusted programs and files: none takes more memory than its limit or is read for ever, and users are shown
//! only printable text.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, Read as _};
use std::path::Path;

/// Most bytes of a line of a file. A longer one is taken to have no end, as in `/dev/zero`.
pub(crate) const ENDLESS: u64 = 1 << 28;

/// A line that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BoundedLine {
    /// Its text with its line end, without byte order marks.
    Text(String),
    /// Too long. Its beginning has been read and dropped, the rest is still in the input: see [`BufRead::skip_until`].
    TooLong,
}

/// Opens a file to be read. The error for a folder says what to give instead.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_dir() {
        let instead = "is a folder; give a file in it, or join its files to one";
        return Err(io::Error::new(io::ErrorKind::IsADirectory, instead));
    }
    File::open(path)
}

/// The error for a line of more than [`ENDLESS`] bytes.
pub(crate) fn endless() -> io::Error {
    let told = format!("a line has more than {} MiB; give a text", ENDLESS >> 20);
    io::Error::new(io::ErrorKind::InvalidData, told)
}

/// A text for display: on one line, without characters that are not to be printed (see [`is_unprintable`]).
pub(crate) fn printable(text: &str) -> String {
    let kept = text.chars().filter(|&c| !is_direction(c));
    kept.map(|c| if is_unprintable(c) { ' ' } else { c })
        .collect()
}

/// Whether a character would change how the text around it is shown: control characters, which could be commands to a
/// terminal, separators of lines and paragraphs, and marks that change the direction of the text after them.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || is_direction(c)
}

/// Whether a character embeds, overrides or isolates a direction of text, or ends that.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text for display, with characters that are not to be printed or are invisible as escapes: `\u{200b}`.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        if is_unprintable(c) || is_invisible(c) {
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
pub(crate) fn read(input: &mut impl BufRead, longest: usize) -> io::Result<Option<BoundedLine>> {
    let mut bytes = Vec::new();
    // One more byte, for the line feed or to see that the line is too long.
    let most = longest as u64 + 1;
    input.by_ref().take(most).read_until(b'\n', &mut bytes)?;
    Ok(match bytes.len() {
        0 => None,
        length if length > longest && !bytes.ends_with(b"\n") => Some(BoundedLine::TooLong),
        _ => Some(BoundedLine::Text(decoded(without_marks(bytes).1).0)),
    })
}

/// Reads the next line in any encoding with ASCII's line ends: a line feed, a carriage return, or both. Also returns
/// its length in bytes, line end included. A line that is too long is read to its end and dropped: `None` in its place.
/// Fails if the input does, or has more than [`ENDLESS`] bytes without a line end.
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
        if length > ENDLESS {
            return Err(endless());
        }
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
        let text = |text: &str| Some(BoundedLine::Text(text.to_owned()));
        assert_eq!(next(8), text("1234567\n"));
        assert_eq!(next(8), text("12345678\n"));
        assert_eq!(next(8), Some(BoundedLine::TooLong));
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
        assert_eq!(escaped("a\u{2028}b"), "a\\u{2028}b");
    }

    #[test]
    fn what_is_printable_leaves_the_text_around_it_as_it_is() {
        assert_eq!(
            printable("Ann\u{202e}a\u{202c} \u{2067}Bo\u{2069}"),
            "Anna Bo"
        );
        assert_eq!(
            printable("a\u{2028}b\u{2029}c\u{1b}[31m\u{9b}\n"),
            "a b c [31m  "
        );
        let names = "Łódź שלום 象棋 ½–½";
        assert_eq!(printable(names), names);
        let marks = ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}');
        assert!(
            marks
                .chain(['\u{2028}', '\u{2029}', '\u{7f}', '\r'])
                .all(is_unprintable)
        );
    }

    /// The input never ends.
    #[test]
    fn an_endless_line_is_given_up() {
        let endless = || io::BufReader::with_capacity(1 << 16, io::repeat(0));
        let read_it = read(&mut endless(), 1 << 16).unwrap();
        assert_eq!(read_it, Some(BoundedLine::TooLong));
        let error = read_any_end(&mut endless(), 1 << 16).unwrap_err();
        assert!(error.to_string().contains("more than 256 MiB"), "{error}");
    }

    #[test]
    fn a_folder_is_no_file_to_read() {
        let error = open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap_err();
        assert!(
            error.to_string().starts_with("is a folder; give a file"),
            "{error}"
        );
    }
}
