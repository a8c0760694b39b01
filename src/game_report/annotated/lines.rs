//! Copies a text line by line with changes. Changed lines are broken at 80 characters; all others stay the same to
//! the byte.
//!
//! A line is not broken within a tag or a `;` comment, nor after its last move or change. Within `[%clk ..]`, and
//! between a number and its move, it is broken only where there is no other blank.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::ops::Range;

use super::splice::{Edit, Edits};
use crate::lines::take_piece;

/// Most characters of a line (export format of the PGN standard).
const WIDTH: usize = 80;
/// Bytes at which a line is cut into parts; more than any line of a game has.
const LONGEST: usize = 1 << 23;

/// A text with queued changes.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    /// Text read and not yet passed on: a line, or several joined by a change.
    held: Vec<u8>,
    /// Its first byte in the whole text.
    begin: u64,
    /// End of the last line: `\n`, `\r\n` or `\r`.
    newline: &'static str,
    edits: VecDeque<Edit>,
    /// Places without breaks: `;` comments and tags.
    rests: VecDeque<Range<u64>>,
    /// Moves of games not yet passed on.
    moves: VecDeque<Range<u64>>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines {
            input,
            held: Vec::new(),
            begin: 0,
            newline: "\n",
            edits: VecDeque::new(),
            rests: VecDeque::new(),
            moves: VecDeque::new(),
        }
    }

    /// Queues the changes to the next game.
    pub(super) fn change(&mut self, edits: Edits) {
        let behind = self.moves.back().map_or(0, |it| it.end);
        self.rests.push_back(behind..edits.tags_end);
        self.edits.extend(edits.list);
        self.rests.extend(edits.rests);
        self.moves.push_back(edits.moves);
    }

    /// Returns the next line with its changes; `None` if it extends beyond byte `to`, or the text is over. All changes
    /// before `to` must be queued.
    pub(super) fn next(&mut self, to: u64) -> io::Result<Option<Vec<u8>>> {
        loop {
            let end = self.begin + self.held.len() as u64;
            let mut before = self.edits.iter().take_while(|it| it.at.start < end);
            let is_whole = !self.held.is_empty() && before.all(|it| it.at.end <= end);
            if is_whole || end > to {
                break;
            }
            if self.read_line()? == 0 {
                break;
            }
        }
        let end = self.begin + self.held.len() as u64;
        if self.held.is_empty() || end > to {
            return Ok(None);
        }
        let line = std::mem::take(&mut self.held);
        let newlines = ["\r\n", "\n", "\r"];
        let newline = newlines.iter().find(|it| line.ends_with(it.as_bytes()));
        self.newline = newline.unwrap_or(&self.newline);
        let is_unfinished = newline.is_none();
        let count = self.edits.iter();
        let count = count.take_while(|it| it.at.start < end || is_unfinished && it.at.start == end);
        let edits: Vec<Edit> = self.edits.drain(..count.count()).collect();
        let changed = if edits.is_empty() {
            line
        } else {
            let moves = self.moves.iter().take_while(|it| it.start < end);
            let ends = moves.map(|it| it.end);
            let last = ends.chain(edits.iter().map(|it| it.at.end)).max();
            self.rests.push_front(last.unwrap_or(end)..end);
            self.changed(&line, &edits)
        };
        self.begin = end;
        for done in [&mut self.rests, &mut self.moves] {
            while done.pop_front_if(|it| it.end <= end).is_some() {}
        }
        Ok(Some(changed))
    }

    /// Reads a line, or a part of a long one, and returns its number of bytes. Lines end as for the reader of games.
    fn read_line(&mut self) -> io::Result<usize> {
        let begin = self.held.len();
        loop {
            let held = &mut self.held;
            let (_, is_end) = take_piece(&mut self.input, |piece| held.extend_from_slice(piece))?;
            let length = self.held.len() - begin;
            if is_end || length >= LONGEST {
                return Ok(length);
            }
        }
    }

    /// Applies changes to the held text.
    fn changed(&self, line: &[u8], edits: &[Edit]) -> Vec<u8> {
        let mut draft = Draft::default();
        let mut at = 0;
        for edit in edits {
            let [start, end] = [edit.at.start, edit.at.end].map(|it| self.within(it, line));
            if start > at {
                self.copy(line, at..start, &mut draft);
            }
            let begin = draft.text.len();
            let text = edit.text.replace('\n', self.newline);
            draft.text.extend_from_slice(text.as_bytes());
            if matches!(text.trim_start().as_bytes(), [b'[', name, ..] if *name != b'%') {
                draft.rests.push(begin..draft.text.len());
            }
            at = at.max(end);
        }
        self.copy(line, at..line.len(), &mut draft);
        draft.broken(self.newline)
    }

    /// Place in the held text of a byte of the whole text.
    fn within(&self, place: u64, line: &[u8]) -> usize {
        let byte = place.saturating_sub(self.begin);
        usize::try_from(byte).map_or(line.len(), |it| it.min(line.len()))
    }

    fn copy(&self, line: &[u8], part: Range<usize>, draft: &mut Draft) {
        for rest in &self.rests {
            let [start, end] = [rest.start, rest.end].map(|it| self.within(it, line));
            let rest = start.max(part.start)..end.min(part.end);
            if !rest.is_empty() {
                let shift = |it: usize| it - part.start + draft.text.len();
                draft.rests.push(shift(rest.start)..shift(rest.end));
            }
        }
        draft.text.extend_from_slice(&line[part]);
    }
}

