//! Lines from programs and files that need not mean well: none takes more memory than it may, and what people are
//! shown of them is text.

use std::io::{self, BufRead, Read as _};

/// What stands in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// Its text with whatever ends it; bytes that are not UTF-8 are replaced.
    Text(String),
    /// It is too long. Its beginning has been read and dropped, the rest is still to come: see
    /// [`BufRead::skip_until`].
    TooLong,
}

/// A line as it stands in the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bytes {
    /// The line with whatever ends it.
    Line(Vec<u8>),
    /// As [`Line::TooLong`].
    TooLong,
}

/// A text for people: in one line, and without control characters, which could be commands to a terminal.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Reads the next line if it has at most `longest` bytes, not counting the line feed; `None` at the end of the
/// input. Fails only as the input itself does.
pub fn read(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    Ok(read_bytes(input, longest)?.map(|read| match read {
        Bytes::Line(bytes) => Line::Text(String::from_utf8_lossy(&bytes).into_owned()),
        Bytes::TooLong => Line::TooLong,
    }))
}

/// The same for text in any encoding.
pub fn read_bytes(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Bytes>> {
    let mut bytes = Vec::new();
    // One byte more: the line feed of one that just fits, or what makes it too long.
    let most = longest as u64 + 1;
    input.by_ref().take(most).read_until(b'\n', &mut bytes)?;
    Ok(match bytes.len() {
        0 => None,
        length if length > longest && !bytes.ends_with(b"\n") => Some(Bytes::TooLong),
        _ => Some(Bytes::Line(bytes)),
    })
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
        assert_eq!(next(8), text("\u{fffd}\n"));
        assert_eq!(next(3), text("end"));
        assert_eq!(next(8), None);
    }

    /// The input would go on for ever.
    #[test]
    fn an_endless_line_is_given_up() {
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert_eq!(read(&mut endless, 1 << 16).unwrap(), Some(Line::TooLong));
    }
}
