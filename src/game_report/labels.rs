//! Words for a position and its move: who stands how, whether one move alone holds, and how hard that was to find.
//!
//! Each is a claim that a stronger judge can confirm or not, with its chance where one is known (docs/games.md, *Labels*).

use std::sync::LazyLock;

use super::grades::{self, Word};
use super::holding;
use super::phase::Phase;
use super::record::Row;
use crate::engine::outlook::NEAR;
use crate::value::Value;
use crate::wdl;

/// Chance of a win from which on a side is winning, and points from which on it is better.
const BANDS: [f64; 2] = [0.85, 0.6];
/// The part of a search's nodes from which on a move is found late, and up to which it is found at once.
const FOUND: [f64; 2] = [0.5, 0.0625];
/// Misjudged positions that would make a bad move as good as the best: up to this number the best is hard to see.
const FEW: u32 = 1;

/// Class of a position by its chances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Band {
    Decisive,
    Better,
    Level,
    DeadDrawn,
}

#[cfg(feature = "cli")]
impl Band {
    /// Its name.
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
pub(super) struct Standing {
    pub(super) band: Band,
    /// Whether it is Black who stands better.
    is_black: bool,
    /// The chance that it is still so with 16 times the effort; `None` where the outlook is not known.
    pub(super) chance: Option<f64>,
    /// Chances for White of a win, a draw and a loss, in permille.
    pub(super) odds: [u32; 3],
}

/// The least values, in centipawns, with which a side is better and winning.
static EDGES: LazyLock<[f64; 2]> = LazyLock::new(|| {
    let least = |has: fn(Value) -> bool| (0..3_000).find(|&cp| has(Value::centipawns(cp)));
    let edges = [
        least(|it| wdl::points(it) >= BANDS[1]),
        least(|it| f64::from(wdl::permille(it)[0]) >= 1_000.0 * BANDS[0]),
    ];
    edges.map(|it| f64::from(it.unwrap_or(3_000)))
});

impl Standing {
    /// Classes a position; `None` if it has no value.
    pub(super) fn of(row: &Row) -> Option<Standing> {
        let verdict = &row.verdict;
        let value = verdict.value_for_white()?;
        let odds = wdl::permille(value);
        let is_black = value < Value::DRAW;
        let standing = |band, chance, odds| {
            Some(Standing {
                band,
                is_black,
                chance,
                odds,
            })
        };
        let Some(cp) = verdict.cp.filter(|_| !verdict.is_proven()) else {
            return standing(Band::Decisive, Some(1.0), odds);
        };
        // Nothing is searched where the game is drawn by its rules.
        let is_over = cp == 0 && verdict.nodes == 0 && row.played.is_none();
        let stays = match is_over {
            true => Some(1.0),
            false => verdict.outlook.map(|it| it.value_stays),
        };
        let is_endgame = is_over || row.facts.phase == Some(Phase::Endgame);
        if let Some(stays) =
            stays.filter(|&it| cp == 0 && is_endgame && Word::of(it) == Some(Word::Surely))
        {
            // Where every line that was looked at ends in a draw the model of open games does not hold.
            let stays = (100.0 * stays).floor() / 100.0;
            let rest = |it: u32| (f64::from(it) * (1.0 - stays)).round() as u32;
            let [win, loss] = [rest(odds[0]), rest(odds[2])];
            let odds = [win, 1_000 - win - loss, loss];
            return standing(Band::DeadDrawn, Some(stays), odds);
        }
        let ahead = f64::from(cp.abs());
        let [better, winning] = *EDGES;
        let (band, [low, high]) = match ahead {
            _ if ahead >= winning => (Band::Decisive, [winning, f64::INFINITY]),
            _ if ahead >= better => (Band::Better, [better, f64::INFINITY]),
            _ => (Band::Level, [-better, better]),
        };
        // How far values move is spread as both halves of an exponential; the outlook tells how wide.
        let chance = stays.map(|stays| {
            let spread = f64::from(NEAR) / -(1.0 - stays.clamp(0.02, 0.99)).ln();
            below((high - ahead) / spread) - below((low - ahead) / spread)
        });
        standing(band, chance, odds)
    }

    /// Whether the band is this one, and for that side.
    #[cfg(any(feature = "cli", test))]
    pub(super) fn is_for(&self, is_black: bool, band: Band) -> bool {
        self.band == band && self.is_black == is_black
    }

