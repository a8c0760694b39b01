//! Labels of a position and its move: which side is better, whether only one move holds, and how hard it was to find.
//!
//! Each is a claim that a stronger judge can confirm or refute, with its chance where one is known (docs/games.md,
//! *Labels*).

use super::holding;
use super::move_marks::{self, Word};
use super::phase::Phase;
use super::record::Row;
use super::verdict::PositionVerdict;
use crate::engine::outlook::NEAR;
use crate::game::Game as _;
use crate::games::chess::Position;
use crate::games::chess::notation::parse_chess960_fen;
use crate::value::{Count, Mate, Value};
use crate::wdl;

/// Least expected points of a side that is better.
pub(super) const BETTER: f64 = 0.6;
/// Least expected points of a side that is winning.
pub(super) const WINNING: f64 = 0.85;
/// Values at which a stronger judge gives a side these points half the time, in centipawns on a full board.
const EDGES: [f64; 2] = [91.0, 371.0];
/// Spread of a judge's values about ours: a constant, in centipawns on a full board, and the share of the spread of our
/// own later values that is added.
const SPREAD: [f64; 2] = [13.0, 0.35];
/// Pieces of a full board: a knight or a bishop counts 1, a rook 2, a queen 4.
const FULL: u32 = 24;
/// Most positions that a search visits before it has found a move that is easy to find.
const SOON: u64 = 200;

/// Class of a position by its chances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Band {
    Decisive,
    Better,
    Level,
    DeadDrawn,
}

impl Band {
    /// Band of a side that is ahead by a value on a full board, and the chance that a stronger judge confirms it.
    fn of(ahead: Value, stays: Option<f64>) -> (Band, Option<f64>) {
        let [better, winning] = EDGES;
        let (band, [low, high]) = match wdl::points(ahead) {
            points if points >= WINNING => (Band::Decisive, [winning, f64::INFINITY]),
            points if points >= BETTER => (Band::Better, [better, f64::INFINITY]),
            _ => (Band::Level, [-better, better]),
        };
        // The distance of a judge's values from ours has a logistic distribution; the outlook gives its width.
        let chance = stays.map(|stays| {
            let own = f64::from(NEAR) / -(1.0 - stays.clamp(0.02, 0.99)).ln();
            let spread = SPREAD[0] + SPREAD[1] * own;
            let ahead = f64::from(ahead.get());
            below((high - ahead) / spread) - below((low - ahead) / spread)
        });
        (band, chance)
    }

    /// Its name.
    #[cfg(feature = "cli")]
    pub(super) const fn name(self) -> &'static str {
        match self {
            Band::Decisive => "decisive",
            Band::Better => "better",
            Band::Level => "level",
            Band::DeadDrawn => "dead drawn",
        }
    }
}

/// Band of a position, the side it is for, and its chances.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    pub(super) band: Band,
    /// Whether it is Black who stands better.
    is_black: bool,
    /// The chance that a stronger judge confirms the band; `None` where the outlook is not known.
    pub(super) chance: Option<f64>,
    /// Chances for White of a win, a draw and a loss, in permille.
    pub odds: [u32; 3],
}

impl Standing {
    /// Classes the position of a row; `None` if it has no value.
    pub(super) fn of(row: &Row) -> Option<Standing> {
        let verdict = &row.verdict;
        let value = verdict.value_for_white()?;
        // Nothing is searched where the game is drawn by its rules.
        let is_over = verdict.cp == Some(0) && verdict.nodes == 0 && row.played.is_none();
        let stays = match is_over {
            true => Some(1.0),
            false => verdict.outlook.map(|it| it.value_stays),
        };
        let is_endgame = is_over || row.facts.phase == Some(Phase::Endgame);
        let left = pieces_left(&row.fen);
        Some(Standing::of_value(value, left, is_endgame, stays))
    }

    /// Classes a position by its value for White. `stays` is the chance that more thought leaves the value where it is
    /// ([`crate::outlook`]); without it *probably* and *perhaps* are left out.
    pub fn at(position: &Position, for_white: Value, stays: Option<f64>) -> Standing {
        let (left, is_endgame) = (position.phase(), position.is_endgame());
        Standing::of_value(for_white, left, is_endgame, stays)
    }

