//! A candidate and the replies to it as a small game with chance: first nature chooses the reply, then
//! the game is over and worth what is expected of it.

use super::Reply;
use crate::chance::{ChanceGame, Interval, Turn};
use crate::game::Moves;
use crate::search::chance::expectiminimax;
use crate::value::Value;
use crate::wdl;

/// The position after a candidate, or after a reply to it.
#[derive(Clone, Copy, Debug)]
struct Gamble<'a, M> {
    replies: &'a [Reply<M>],
    /// What the position is worth to the side that gambles.
    value: Value,
}

impl<M: Copy> ChanceGame for Gamble<'_, M> {
    /// The index of a reply.
    type Move = usize;

    fn turn(&self) -> Turn {
        if self.replies.is_empty() {
            Turn::Over
        } else {
            Turn::Chance
        }
    }

    fn legal_moves(&self) -> Moves<usize> {
        Moves::new()
    }

    fn events(&self) -> Vec<(usize, f64)> {
        let odds = self.replies.iter().map(|reply| reply.odds);
        odds.enumerate().collect()
    }

    fn play(&mut self, reply: usize) {
        if let Some(reply) = self.replies.get(reply) {
            self.value = reply.value;
        }
        self.replies = &[];
    }

    fn value(&self) -> f64 {
        wdl::points(self.value)
    }

    fn range(&self) -> Interval {
        Interval::new(0.0, 1.0)
    }
}

/// The points expected of a move, 0 to 1: of its value where it ends the game, else of the replies.
pub(super) fn expectation<M: Copy>(value: Value, replies: &[Reply<M>]) -> f64 {
    expectiminimax(&Gamble { replies, value }, 1).value
}
