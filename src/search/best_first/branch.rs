//! Which son to descend to (thesis, sections 2.6 and 6.1).
//!
//! Pushing the root to a target, a descent meets OR nodes, where one son must move and only those
//! with the least conspiracy number are candidates, and AND nodes, where every son in the way must
//! and all those are. The rules differ in which candidate they take.

use crate::conspiracy::Count;

/// A rule for choosing among the candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum BranchRule {
    /// McAllester's: the leftmost candidate everywhere.
    Leftmost,
    /// Round robin at OR nodes.
    #[default]
    OrRoundRobin,
    /// Round robin at OR and AND nodes.
    OrAndRoundRobin,
    /// Partial round robin: at OR nodes among the first quarter of the sons; the leftmost candidate
    /// if none is there.
    OrPartialRoundRobin,
    /// One round of round robin at each OR node, then leftmost.
    MinimalBreadth,
}

impl BranchRule {
    /// All of them, in the order they are listed to people.
    pub const ALL: [BranchRule; 5] = [
        BranchRule::Leftmost,
        BranchRule::OrRoundRobin,
        BranchRule::OrAndRoundRobin,
        BranchRule::OrPartialRoundRobin,
        BranchRule::MinimalBreadth,
    ];

    /// The thesis's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            BranchRule::Leftmost => "Leftmost",
            BranchRule::OrRoundRobin => "OR RR",
            BranchRule::OrAndRoundRobin => "OR RR + AND RR",
            BranchRule::OrPartialRoundRobin => "OR PRR",
            BranchRule::MinimalBreadth => "Minimal Breadth",
        }
    }
}

/// A node as a rule sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fork {
    /// Number of sons, at least 1.
    pub(super) sons: usize,
    /// Whether one son suffices.
    pub(super) is_or_node: bool,
    /// The node's own count for the goal.
    pub(super) count: Count,
    /// Where the round robin goes on: past the last son when a round is over.
    pub(super) next: u16,
}

/// A rule's decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// The son to descend to.
    pub(super) son: usize,
    /// Where the round robin goes on next time.
    pub(super) next: u16,
}

impl BranchRule {
    /// Chooses among the sons of `fork`; `count` gives each son's count for the goal.
    pub(super) fn choose(self, fork: Fork, count: impl Fn(usize) -> Count) -> Choice {
        // The least of the sons' counts is the OR node's own.
        let candidate = |son: usize| {
            if fork.is_or_node {
                count(son) <= fork.count
            } else {
                count(son) > Count::ZERO
            }
        };
        let leftmost = |next| Choice {
            son: (0..fork.sons).find(|&son| candidate(son)).unwrap_or(0),
            next,
        };
        let in_turn = |sons: usize| {
            let start = usize::from(fork.next) % sons;
            (start..sons)
                .chain(0..start)
                .find(|&son| candidate(son))
                .map(|son| Choice {
                    son,
                    next: son as u16 + 1,
                })
        };
        match (self, fork.is_or_node) {
            (BranchRule::OrRoundRobin, true) | (BranchRule::OrAndRoundRobin, _) => {
                in_turn(fork.sons)
            }
            (BranchRule::OrPartialRoundRobin, true) => in_turn(fork.sons.div_ceil(4)),
            (BranchRule::MinimalBreadth, true) => (usize::from(fork.next)..fork.sons)
                .find(|&son| candidate(son))
                .map(|son| Choice {
                    son,
                    next: son as u16 + 1,
                })
                .or_else(|| Some(leftmost(fork.sons as u16))),
            _ => None,
        }
        .unwrap_or_else(|| leftmost(fork.next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chooses six times running at a node whose sons have these counts.
    fn choices(rule: BranchRule, is_or_node: bool, counts: &[u32]) -> Vec<usize> {
        let least = counts.iter().min().copied().unwrap();
        let total = counts.iter().sum();
        let mut next = 0;
        (0..6)
            .map(|_| {
                let fork = Fork {
                    sons: counts.len(),
                    is_or_node,
                    count: Count::new(if is_or_node { least } else { total }),
                    next,
                };
                let choice = rule.choose(fork, |son| Count::new(counts[son]));
                next = choice.next;
                choice.son
            })
            .collect()
    }

    #[test]
    fn or_nodes() {
        let counts = [3, 1, 1, 2, 1, 4, 1, 1];
        let choices = |rule| choices(rule, true, &counts);
        assert_eq!(choices(BranchRule::Leftmost), [1; 6]);
        assert_eq!(choices(BranchRule::OrRoundRobin), [1, 2, 4, 6, 7, 1]);
        assert_eq!(choices(BranchRule::OrAndRoundRobin), [1, 2, 4, 6, 7, 1]);
        // A quarter of eight sons is two, of which one is a candidate.
        assert_eq!(choices(BranchRule::OrPartialRoundRobin), [1; 6]);
        assert_eq!(choices(BranchRule::MinimalBreadth), [1, 2, 4, 6, 7, 1]);
    }

    #[test]
    fn partial_round_robin_leaves_the_first_quarter_only_if_it_must() {
        let rule = BranchRule::OrPartialRoundRobin;
        assert_eq!(
            choices(rule, true, &[1, 1, 1, 1, 1, 1, 1, 1]),
            [0, 1, 0, 1, 0, 1]
        );
        assert_eq!(choices(rule, true, &[2, 2, 2, 1, 2, 2, 2, 1]), [3; 6]);
    }

    #[test]
    fn minimal_breadth_goes_round_once() {
        let rule = BranchRule::MinimalBreadth;
        assert_eq!(choices(rule, true, &[1, 1, 1]), [0, 1, 2, 0, 0, 0]);
    }

    #[test]
    fn and_nodes() {
        let counts = [0, 2, 0, 1];
        for rule in BranchRule::ALL {
            let expected = if rule == BranchRule::OrAndRoundRobin {
                [1, 3, 1, 3, 1, 3]
            } else {
                [1; 6]
            };
            assert_eq!(choices(rule, false, &counts), expected, "{rule:?}");
        }
    }
}
