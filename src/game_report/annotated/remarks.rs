//! Remarks on the moves of a game in PGN. They are in ASCII, which is the same in every encoding of PGN.

use super::super::disagreement::{self, About, Disagreement};
use super::super::move_marks::{self, Judgement};
use super::super::record::{Game, Row};
use super::super::verdict::PositionVerdict;
use super::own;
use crate::games::chess::line::moves_of;

/// Most plies of a better line.
const LONGEST_LINE: usize = 10;

/// Remark on a move.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Remark {
    /// Value after the move, for White: `[%eval -0.35]`, as Lichess writes it.
    pub(super) eval: Option<String>,
    /// Number of the glyph; `None` without a mark, or if the mark is not sure enough for one.
    pub(super) glyph: Option<u8>,
    /// The cost of a marked move, what would have to be misjudged for it to be as good, and where engine and Cassius
    /// disagree on the move or the position after it.
    pub(super) sentences: Vec<String>,
    /// The better line, if there is one, with move numbers and the tag that marks it (`[%cassius line]`).
    pub(super) line: Option<String>,
}

/// Remarks on the moves of a game, in order; there may be fewer than moves.
pub(super) fn of(game: &Game) -> Vec<Remark> {
    let nothing = PositionVerdict::default();
    let disagreements = disagreement::of(game);
    let of = |ply: usize, about: About| {
        let mut disagreements = disagreements.iter();
        disagreements.find(|it| it.row.ply == ply && it.about == about)
    };
    let moves = game.rows.iter().enumerate();
    let moves = moves.filter(|(_, row)| row.played.is_some());
    let remarks = moves.map(|(ply, row)| {
        let after = game.rows.get(ply + 1).map_or(&nothing, |it| &it.verdict);
        let about_move = of(ply, About::Move);
        let mark = move_marks::of(row);
        let mut remark = match (mark, about_move) {
            (Some(mark), _) => judged(mark, row).unwrap_or_default(),
            // The engine does not mark the move, but Cassius finds it costly.
            (None, Some(it)) => Remark {
                line: better_line(row, &it.own.verdict),
                ..Remark::default()
            },
            (None, None) => Remark::default(),
        };
        remark.eval = eval(after);
        let disputed = about_move.into_iter().chain(of(ply + 1, About::Position));
        let sentences = disputed.map(Disagreement::sentence);
        remark.sentences.extend(sentences);
        let is_claim = row.is_first_claim();
        remark
            .sentences
            .extend(is_claim.then(|| "Before it a draw could be claimed: fifty moves.".to_owned()));
        remark
    });
    remarks.collect()
}

/// Value as a command for programs.
pub(super) fn eval(verdict: &PositionVerdict) -> Option<String> {
    let value = match (verdict.mate, verdict.cp) {
        (Some(0), _) | (None, None) => return None,
        (Some(moves), _) => format!("#{moves}"),
        (None, Some(cp)) => format!("{:.2}", f64::from(cp) / 100.0),
    };
    Some(format!("[%eval {value}]"))
}

/// Remark on a marked move, without its value.
fn judged(judgement: Judgement, row: &Row) -> Option<Remark> {
    let (best, played) = (row.verdict.best.as_ref()?, row.played.as_ref()?);
    let best = row.numbered(&best.san);
    let cost = format!(
        "{} costs {:.2} points{}. {best} is {}.",
        played.san,
        judgement.cost,
        judgement
            .words()
            .map_or_else(String::new, |it| format!(", {it}")),
        worth(&row.verdict)
    );
    let doubt = row.verdict.doubt.as_ref();
    let doubt = doubt.map(|it| it.words(&played.san));
    Some(Remark {
        eval: None,
        glyph: judgement.glyph(),
        sentences: std::iter::once(cost).chain(doubt).collect(),
        line: better_line(row, &row.verdict),
    })
}

/// Words for the value of a move: `worth +0.35`, `winning for White`.
fn worth(verdict: &PositionVerdict) -> String {
    match verdict.is_far() {
        true => verdict.in_words(),
        false => format!("worth {}", verdict.ascii_value()),
    }
}

/// Principal variation of a verdict, or else its best move, with the value at the end.
fn better_line(row: &Row, verdict: &PositionVerdict) -> Option<String> {
    let line = row.line(verdict, LONGEST_LINE)?;
    let eval = eval(&at_end(&line, row.black, verdict)).map(|it| it + " ");
    let eval = eval.unwrap_or_default();
    Some(format!("{line} {{{eval}{}}}", own::LINE))
}

/// The verdict at the end of a line: a mate is nearer by the moves of the line.
fn at_end(line: &str, is_black: bool, verdict: &PositionVerdict) -> PositionVerdict {
    let plies = i32::try_from(moves_of(line).count()).unwrap_or(i32::MAX);
    let nearer = verdict.mate.map(|mate| {
        let is_own = (mate > 0) != is_black;
        let moves = (plies + i32::from(is_own)) / 2;
        mate.signum() * (mate.abs() - moves).max(0)
    });
    PositionVerdict {
        mate: nearer,
        ..verdict.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_other_programs_do() {
        let told = |cp, mate| eval(&PositionVerdict::worth(cp, mate));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(told(Some(-5), None), some("[%eval -0.05]"));
        assert_eq!(told(Some(0), None), some("[%eval 0.00]"));
        assert_eq!(told(None, Some(-3)), some("[%eval #-3]"));
        assert_eq!(told(None, None), None);
        assert_eq!(told(None, Some(0)), None);
    }
}
