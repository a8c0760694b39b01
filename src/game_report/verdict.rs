//! What a search makes of a position of a game: values for White and what they rest on, and how people write them.

use serde::{Deserialize, Serialize};

use crate::engine::outlook::Prospects;
use crate::games::chess::line::WrittenMove;
use crate::output::table::thousands;
use crate::value::Value;
use crate::wdl;

/// What a search makes of a position. Values and what they rest on are for White.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Verdict {
    /// The move it would play.
    pub best: Option<WrittenMove>,
    /// Its principal variation, as people write it; may be empty.
    pub line: String,
    /// Value for White in centipawns, unless a mate is proven.
    pub cp: Option<i32>,
    /// Moves to the mate that is proven, negative if White is mated.
    pub mate: Option<i32>,
    /// The value for White of the move that was played, by the same search as the position's: what it costs is their
    /// difference. In centipawns, unless a mate is proven; `None` if no move was played, or it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played_cp: Option<i32>,
    /// Moves to the mate that the move that was played leads to, counted from the position before it; negative if White is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played_mate: Option<i32>,
    /// How far the evaluation of the position, without search, may be from what a search says: two errors in
    /// three are smaller, in centipawns. `None` if the evaluation does not know, or a mate is
    /// proven.
    pub give_or_take: Option<u32>,
    /// The conspiracy threshold of the last iteration completed: with fewer leaves wrong, the verdict
    /// stands. `None` for searches that count no leaves.
    pub confidence: Option<u32>,
    /// Fewest leaves that must be wrong for White to stand worse; `None`: none will do, or not known.
    pub lower: Option<u32>,
    /// Fewest leaves that must be wrong for White to stand better; `None`: none will do, or not known.
    pub higher: Option<u32>,
    /// Fewest leaves that must be wrong for White to stand worse by the margin ([`Header::margin`](super::record::Header::margin)), each by two
    /// margins at most; `None`: none will do, or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_lower: Option<u32>,
    /// The same for White to stand better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_higher: Option<u32>,
    /// The same for another move to be better than the one it would play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_move: Option<u32>,
    /// The demand of the last iteration completed, from searches that price lines instead of counting
    /// leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demand: Option<u32>,
    /// Price of the cheapest line by which White would stand worse, 1 for an ordinary ply; `None`: that
    /// is ruled out, or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_lower: Option<f64>,
    /// Price of the cheapest line by which White would stand better; `None`: that is ruled out, or not
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_higher: Option<f64>,
    /// What 16 times the nodes are likely to change; `None`: not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlook: Option<Prospects>,
    /// The root's largest conspiracy number; `None`: not known.
    pub max_cn: Option<u32>,
    /// The root's smallest conspiracy number but 0; `None`: the value is proven, or not known.
    pub min_cn: Option<u32>,
    /// What came of looking again where a mark might have gone either way; `None` if it was not needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks: Option<Looks>,
    /// What speaks for the move that was played, if it is marked and another search has looked at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    /// Last iteration completed: depth, demand or conspiracy threshold.
    pub iteration: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken, in milliseconds.
    pub ms: f64,
    /// Why there is no verdict, if the search failed or an engine crashed or hung.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// What came of looking at a position again, with more effort.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Looks {
    /// How often it was looked at again.
    pub again: u32,
    /// Whether the last look found another move best than the one before.
    pub changed: bool,
    /// How far it moved what the move played costs, in points.
    pub moved: f64,
}

/// What best-first search says of a move that another search takes for bad.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Doubt {
    /// How many leaves of its tree would have to be misjudged together for the move to be as good as the best;
    /// 0: by that search it is; `None`: no number will do.
    pub conspirators: Option<u32>,
    /// The line from the position after the move to one of them, as people write it; empty where none is
    /// named.
    pub line: String,
}

impl Doubt {
    /// What would have to be wrong for the move played to be as good, in a sentence of ASCII.
    pub(super) fn words(&self, played: &str) -> String {
        let end = match self.line.as_str() {
            "" => ".".to_owned(),
            line if self.conspirators == Some(1) => format!(": the one after {line}."),
            line => format!(", among them the one after {line}."),
        };
        match self.conspirators {
            None => format!("No misjudged position could make {played} as good: that is proven."),
            Some(0) => format!("In doubt: best-first search takes {played} for as good."),
            Some(1) => {
                format!("For {played} to be as good, 1 position would have to be misjudged{end}")
            }
            Some(count) => {
                // Blanks that do not break are not ASCII.
                let count = thousands(count.into()).replace(|c: char| !c.is_ascii(), " ");
                format!(
                    "For {played} to be as good, {count} positions would have to be misjudged together{end}"
                )
            }
        }
    }
}

