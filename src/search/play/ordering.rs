//! Moves one at a time, the most promising first.
//!
//! A search that is often done after a move or two should not generate, let alone rate, what it
//! never tries. So moves come in stages: the table's move, captures that do not lose material,
//! quiet moves by whatever statistics the search keeps, captures that lose material.

use crate::game::ranked::Ranked;
use crate::game::{Game, Moves};
use crate::search::play::history::{History, Previous, Refuters};
use crate::value::Value;

/// What a search knows about moves it has not tried yet; larger is better.
pub(crate) trait Rating<G: Game> {
    /// The rating of a quiet move among quiet moves.
    fn quiet(&self, position: &G, m: G::Move) -> i32;

    /// The rating of a capture or promotion among its like.
    fn capture(&self, position: &G, m: G::Move) -> i32 {
        position.capture_order(m)
    }
}

/// Nothing but the game's own guesses.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameHints;

impl<G: Game> Rating<G> for GameHints {
    fn quiet(&self, position: &G, m: G::Move) -> i32 {
        position.preference(m)
    }
}

/// How many points of a capture's record weigh as much as one of its order.
const RECORD_PER_ORDER: i32 = 64;

/// Moves rated by what they did elsewhere in the tree: first those that refuted something close by.
///
/// With `PREFERENCE` the game's preference counts among quiet moves too; with `CAPTURE_RECORDS` captures'
/// records count beside the game's order of them. Every move of most nodes is rated, so these are settled
/// when the search is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByHistory<'a, const PREFERENCE: bool, const CAPTURE_RECORDS: bool> {
    /// What they did elsewhere.
    pub history: &'a History,
    /// What refuted something close by.
    pub refuters: Refuters,
    /// The moves before.
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
    Done,
}

/// A position's legal moves in the order a search should try them, each once.
#[derive(Clone, Debug)]
pub(crate) struct Picker<M> {
    stage: Stage,
    table_move: Option<M>,
    defer_losing: bool,
    unordered: bool,
    /// Moves of the present stage.
    ranked: Ranked<M>,
    losing: Moves<M>,
    losing_given: usize,
}

impl<M: Copy + Eq> Picker<M> {
    /// All moves, `table_move` (which must be legal) first. `defer_losing` puts captures that lose
    /// material by static exchange evaluation behind the quiet moves.
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

    /// The moves still to come may come in any order: they hardly matter.
    pub(crate) fn stop_ordering(&mut self) {
        self.unordered = true;
    }

    /// The best move not yet given. `position` must be the same each time.
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
                    if next.is_none() {
                        self.stage = Stage::Done;
                    }
                    return next;
                }
                Stage::Done => return None,
            }
        }
    }

    /// The move that will most likely be given next, if that can be told without generating more.
    pub(crate) fn peek(&mut self) -> Option<M> {
        if self.unordered {
            self.ranked.last()
        } else {
            self.ranked.peek()
        }
    }

    /// Whether the move just given is a capture that was put off as losing.
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
