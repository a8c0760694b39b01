//! When to speculate, and how much the opponent is taken to see: our rule, and those of Khalid et al.

use super::{Report, calls_for_it};
use crate::profile::criticality::{Extremes, Turn};

/// When to leave minimax, and what the opponent is then taken to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// Ours: where the side to move stands worse and its value is no harder to raise than to lower. The opponent
    /// may look less deep than we do, nobody knows how much less.
    #[default]
    Support,
    /// Where `MaxCN` of the root has fallen abruptly since this side's last move (Khalid et al. 2015, section 3.1).
    /// The opponent is known, as in opponent-model search, which they name for the purpose.
    MaxCn,
    /// The same where `MinCN` has.
    MinCn,
    /// The same where either has: at every position that the paper calls critical.
    EitherCn,
}

impl Rule {
    /// All of them, ours first.
    pub const ALL: [Rule; 4] = [Rule::Support, Rule::MaxCn, Rule::MinCn, Rule::EitherCn];

    /// Whether it needs `MaxCN` and `MinCN` of every position where we move.
    pub fn counts_extremes(self) -> bool {
        self != Rule::Support
    }

    /// Whether the opponent is taken to be known: to look exactly as deep as the scout.
    pub(super) fn knows_opponent(self) -> bool {
        self != Rule::Support
    }
}

/// A rule with what it has to know of the game so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) rule: Rule,
    /// What has become of the numbers since the last move.
    pub(super) turn: Turn,
}

impl Call {
    /// Whether a position of which this is known calls for speculation. The paper asks for the fall of a number and
    /// for nothing else, so neither is the value asked here, but where it is decided.
    pub(super) fn is_for<M>(self, report: &Report<M>) -> bool {
        let is_critical = match self.rule {
            Rule::Support => return calls_for_it(report),
            Rule::MaxCn => self.turn.down_tactic,
            Rule::MinCn => self.turn.up_tactic,
            Rule::EitherCn => self.turn.critical,
        };
        is_critical && !report.value.is_decided()
    }
}

/// The numbers of the positions of the game where we have moved.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// By the positions' keys.
    known: Vec<(u64, Extremes)>,
}

impl Past {
    /// Takes in the numbers of the position with this key, and says what has become of those of two plies ago. Positions
    /// that are not in `history`, the keys of the game so far, are forgotten.
    pub(super) fn turn(&mut self, history: &[u64], key: u64, next: Extremes) -> Turn {
        let last = history.len().checked_sub(2).and_then(|at| {
            let known = self.known.iter().find(|(known, _)| *known == history[at]);
            known.map(|(_, last)| *last)
        });
        self.known
            .retain(|(known, _)| *known != key && history.contains(known));
        self.known.push((key, next));
        last.map_or_else(Turn::default, |last| Turn::between(last, next))
    }

    /// Forgets the game.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Bound, Occasion};
    use crate::value::Value;

    fn extremes(max_cn: u32, min_cn: u32) -> Extremes {
        Extremes {
            max_cn: Some(max_cn),
            min_cn: Some(min_cn),
        }
    }

    #[test]
    fn numbers_are_compared_with_those_of_our_last_move_in_the_same_game() {
        let mut past = Past::default();
        let mut turn = |history: &[u64], key, max_cn, min_cn| {
            past.turn(history, key, extremes(max_cn, min_cn)).arrows()
        };
        assert_eq!(turn(&[], 1, 22, 4), "");
        assert_eq!(turn(&[1, 2], 3, 8, 4), "↓");
        // The same position again, after somebody pondered on another.
        assert_eq!(turn(&[1, 9], 7, 1, 1), "↓↑");
        assert_eq!(turn(&[1, 2], 3, 8, 4), "↓");
        assert_eq!(turn(&[1, 2, 3, 4], 5, 6, 1), "↑");
        // Another game.
        assert_eq!(turn(&[11, 12, 13, 14], 5, 1, 1), "");
        assert_eq!(past.known.len(), 1);
    }

    #[test]
    fn each_rule_asks_for_its_number() {
        let report = |centipawns| Report::<u8> {
            occasion: Occasion::Final,
            iteration: 1,
            seldepth: 1,
            line: 1,
            value: Value::centipawns(centipawns),
            bound: Bound::Exact,
            nodes: 1,
            fullness: 0,
            pv: Vec::new(),
            conspiracy: None,
        };
        let before = extremes(22, 4);
        let fallen = |rule: Rule, next| {
            let turn = Turn::between(before, next);
            Call { rule, turn }.is_for(&report(300))
        };
        let asked = |next| Rule::ALL.map(|rule| fallen(rule, next));
        assert_eq!(asked(extremes(8, 4)), [false, true, false, true]);
        assert_eq!(asked(extremes(22, 1)), [false, false, true, true]);
        assert_eq!(asked(extremes(20, 3)), [false; 4]);
        let decided = Report {
            value: Value::WIN,
            ..report(0)
        };
        let turn = Turn::between(before, extremes(1, 1));
        let rules = Rule::ALL.map(|rule| Call { rule, turn });
        assert!(!rules.iter().any(|call| call.is_for(&decided)));
        let ours = |centipawns| rules[0].is_for(&report(centipawns));
        assert!(ours(-50) && !ours(-49));
    }
}
