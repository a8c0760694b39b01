//! A verdict: the value of a position by a search or an engine, what it rests on, and how they are written.
//! Whether a move is a mistake is decided in `move_marks`.

use serde::{Deserialize, Serialize};

use crate::engine::analyst::MOST_TOLD;
use crate::games::chess::line::WrittenMove;
use crate::outlook::Outlook;
use crate::output::table::thousands;
use crate::value::{Mate, Value};
use crate::wdl;

/// A verdict on a position. All values are for White.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PositionVerdict {
    /// Preferred move.
    pub best: Option<WrittenMove>,
    /// Principal variation in SAN; may be empty.
    pub line: String,
    /// Value in centipawns; `None` if a mate is proven, or there is no value.
    pub cp: Option<i32>,
    /// Moves to a proven mate, negative if White is mated.
    pub mate: Option<i32>,
    /// Whether the mate may take fewer moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mate_at_most: bool,
    /// Value of the move played, in centipawns, by the same search as the position's value: their difference is its
    /// cost. `None` if a mate is proven, no move was played, or the value is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played_cp: Option<i32>,
    /// Moves to the mate that the move played leads to, counted from the position before it; negative if White is
    /// mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played_mate: Option<i32>,
    /// Whether that mate may take fewer moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub played_mate_at_most: bool,
    /// The evaluation's own error without search, in centipawns: two errors in three are smaller. `None` if the
    /// evaluation states none, or a mate is proven.
    pub give_or_take: Option<u32>,
    /// Conspiracy threshold of the last iteration completed: with fewer leaves wrong the value stands. `None` for
    /// searches that count no leaves.
    pub confidence: Option<u32>,
    /// Fewest leaves that must be wrong for White to stand worse; `None` if no number suffices, or it is unknown.
    pub lower: Option<u32>,
    /// Fewest leaves that must be wrong for White to stand better; `None` if no number suffices, or it is unknown.
    pub higher: Option<u32>,
    /// Fewest leaves that must be wrong, each by at most two margins, for White to stand worse by the margin
    /// ([`Header::margin`](super::record::Header::margin)); `None` if no number suffices, or it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_lower: Option<u32>,
    /// Fewest leaves that must be wrong, each by at most two margins, for White to stand better by the margin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_higher: Option<u32>,
    /// Fewest leaves that must be wrong, each by at most two margins, for another move to be better than `best` by the
    /// margin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_move: Option<u32>,
    /// Demand of the last iteration completed, of searches that price lines instead of counting leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demand: Option<u32>,
    /// Price of the cheapest line by which White would stand worse; an ordinary ply costs 1. `None` if there is none,
    /// or it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_lower: Option<f64>,
    /// Price of the cheapest line by which White would stand better, like `price_lower`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_higher: Option<f64>,
    /// Chances that move and value stay with 16 times the nodes; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlook: Option<Outlook>,
    /// Largest conspiracy number of the root (MaxCN); `None` if unknown.
    pub max_cn: Option<u32>,
    /// Smallest positive conspiracy number of the root (MinCN); `None` if the value is proven, or it is unknown.
    pub min_cn: Option<u32>,
    /// Outcome of judging a doubtful move again; `None` if it was not judged again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks: Option<Looks>,
    /// Best-first search's evidence about the move played, if it is marked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    /// Last iteration completed: depth, demand or conspiracy threshold.
    pub iteration: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time spent, in milliseconds.
    pub ms: f64,
    /// Reason for a missing verdict: a search that failed, or an engine that crashed or hung.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// Outcome of judging a position again, with more effort.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Looks {
    /// Times it was judged again.
    pub again: u32,
    /// Whether the best move changed the last time.
    pub changed: bool,
    /// Change of the played move's cost the last time, in points.
    pub moved: f64,
}

/// Best-first search's evidence about a move that another search takes for bad.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Doubt {
    /// Leaves of its tree that would have to be misjudged together for the move to be as good as the best one; 0 if
    /// this search takes it for as good, `None` if no number suffices.
    pub conspirators: Option<u32>,
    /// Line in SAN from the position after the move to one of these leaves; empty if none is named.
    pub line: String,
}

impl Doubt {
    /// Says in ASCII what would have to be misjudged for `played` to be as good.
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
                // No-break spaces are not ASCII.
                let count = thousands(count.into()).replace(|c: char| !c.is_ascii(), " ");
                format!(
                    "For {played} to be as good, {count} positions would have to be misjudged together{end}"
                )
            }
        }
    }
}

/// Error of an evaluation that states none, in centipawns.
const USUAL_ERROR: u32 = 60;
/// Upper limit of an error, in centipawns: beyond it the game is decided.
const MOST_ERROR: u32 = 2_000;

impl PositionVerdict {
    /// Error of the evaluation in points: half of the difference between the points of the value plus and minus
    /// [`PositionVerdict::give_or_take`].
    pub(super) fn error_in_points(&self) -> f64 {
        let value = i32::from(self.value_for_white().unwrap_or(Value::DRAW).get());
        let error = self.give_or_take.unwrap_or(USUAL_ERROR).min(MOST_ERROR) as i32;
        let points = |off: i32| wdl::points(Value::centipawns(value.saturating_add(off)));
        (points(error) - points(-error)) / 2.0
    }

