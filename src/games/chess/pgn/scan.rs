//! What is seen of PGN without understanding it: where games begin, and words that are no moves.

use pgn_reader::SanPlus;

/// A word that is nothing PGN knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stray {
    /// Which game of the section, from 0.
    pub(super) game: usize,
    /// How many moves stand before it in that game.
    pub(super) plies: usize,
    /// The word.
    pub(super) word: String,
}

/// Cuts a text where a tag follows something else: so a comment that is never closed takes no
/// other game with it.
pub(super) fn sections(text: &str) -> Vec<&str> {
    let (mut sections, mut begin, mut at) = (Vec::new(), 0, 0);
    let (mut in_tags, mut is_blank) = (true, true);
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        if is_tag(content) {
            if !in_tags && !is_blank {
                sections.push(&text[begin..at]);
                begin = at;
            }
            (in_tags, is_blank) = (true, false);
        } else if !content.is_empty() && !line.starts_with('%') {
            (in_tags, is_blank) = (false, false);
        }
        at += line.len();
    }
    sections.push(&text[begin..]);
    sections
}

/// Whether a line begins a tag: `[Name "`. Commands in comments, `[%clk 0:10]`, do not.
fn is_tag(line: &str) -> bool {
    let Some((name, value)) = line.strip_prefix('[').and_then(|it| it.split_once('"')) else {
        return false;
    };
    let (name, after) = (name.trim_end(), value);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.chars().all(is_word) && after.contains('"')
}

/// The words of a section that stand where moves stand and are none, the first of each game.
pub(super) fn stray_words(section: &str) -> Vec<Stray> {
    let mut strays: Vec<Stray> = Vec::new();
    let (mut game, mut plies) = (0, 0);
    for word in bare_movetext(section).split_whitespace() {
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            (game, plies) = (game + 1, 0);
            continue;
        }
        let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let bare = unnumbered.split(['!', '?', '$']).next().unwrap_or_default();
        let is_castling = word.contains("0-0");
        if is_castling || bare.parse::<SanPlus>().is_ok() {
            plies += 1;
        } else if is_stray(bare) && strays.last().is_none_or(|last| last.game != game) {
            let word = word.to_owned();
            strays.push(Stray { game, plies, word });
        }
    }
    strays
}

/// Single letters and signs are remarks (`N` a novelty, `+-` a verdict); `e.p.` belongs to its move.
fn is_stray(word: &str) -> bool {
    let begins_like_a_move = word.starts_with(|c: char| c.is_ascii_alphabetic());
    begins_like_a_move && word.len() > 1 && word != "e.p."
}

/// The section with tags, comments and variations blanked out.
fn bare_movetext(section: &str) -> String {
    let mut bare = String::with_capacity(section.len());
    let (mut depth, mut comment) = (0_usize, None);
    let mut line_begins = true;
    for c in section.chars() {
        match (comment, c) {
            (Some(end), _) if c == end => comment = None,
            (None, '{') => comment = Some('}'),
            (None, ';') => comment = Some('\n'),
            (None, '%' | '[') if line_begins => comment = Some('\n'),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 => bare.push(c),
            _ => {}
        }
        if comment.is_none() && matches!(c, '}' | ')' | '\n') {
            bare.push(' ');
        }
        line_begins = c == '\n';
    }
    bare
}
