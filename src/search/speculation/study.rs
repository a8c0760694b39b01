//! How hard replies are to find: what a search said in each of its iterations.

use super::Reply;
use crate::search::{Occasion, Report};
use crate::value::Value;

/// The lines of a search, iteration by iteration.
#[derive(Clone, Debug)]
pub(super) struct Study<M> {
    /// First moves and values for the side to move, best first.
    iterations: Vec<Vec<(M, Value)>>,
}

impl<M> Default for Study<M> {
    fn default() -> Study<M> {
        Study {
            iterations: Vec::new(),
        }
    }
}

impl<M: Copy> Study<M> {
    /// Takes in a report.
    pub(super) fn listen(&mut self, report: &Report<M>) {
        let Some(m) = report.best_move() else { return };
        if report.occasion != Occasion::Iteration {
            return;
        }
        if report.line == 1 {
            self.iterations.push(Vec::new());
        }
        if let Some(lines) = self.iterations.last_mut() {
            lines.push((m, report.value));
        }
    }

    /// The lines of the last iteration.
    pub(super) fn lines(&self) -> &[(M, Value)] {
        self.iterations.last().map_or(&[], Vec::as_slice)
    }
}

impl<M: Copy + Eq> Study<M> {
    /// The replies that were best at some time: `best`, which is known to be, then those of early
    /// iterations; all with the value of the best one, `value` to the other side.
    ///
    /// The opponent is taken to look as deep as one of the iterations, or as we do, all equally likely,
    /// and to play what is best there. So a reply that comes up late has small odds.
    pub(super) fn replies(&self, best: M, value: Value) -> Vec<Reply<M>> {
        let share = 1.0 / (self.iterations.len() + 1) as f64;
        let reply = |m, odds| Reply { m, odds, value };
        let mut replies = vec![reply(best, share)];
        for &(m, _) in self.iterations.iter().filter_map(|lines| lines.first()) {
            match replies.iter_mut().find(|reply| reply.m == m) {
                Some(known) => known.odds += share,
                None => replies.push(reply(m, share)),
            }
        }
        replies
    }

    /// The replies of a known opponent, who looks exactly as deep as the last iteration: `best`, which is known to be
    /// best, and what he plays.
    pub(super) fn predicted(&self, best: M, value: Value) -> Vec<Reply<M>> {
        let played = self.lines().first().map_or(best, |&(m, _)| m);
        let reply = |m, odds| Reply { m, odds, value };
        if played == best {
            vec![reply(best, 1.0)]
        } else {
            vec![reply(best, 0.0), reply(played, 1.0)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bound;

    /// A study that hears these best moves.
    fn heard(best: &str) -> Study<char> {
        let mut study = Study::default();
        for m in best.chars() {
            study.listen(&Report {
                occasion: Occasion::Iteration,
                iteration: 1,
                seldepth: 1,
                line: 1,
                value: Value::DRAW,
                bound: Bound::Exact,
                nodes: 1,
                fullness: 0,
                pv: vec![m],
                conspiracy: None,
            });
        }
        study
    }

    #[test]
    fn what_comes_up_late_has_small_odds() {
        let odds = |heard_best| -> Vec<(char, f64)> {
            let replies = heard(heard_best).replies('a', Value::DRAW);
            replies.iter().map(|it| (it.m, it.odds)).collect()
        };
        assert_eq!(odds("aaa"), [('a', 1.0)]);
        assert_eq!(odds("bbb"), [('a', 0.25), ('b', 0.75)]);
        assert_eq!(odds("acb"), [('a', 0.5), ('c', 0.25), ('b', 0.25)]);
        assert_eq!(odds(""), [('a', 1.0)]);
    }

    #[test]
    fn a_known_opponent_plays_what_is_best_in_the_last_iteration() {
        let odds = |heard_best| -> Vec<(char, f64)> {
            let replies = heard(heard_best).predicted('a', Value::DRAW);
            replies.iter().map(|it| (it.m, it.odds)).collect()
        };
        assert_eq!(odds("bba"), [('a', 1.0)]);
        assert_eq!(odds("aab"), [('a', 0.0), ('b', 1.0)]);
        assert_eq!(odds(""), [('a', 1.0)]);
    }

    #[test]
    fn replies_are_worth_what_the_best_one_is() {
        let worth = Value::centipawns(-20);
        let replies = heard("bca").replies('a', worth);
        assert!(replies.iter().all(|reply| reply.value == worth));
    }
}
