//! A cache of the paper's players' moves, numbers and outcomes, by position and depth: thousands of games repeat the same
//! positions.

use std::collections::HashMap;

use super::play::{self, Wins};
use cassius::game::{Game as _, Side};
use cassius::games::tic_tac_toe::{Cell, TicTacToe};
use cassius::profile::criticality::Extremes;
use cassius::profile::{self, Question};
use cassius::value::Value;

/// Most marks on the board at the start of a game.
const MOST_MARKS: usize = 3;

/// Stored results by position.
#[derive(Default)]
pub(super) struct Book {
    moves: HashMap<(TicTacToe, usize), Option<Cell>>,
    numbers: HashMap<(TicTacToe, usize), Numbers>,
    outcomes: HashMap<TicTacToe, Value>,
}

/// Numbers at the root of a player's tree, for the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    /// The score; larger is better for the side to move.
    pub(super) score: i32,
    pub(super) extremes: Extremes,
    /// Whether raising the score takes no more conspirators than lowering it.
    pub(super) is_no_harder_to_raise: bool,
}

/// The score for a side; `score` is for X.
pub(super) fn for_side(side: Side, score: i32) -> i32 {
    match side {
        Side::First => score,
        Side::Second => -score,
    }
}

impl Book {
    /// The move of a player at this depth; `None` if the game is over.
    pub(super) fn best_move(&mut self, position: &TicTacToe, depth: usize) -> Option<Cell> {
        let moves = self.moves.entry((*position, depth));
        *moves.or_insert_with(|| play::best_move(position, depth))
    }

    /// The numbers at the root of a player's tree at this depth, counted in the whole tree by the definition of conspiracy numbers.
    pub(super) fn numbers(&mut self, position: &TicTacToe, depth: usize) -> Numbers {
        let numbers = self.numbers.entry((*position, depth));
        *numbers.or_insert_with(|| count(position, depth))
    }

    /// The value for the side to move with perfect play.
    pub(super) fn outcome(&mut self, position: &TicTacToe) -> Value {
        if let Some(&known) = self.outcomes.get(position) {
            return known;
        }
        let moves = position.legal_moves().into_iter();
        let values = moves.map(|m| -self.outcome(&position.after(m)));
        let value = values.max().unwrap_or_else(|| position.terminal_value());
        self.outcomes.insert(*position, value);
        value
    }
}

fn count(position: &TicTacToe, depth: usize) -> Numbers {
    let tree = play::tree(position, depth, Wins::ByRows);
    let question = Question {
        beyond: 0,
        named: 0,
        ..Question::default()
    };
    let profile = profile::of_tree(&&tree, &question);
    let side = position.side_to_move();
    let (lower, raise) = match side {
        Side::First => (profile.below, profile.above),
        Side::Second => (profile.above, profile.below),
    };
    Numbers {
        score: for_side(side, tree.value()),
        extremes: Extremes {
            max_cn: profile.max_cn,
            min_cn: profile.min_cn,
        },
        is_no_harder_to_raise: raise.is_some_and(|raise| lower.is_none_or(|lower| raise <= lower)),
    }
}

/// Starts of games: every open position of at most three marks that play can reach.
pub(super) fn starts() -> Vec<TicTacToe> {
    let mut all = vec![TicTacToe::new()];
    let mut last = all.clone();
    for _ in 0..MOST_MARKS {
        let mut next: Vec<TicTacToe> = Vec::new();
        for position in &last {
            for m in position.legal_moves() {
                let after = position.after(m);
                if !next.contains(&after) {
                    next.push(after);
                }
            }
        }
        all.extend(&next);
        last = next;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_begin_at_all_positions_of_up_to_three_marks() {
        assert_eq!(starts().len(), 1 + 9 + 9 * 8 + 9 * 8 * 7 / 2);
    }

    #[test]
    fn the_book_knows_what_the_papers_players_do() {
        let mut book = Book::default();
        let game = play::Game::play(2, 3);
        for (ply, position) in game.positions.iter().enumerate() {
            let depth = 2 + ply % 2;
            let played = game.moves.get(ply).copied();
            assert_eq!(book.best_move(position, depth), played);
        }
        assert_eq!(book.outcome(&TicTacToe::new()), Value::DRAW);
        // X threatens to complete two rows, and O can block only one.
        let lost = TicTacToe::after_cells(&[4, 1, 0, 8, 6]).unwrap();
        assert!(book.outcome(&lost).is_loss());
    }

    #[test]
    fn numbers_are_for_the_side_to_move() {
        let mut book = Book::default();
        // After X's centre O is behind, by a search of two plies.
        let after = TicTacToe::after_cells(&[4]).unwrap();
        assert!(book.numbers(&after, 2).score < 0);
        let profile = profile::of_tree(&&play::tree(&after, 2, Wins::ByRows), &Question::default());
        let numbers = book.numbers(&after, 2);
        assert_eq!(numbers.extremes.max_cn, profile.max_cn);
        let is_no_harder = profile.below <= profile.above;
        assert_eq!(numbers.is_no_harder_to_raise, is_no_harder);
    }
}
