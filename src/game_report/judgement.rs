//! What is said of a move by what it costs.
//!
//! The cost is counted in points that the player can expect, 1 for a win and 1/2 for a draw, by the model of
//! [`wdl`]: a pawn more or less costs much in an even game and nothing in a won one. Before and after the move two
//! searches were made; a move that the first one would have played is not judged by the second.

use super::record::Row;
use super::verdict::Verdict;
use crate::wdl;

/// A move that costs something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Judgement {
    /// How bad it is.
    pub(super) grade: Grade,
    /// Points that it costs.
    pub(super) cost: f64,
}

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grade {
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Grade {
    /// The grades from the worst on, each with the least cost it takes.
    const LEAST: [(Grade, f64); 3] = [
        (Grade::Blunder, 0.2),
        (Grade::Mistake, 0.1),
        (Grade::Dubious, 0.05),
    ];

    /// The grade of a move that costs so many points.
    pub(super) fn of(cost: f64) -> Option<Grade> {
        let mut grades = Grade::LEAST.into_iter();
        let (grade, _) = grades.find(|&(_, least)| cost >= least)?;
        Some(grade)
    }

    /// What stands behind such a move.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Grade::Dubious => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }

    /// The numeric annotation glyph of the standard of PGN, section 10.
    pub(super) const fn glyph(self) -> u8 {
        match self {
            Grade::Dubious => 6,
            Grade::Mistake => 2,
            Grade::Blunder => 4,
        }
    }
}

/// What is said of the move played in a position, by the verdict on that position and on the next; `None`
/// if nothing is to be said, or not enough is known.
pub(super) fn of(before: &Row, after: &Verdict) -> Option<Judgement> {
    let cost = cost(before, after)?;
    Grade::of(cost).map(|grade| Judgement { grade, cost })
}

/// In a whole point: chances are in permille, and a draw is worth half of one.
const POINT_PARTS: f64 = 2_000.0;

/// The points that the move played in a position costs, not below 0; `None` if not enough is known.
pub(super) fn cost(before: &Row, after: &Verdict) -> Option<f64> {
    let (best, played) = (before.verdict.best.as_ref()?, before.played.as_ref()?);
    // Castling in Chess960 has two spellings in UCI. Nobody passes in a game: who writes a study does.
    if best.san == played.san || played.is_pass() {
        return Some(0.0);
    }
    let points = |verdict: &Verdict| verdict.value_for_white().map(wdl::points);
    let lost = points(&before.verdict)? - points(after)?;
    let cost = if before.black { -lost } else { lost };
    // Points are whole numbers of this part; their difference in floating point is not quite.
    Some(((cost * POINT_PARTS).round() / POINT_PARTS).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::row;

    fn grade(black: bool, before: i32, after: i32) -> Option<Grade> {
        let before = row(usize::from(black), Some("a"), "b", before);
        let after = row(1, None, "c", after).verdict;
        of(&before, &after).map(|it| it.grade)
    }

    #[test]
    fn a_cost_of_just_a_fifth_is_a_fifth() {
        let before = row(0, Some("a"), "b", 10);
        let after = row(1, None, "c", -171).verdict;
        let judged = of(&before, &after).unwrap();
        assert_eq!((judged.cost, judged.grade), (0.2, Grade::Blunder));
    }

    #[test]
    fn castling_is_one_move_however_it_is_written() {
        let mut castled = row(0, Some("O-O"), "O-O", 100);
        castled.played.as_mut().unwrap().uci = "e1h1".to_owned();
        assert_eq!(cost(&castled, &row(1, None, "a", -100).verdict), Some(0.0));
        assert_eq!(castled.better(), None);
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
        let mut before = row(0, Some("a"), "b", 0);
        before.verdict.cp = None;
        before.verdict.mate = Some(3);
        let after = row(1, None, "c", 0).verdict;
        assert_eq!(of(&before, &after).map(|it| it.grade), Some(Grade::Blunder));
        before.played = before.verdict.best.clone();
        assert_eq!(of(&before, &after), None, "what it would have played");
        before.verdict.mate = None;
        assert_eq!(of(&before, &after), None, "no value");
    }
}
