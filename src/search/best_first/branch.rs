//! Rules to choose the child to descend to (thesis, sections 2.6 and 6.1).
//!
//! A descent that pushes the root to a target meets OR nodes, where one child must move and those with the least
//! conspiracy number are candidates, and AND nodes, where all children that stand in the way must move and are
//! candidates. The rules differ in the candidate they take.

use arrayvec::ArrayVec;

use super::likelihood::Estimate;
use crate::conspiracy::Count;
use crate::game::MAX_MOVES;

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
    /// Partial round robin: at OR nodes among the first quarter of the children; the leftmost candidate
    /// if that quarter has none.
    OrPartialRoundRobin,
    /// A number of rounds of round robin at each OR node (one in the thesis), then leftmost.
    MinimalBreadth,
    /// The candidate whose smallest conspiracy has the highest likelihood per conspirator; the leftmost of equals.
    Likelihoods,
    /// Likelihoods, with round robin among equals at OR nodes.
    LikelihoodsRoundRobin,
    /// Likelihoods in fewer degrees, hence more equals, with round robin among equals at OR nodes.
    PrimedLikelihoodsRoundRobin,
}

names!(BranchRule {
    Leftmost = "Leftmost",
    OrRoundRobin = "OR RR",
    OrAndRoundRobin = "OR RR + AND RR",
    OrPartialRoundRobin = "OR PRR",
    MinimalBreadth = "Minimal Breadth",
    Likelihoods = "Likelihoods",
    LikelihoodsRoundRobin = "Likelihoods + RR",
    PrimedLikelihoodsRoundRobin = "Likelihoods' + RR",
});

impl BranchRule {
    /// The rule's estimate of likelihoods, if it uses any.
    pub(super) const fn estimate(self) -> Option<Estimate> {
        match self {
            BranchRule::Likelihoods | BranchRule::LikelihoodsRoundRobin => Some(Estimate::PLAIN),
            BranchRule::PrimedLikelihoodsRoundRobin => Some(Estimate::PRIMED),
            _ => None,
        }
    }
}

/// The features of a node that rules use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fork {
    /// Number of children, at least 1.
    pub(super) children: usize,
    /// Whether one child suffices.
    pub(super) is_or_node: bool,
    /// The node's own count for the goal.
    pub(super) count: Count,
    /// Number of the child at which the round robin continues; past the last one when a round is over. For
    /// [`BranchRule::MinimalBreadth`] each finished round adds the number of children.
    pub(super) next: u16,
    /// Rounds of [`BranchRule::MinimalBreadth`].
    pub(super) rounds: u8,
}

/// A rule's decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// The child to descend to.
    pub(super) child: usize,
    /// Where the round robin continues next time.
    pub(super) next: u16,
}

impl BranchRule {
    /// Chooses among the children of `fork`; `count` returns a child's count for the goal, `likelihood` the likelihood
    /// of a smallest conspiracy in it.
    pub(super) fn choose(
        self,
        fork: Fork,
        count: impl Fn(usize) -> Count,
        likelihood: impl Fn(usize) -> u32,
    ) -> Choice {
        // An OR node's count is the least of its children's counts.
        let is_candidate = |&child: &usize| {
            if fork.is_or_node {
                count(child) <= fork.count
            } else {
                count(child) > Count::ZERO
            }
        };
        match (self, fork.is_or_node) {
            (BranchRule::OrRoundRobin, true) | (BranchRule::OrAndRoundRobin, _) => {
                fork.in_turn(fork.children, is_candidate)
            }
            (BranchRule::OrPartialRoundRobin, true) => {
                fork.in_turn(fork.children.div_ceil(4), is_candidate)
            }
            (BranchRule::MinimalBreadth, true) => Some(fork.in_rounds(is_candidate)),
            _ if self.estimate().is_some() => {
                let candidates = (0..fork.children).filter(is_candidate);
                let likeliest = likeliest(candidates, &count, likelihood);
                let is_one = |child: &usize| likeliest.contains(child);
                if fork.is_or_node && self != BranchRule::Likelihoods {
                    fork.in_turn(fork.children, is_one)
                } else {
                    Some(fork.leftmost(is_one, fork.next))
                }
            }
            _ => None,
        }
        .unwrap_or_else(|| fork.leftmost(is_candidate, fork.next))
    }
}

impl Fork {
    fn leftmost(self, is_candidate: impl Fn(&usize) -> bool, next: u16) -> Choice {
        Choice {
            child: (0..self.children).find(is_candidate).unwrap_or(0),
            next,
        }
    }

    /// The next candidate of a round robin among the first `children` children.
    fn in_turn(self, children: usize, is_candidate: impl Fn(&usize) -> bool) -> Option<Choice> {
        let start = usize::from(self.next) % children;
        let child = (start..children).chain(0..start).find(is_candidate)?;
        // The round robin continues with the next child.
        let next = child as u16 + 1;
        Some(Choice { child, next })
    }

