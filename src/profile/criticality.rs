//! Turning points of a game: the rule of M. N. A. Khalid, U. K. Yusof, H. Iida and T. Ishitobi, "Critical Position
//! Identification in Games and Its Application to Speculative Play", ICAART 2015, section 3.
//!
//! MaxCN and MinCN, the largest and the smallest conspiracy number of the root, are followed along a
//! game for each player alone, at the positions where that player is to move. A number decreases
//! *abruptly* if |next − last| > |next|; as the numbers are not negative, that is: if it falls to less
//! than half. An abrupt decrease of either number makes the position critical.
//!
//! The paper assigns tactics to numbers in two ways. Its definitions speak of "abrupt inclining" of MaxCN for ↓tactic
//! and of MinCN for ↑tactic; but its rule cannot hold where a number rises, and in its first example MaxCN's fall from
//! 22 to 8 is ↓tactic and MinCN's from 4 to 1 is ↑tactic. So its definitions are read as *declining*.

use serde::{Deserialize, Serialize};

/// Verdict of the paper's rule on a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Turn {
    /// ↓tactic: MaxCN has decreased abruptly. The player's prospects may turn for the worse, from a win to a draw or
    /// from a draw to a loss.
    pub down_tactic: bool,
    /// ↑tactic: MinCN has decreased abruptly. The player's prospects may turn for the better.
    pub up_tactic: bool,
    /// Either tactic.
    pub critical: bool,
}

/// MaxCN and MinCN of a position; `None` if infinite or unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extremes {
    /// MaxCN.
    pub max_cn: Option<u32>,
    /// MinCN.
    pub min_cn: Option<u32>,
}

impl Turn {
    /// Applies the rule to the numbers of two successive positions with the same player to move. Infinite and unknown
    /// numbers give no tactic.
    pub fn between(last: Extremes, next: Extremes) -> Turn {
        let falls = |last: Option<u32>, next: Option<u32>| {
            last.zip(next)
                .is_some_and(|(last, next)| decreases_abruptly(last, next))
        };
        let down_tactic = falls(last.max_cn, next.max_cn);
        let up_tactic = falls(last.min_cn, next.min_cn);
        Turn {
            down_tactic,
            up_tactic,
            critical: down_tactic || up_tactic,
        }
    }

    /// The tactics as arrows: `↓`, `↑`, `↓↑`, or nothing.
    pub fn arrows(self) -> &'static str {
        match (self.down_tactic, self.up_tactic) {
            (true, true) => "↓↑",
            (true, false) => "↓",
            (false, true) => "↑",
            (false, false) => "",
        }
    }
}

/// The rule: |next − last| > |next|.
pub fn decreases_abruptly(last: u32, next: u32) -> bool {
    last.abs_diff(next) > next
}

/// Applies the rule to each position of a game with alternating players.
pub fn turns(game: &[Extremes]) -> Vec<Turn> {
    let last = |ply: usize| ply.checked_sub(2).map(|last| game[last]);
    let turn =
        |(ply, &next)| last(ply).map_or_else(Turn::default, |last| Turn::between(last, next));
    game.iter().enumerate().map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tactics of a game given as pairs of MaxCN and MinCN.
    fn arrows(numbers: &[(u32, u32)]) -> Vec<&'static str> {
        let extremes = numbers.iter().map(|&(max, min)| Extremes {
            max_cn: Some(max),
            min_cn: Some(min),
        });
        let extremes: Vec<Extremes> = extremes.collect();
        turns(&extremes).into_iter().map(Turn::arrows).collect()
    }

    #[test]
    fn the_papers_first_example_turns_where_the_paper_says() {
        // Player X with depth 2 against player O with depth 3, as far as section 3 and tables 1 and 2 have the numbers:
        // O's MaxCN "abruptly reduces to 8" from 22, then O's MinCN from 4 to 1.
        let game = [(8, 1), (22, 4), (6, 1), (8, 4), (4, 1), (6, 1)];
        assert_eq!(arrows(&game), ["", "", "", "↓", "", "↑"]);
    }

    #[test]
    fn less_than_half_is_abrupt_and_half_is_not() {
        assert!(!decreases_abruptly(8, 4));
        assert!(decreases_abruptly(9, 4));
        assert!(decreases_abruptly(1, 0));
        assert!(!decreases_abruptly(0, 0));
        assert!(!decreases_abruptly(4, u32::MAX));
    }

    #[test]
    fn both_numbers_can_fall_at_once_and_a_rise_is_no_turn() {
        let game = [(100, 10), (7, 1), (30, 2), (700, 9)];
        assert_eq!(arrows(&game), ["", "", "↓↑", ""]);
    }

    #[test]
    fn what_is_not_known_turns_nothing() {
        let known = Extremes {
            max_cn: Some(9),
            min_cn: Some(9),
        };
        let unknown = Extremes::default();
        for (last, next) in [(known, unknown), (unknown, known), (unknown, unknown)] {
            assert_eq!(Turn::between(last, next), Turn::default());
        }
    }
}