    fn of_value(value: Value, left: u32, is_endgame: bool, stays: Option<f64>) -> Standing {
        // Words and odds are those of one value.
        let full = on_full_board(left, value);
        let (band, chance) = match value.is_decided() {
            true => (Band::Decisive, Some(1.0)),
            false => Band::of(full.max(-full), stays),
        };
        let standing = Standing {
            band,
            is_black: value < Value::DRAW,
            chance,
            odds: wdl::permille(full),
        };
        let is_dead = |it: &f64| Word::of(*it) == Some(Word::Surely);
        match stays.filter(is_dead) {
            Some(stays) if is_endgame && value == Value::DRAW => standing.dead_drawn(stays),
            _ => standing,
        }
    }

    /// This standing where every line searched ends in a draw: there the model of open games does not hold.
    fn dead_drawn(self, stays: f64) -> Standing {
        let stays = (100.0 * stays).floor() / 100.0;
        let rest = |it: u32| (f64::from(it) * (1.0 - stays)).round() as u32;
        let [win, loss] = [rest(self.odds[0]), rest(self.odds[2])];
        Standing {
            band: Band::DeadDrawn,
            chance: Some(stays),
            odds: [win, 1_000 - win - loss, loss],
            ..self
        }
    }

    /// Whether the band is this one, and for that side.
    pub(super) fn is_for(&self, is_black: bool, band: Band) -> bool {
        self.band == band && self.is_black == is_black
    }

    /// Whether the band and the side are the same; who stands better in a level position does not matter.
    pub(super) fn is_like(&self, other: &Standing) -> bool {
        let has_side = matches!(self.band, Band::Decisive | Band::Better);
        self.band == other.band && (!has_side || self.is_black == other.is_black)
    }

    /// The standing in words: `White better`, `Black probably winning`, `dead drawn (97 %)`.
    pub fn words(&self) -> String {
        let side = if self.is_black { "Black" } else { "White" };
        let word = match self.chance.map(Word::of) {
            None | Some(Some(Word::Surely)) => "",
            Some(Some(Word::Probably)) => "probably ",
            Some(_) => "perhaps ",
        };
        match self.band {
            Band::Decisive => format!("{side} {word}winning"),
            Band::Better => format!("{side} {word}better"),
            Band::Level => format!("{word}level"),
            Band::DeadDrawn => {
                let chance = self.chance.unwrap_or_default();
                format!("dead drawn ({:.0} %)", 100.0 * chance)
            }
        }
    }
}

/// The pieces left in the position of a FEN; all, if it is none.
fn pieces_left(fen: &str) -> u32 {
    parse_chess960_fen(fen).map_or(FULL, |it| it.phase())
}

/// The value on a full board that means as much as this one with these pieces `left`: half as many centipawns if all
/// pieces are gone, since more games are drawn with fewer pieces.
fn on_full_board(left: u32, value: Value) -> Value {
    if value.is_decided() {
        return value;
    }
    let left = f64::from(left.min(FULL)) / f64::from(FULL);
    let centipawns = f64::from(value.get()) / (1.0 - left).exp2();
    Value::centipawns(centipawns.round() as i32)
}

/// Expected points of a side at a verdict on the position of a row, as its bar shows them; `None` without a value.
pub(super) fn points(row: &Row, verdict: &PositionVerdict, is_black: bool) -> Option<f64> {
    let value = verdict.value_for(is_black)?;
    Some(wdl::points(on_full_board(pieces_left(&row.fen), value)))
}

/// The part of a logistic distribution of scale 1, around 0, that lies below a number.
fn below(it: f64) -> f64 {
    1.0 / (1.0 + (-it).exp())
}

/// How sure it is that only one move holds; the word is `None` where the chance is not known.
///
/// The result is `None` if several moves hold, the position is lost, a marked move still wins, or the chance is too
/// small: it must be probable beside a marked move, and sure elsewhere, where the search took only a glance.
pub(super) fn only(row: &Row) -> Option<Option<Word>> {
    let facts = &row.facts;
    let points = |verdict: &PositionVerdict| points(row, verdict, row.black);
    let is_lost = points(&row.verdict).is_some_and(|it| it <= 1.0 - WINNING);
    let is_won = || points(&row.verdict.of_played()).is_some_and(|it| it >= WINNING);
    if is_lost || move_marks::of(row).is_some() && is_won() {
        return None;
    }
    if facts.held.as_ref().is_some_and(|it| it.len() != 1) {
        return None;
    }
    let least = move_marks::of(row).map_or(Word::Surely, |_| Word::Probably);
    match facts.only {
        Some(chance) => Word::of(chance).filter(|&it| it >= least).map(Some),
        None => holding::is_sure(facts.rest, None).then_some(None),
    }
}