/// A changed text that is to be broken into lines.
#[derive(Debug, Default)]
struct Draft {
    text: Vec<u8>,
    /// Places without breaks.
    rests: Vec<Range<usize>>,
}

/// A run of blanks where a line may be broken.
#[derive(Clone, Debug)]
struct Gap {
    at: Range<usize>,
    /// Penalty of a break here.
    cost: u8,
}

impl Draft {
    fn broken(&self, newline: &str) -> Vec<u8> {
        let mut broken = Vec::new();
        let mut begin = 0;
        for line in self.text.split_inclusive(|it| matches!(it, b'\r' | b'\n')) {
            broken.extend(self.broken_line(line, begin, newline));
            begin += line.len();
        }
        broken
    }

    /// Breaks a line at the best blanks within [`WIDTH`], or else at the next ones. `offset` is the line's first byte in
    /// the text.
    fn broken_line(&self, line: &[u8], offset: usize, newline: &str) -> Vec<u8> {
        let is_utf8 = str::from_utf8(line).is_ok();
        let width = |part: &[u8]| match str::from_utf8(part) {
            Ok(text) if is_utf8 => text.chars().count(),
            _ => part.len(),
        };
        let gaps = self.gaps(line, offset);
        let (mut broken, mut gaps) = (Vec::new(), gaps.as_slice());
        let (mut begin, mut left) = (0, width(line.trim_ascii_end()));
        while left > WIDTH {
            let is_in_time = |it: &&Gap| width(&line[begin..it.at.start]) <= WIDTH;
            let in_time = gaps.iter().take_while(is_in_time).count();
            // The last of the best ones.
            let best = (0..in_time).rev().min_by_key(|&it| gaps[it].cost);
            let best = best.unwrap_or(0);
            let Some(gap) = gaps.get(best) else {
                break;
            };
            broken.extend_from_slice(&line[begin..gap.at.start]);
            broken.extend_from_slice(newline.as_bytes());
            left -= width(&line[begin..gap.at.end]);
            begin = gap.at.end;
            gaps = &gaps[best + 1..];
        }
        broken.extend_from_slice(&line[begin..]);
        broken
    }

