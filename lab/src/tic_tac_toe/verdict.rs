//! Comparison of all readings with the printed numbers.

use std::fmt;

use super::play::{self, DEPTHS, Game, MOVES, Wins};
use super::printed::{MAX_CN, MIN_CN};
use super::reading::{self, Reading, VALUES};
use super::{Grid, grid, running};

/// Success of the readings.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Number of readings tried.
    pub tried: usize,
    /// The first of the best readings, described.
    pub best: String,
    /// Number of printed numbers that it gives.
    pub hits: usize,
    /// Its numbers.
    pub numbers: Grid<u32>,
    /// Whether any reading gives each printed number.
    pub anywhere: Grid<bool>,
}

impl Verdict {
    fn take(&mut self, reading: &impl fmt::Display, numbers: Grid<u32>, printed: &Grid<u32>) {
        self.tried += 1;
        let mut hits = 0;
        for depth in 0..DEPTHS {
            for number in 0..MOVES {
                let is_hit = numbers[depth][number] == printed[depth][number];
                hits += usize::from(is_hit);
                self.anywhere[depth][number] |= is_hit;
            }
        }
        if hits > self.hits {
            (self.best, self.hits, self.numbers) = (reading.to_string(), hits, numbers);
        }
    }
}

/// Number of times [`judge_all`] calls back.
pub fn steps() -> u64 {
    (reading::family().len() + running::family().len()) as u64
}

/// The verdicts on all readings, for `MaxCN` and for `MinCN`; `games` has one game for each depth of X.
pub fn judge_all(games: &[&Game], mut told: impl FnMut()) -> [Verdict; 2] {
    let mut verdicts = [Verdict::default(), Verdict::default()];
    let mut trees = (None, Vec::new());
    for reading in reading::family() {
        if trees.0 != Some(reading.root) {
            trees = (Some(reading.root), reading::all_trees(games, reading.root));
        }
        let numbers: Vec<Vec<u32>> = trees.1.iter().map(|tree| tree.numbers(&reading)).collect();
        for values in VALUES {
            let reading = Reading { values, ..reading };
            let of = |pick: fn(&[u32]) -> Option<u32>| {
                let pairs = trees.1.iter().zip(&numbers);
                grid(pairs.map(|(tree, it)| pick(&tree.looked_at(values, it)).unwrap_or(0)))
            };
            let largest = of(|numbers| numbers.iter().copied().max());
            let smallest = of(|numbers| numbers.iter().copied().min());
            verdicts[0].take(&reading, largest, &MAX_CN);
            verdicts[1].take(&reading, smallest, &MIN_CN);
        }
        told();
    }
    // After X's moves, one ply less than X's depth.
    let of_wins = |wins| play::trees(games, 1, 1, wins);
    let (by_rows, flat) = (of_wins(Wins::ByRows), of_wins(Wins::Flat));
    for reading in running::family() {
        let [sums, leasts] = reading.numbers(match reading.wins {
            Wins::ByRows => &by_rows,
            Wins::Flat => &flat,
        });
        verdicts[0].take(&reading, sums, &MAX_CN);
        verdicts[1].take(&reading, leasts, &MIN_CN);
        told();
    }
    verdicts
}