/// The mate that the move played allows, or misses: `allows mate in 1`, `misses mate in 2`; `None` if it does neither.
fn mate(row: &Row) -> Option<String> {
    let is_own = |it: &Mate| (it.moves < 0) == row.black;
    let (before, after) = (row.verdict.mate(), row.verdict.of_played().mate());
    let allowed = after.filter(|it| !is_own(it) && before.is_none_or(|it| is_own(&it)));
    match allowed {
        Some(mate) => Some(format!("allows mate in {}", mate.count())),
        None => missed_mate(row).map(|moves| format!("misses mate in {moves}")),
    }
}

/// The moves of the mate that the move played misses; `None` if it misses none.
pub(super) fn missed_mate(row: &Row) -> Option<Count> {
    let is_own = |it: &Mate| (it.moves < 0) == row.black;
    let (before, after) = (row.verdict.mate(), row.verdict.of_played().mate());
    let is_known = after.is_some() || row.verdict.played_cp.is_some();
    let missed = before.filter(|it| is_own(it) && is_known && !after.is_some_and(|it| is_own(&it)));
    missed.map(Mate::count)
}

/// How hard the right move was to find: `hard` if the search found it late, `easy` if it found it soon and a bad move
/// was played. `None` if several moves hold, or there is nothing to say.
fn effort(row: &Row) -> Option<&'static str> {
    let is_marked = move_marks::of(row).is_some();
    let is_one = row.facts.held.as_ref().is_none_or(|it| it.len() == 1);
    if !is_one || !is_marked && only(row).is_none() {
        return None;
    }
    match row.facts.found? {
        found if found >= holding::LATE => Some("hard"),
        found if is_marked && found <= SOON => Some("easy"),
        _ => None,
    }
}

