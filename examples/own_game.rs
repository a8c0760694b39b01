//! A game of one's own, searched by conspiracy numbers: coins in a row. The sides take a coin from either end by
//! turns; the richer one wins. Run it with `cargo run --release --example own_game`.
#![allow(clippy::print_stdout)]

use cassius::analysis::GameAnalysis;
use cassius::game::{Evaluator, Game, Moves, Side, Visits};
use cassius::value::{Value, Window};

const COINS: [i32; 20] = [4, 9, 2, 7, 5, 1, 8, 3, 6, 9, 2, 8, 1, 7, 3, 5, 4, 6, 9, 2];

/// The coins that are left, and by how much the side to move is richer.
#[derive(Clone, Copy)]
struct Row(usize, usize, i32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Left,
    Right,
}

/// The rules.
impl Game for Row {
    type Move = End;

    fn key(&self) -> u64 {
        let all = self.0 as u64 | (self.1 as u64) << 8 | ((self.2 + 1000) as u64) << 16;
        all.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
    fn side_to_move(&self) -> Side {
        [Side::First, Side::Second][(COINS.len() - (self.1 - self.0)) % 2]
    }
    fn legal_moves(&self) -> Moves<End> {
        let ends = [End::Left, End::Right].into_iter();
        ends.filter(|_| self.0 < self.1).collect()
    }
    fn play(&mut self, end: End) {
        *self = match end {
            End::Left => Row(self.0 + 1, self.1, -self.2 - COINS[self.0]),
            End::Right => Row(self.0, self.1 - 1, -self.2 - COINS[self.1 - 1]),
        };
    }
    fn terminal_value(&self) -> Value {
        Value::centipawns(100 * self.2)
    }
    fn move_code(end: End) -> u16 {
        1 + end as u16
    }
}

/// What a position is worth before the end: what has been taken so far.
struct Purse;

impl Evaluator<Row> for Purse {
    fn evaluate<V: Visits>(
        &mut self,
        row: &Row,
        _: Window,
        visits: &mut V,
    ) -> Result<Value, V::Stop> {
        visits.visit().map(|()| self.static_value(row))
    }
    fn static_value(&mut self, row: &Row) -> Value {
        row.terminal_value()
    }
}

fn main() {
    let verdict = GameAnalysis::of(Row(0, COINS.len(), 0), Purse)
        .nodes(2_000)
        .run();
    println!(
        "worth {} coins after {} positions: {:?}",
        verdict.value, verdict.nodes, verdict.line
    );
    for step in verdict
        .profile
        .lowered
        .iter()
        .chain(&verdict.profile.raised)
    {
        println!(
            "{}: {} positions would have to be misjudged",
            step.to, step.conspirators
        );
    }
}
