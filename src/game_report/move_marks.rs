//! Marks on moves: inaccuracy (`?!`), mistake (`?`) and blunder (`??`), by the cost of the move and the chance that a stronger judge agrees.
//!
//! The cost of a move is the expected points of the best move less those of the move played, by one search: 1 point for
//! a win, 1/2 for a draw, by the model of [`wdl`](crate::wdl). A pawn costs much in an even game, nothing in a won one.
//!
//! Where the chances are known they decide the mark, and none is given below [`Word::Perhaps`]; elsewhere the cost
//! decides.

use super::chances::{Chances, LOSSES, WORDS};
use super::record::Row;
use super::verdict::PositionVerdict;

/// A move with a mark.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Judgement {
    /// Grade of the move.
    pub(super) grade: Grade,
    /// Cost in points.
    pub(super) cost: f64,
    /// Word for its chance; `None` if the chance is unknown.
    pub(super) word: Option<Word>,
}

/// Grade of a bad move, from the mildest to the worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Grade {
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Grade {
    /// The grades, worst first, each with its least cost in points.
    pub(super) const LEAST: [(Grade, f64); 3] = [
        (Grade::Blunder, LOSSES[2]),
        (Grade::Mistake, LOSSES[1]),
        (Grade::Dubious, LOSSES[0]),
    ];

    /// Grade of a move by its cost, in points.
    pub(super) fn of(cost: f64) -> Option<Grade> {
        let mut grades = Grade::LEAST.into_iter();
        let (grade, _) = grades.find(|&(_, least)| cost >= least)?;
        Some(grade)
    }

    /// Suffix to the move.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Grade::Dubious => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }

    /// Name with an article.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Grade::Dubious => "an inaccuracy",
            Grade::Mistake => "a mistake",
            Grade::Blunder => "a blunder",
        }
    }

    /// Numeric annotation glyph (PGN standard, section 10).
    const fn glyph(self) -> u8 {
        match self {
            Grade::Dubious => 6,
            Grade::Mistake => 2,
            Grade::Blunder => 4,
        }
    }

    /// Chance that a move is of this grade or a worse one.
    pub(super) const fn chance(self, chances: &Chances) -> f64 {
        match self {
            Grade::Dubious => chances.dubious,
            Grade::Mistake => chances.mistake,
            Grade::Blunder => chances.blunder,
        }
    }
}

/// Name of the grade of a move by its cost, in points.
pub fn grade(cost: f64) -> &'static str {
    match Grade::of(cost) {
        None => "good",
        Some(Grade::Dubious) => "dubious",
        Some(Grade::Mistake) => "mistake",
        Some(Grade::Blunder) => "blunder",
    }
}

/// Word for the chance of a mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Word {
    Perhaps,
    Probably,
    Surely,
}

impl Word {
    /// Word for a chance; `None` if it is too small for a mark.
    pub(super) fn of(chance: f64) -> Option<Word> {
        let words = [Word::Surely, Word::Probably, Word::Perhaps].into_iter();
        let (word, _) = words.zip(WORDS).find(|it| chance >= it.1.1)?;
        Some(word)
    }

    /// The word itself.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Word::Surely => WORDS[0].0,
            Word::Probably => WORDS[1].0,
            Word::Perhaps => WORDS[2].0,
        }
    }
}

impl Judgement {
    /// Glyph in PGN; `None` for marks that are only perhaps right.
    pub(super) fn glyph(self) -> Option<u8> {
        (self.word != Some(Word::Perhaps)).then(|| self.grade.glyph())
    }

    /// The mark in words: `surely a blunder`; `None` if the chance is unknown.
    pub(super) fn words(self) -> Option<String> {
        let word = self.word?.name();
        Some(format!("{word} {}", self.grade.name()))
    }

    /// [`Judgement::words`], or the grade alone if the chance is unknown: `a blunder`.
    pub(super) fn in_words(self) -> String {
        self.words().unwrap_or_else(|| self.grade.name().to_owned())
    }
}

/// Mark of the move played; `None` if it has none or its cost is unknown.
pub(super) fn of(row: &Row) -> Option<Judgement> {
    mark(row.facts.cost, row.facts.chances.as_ref())
}

