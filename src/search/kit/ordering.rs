//! Move ordering by stages: moves one at a time, the most promising first.
//!
//! A node is often cut off after a move or two, so later moves should not be generated, let alone rated. Stages: the
//! table move, captures that do not lose material, quiet moves by the search's statistics, captures that lose material.

use crate::game::ranked::Ranked;
use crate::game::{Game, Moves};
use crate::search::kit::history::{History, Previous, Refuters};
use crate::value::Value;

/// Ratings of moves; larger is better.
pub(crate) trait Rating<G: Game> {
    /// The rating of a quiet move, compared with other quiet moves.
    fn quiet(&self, position: &G, m: G::Move) -> i32;

    /// The rating of a capture or promotion, compared with others of its kind.
    fn capture(&self, position: &G, m: G::Move) -> i32 {
        position.capture_order(m)
    }
}

/// Ratings by the game's own hints alone.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameHints;

impl<G: Game> Rating<G> for GameHints {
    fn quiet(&self, position: &G, m: G::Move) -> i32 {
        position.preference(m)
    }
}

/// Points of a capture's history equal to one point of its [order](Game::capture_order).
const RECORD_PER_ORDER: i32 = 64;

/// Ratings by history, refuters first.
///
/// `PREFERENCE` adds the game's preference to quiet moves; `CAPTURE_RECORDS` adds history to the game's order of
/// captures. They are constants because most moves of most nodes are rated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByHistory<'a, const PREFERENCE: bool, const CAPTURE_RECORDS: bool> {
    /// The statistics.
    pub history: &'a History,
    /// Killers and countermove of this node.
    pub refuters: Refuters,
    /// The last two moves.
    pub previous: Previous,
}

impl<G: Game, const PREFERENCE: bool, const CAPTURE_RECORDS: bool> Rating<G>
    for ByHistory<'_, PREFERENCE, CAPTURE_RECORDS>
{
    #[inline]
    fn quiet(&self, position: &G, m: G::Move) -> i32 {
        if let Some(rating) = self.refuters.rating(G::move_code(m)) {
            return rating;
        }
        let rating = self
            .history
            .of_quiet(position.history_slot(m), self.previous);
        if PREFERENCE {
            rating + position.preference(m)
        } else {
            rating
        }
    }

    #[inline]
    fn capture(&self, position: &G, m: G::Move) -> i32 {
        let order = position.capture_order(m);
        if CAPTURE_RECORDS {
            RECORD_PER_ORDER * order + self.history.capture(position.history_slot(m))
        } else {
            order
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    GenerateCaptures,
    Captures,
    GenerateQuiets,
    Quiets,
    LosingCaptures,
}

/// The legal moves of a position in the order to try them, each once.
#[derive(Clone, Debug)]
pub(crate) struct Picker<M> {
    stage: Stage,
    table_move: Option<M>,
    defer_losing: bool,
    unordered: bool,
    /// Moves of the current stage.
    ranked: Ranked<M>,
    losing: Moves<M>,
    losing_given: usize,
}

impl<M: Copy + Eq> Picker<M> {
    /// All moves, `table_move` (which must be legal) first. `defer_losing` puts captures that lose material by static
    /// exchange evaluation after the quiet moves.
    pub(crate) fn new(table_move: Option<M>, defer_losing: bool) -> Picker<M> {
        Picker {
            stage: Stage::Table,
            table_move,
            defer_losing,
            unordered: false,
            ranked: Ranked::new(),
            losing: Moves::new(),
            losing_given: 0,
        }
    }

    /// Gives the remaining moves in any order, unsorted.
    pub(crate) fn stop_ordering(&mut self) {
        self.unordered = true;
    }

    /// The best move left. Each call must pass the same `position`.
    // A search is compiled twice, for watchers and without: a function that both call is not inlined by itself.
    #[inline(always)]
    pub(crate) fn next<G: Game<Move = M>>(
        &mut self,
        position: &G,
        rating: &impl Rating<G>,
    ) -> Option<M> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateCaptures => {
                    let moves = self.ranked.refill();
                    position.add_captures(moves);
                    self.ranked
                        .rank(self.table_move, |m| rating.capture(position, m));
                    self.stage = Stage::Captures;
                }
                Stage::Captures => match self.take() {
                    Some(m) if self.defer_losing && !position.exchange_gains(m, Value::DRAW) => {
                        self.losing.push(m);
                    }
                    Some(m) => return Some(m),
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    let moves = self.ranked.refill();
                    position.add_quiets(moves);
                    self.ranked
                        .rank(self.table_move, |m| rating.quiet(position, m));
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.take() {
                    Some(m) => return Some(m),
                    None => self.stage = Stage::LosingCaptures,
                },
                Stage::LosingCaptures => {
                    let next = self.losing.get(self.losing_given).copied();
                    self.losing_given += 1;
                    return next;
                }
            }
        }
    }

    /// The most likely next move, if it can be told without generating more.
    pub(crate) fn peek(&mut self) -> Option<M> {
        if self.unordered {
            self.ranked.last()
        } else {
            self.ranked.peek()
        }
    }

    /// Whether the last move given is a deferred losing capture.
    pub(crate) fn gives_losing_captures(&self) -> bool {
        self.stage == Stage::LosingCaptures
    }

    fn take(&mut self) -> Option<M> {
        if self.unordered {
            self.ranked.take_last()
        } else {
            self.ranked.take_best()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tic_tac_toe::TicTacToe;

    /// Prefers late moves, some of them equally.
    struct Late;

    impl Rating<TicTacToe> for Late {
        fn quiet(&self, _position: &TicTacToe, m: <TicTacToe as Game>::Move) -> i32 {
            i32::from(TicTacToe::move_code(m)) / 2
        }
    }

    #[test]
    fn a_peek_tells_the_next_move_and_changes_nothing() {
        let position = TicTacToe::new();
        let table_move = position.legal_moves().first().copied();
        let mut silent = Picker::new(table_move, true);
        let expected: Vec<_> = std::iter::from_fn(|| silent.next(&position, &Late)).collect();
        assert_eq!(expected.len(), position.legal_moves().len());
        let mut picker = Picker::new(table_move, true);
        let mut told = None;
        for &m in &expected {
            assert_eq!(picker.next(&position, &Late), Some(m));
            assert!(told.is_none_or(|told| told == m));
            told = picker.peek();
        }
        assert_eq!(told, None);
        assert_eq!(picker.next(&position, &Late), None);
    }
}