    /// The same in words: `White better`, `Black probably winning`, `dead drawn (97 %)`.
    pub(super) fn words(&self) -> String {
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

/// The part of a spread of width 1 that lies below a number.
fn below(it: f64) -> f64 {
    if it < 0.0 {
        it.exp() / 2.0
    } else {
        1.0 - (-it).exp() / 2.0
    }
}

/// How sure it is that one move alone holds in a position; `None` if several do, or it is less than probable. The word is `None` where the
/// chance is not known.
pub(super) fn only(row: &Row) -> Option<Option<Word>> {
    let facts = &row.facts;
    if facts.held.as_ref().is_some_and(|it| it.len() != 1) {
        return None;
    }
    match facts.only {
        Some(chance) => Word::of(chance)
            .filter(|&it| it >= Word::Probably)
            .map(Some),
        None => holding::is_sure(facts.rest, None).then_some(None),
    }
}

/// How hard a move was to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// The search found it late, or it hangs on hardly any position.
    Hard,
    /// The search found it at once, and a bad move was played.
    EasyToMiss,
}

/// How hard the right move was to find; `None` if there is nothing to be said.
pub(super) fn effort(row: &Row) -> Option<Effort> {
    let is_marked = grades::of(row).is_some();
    if !is_marked && only(row).is_none() {
        return None;
    }
    let doubt = row.verdict.doubt.as_ref().filter(|_| is_marked);
    let few = doubt.is_some_and(|it| it.conspirators.is_some_and(|it| it <= FEW));
    let [late, soon] = FOUND;
    match row.facts.found? {
        found if found >= late || few => Some(Effort::Hard),
        found if is_marked && found <= soon => Some(Effort::EasyToMiss),
        _ => None,
    }
}

/// Labels of the move besides its mark: `only move missed, surely`, `hard to find`.
pub(super) fn of_move(row: &Row) -> Vec<String> {
    if row.facts.forced {
        return vec!["only legal move".to_owned()];
    }
    let is_marked = grades::of(row).is_some();
    let mut words = Vec::new();
    if let Some(word) = only(row) {
        let missed = if is_marked { " missed" } else { "" };
        let word = word.map_or_else(String::new, |it| format!(", {}", it.name()));
        words.push(format!("only move{missed}{word}"));
    }
    match effort(row) {
        Some(Effort::Hard) => words.push("hard to find".to_owned()),
        Some(Effort::EasyToMiss) => words.push("easy to miss".to_owned()),
        None => {}
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::outlook::Prospects;
    use crate::game_report::fixtures::{row, step};
    use crate::game_report::verdict::Doubt;

    fn standing(cp: i32, value_stays: f64, phase: Phase) -> String {
        let mut row = row(0, Some("a"), "a", cp);
        row.verdict.nodes = 1;
        row.facts.phase = Some(phase);
        row.verdict.outlook = Some(Prospects {
            move_stays: 1.0,
            value_stays,
        });
        Standing::of(&row).unwrap().words()
    }

    #[test]
    fn who_stands_how_is_as_sure_as_the_outlook() {
        assert_eq!(standing(0, 0.9, Phase::Opening), "level");
        assert_eq!(standing(105, 0.99, Phase::Opening), "White probably better");
        assert_eq!(standing(-95, 0.3, Phase::Opening), "Black perhaps better");
        assert_eq!(standing(-300, 0.9, Phase::Endgame), "Black better");
        // A value that moves far stays a winning one if it is large.
        assert_eq!(standing(2_000, 0.1, Phase::Endgame), "White winning");
        assert_eq!(standing(500, 0.5, Phase::Endgame), "White perhaps winning");
        assert_eq!(standing(0, 0.93, Phase::Endgame), "dead drawn (93 %)");
        assert_eq!(standing(0, 0.84, Phase::Endgame), "level");
        assert_eq!(standing(0, 0.93, Phase::Middlegame), "level");
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
    fn only_moves_and_how_hard_they_are_to_find() {
        let mut row = row(0, Some("a"), "a", 0);
        assert!(of_move(&row).is_empty());
        row.facts.found = Some(0.9);
        assert!(of_move(&row).is_empty(), "another move may do as well");
        (row.facts.rest, row.facts.only) = (Some(0.2), Some(0.7));
        assert_eq!(of_move(&row), ["only move, probably", "hard to find"]);
        row.facts.only = Some(0.6);
        assert!(of_move(&row).is_empty());
        // A blunder, by cost alone.
        row.verdict.best = Some(step("b"));
        (row.facts.cost, row.facts.only, row.facts.found) = (Some(0.3), None, Some(0.01));
        assert_eq!(of_move(&row), ["only move missed", "easy to miss"]);
        row.verdict.doubt = Some(Doubt {
            conspirators: Some(1),
            line: String::new(),
        });
        row.facts.held = Some(vec![step("b"), step("c")]);
        assert_eq!(of_move(&row), ["hard to find"]);
        row.facts.forced = true;
        assert_eq!(of_move(&row), ["only legal move"]);
    }
}
