//! Depth-first conspiracy-number search against minimax, the definition, and the rules.

mod chess;

use proptest::prelude::*;

use super::certificates::{Certificate, Certificates};
use super::worker::{NodeContext, Worker};
use super::{Constants, DepthFirst, HIGHEST_DEMAND, Settings};
use crate::game::{Game, Root};
use crate::games::chess::{Evaluation, Quiescence, notation};
use crate::games::random_tree::{ChildIndex, RandomTree, ReadOff, Shape, StaticValues};
use crate::games::tic_tac_toe::{OpenRows, TicTacToe};
use crate::search::events::{Descent, Unwatched};
use crate::search::kit::has_risen;
use crate::search::kit::team::Team;
use crate::search::kit::team::Threads;
use crate::search::tests::references::minimax;
use crate::search::{Bound, Cost, Limits, Report, Searcher, Unobserved};
use crate::value::Value;

fn settings(constants: Constants) -> Settings {
    Settings {
        constants,
        hash_megabytes: 8,
        ..Settings::default()
    }
}

/// Constants without null moves, second supporters, and surcharges by number or for losing captures.
fn plain_prices() -> Constants {
    let constants = "late=0 losing=0 null_least=1024 second_least=4096";
    constants.parse().unwrap()
}

/// Searches a tree until nothing is left to expand.
fn to_the_end(settings: Settings, root: RandomTree) -> Report<ChildIndex> {
    let limits = Limits::iterations(HIGHEST_DEMAND);
    DepthFirst::new(settings, ReadOff).search(&Root::new(root), &limits, &mut Unobserved)
}