    /// A verdict with a value only.
    pub(super) fn worth(cp: Option<i32>, mate: Option<i32>) -> PositionVerdict {
        PositionVerdict {
            cp,
            mate,
            ..PositionVerdict::default()
        }
    }

    /// A verdict with a value only, which is given for the side to move; a mate may take fewer moves if
    /// `is_at_most`. A win or loss of any length has the largest estimate.
    pub(crate) fn valued(is_black: bool, value: Value, is_at_most: bool) -> PositionVerdict {
        let sign = if is_black { -1 } else { 1 };
        let Some(mate) = Mate::of(value, is_at_most) else {
            let most = Value::MAX_CENTIPAWNS;
            let cp = value.get().clamp(-most, most);
            return PositionVerdict::worth(Some(sign * i32::from(cp)), None);
        };
        PositionVerdict {
            mate_at_most: is_at_most,
            ..PositionVerdict::worth(None, Some(sign * mate.moves))
        }
    }

    /// Verdict on a position that is drawn by rule and not searched.
    pub(super) fn drawn() -> PositionVerdict {
        PositionVerdict::worth(Some(0), None)
    }

    /// Value for White; `None` if there is none, or a side is mated already (`mate` is 0).
    pub(super) fn value_for_white(&self) -> Option<Value> {
        match (self.mate, self.cp) {
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

    /// Value for a side.
    pub(super) fn value_for(&self, is_black: bool) -> Option<Value> {
        let value = self.value_for_white();
        value.map(|it| if is_black { -it } else { it })
    }

    /// Expected points of White; `None` if there is no value.
    pub(super) fn points(&self) -> Option<f64> {
        self.value_for_white().map(wdl::points)
    }

    /// The value of the move played as a verdict.
    pub(super) fn of_played(&self) -> PositionVerdict {
        PositionVerdict {
            mate_at_most: self.played_mate_at_most,
            ..PositionVerdict::worth(self.played_cp, self.played_mate)
        }
    }

    /// Takes over the value of a verdict as that of the move played.
    pub(super) fn set_played(&mut self, told: &PositionVerdict) {
        (self.played_cp, self.played_mate) = (told.cp, told.mate);
        self.played_mate_at_most = told.mate_at_most;
    }

    /// Replaces the value, which `told` proves to be another, with its best move and line. What it would have taken to
    /// change the old one is dropped.
    pub(super) fn replace(
        &mut self,
        told: PositionVerdict,
        best: Option<WrittenMove>,
        line: String,
    ) {
        *self = PositionVerdict {
            best,
            line,
            played_cp: self.played_cp,
            played_mate: self.played_mate,
            played_mate_at_most: self.played_mate_at_most,
            confidence: self.confidence,
            demand: self.demand,
            looks: self.looks,
            iteration: self.iteration,
            nodes: self.nodes,
            ms: self.ms,
            failure: self.failure.take(),
            ..told
        };
    }

    /// The proven mate; `None` if there is none.
    pub(super) fn mate(&self) -> Option<Mate> {
        self.mate.map(|moves| Mate {
            moves,
            is_at_most: self.mate_at_most,
        })
    }

    /// Value in a sentence: [`PositionVerdict::value`], but `winning for White` beyond ten pawns.
    pub(super) fn in_words(&self) -> String {
        match self.cp.filter(|_| self.is_far()) {
            Some(cp) if cp > 0 => "winning for White".to_owned(),
            Some(_) => "winning for Black".to_owned(),
            None => self.value(),
        }
    }

    /// Whether the value is larger than any that is told as a number, and no mate.
    pub(super) fn is_far(&self) -> bool {
        self.mate.is_none() && self.cp.is_some_and(|it| it.abs() > MOST_TOLD)
    }

    /// Whether a mate is proven.
    pub(super) const fn is_proven(&self) -> bool {
        self.mate.is_some()
    }

    /// Value as text: `+0.35`, `#-3`, `#≤5` if the mate may take fewer moves, `White winning` if it has no count; `–`
    /// if there is none.
    pub fn value(&self) -> String {
        self.mate()
            .map_or_else(|| self.estimate(), |it| it.to_string())
    }

    /// [`PositionVerdict::value`] in ASCII; `-` if there is none.
    pub(super) fn ascii_value(&self) -> String {
        let estimate = || self.estimate().replace(&dash(), "-");
        self.mate().map_or_else(estimate, Mate::ascii)
    }

    /// The value as text where no mate is counted.
    fn estimate(&self) -> String {
        let most = i32::from(Value::MAX_CENTIPAWNS);
        match self.cp {
            None => dash(),
            Some(cp) if cp >= most => "White winning".to_owned(),
            Some(cp) if cp <= -most => "Black winning".to_owned(),
            Some(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        }
    }
}

/// Number for a table; `–` if unknown or infinite.
pub(super) fn number(number: Option<u32>) -> String {
    number.map_or_else(dash, |number| thousands(number.into()))
}

/// Centipawns in pawns, `0.60`.
pub(super) fn pawns(centipawns: u32) -> String {
    format!("{:.2}", f64::from(centipawns) / 100.0)
}

/// Empty cell of a table: `–`.
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
