//! Resignation at critical positions: would a player who resigned there have lost?
//!
//! The paper says that critical positions can tell "(no more promising) positions to resign", and gives no rule. Here a
//! player resigns where MaxCN or MinCN has fallen abruptly since his last move; in other rules only if he also stands
//! worse. The score alone is tested as well.

use super::book::{Book, starts};
use super::play::pairs;
use crate::outcome::Table;
use cassius::game::{Game as _, Side};
use cassius::games::tic_tac_toe::TicTacToe;
use cassius::profile::criticality::Turn;

/// Score of a side whose opponent has one more open row with two marks.
const TWO_BEHIND: i32 = -100;
/// Highest score of a side that sees the opponent's three in a row.
const LOSS_SEEN: i32 = -500;

/// A position at which a player might resign.
struct Chance {
    turn: Turn,
    score: i32,
    /// Whether perfect play loses.
    is_lost: bool,
    /// Whether the game was later lost.
    was_lost: bool,
}

type Rule = fn(&Chance) -> bool;

const RULES: [(&str, Rule); 11] = [
    ("all positions", |_| true),
    ("MaxCN has fallen", |it| it.turn.down_tactic),
    ("MinCN has fallen", |it| it.turn.up_tactic),
    ("either has fallen", |it| it.turn.critical),
    ("worse", |it| it.score < 0),
    ("worse, MaxCN has fallen", |it| {
        it.score < 0 && it.turn.down_tactic
    }),
    ("worse, MinCN has fallen", |it| {
        it.score < 0 && it.turn.up_tactic
    }),
    ("worse, neither has fallen", |it| {
        it.score < 0 && !it.turn.critical
    }),
    ("worse by 100 or more", |it| it.score <= TWO_BEHIND),
    ("worse by 500 or more", |it| it.score <= LOSS_SEEN),
    ("worse by less than 500, MaxCN has fallen", |it| {
        it.score < 0 && it.score > LOSS_SEEN && it.turn.down_tactic
    }),
];

pub(super) fn table() -> Table {
    let mut book = Book::default();
    let starts = starts();
    let mut chances = Vec::new();
    for (x, o) in pairs() {
        for start in &starts {
            collect(&mut book, start, [x, o], &mut chances);
        }
    }
    let headings = "resigns where | positions | lost by perfect play, %:1 | game was lost, %:1 | of the lost, %:1";
    let title = "What resigning would have thrown away";
    let mut table = Table::new("resignation", title, headings);
    let lost = chances.iter().filter(|it| it.is_lost).count() as f64;
    for (name, resigns) in RULES {
        let marked: Vec<&Chance> = chances.iter().filter(|it| resigns(it)).collect();
        let of = |is_so: Rule| marked.iter().filter(|it| is_so(it)).count() as f64;
        let count = marked.len() as f64;
        table.row([
            name.into(),
            marked.len().into(),
            (100.0 * of(|it| it.is_lost) / count).into(),
            (100.0 * of(|it| it.was_lost) / count).into(),
            (100.0 * of(|it| it.is_lost) / lost).into(),
        ]);
    }
    table
}

/// Collects the positions of a game between players of these depths, from each one's second move on.
fn collect(book: &mut Book, start: &TicTacToe, depths: [usize; 2], chances: &mut Vec<Chance>) {
    let mut position = *start;
    let mut last = [None; 2];
    let mut sides = Vec::new();
    let first = chances.len();
    loop {
        let side = position.side_to_move();
        let index = usize::from(side == Side::Second);
        let Some(m) = book.best_move(&position, depths[index]) else {
            break;
        };
        let numbers = book.numbers(&position, depths[index]);
        if let Some(last) = last[index] {
            chances.push(Chance {
                turn: Turn::between(last, numbers.extremes),
                score: numbers.score,
                is_lost: book.outcome(&position).is_loss(),
                was_lost: false,
            });
            sides.push(side);
        }
        last[index] = Some(numbers.extremes);
        position.play(m);
    }
    if position.terminal_value().is_loss() {
        let loser = position.side_to_move();
        for (chance, side) in chances[first..].iter_mut().zip(sides) {
            chance.was_lost = side == loser;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_is_told_for_the_side_to_move() {
        let mut book = Book::default();
        let mut chances = Vec::new();
        // O answers the centre with an edge: X wins, seen by both at depth 6.
        let start = TicTacToe::after_cells(&[4, 1]).unwrap();
        collect(&mut book, &start, [6, 6], &mut chances);
        let lost: Vec<bool> = chances.iter().map(|it| it.is_lost).collect();
        let was: Vec<bool> = chances.iter().map(|it| it.was_lost).collect();
        assert!(!lost.is_empty() && lost == was, "{lost:?} {was:?}");
        // X is never lost, O always; X moves first.
        let expected: Vec<bool> = (0..lost.len()).map(|index| index % 2 == 1).collect();
        assert_eq!(lost, expected);
    }

    #[test]
    fn a_drawn_game_has_nothing_lost_at_its_last_move() {
        let mut book = Book::default();
        let mut chances = Vec::new();
        collect(&mut book, &TicTacToe::new(), [6, 6], &mut chances);
        // Nine moves, less each player's first.
        assert_eq!(chances.len(), 7);
        assert!(chances.iter().all(|it| !it.was_lost && !it.is_lost));
    }
}