    /// Blanks at which a line may be broken.
    fn gaps(&self, line: &[u8], offset: usize) -> Vec<Gap> {
        let mut gaps = Vec::new();
        let brace = line.iter().find(|it| matches!(it, b'{' | b'}'));
        let mut in_comment = brace == Some(&b'}');
        let mut command: Option<usize> = None;
        let mut at = line.len() - line.trim_ascii_start().len();
        let mut word = at;
        while at < line.trim_ascii_end().len() {
            if line[at..].starts_with(b"[%") && command.is_none_or(|it| it < at) {
                let end = line[at..].iter().position(|&it| it == b']');
                command = Some(end.map_or(line.len(), |it| at + it));
            }
            if !is_blank(line[at]) {
                in_comment = line[at] == b'{' || in_comment && line[at] != b'}';
                at += 1;
                continue;
            }
            let end = at + line[at..].iter().take_while(|&&it| is_blank(it)).count();
            let [gap, next] = [offset + at, offset + end];
            let is_rest = self.rests.iter().any(|it| it.start < gap && gap < it.end);
            let begins_badly = match line[end] {
                // At the beginning of a line `%` would be an escape, and `[` a tag, to some readers.
                b'%' => true,
                b'[' => line.get(end + 1) != Some(&b'%') || !in_comment,
                _ => false,
            };
            if !is_rest && !begins_badly {
                let is_inside = command.is_some_and(|it| at < it);
                let begins_comment =
                    line[end] == b';' && !self.rests.iter().any(|it| it.contains(&next));
                let cost = match () {
                    () if is_inside || begins_comment => 2,
                    () if is_number(&line[word..at]) => 1,
                    () => 0,
                };
                gaps.push(Gap { at: at..end, cost });
            }
            at = end;
            word = end;
        }
        gaps
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether a word is a move number, `12...`, perhaps after a parenthesis.
fn is_number(word: &[u8]) -> bool {
    let number = word.strip_prefix(b"(").unwrap_or(word);
    number.ends_with(b".") && number.iter().all(|&it| it == b'.' || it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text, all of it moves, into which `puts` are put, and in which a comment to the end of its line is `rest`.
    fn edited(text: &[u8], puts: &[(u64, &str)], rest: Option<Range<u64>>) -> Vec<u8> {
        let edit = |&(at, put): &(u64, &str)| Edit {
            at: at..at,
            text: put.to_owned(),
        };
        let mut lines = Lines::new(text);
        lines.change(Edits {
            list: puts.iter().map(edit).collect(),
            rests: rest.into_iter().collect(),
            tags_end: 0,
            moves: 0..text.len() as u64,
        });
        std::iter::from_fn(|| lines.next(u64::MAX).unwrap())
            .flatten()
            .collect()
    }

    fn broken(text: &str, rest: Option<Range<u64>>) -> String {
        String::from_utf8(edited(text.as_bytes(), &[(0, "+")], rest)).unwrap()
    }

    #[test]
    fn lines_that_change_are_broken_and_others_are_not() {
        let long = "twelve more ".repeat(10);
        let text = format!("{long}\r\n{long}\r\n{long}");
        let at = long.len() as u64 + 2;
        let puts = [(at, "one\ntwo "), (2 * at, "three")];
        let edited = String::from_utf8(edited(text.as_bytes(), &puts, None)).unwrap();
        let mut lines = edited.split("\r\n");
        assert_eq!(lines.next(), Some(long.as_str()));
        assert_eq!(lines.next(), Some("one"));
        let rest: Vec<&str> = lines.collect();
        assert_eq!(rest.len(), 4, "{edited}");
        let is_short = |it: &str| it.trim_end().len() <= WIDTH && !it.contains('\n');
        assert!(rest.iter().copied().all(is_short));
        let joined = rest.join(" ");
        assert_eq!(joined.split_whitespace().count(), 1 + 20 + 20);
    }

    #[test]
    fn breaks_come_where_they_do_no_harm() {
        for (line, expected) in [
            // Between a number and its move, and in a command, only if there is no other blank.
            ("WORD 12. Nf3xx", "+WORD\n12. Nf3xx"),
            ("WORD (12... Nf3xx)", "+WORD\n(12... Nf3xx)"),
            ("12. WORDxxxxx", "+12. WORDxxxxx"),
            ("12. WORDxxxxxxxx", "+12.\nWORDxxxxxxxx"),
            ("WORD [%clk 0:10:00] }", "+WORD\n[%clk 0:10:00] }"),
            ("[%cal WORD WORD]", "+[%cal WORD\nWORD]"),
            // Outside of a comment this would be a line of its own to the reader.
            ("WORD } [%1 23456789]", "+WORD\n} [%1 23456789]"),
            // Nothing comes to the front of a line that means something else there.
            ("WORD %eval xxxxxxx", "+WORD %eval\nxxxxxxx"),
            ("WORD [A \"b\"] xxxx", "+WORD [A \"b\"]\nxxxx"),
            ("WORDWORD a b", "+WORDWORD\na b"),
            ("WORD   a\t bcdefghij  ", "+WORD   a\nbcdefghij  "),
        ] {
            let [line, expected] = [line, expected].map(|it| it.replace("WORD", &"x".repeat(70)));
            assert_eq!(broken(&line, None), expected);
        }
        let accents = "é".repeat(79);
        assert_eq!(broken(&accents, None), format!("+{accents}"));
    }

    #[test]
    fn comments_to_the_end_of_a_line_stay_in_one() {
        let word = "x".repeat(70);
        let line = format!("e4 {word} ; so it is");
        let end = line.len() as u64;
        let before = format!("+e4 {word}\n; so it is");
        assert_eq!(broken(&line, Some(74..end)), before);
        assert_eq!(broken(&line, Some(3..end)), format!("+e4\n{}", &line[3..]));
        assert_eq!(broken(&line, Some(0..end)), format!("+{line}"));
    }

    #[test]
    fn latin_1_counts_by_bytes() {
        let line = [[b'\xe9'; 40], [b' '; 40], [b'\xe9'; 40]].concat();
        let expected = [&b"+"[..], &[b'\xe9'; 40], b"\n", &[b'\xe9'; 40]].concat();
        assert_eq!(edited(&line, &[(0, "+")], None), expected);
    }

    #[test]
    fn a_line_waits_for_all_of_its_games() {
        let mut lines = Lines::new(&b"one\ntwo three\nfour"[..]);
        assert_eq!(lines.next(7).unwrap(), Some(b"one\n".to_vec()));
        assert_eq!(lines.next(7).unwrap(), None);
        let list = vec![Edit {
            at: 8..15,
            text: "3\n".to_owned(),
        }];
        lines.change(Edits {
            list,
            ..Edits::default()
        });
        assert_eq!(lines.next(14).unwrap(), None);
        assert_eq!(lines.next(18).unwrap(), Some(b"two 3\nour".to_vec()));
        assert_eq!(lines.next(18).unwrap(), None);
    }
}
