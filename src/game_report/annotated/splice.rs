//! Where remarks stand in the text of a game.
//!
//! A value goes to the front of the comment that follows its move, or into one of its own. A glyph stands behind the move
//! unless the move has one already; a sentence behind its first comment; the better line behind the variations that are there.
//! Values that comments on the move give already are replaced: two would contradict each other. Black's moves get their numbers where
//! something has come before them.

use std::ops::Range;

use super::super::record::{Game, Header};
use super::remarks::{self, Remark};
use crate::games::chess::pgn::{PgnGame, Spot};

/// What is the same for all games of a file.
#[derive(Clone, Debug)]
pub(super) struct Style {
    /// How lines end.
    newline: &'static str,
    /// Who remarks, for the tag of that name.
    annotator: String,
}

/// What stands somewhere in the text is replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    /// Where, in bytes of the whole text; often between two of them.
    pub(super) at: Range<u64>,
    /// By what.
    pub(super) text: String,
}

impl Style {
    /// For a file that begins with some text.
    pub(super) fn new(start: &[u8], header: &Header) -> Style {
        let newline = if start.windows(2).any(|it| it == b"\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let annotator = format!(
            "Cassius {}, {}, {} a position",
            header.cassius, header.search, header.limit
        );
        let annotator = annotator.replace(['"', '\\'], "'");
        let annotator = annotator.replace(|c: char| !c.is_ascii() || c.is_ascii_control(), " ");
        Style { newline, annotator }
    }
}

/// What changes in the text of a game, from its beginning to its end.
pub(super) fn edits(pgn: &PgnGame, game: &Game, style: &Style) -> Vec<Edit> {
    let mut edits = Edits {
        list: Vec::new(),
        newline: style.newline,
    };
    let is_annotated = pgn.tags.iter().any(|(name, _)| name == "Annotator");
    if let Some(end) = pgn.layout.tags_end.filter(|_| !is_annotated)
        && !game.rows.is_empty()
    {
        let (newline, annotator) = (style.newline, &style.annotator);
        edits.put(end, format!("{newline}[Annotator \"{annotator}\"]"));
    }
    let moves = pgn.layout.moves.iter().zip(&game.rows);
    let mut is_interrupted = false;
    for ((spot, row), remark) in moves.zip(remarks::of(game)) {
        if is_interrupted && row.black && !spot.is_numbered {
            edits.put(spot.word.start, format!("{}... ", row.number));
        }
        is_interrupted = remark != Remark::default();
        edits.remark(spot, remark);
    }
    edits.list
}

struct Edits {
    list: Vec<Edit>,
    newline: &'static str,
}

impl Edits {
    /// Puts something between two bytes.
    fn put(&mut self, at: u64, text: String) {
        self.list.push(Edit { at: at..at, text });
    }

