use super::*;
use cassius::profile::criticality::{Extremes, Turn};

const CHANCE: Chance = Chance {
    seed: 1,
    drawings: 150,
};

fn ply(expected: f64, critical: bool, open: bool) -> Ply {
    Ply {
        expected,
        open,
        value: 0.5,
        turn: Turn {
            down_tactic: critical,
            up_tactic: false,
            critical,
        },
        extremes: Extremes::default(),
    }
}

/// A game that swings up and down every ten plies; those `marked` are critical.
fn game(marked: impl Fn(usize) -> bool) -> Game {
    let plies = (0..60).map(|at| {
        let expected = if at / 10 % 2 == 0 { 0.4 } else { 0.7 };
        ply(expected, marked(at), (2..59).contains(&at))
    });
    Game {
        plies: plies.collect(),
        turning_point: Some(30),
    }
}

/// The row of the critical positions within 4 plies.
fn critical(games: &[Game], score: fn(&Game, &[usize], usize) -> Score) -> Vec<Cell> {
    let table = table("t", "T", games, CHANCE, score);
    let [(_, name), ..] = Way::ALL;
    let mut rows = table.rows.into_iter();
    rows.find(|row| row[0] == name.into() && row[1] == 4_usize.into())
        .expect("a row")
}

#[test]
fn a_swing_is_a_difference_within_so_many_plies() {
    let game = game(|_| false);
    let count = |marks: &[usize], within| swings(&game, marks, within).hits;
    assert_eq!(count(&[5], 4), 0);
    assert_eq!(count(&[5], 5), 1);
    assert_eq!(count(&[6, 9, 10, 20], 4), 2);
    assert_eq!(turning_points(&game, &[25, 30], 4).hits, 0);
    assert_eq!(turning_points(&game, &[26, 29], 4).hits, 1);
}

#[test]
fn marks_that_foretell_are_told_from_marks_that_do_not() {
    let good: Vec<Game> = (0..20).map(|_| game(|at| at % 10 == 8)).collect();
    let row = critical(&good, swings);
    assert_eq!(row[2..4], [120.into(), 100.into()]);
    assert_eq!(row[4], Cell::Real(100.0 * 100.0 / 120.0));
    assert!(matches!(row[7], Cell::Real(p) if p < 0.01), "{row:?}");
    let row = critical(&good, turning_points);
    assert_eq!(row[2..4], [20.into(), 20.into()]);

    let bad: Vec<Game> = (0..20).map(|_| game(|at| at % 10 == 2)).collect();
    let row = critical(&bad, swings);
    assert_eq!(row[3], 0.into());
    assert!(matches!(row[7], Cell::Real(p) if p > 0.99), "{row:?}");
}

#[test]
fn others_mark_as_many_as_are_critical() {
    let mut game = game(|at| at == 7 || at == 40);
    game.plies[20].value = 0.9;
    for at in [33, 44] {
        game.plies[at].extremes.min_cn = Some(1);
    }
    let mut draw = Draw::new(1);
    let mut jumps = Way::Jumps.marks(&game, &mut draw);
    jumps.sort_unstable();
    // There and back again two plies later.
    assert_eq!(jumps, [20, 22]);
    let mut unsure = Way::Unsure.marks(&game, &mut draw);
    unsure.sort_unstable();
    assert_eq!(unsure, [33, 44]);
}

#[test]
fn drawings_are_fair_and_without_repetition() {
    let (mut draw, mut counts) = (Draw::new(7), [0; 5]);
    for _ in 0..1_000 {
        let drawn = draw.some(&[0, 1, 2, 3, 4], 2);
        assert_ne!(drawn[0], drawn[1]);
        drawn.iter().for_each(|&it| counts[it] += 1);
    }
    let is_fair = |count: &i32| (340..460).contains(count);
    assert!(counts.iter().all(is_fair), "{counts:?}");
    assert_eq!(draw.some(&[4], 9), [4]);
}