/// Labels of the move besides its mark: `only move, surely`, `hard to find`. Those of a marked move are about the
/// better one: `only move missed, surely`, `Nxd5 was hard to find`.
pub(super) fn of_move(row: &Row) -> Vec<String> {
    let claim = row
        .is_first_claim()
        .then(|| "a draw could be claimed here".to_owned());
    if row.facts.forced {
        return std::iter::once("only legal move".to_owned())
            .chain(claim)
            .collect();
    }
    let is_marked = move_marks::of(row).is_some();
    let mut words: Vec<String> = mate(row).into_iter().collect();
    if let Some(word) = only(row) {
        let missed = if is_marked { " missed" } else { "" };
        let word = word.map_or_else(String::new, |it| format!(", {}", it.name()));
        words.push(format!("only move{missed}{word}"));
    }
    let better = row.better().filter(|_| is_marked);
    let whose = better.map_or_else(String::new, |it| format!("{} was ", it.san));
    words.extend(effort(row).map(|it| format!("{whose}{it} to find")));
    words.extend(claim);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::{START, row, step};
    use crate::outlook::Outlook;

    fn standing(cp: i32, value_stays: f64, phase: Phase) -> String {
        let mut row = row(0, Some("a"), "a", cp);
        row.verdict.nodes = 1;
        row.facts.phase = Some(phase);
        let board = match phase {
            Phase::Endgame => "8/5pk1/8/8/8/8/5PK1/R6r w - - 0 40",
            _ => START,
        };
        board.clone_into(&mut row.fen);
        row.verdict.outlook = Some(Outlook {
            move_stays: 1.0,
            value_stays,
        });
        Standing::of(&row).unwrap().words()
    }

    #[test]
    fn who_stands_how_is_as_sure_as_the_outlook() {
        assert_eq!(standing(0, 0.9, Phase::Opening), "level");
        assert_eq!(standing(93, 0.99, Phase::Opening), "White perhaps better");
        assert_eq!(standing(109, 0.99, Phase::Opening), "White probably better");
        assert_eq!(standing(-75, 0.3, Phase::Opening), "perhaps level");
        assert_eq!(standing(-300, 0.9, Phase::Endgame), "Black better");
        // A value that moves far stays a winning one if it is large.
        assert_eq!(standing(2_000, 0.1, Phase::Endgame), "White winning");
        assert_eq!(standing(710, 0.5, Phase::Endgame), "White probably winning");
        // Where few pieces are left, more games are drawn.
        assert_eq!(standing(430, 0.9, Phase::Opening), "White winning");
        assert_eq!(standing(430, 0.9, Phase::Endgame), "White better");
        assert_eq!(standing(0, 0.93, Phase::Endgame), "dead drawn (93 %)");
        assert_eq!(standing(0, 0.84, Phase::Endgame), "level");
        assert_eq!(standing(0, 0.93, Phase::Middlegame), "level");
    }

    #[test]
    fn words_and_odds_are_those_of_one_value() {
        let ending = "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47";
        let rooks = "8/5pk1/8/8/8/8/5PK1/R6r w - - 0 40";
        for fen in [START, ending, rooks] {
            let position = parse_chess960_fen(fen).unwrap();
            for centipawns in (-3_000..=3_000).step_by(23) {
                let standing = Standing::at(&position, Value::centipawns(centipawns), Some(0.9));
                let [win, draw, loss] = standing.odds.map(|it| f64::from(it) / 1_000.0);
                let points = win.max(loss) + draw / 2.0;
                let expected = match standing.band {
                    Band::Decisive => points >= WINNING,
                    Band::Better => (BETTER..WINNING).contains(&points),
                    _ => points < BETTER,
                };
                assert!(expected, "{fen}, {centipawns}: {standing:?}");
                let is_ahead = standing.is_black == (loss > win);
                assert!(is_ahead || win == loss, "{standing:?}");
            }
        }
    }

    #[test]
    fn a_dead_draw_has_a_chance_of_its_own() {
        // Drawn by the rules: nothing is searched.
        let over = Standing::of(&row(9, None, "a", 0)).unwrap();
        assert_eq!((over.band, over.odds), (Band::DeadDrawn, [0, 1_000, 0]));
        let mut mated = row(0, Some("a"), "a", 0);
        (mated.verdict.cp, mated.verdict.mate) = (None, Some(-2));
        let mated = Standing::of(&mated).unwrap();
        assert!(mated.is_for(true, Band::Decisive) && mated.chance == Some(1.0));
    }

    #[test]
    fn mates_that_a_move_allows_or_misses_are_told() {
        let told = |is_black: bool, before: Option<i32>, after: Option<i32>| {
            let mut row = row(usize::from(is_black), Some("a"), "b", 0);
            row.verdict.cp = before.map_or(Some(0), |_| None);
            row.verdict.mate = before;
            row.verdict.played_cp = after.map_or(Some(0), |_| None);
            row.verdict.played_mate = after;
            of_move(&row)
        };
        assert_eq!(told(true, None, Some(1)), ["allows mate in 1"]);
        assert_eq!(told(false, None, Some(-2)), ["allows mate in 2"]);
        assert_eq!(told(false, Some(2), None), ["misses mate in 2"]);
        assert_eq!(told(true, Some(-3), Some(4)), ["allows mate in 4"]);
        // A mate that goes on is not missed, and one that was there before is not allowed by the move.
        for (before, after) in [(Some(2), Some(2)), (Some(-3), Some(-1)), (None, None)] {
            assert_eq!(told(false, before, after), [""; 0]);
        }
    }

    #[test]
    fn only_moves_and_how_hard_they_are_to_find() {
        let mut row = row(0, Some("a"), "a", 0);
        assert!(of_move(&row).is_empty());
        row.facts.found = Some(1_000);
        assert!(of_move(&row).is_empty(), "another move may do as well");
        (row.facts.rest, row.facts.only) = (Some(0.2), Some(0.9));
        assert_eq!(of_move(&row), ["only move, surely", "hard to find"]);
        row.facts.only = Some(0.7);
        assert!(of_move(&row).is_empty(), "a glance that is not sure");
        // A blunder, by cost alone.
        row.verdict.best = Some(step("b"));
        (row.facts.cost, row.facts.only, row.facts.found) = (Some(0.3), None, Some(200));
        assert_eq!(of_move(&row), ["only move missed", "b was easy to find"]);
        row.facts.only = Some(0.7);
        let probably = ["only move missed, probably", "b was easy to find"];
        assert_eq!(of_move(&row), probably);
        row.facts.found = Some(2_000);
        row.facts.held = Some(vec![step("b"), step("c")]);
        assert!(of_move(&row).is_empty(), "one of two is easier to find");
        // Where all moves lose, none holds; a move that still wins has missed none.
        row.facts.held = None;
        row.verdict.cp = Some(-510);
        assert_eq!(of_move(&row), ["b was hard to find"]);
        (row.verdict.cp, row.verdict.played_cp) = (Some(1_000), Some(510));
        assert_eq!(of_move(&row), ["b was hard to find"]);
        row.facts.forced = true;
        assert_eq!(of_move(&row), ["only legal move"]);
    }
}