fn shape(branching: u16, depth: u16, correlated: bool) -> Shape {
    Shape {
        branching,
        depth: Some(depth),
        limit: 20,
        values: if correlated {
            StaticValues::Correlated { spread: 6 }
        } else {
            StaticValues::Independent
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Once everything that matters is expanded the value is the game's.
    #[test]
    fn a_tree_searched_to_its_end_has_its_minimax_value(
        seed: u64, branching in 1u16..5, depth in 1u16..6, correlated: bool,
    ) {
        let root = RandomTree::new(shape(branching, depth, correlated), seed);
        for constants in [Constants::default(), plain_prices()] {
            let report = to_the_end(settings(constants), root);
            let expected = minimax(&Root::new(root), depth.into(), ReadOff);
            prop_assert_eq!(report.value, expected);
        }
    }

    /// Threads find each other's answers in the table, and no two of them see the same tree.
    #[test]
    fn several_threads_find_the_minimax_value_too(
        seed: u64, branching in 1u16..5, depth in 1u16..6, correlated: bool, threads in 2usize..5,
    ) {
        let root = RandomTree::new(shape(branching, depth, correlated), seed);
        let settings = Settings { threads: Threads::of(threads), ..settings(Constants::default()) };
        let report = to_the_end(settings, root);
        let expected = minimax(&Root::new(root), depth.into(), ReadOff);
        prop_assert_eq!(report.value, expected);
    }
}

#[test]
fn static_values_rise_from_one_turn_of_a_side_to_its_next() {
    let at = |cp: i32| Some(Value::centipawns(cp));
    let values = [at(10), at(-20), at(11), at(-20), None, at(-19), at(50)];
    let risen: Vec<bool> = (0..values.len())
        .map(|ply| has_risen(ply, |ply| values[ply]))
        .collect();
    // Unknown before the root, and in check.
    assert_eq!(risen, [false, false, true, false, false, true, false]);
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let mut search = DepthFirst::new(settings(Constants::default()), OpenRows);
    let report = search.search(
        &Root::new(TicTacToe::default()),
        &Limits::iterations(HIGHEST_DEMAND),
        &mut Unobserved,
    );
    assert_eq!(report.value, Value::DRAW);
}

/// The answer by the definition of prices: a leaf answers if it costs at least the demand; otherwise a position holds
/// if some child fails, asked for the demand less the price of a ply.
fn priced_answer(constants: &Constants, position: RandomTree, theta: i32, demand: i32) -> bool {
    let moves = position.legal_moves();
    let value = i32::from(position.static_value().get());
    let beyond = if value >= theta {
        value - theta
    } else {
        value - theta + 1
    };
    if moves.is_empty() || demand <= constants.leaf_cost(beyond) {
        return value >= theta;
    }
    let price = constants.ply;
    let child = |m| priced_answer(constants, position.after(m), 1 - theta, demand - price);
    moves.into_iter().any(|m| !child(m))
}

/// Margins decide with the depth: the answers are those of the prices, not those of a search to a fixed depth.
#[test]
fn answers_are_as_dear_as_the_demand_by_the_prices() {
    let only_prices = "late=0 record=0 losing=0 stale=0 stale_endgame=0 after_capture=0 \
                       losing_quiet=0 null_least=1024 second_least=4096 unknown_least=1024 unseen=-64 unseen_gap=0 unseen_number=0 leaf_margin=64 \
                       leaf_surplus=64 leaf_most=256";
    let only_prices: Constants = only_prices.parse().unwrap();
    let fixed_depth = Constants {
        leaf_margin: 0,
        leaf_surplus: 0,
        ..only_prices.clone()
    };
    let mut unlike_a_fixed_depth = 0;
    for seed in 0..300 {
        let shape = Shape {
            limit: 200,
            ..shape(3, 7, seed % 2 == 0)
        };
        let root = RandomTree::new(shape, seed);
        let theta = (seed % 7) as i32 * 20 - 60;
        let demand = 40 + (seed % 5) as i32 * 20;
        let mut table = Certificates::new(1);
        let (mut team, limits, mut observer) =
            (Team::alone(ReadOff), Limits::default(), Unobserved);
        let task = team.task::<RandomTree, _>(&limits, &mut observer);
        let root_alone = Root::new(root);
        let mut worker = Worker::new(&only_prices, table.open(), &root_alone, task, Unwatched);
        let asked = worker.ask(
            Descent::Root,
            &root,
            Value::centipawns(theta),
            demand,
            NodeContext::ROOT.child(Some(0)),
        );
        let answer = asked.expect("never stopped");
        let holds = answer.value >= Value::centipawns(theta);
        assert_eq!(
            holds,
            priced_answer(&only_prices, root, theta, demand),
            "{seed}"
        );
        assert!(i32::from(answer.cost.get()) >= demand, "{seed}: {answer:?}");
        unlike_a_fixed_depth +=
            i32::from(holds != priced_answer(&fixed_depth, root, theta, demand));
    }
    assert!(unlike_a_fixed_depth >= 20, "{unlike_a_fixed_depth}");
}

#[test]
fn the_table_stays_within_its_memory_and_is_cleared() {
    let mut table = Certificates::new(1);
    let answer = Certificate::new(Value::DRAW, Cost::ONE);
    for key in 0..100_000u64 {
        table.open().store(
            key.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            Value::DRAW,
            answer,
            1,
        );
    }
    assert!(table.bytes() <= 1 << 20);
    assert_eq!(table.open().fullness(), 1000);
    table.clear();
    assert_eq!(table.open().fullness(), 0);
    assert!(table.open().probe(0x9e37_79b9_7f4a_7c15).is_none());
}

#[test]
fn the_table_keeps_a_dear_answer_against_a_cheap_one() {
    let mut table = Certificates::new(1);
    let key = 7;
    let at_least = |value, cost| Certificate::new(Value::centipawns(value), Cost::whole(cost));
    let lower = |table: &mut Certificates| table.open().probe(key).map(|entry| entry.lower);
    let deep = at_least(10, 12);
    table.open().store(key, deep.value, deep, 1);

    // Much cheaper, for a larger value: the dear one stays.
    let shallow = at_least(30, 8);
    table
        .open()
        .store_unless_cheap(key, shallow.value, shallow, 2);
    assert_eq!(lower(&mut table), Some(deep));
    // A little cheaper: the newer one counts.
    let newer = at_least(30, 9);
    table.open().store_unless_cheap(key, newer.value, newer, 2);
    assert_eq!(lower(&mut table), Some(newer));
    // The other side is another matter.
    let upper = at_least(40, 1);
    table
        .open()
        .store_unless_cheap(key, Value::centipawns(50), upper, 0);
    let entry = table.open().probe(key).expect("an entry");
    assert_eq!((entry.lower, entry.upper), (newer, upper));
    // What an earlier search knew gives way.
    table.new_search();
    let later = at_least(20, 1);
    table.open().store_unless_cheap(key, later.value, later, 0);
    assert_eq!(lower(&mut table), Some(later));
}

/// A line is for both sides: where all is known it ends where the root's value comes from.
#[test]
fn principal_variations_lead_to_the_value() {
    for seed in 0..200u64 {
        let root = RandomTree::new(shape(3, 5, seed.is_multiple_of(2)), seed);
        let report = to_the_end(settings(Constants::default()), root);
        let end = report
            .pv
            .iter()
            .fold(root, |position, &m| position.after(m));
        // Five plies on the other side is to move.
        let leads = report.pv.len() == 5 && -end.terminal_value() == report.value;
        assert!(leads, "{seed}");
    }
}