    fn remark(&mut self, spot: &Spot, remark: Remark) {
        let words = remark.judgement;
        let glyph = words.as_ref().filter(|_| !spot.is_marked);
        if let Some(words) = glyph {
            self.put(spot.word.end, format!(" ${}", words.glyph));
        }
        let sentence = words.as_ref().map(|it| it.sentence.as_str());
        let first = self.list.len();
        let mut eval = remark.eval;
        if eval.is_some() {
            for old in &spot.evals {
                self.list.push(Edit {
                    at: old.clone(),
                    text: eval.take().unwrap_or_default(),
                });
            }
        }
        match &spot.comment {
            Some(comment) => {
                if let Some(eval) = eval {
                    let blank = if comment.is_empty() { "" } else { " " };
                    self.put(comment.start, eval + blank);
                }
                if let Some(sentence) = sentence {
                    let newline = self.newline;
                    self.put(comment.end + 1, format!("{newline}{{{sentence}}}"));
                }
            }
            None => {
                let parts: Vec<&str> = eval.as_deref().into_iter().chain(sentence).collect();
                if !parts.is_empty() {
                    self.put(spot.glyphs_end, format!(" {{{}}}", parts.join(" ")));
                }
            }
        }
        self.list[first..].sort_by_key(|edit| edit.at.start);
        if let Some(words) = words {
            // On a line of its own: what stands last may go on to the end of its line.
            let newline = self.newline;
            self.put(spot.end, format!("{newline}({})", words.line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::limit::Limit;
    use crate::game_report::judgement::tests::row;
    use crate::game_report::run::info;
    use crate::games::chess::pgn::Games;
    use crate::report::provenance::Provenance;

    /// A text with the remarks on moves that come to some values.
    fn remarked(text: &str, best: &[&str], values: &[i32]) -> String {
        let games: Vec<PgnGame> = Games::new(text.as_bytes()).map(Result::unwrap).collect();
        let header = Header {
            cassius: "1".to_owned(),
            file: String::new(),
            search: "depth-first".to_owned(),
            network: None,
            limit: Limit {
                nodes: Some(500),
                ..Limit::default()
            },
            hash_mb: 1,
            second_look: true,
            margin: None,
            provenance: Provenance::here(String::new()),
        };
        let style = Style::new(text.as_bytes(), &header);
        let mut edited = text.to_owned();
        let pgn = &games[0];
        let played: Vec<String> = (0..values.len())
            .map(|ply| match pgn.layout.moves.get(ply) {
                Some(spot) => text[spot.word.start as usize..spot.word.end as usize].to_owned(),
                None => String::new(),
            })
            .collect();
        let rows = values.iter().enumerate().map(|(ply, &cp)| {
            let played = Some(played[ply].as_str()).filter(|it| !it.is_empty());
            row(ply, played, best[ply], cp)
        });
        let game = Game {
            info: info(pgn),
            rows: rows.collect(),
        };
        for edit in edits(pgn, &game, &style).into_iter().rev() {
            edited.replace_range(edit.at.start as usize..edit.at.end as usize, &edit.text);
        }
        edited
    }

    #[test]
    fn remarks_stand_where_readers_look_for_them() {
        let text =
            "[White \"A\"]\n\n1. e4 $14 {best [%clk 0:10]} e5 2. f4 ; bold\nd5 (2... exf4) *\n";
        let best = ["e4", "e5", "Nf3", "exf4", "Nf3"];
        let edited = remarked(text, &best, &[30, 30, 30, -60, 300]);
        let expected = "\
[White \"A\"]
[Annotator \"Cassius 1, depth-first, 500 nodes a position\"]

1. e4 $14 {[%eval 0.30] best [%clk 0:10]} 1... e5 {[%eval 0.30]} 2. f4 $2 {[%eval -0.60] \
f4 costs 0.10 points. 2. Nf3 is worth +0.30.} ; bold
(2. Nf3 {[%eval 0.30]})
2... d5 $4 {[%eval 3.00] d5 costs 0.37 points. 2... exf4 is worth -0.60.} (2... exf4)
(2... exf4 {[%eval -0.60]}) *
";
        assert_eq!(edited, expected);
    }

    #[test]
    fn only_one_value_is_left_wherever_others_stood() {
        let text = "1. f3 {good} {[%eval 2.50] [%eval 1]} e5 (1... d5) {[%eval 9.99]} 2. a3 *\n";
        let edited = remarked(text, &["f3", "e5", "a3", "e4"], &[30, -60, -60, -60]);
        let expected = "1. f3 {good} {[%eval -0.60] } 1... e5 (1... d5) {[%eval -0.60]} 2. a3 {[%eval -0.60]} *\n";
        assert_eq!(edited, expected);
    }

    #[test]
    fn what_is_there_already_is_kept_or_replaced() {
        let text = "[Annotator \"Me\"]\r\n\r\n1. f3?! {[%eval 0.99] mine} {more} 1... e5 {} 2. g4?? Qh4# 0-1\r\n";
        let best = ["e4", "e5", "e4", "Qh4#"];
        let edited = remarked(text, &best, &[30, -60, -60, -3_000]);
        let expected = "[Annotator \"Me\"]\r\n\r\n1. f3?! {[%eval -0.60] mine}\r\n{f3?! costs 0.10 points. 1. e4 is worth +0.30.} {more}\r\n\
            (1. e4 {[%eval 0.30]}) 1... e5 {[%eval -0.60]} 2. g4?? {[%eval -30.00] g4?? costs 0.43 points. 2. e4 is worth -0.60.}\r\n\
            (2. e4 {[%eval -0.60]}) 2... Qh4# 0-1\r\n";
        assert_eq!(edited, expected);
    }
}
