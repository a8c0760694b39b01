//! Properties on all trees: Star1 and Star2 give expectiminimax's value, and sound bounds outside their window.

use std::hash::Hash;

use proptest::prelude::*;

use super::*;
use crate::chance::dice_race::DiceRace;
use crate::chance::game::{ChanceGame, Interval, Turn};
use crate::chance::random_chance_tree::{Layers, Odds, RandomChanceTree, Shape};
use cassius::game::Moves;

/// Rounding error of values up to a few hundred.
const ROUNDING: f64 = 1e-9;

/// Star1, Star2, and both with a table.
const STARS: [Star; 4] = [
    Star::ONE,
    Star::TWO,
    Star::ONE.with_table(),
    Star::TWO.with_table(),
];

/// Compares star searches with expectiminimax, with the full window and with `window`.
fn check<G: ChanceGame + Hash + Eq>(
    stars: &[Star],
    root: &G,
    depth: u32,
    window: Interval,
) -> Result<(), TestCaseError> {
    let truth = expectiminimax(root, depth);
    let is_near = |value: f64| (value - truth.value).abs() < ROUNDING;
    for star in stars {
        let whole = star.search(root, depth, Interval::ALL);
        prop_assert!(is_near(whole.value), "{star:?}: {whole:?} {truth:?}");
        prop_assert_eq!(whole.best.is_some(), truth.best.is_some(), "{:?}", star);
        if let Some(m) = whole.best {
            let value = expectiminimax(&root.after(m), depth - 1).value;
            prop_assert!(is_near(value), "{star:?}: {value} {truth:?}");
        }
        let value = star.search(root, depth, window).value;
        let is_sound = if value <= window.low {
            truth.value <= value + ROUNDING
        } else if value >= window.high {
            truth.value >= value - ROUNDING
        } else {
            is_near(value)
        };
        prop_assert!(is_sound, "{star:?}: {value} for {truth:?} in {window:?}");
    }
    Ok(())
}

fn shapes() -> impl Strategy<Value = Shape> {
    let layers = prop_oneof![Just(Layers::Regular), Just(Layers::Mixed)];
    let odds = prop_oneof![Just(Odds::Equal), (1..30_u8).prop_map(Odds::Weighted)];
    // Few values make ties, and bounds that are reached exactly.
    let limits = prop_oneof![1..4_u16, 10..200_u16];
    (layers, 1..5_u16, odds, limits, 1..60_u16).prop_map(
        |(layers, branching, odds, limit, spread)| Shape {
            layers,
            branching,
            odds,
            limit,
            spread,
        },
    )
}

/// Trees whose kinds of nodes alternate.
fn regular(branching: u16, odds: Odds) -> Shape {
    Shape {
        layers: Layers::Regular,
        branching,
        odds,
        limit: 100,
        spread: 20,
    }
}

/// Windows with ends on halves, some beyond all values.
fn windows() -> impl Strategy<Value = Interval> {
    (-250..250_i32, 1..40_i32).prop_map(|(low, width)| {
        let low = f64::from(low) / 2.0;
        Interval::new(low, low + f64::from(width) / 2.0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn all_give_the_value_or_a_sound_bound(
        shape in shapes(), seed in any::<u64>(), depth in 0..6_u32, window in windows(),
    ) {
        check(&STARS, &RandomChanceTree::new(shape, seed), depth, window)?;
    }

    /// Deep enough for windows to become as narrow as rounding errors.
    #[test]
    fn windows_of_the_width_of_rounding_do_no_harm(
        branching in 2..4_u16, weights in 2..30_u8, seed in any::<u64>(), window in windows(),
    ) {
        let shape = regular(branching, Odds::Weighted(weights));
        let depth = if branching == 2 { 11 } else { 8 };
        check(&STARS[..2], &RandomChanceTree::new(shape, seed), depth, window)?;
    }

    #[test]
    fn in_the_dice_race_too(
        first in any::<[u8; 2]>(), second in any::<[u8; 2]>(), depth in 0..7_u32, window in windows(),
    ) {
        let position = DiceRace::at(first.map(|it| it % 12), second.map(|it| it % 12));
        let window = Interval::new(window.low / 100.0, window.high / 100.0);
        check(&STARS, &position, depth, window)?;
    }
}

/// Nodes that each of the searches visits.
fn nodes<G: ChanceGame + Hash + Eq>(root: &G, depth: u32) -> [u64; STARS.len()] {
    STARS.map(|star| star.search(root, depth, Interval::ALL).nodes)
}

/// A race reaches positions in more ways than one, so a table saves nodes even for Star1. A random tree has no position
/// twice, so there a table saves only the repeated searches of probed moves.
#[test]
fn tables_save_what_is_searched_again() {
    let tree = RandomChanceTree::new(regular(4, Odds::Equal), 2);
    let race = DiceRace::at([3, 5], [4, 6]);
    let [tree, race] = [nodes(&tree, 6), nodes(&race, 8)];
    assert_eq!(tree[2], tree[0]);
    assert!(tree[3] < tree[1]);
    assert!(race[2] < race[0]);
    assert!(race[3] < race[1]);
}

/// A chance node with three equally likely values, and the index of the one that has come up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Three([i32; 3], Option<usize>);

impl ChanceGame for Three {
    type Move = usize;

    fn turn(&self) -> Turn {
        match self.1 {
            None => Turn::Chance,
            Some(_) => Turn::Over,
        }
    }

    fn legal_moves(&self) -> Moves<usize> {
        Moves::new()
    }

    fn events(&self) -> Vec<(usize, f64)> {
        (0..3).map(|m| (m, 1.0 / 3.0)).collect()
    }

    fn play(&mut self, m: usize) {
        self.1 = Some(m);
    }

    fn value(&self) -> f64 {
        self.1.map_or(0.0, |m| self.0[m].into())
    }

    fn range(&self) -> Interval {
        Interval::new(-10.0, 10.0)
    }
}

#[test]
fn a_chance_node_is_left_as_soon_as_its_window_is_out_of_reach() {
    let visited = |window| {
        let verdict = Star::ONE.search(&Three([-8, 4, 7], None), 1, window);
        (verdict.nodes, (verdict.value * 3.0).round() / 3.0)
    };
    // The mean is 1. After -8 it is at most (-8 + 10 + 10) / 3 = 4, after -8 and 4 at most 2 and at
    // least -14/3; the root counts as a node.
    assert_eq!(visited(Interval::ALL), (4, 1.0));
    assert_eq!(visited(Interval::new(4.0, 5.0)), (2, 4.0));
    assert_eq!(visited(Interval::new(2.0, 5.0)), (3, 2.0));
    assert_eq!(visited(Interval::new(1.0, 5.0)), (4, 1.0));
    assert_eq!(visited(Interval::new(10.0, 11.0)).0, 1);
    assert_eq!(visited(Interval::new(-6.0, -5.0)).0, 3);
}

#[test]
fn pruning_pays() {
    let tree = RandomChanceTree::new(regular(4, Odds::Equal), 1);
    let plain = expectiminimax(&tree, 8).nodes;
    let [star1, star2, ..] = nodes(&tree, 8);
    assert!(5 * star1 < 4 * plain, "{star1} of {plain}");
    assert!(star2 < star1, "{star2} against {star1}");
    let race = DiceRace::at([3, 5], [4, 6]);
    assert!(nodes(&race, 8)[0] < expectiminimax(&race, 8).nodes);
}