    /// The next candidate while rounds remain, then the leftmost.
    fn in_rounds(self, is_candidate: impl Fn(&usize) -> bool) -> Choice {
        let end = self.children * usize::from(self.rounds);
        let turn = (usize::from(self.next)..end)
            .take(self.children)
            .find(|turn| is_candidate(&(turn % self.children)));
        // Children times rounds: in chess at most 218 times 200. From 65,535 on no round would end.
        let next = |turn: usize| u16::try_from(turn).unwrap_or(u16::MAX);
        match turn {
            Some(turn) => Choice {
                child: turn % self.children,
                next: next(turn + 1),
            },
            None => self.leftmost(is_candidate, next(end)),
        }
    }
}

/// The candidates with the highest likelihood per conspirator.
fn likeliest(
    candidates: impl Iterator<Item = usize>,
    count: impl Fn(usize) -> Count,
    likelihood: impl Fn(usize) -> u32,
) -> ArrayVec<usize, MAX_MOVES> {
    let mut best = (0, 1);
    let mut children = ArrayVec::new();
    for child in candidates {
        let (sum, size) = (likelihood(child), u32::from(count(child).byte()));
        // Compares the averages as fractions, by cross-multiplication.
        let ordering = (sum * best.1).cmp(&(best.0 * size));
        if ordering.is_gt() {
            best = (sum, size);
            children.clear();
        }
        if ordering.is_ge() {
            children.push(child);
        }
    }
    children
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chooses six times in a row at a node whose children have these counts, all equally likely.
    fn choices(rule: BranchRule, is_or_node: bool, counts: &[u32]) -> Vec<usize> {
        choices_in(1, rule, is_or_node, [counts, counts])
    }

    /// Chooses six times in a row with `rounds` rounds and these likelihoods.
    fn choices_in(
        rounds: u8,
        rule: BranchRule,
        is_or_node: bool,
        [counts, likelihoods]: [&[u32]; 2],
    ) -> Vec<usize> {
        let least = counts.iter().min().copied().unwrap();
        let total = counts.iter().sum();
        let mut next = 0;
        (0..6)
            .map(|_| {
                let fork = Fork {
                    children: counts.len(),
                    is_or_node,
                    count: Count::new(if is_or_node { least } else { total }),
                    next,
                    rounds,
                };
                let choice = rule.choose(
                    fork,
                    |child| Count::new(counts[child]),
                    |child| likelihoods[child],
                );
                next = choice.next;
                choice.child
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
        // A quarter of eight children is two, and one of these is a candidate.
        assert_eq!(choices(BranchRule::OrPartialRoundRobin), [1; 6]);
        assert_eq!(choices(BranchRule::MinimalBreadth), [1, 2, 4, 6, 7, 1]);
    }

    #[test]
    fn partial_round_robin_leaves_the_first_quarter_only_if_it_must() {
        let rule = BranchRule::OrPartialRoundRobin;
        assert_eq!(choices(rule, true, &[1; 8]), [0, 1, 0, 1, 0, 1]);
        assert_eq!(choices(rule, true, &[2, 2, 2, 1, 2, 2, 2, 1]), [3; 6]);
    }

    #[test]
    fn minimal_breadth_makes_its_rounds_before_the_leftmost_is_taken() {
        let of =
            |rounds, counts| choices_in(rounds, BranchRule::MinimalBreadth, true, [counts, counts]);
        assert_eq!(of(1, &[1, 1, 1]), [0, 1, 2, 0, 0, 0]);
        assert_eq!(of(2, &[1, 1]), [0, 1, 0, 1, 0, 0]);
        // Children that are no candidates are skipped in each round.
        assert_eq!(of(2, &[1, 2, 1, 1]), [0, 2, 3, 0, 2, 3]);
        assert_eq!(of(3, &[2, 1]), [1; 6]);
        let forever = of(200, &[1; 256]);
        assert_eq!(forever, [0, 1, 2, 3, 4, 5]);
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

    #[test]
    fn likelihoods_decide_among_candidates() {
        let rules = [
            BranchRule::Likelihoods,
            BranchRule::LikelihoodsRoundRobin,
            BranchRule::PrimedLikelihoodsRoundRobin,
        ];
        let counts = [1, 2, 1, 1, 1];
        let likelihoods = [5, 14, 7, 3, 7];
        let or_node = rules.map(|rule| choices_in(1, rule, true, [&counts, &likelihoods]));
        assert_eq!(
            or_node,
            [vec![2; 6], vec![2, 4, 2, 4, 2, 4], vec![2, 4, 2, 4, 2, 4]]
        );
        // At AND nodes the average counts: 3.5, 4 and 4 per conspirator.
        let counts = [0, 2, 1, 3];
        for rule in rules {
            let choices = choices_in(1, rule, false, [&counts, &[0, 7, 4, 12]]);
            assert_eq!(choices, [2; 6]);
        }
        // Nothing is likely, so all candidates are equal.
        let choices = choices_in(1, rules[1], true, [&[1, 1], &[0, 0]]);
        assert_eq!(choices, [0, 1, 0, 1, 0, 1]);
    }
}