/// Error of an evaluation that does not know its own, in centipawns.
const USUAL_ERROR: u32 = 60;
/// Most that an error counts, in centipawns: beyond it the game is decided.
const MOST_ERROR: u32 = 2_000;

impl Verdict {
    /// The error of the evaluation, in points: half the difference that [`Verdict::give_or_take`] makes either way.
    pub(super) fn error_in_points(&self) -> f64 {
        let value = i32::from(self.value_for_white().unwrap_or(Value::DRAW).get());
        let error = self.give_or_take.unwrap_or(USUAL_ERROR).min(MOST_ERROR) as i32;
        let points = |off: i32| wdl::points(Value::centipawns(value.saturating_add(off)));
        (points(error) - points(-error)) / 2.0
    }

    /// A verdict of which nothing is known but the value for the side to move.
    pub(crate) fn valued(is_black: bool, value: Value) -> Verdict {
        let sign = if is_black { -1 } else { 1 };
        let mate = value.mate_in_moves();
        let cp = mate.is_none().then(|| sign * i32::from(value.get()));
        Verdict {
            cp,
            mate: mate.map(|moves| sign * moves),
            ..Verdict::default()
        }
    }

    /// Of a position in which the game is drawn by its rules: nothing is searched.
    pub(super) fn drawn() -> Verdict {
        Verdict {
            cp: Some(0),
            ..Verdict::default()
        }
    }

    /// The value for White; `None` if there is none.
    pub(super) fn value_for_white(&self) -> Option<Value> {
        value(self.cp, self.mate)
    }

    /// The value for White of the move that was played; `None` if there is none, or it is not known.
    pub(super) fn played_for_white(&self) -> Option<Value> {
        value(self.played_cp, self.played_mate)
    }

    /// Whether the position is won or lost for certain.
    pub(super) const fn is_proven(&self) -> bool {
        self.mate.is_some()
    }

    /// The value with how far it may be wrong: `+0.35 ± 0.60`, which breaks before the sign only; [`Verdict::value`] if that is not known.
    pub(crate) fn value_and_error(&self) -> String {
        let error = self.give_or_take.map(|it| format!(" ±\u{a0}{}", pawns(it)));
        self.value() + &error.unwrap_or_default()
    }

    /// How far the value may be wrong, in pawns: `0.60`; `–` if that is not known.
    pub fn error(&self) -> String {
        self.give_or_take.map_or_else(dash, pawns)
    }

    /// The value for White as people write it: `+0.35`, `#-3`; `–` if there is none.
    pub fn value(&self) -> String {
        match (self.mate, self.cp) {
            (Some(moves), _) => format!("#{moves}"),
            (None, Some(cp)) => format!("{:+.2}", f64::from(cp) / 100.0),
            (None, None) => "–".to_owned(),
        }
    }
}

/// A value in centipawns, or by the moves to a mate.
fn value(cp: Option<i32>, mate: Option<i32>) -> Option<Value> {
    match (mate, cp) {
        (Some(0), _) => None,
        (Some(moves), _) => {
            let plies = u16::try_from(moves.unsigned_abs()).unwrap_or(Value::MAX_PLIES);
            let plies = plies.saturating_mul(2).min(Value::MAX_PLIES);
            Some(if moves > 0 {
                Value::win_in(plies - 1)
            } else {
                Value::loss_in(plies)
            })
        }
        (None, cp) => cp.map(Value::centipawns),
    }
}

/// A whole number as a table shows it; `–` where there is none or it is infinite.
pub(super) fn number(number: Option<u32>) -> String {
    number.map_or_else(dash, |number| thousands(number.into()))
}

/// Centipawns as people write them.
pub(super) fn pawns(centipawns: u32) -> String {
    format!("{:.2}", f64::from(centipawns) / 100.0)
}

/// Nothing, as a table shows it.
pub(super) fn dash() -> String {
    "–".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_have_to_be_wrong_is_said_in_a_sentence() {
        let said = |conspirators, line: &str| {
            let line = line.to_owned();
            Doubt { conspirators, line }.words("Nf3")
        };
        assert_eq!(
            said(Some(1), "1... e5"),
            "For Nf3 to be as good, 1 position would have to be misjudged: the one after 1... e5."
        );
        assert!(said(Some(2), "1... e5").contains("2 positions"));
        assert!(said(Some(12_345), "").ends_with("misjudged together."));
        assert!(said(Some(12_345), "").is_ascii());
        assert!(said(None, "").contains("proven"));
        assert!(said(Some(0), "").contains("doubt"));
    }
}