/// Mark of a move by its cost and chances: the worst grade that is probable, or else the worst with an even chance. A
/// move that costs nothing gets none.
pub(super) fn mark(cost: Option<f64>, chances: Option<&Chances>) -> Option<Judgement> {
    let cost = cost.filter(|&it| it > 0.0)?;
    let (grade, word) = match chances {
        None => (Grade::of(cost)?, None),
        Some(chances) => {
            let marks = Grade::LEAST.map(|(grade, _)| (grade, Word::of(grade.chance(chances))));
            let worst = |least: Word| marks.into_iter().find(|it| it.1 >= Some(least));
            worst(Word::Probably).or_else(|| worst(Word::Perhaps))?
        }
    };
    Some(Judgement { grade, cost, word })
}

/// Units in a point: chances are in permille, and a draw counts half.
const POINT_PARTS: f64 = 2_000.0;

/// Cost of the move played, in points, at least 0; `None` if either value is unknown.
pub(super) fn cost(is_black: bool, verdict: &PositionVerdict) -> Option<f64> {
    let lost = verdict.points()? - verdict.of_played().points()?;
    let cost = if is_black { -lost } else { lost };
    // Points are multiples of this unit, but their difference in floating point is not exactly.
    let cost = (cost * POINT_PARTS).round() / POINT_PARTS;
    // Turns -0.0, which JSON would show, into 0.
    Some(cost.max(0.0) + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::verdict;

    fn grade(is_black: bool, best: i32, played: i32) -> Option<Grade> {
        let cost = cost(is_black, &verdict(best, played));
        mark(cost, None).map(|it| it.grade)
    }

    #[test]
    fn a_cost_of_just_a_fifth_is_a_fifth() {
        let cost = cost(false, &verdict(20, -150));
        assert_eq!(cost, Some(0.2));
        assert_eq!(mark(cost, None).map(|it| it.grade), Some(Grade::Blunder));
    }

    #[test]
    fn a_pawn_counts_where_the_game_is_open() {
        assert_eq!(grade(false, 0, 0), None);
        assert_eq!(grade(false, 20, -100), Some(Grade::Mistake));
        assert_eq!(grade(true, -20, 100), Some(Grade::Mistake));
        assert_eq!(grade(true, 20, -100), None, "a gain for Black");
        assert_eq!(grade(false, 0, -300), Some(Grade::Blunder));
        assert_eq!(grade(false, 1_600, 1_300), None);
        assert_eq!(grade(false, 60, 10), Some(Grade::Dubious));
    }

    #[test]
    fn mates_count_as_what_they_are() {
        let mut mate = verdict(0, 0);
        (mate.cp, mate.mate) = (None, Some(3));
        let blunder = mark(cost(false, &mate), None).unwrap();
        assert_eq!(blunder.grade, Grade::Blunder);
        (mate.played_cp, mate.played_mate) = (None, Some(3));
        assert_eq!(cost(false, &mate), Some(0.0), "what it would have played");
        mate.mate = None;
        assert_eq!(cost(false, &mate), None, "no value");
    }

    #[test]
    fn a_mark_needs_an_even_chance() {
        let marked = |cost: f64, [dubious, mistake, blunder]: [f64; 3]| {
            let chances = Chances {
                dubious,
                mistake,
                blunder,
            };
            let mark = mark(Some(cost), Some(&chances))?;
            Some((mark.grade, mark.word?, mark.glyph()))
        };
        assert_eq!(marked(0.3, [0.49, 0.2, 0.1]), None);
        assert_eq!(marked(0.0, [0.9, 0.9, 0.9]), None, "nothing lost");
        let perhaps = (Grade::Mistake, Word::Perhaps, None);
        assert_eq!(marked(0.3, [0.64, 0.5, 0.49]), Some(perhaps));
        // Rather a smaller mark that is surer.
        let surely = (Grade::Dubious, Word::Surely, Some(6));
        assert_eq!(marked(0.3, [0.85, 0.64, 0.5]), Some(surely));
        let probably = (Grade::Blunder, Word::Probably, Some(4));
        assert_eq!(marked(0.1, [0.99, 0.9, 0.65]), Some(probably));
    }
}
