//! Expectiminimax: the whole tree to a fixed depth, without pruning. The reference for [`super::Star`].

use super::Verdict;
use crate::chance::game::{ChanceGame, Turn};
use cassius::game::Side;

/// The value of `position`, searched `depth` moves and events deep.
pub fn expectiminimax<G: ChanceGame>(position: &G, depth: u32) -> Verdict<G::Move> {
    let mut verdict = Verdict {
        value: 0.0,
        best: None,
        nodes: 1,
    };
    let mut look = |m| {
        let child = expectiminimax(&position.after(m), depth - 1);
        verdict.nodes += child.nodes;
        child.value
    };
    match position.turn() {
        _ if depth == 0 => verdict.value = position.value(),
        Turn::Over => verdict.value = position.value(),
        Turn::Chance => {
            let events = position.events().into_iter();
            verdict.value = events.map(|(m, probability)| probability * look(m)).sum();
        }
        Turn::Player(side) => {
            let moves = position.legal_moves().into_iter();
            let values = moves.map(|m| (look(m), m));
            // The first of equals.
            let best = values.reduce(|best, next| {
                let is_better = match side {
                    Side::First => next.0 > best.0,
                    Side::Second => next.0 < best.0,
                };
                if is_better { next } else { best }
            });
            if let Some((value, m)) = best {
                verdict.value = value;
                verdict.best = Some(m);
            }
        }
    }
    verdict
}
