//! A game of one's own, searched by conspiracy numbers: coins in a row. The sides take a coin from either end by
//! turns; the richer one wins. Run it with `cargo run --release --example own_game`.
#![allow(clippy::print_stdout)]

use cassius::analysis::GameAnalysis;
use cassius::game::{Evaluator, Game, Moves, Side};
use cassius::value::Value;

const COINS: [i32; 24] = [
    3, 1, 4, 2, 5, 1, 3, 2, 4, 1, 2, 5, 3, 1, 2, 6, 1, 4, 3, 5, 2, 1, 4, 3,
];

/// The coins that are left, from one place to another, and by how much the side to move is richer.
#[derive(Clone)]
struct Row(usize, usize, i32);

/// The rules. A move is the coin at the left end or the one at the right.
impl Game for Row {
    type Move = &'static str;

    fn key(&self) -> u64 {
        let all = (self.2 as u64) << 16 | (self.0 as u64) << 8 | self.1 as u64;
        all.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
    fn side_to_move(&self) -> Side {
        [Side::First, Side::Second][(COINS.len() - (self.1 - self.0)) % 2]
    }
    fn legal_moves(&self) -> Moves<&'static str> {
        let ends = ["left", "right"].into_iter();
        ends.filter(|_| self.0 < self.1).collect()
    }
    fn play(&mut self, end: &'static str) {
        *self = match end {
            "left" => Row(self.0 + 1, self.1, -self.2 - COINS[self.0]),
            _ => Row(self.0, self.1 - 1, -self.2 - COINS[self.1 - 1]),
        };
    }
    fn terminal_value(&self) -> Value {
        Value::centipawns(100 * self.2)
    }
    fn move_code(end: &'static str) -> u16 {
        end.len() as u16
    }
}

/// What a position is worth before the end: what has been taken so far.
struct Purse;

impl Evaluator<Row> for Purse {
    fn static_value(&mut self, row: &Row) -> Value {
        row.terminal_value()
    }
    fn grain(&self) -> i32 {
        100 // Values are whole coins.
    }
}

fn main() {
    let all = Row(0, COINS.len(), 0);
    let verdict = GameAnalysis::of(all, Purse).nodes(2_000).run();
    println!("worth {} coins: {:?}", verdict.value, verdict.line);
    let profile = verdict.profile;
    for step in profile.lowered.iter().chain(&profile.raised) {
        let (from, to, leaves) = (step.from, step.to, step.conspirators);
        println!("{from} to {to}: {leaves} positions would have to be misjudged");
    }
}
