use proptest::prelude::*;

use super::*;
use crate::conspiracy::Kind;
use crate::conspiracy::definition::Tree::{self, Leaf};

fn profile(tree: &Tree) -> Profile<Vec<usize>> {
    of_tree(&tree, &Question::default())
}

fn sample() -> Tree {
    Tree::max([Tree::min([Leaf(5), Leaf(2)]), Tree::min([Leaf(3), Leaf(4)])])
}

const WON: i16 = Value::WIN.get();
const LOST: i16 = Value::LOSS.get();

/// Number of conspirators, nearest and farthest value, and the lines to the conspirators.
type Row<'a> = (u32, i16, i16, &'a [&'a [usize]]);

fn assert_steps(steps: &[Step<Vec<usize>>], expected: &[Row<'_>]) {
    assert_eq!(steps.len(), expected.len());
    for (step, &(conspirators, from, to, names)) in steps.iter().zip(expected) {
        assert_eq!(names.len(), conspirators as usize);
        let lines: Vec<&[usize]> = step.names.iter().map(|it| it.line.as_slice()).collect();
        let found = (step.conspirators, step.from.get(), step.to.get(), &*lines);
        assert_eq!(found, (conspirators, from, to, names));
    }
}

#[test]
fn the_encyclopedia_s_table_comes_out() {
    let profile = profile(&sample());
    assert_eq!(profile.value, Value::centipawns(3));
    assert_eq!((profile.below, profile.above), (Some(1), Some(1)));
    assert_eq!((profile.min_cn, profile.max_cn), (Some(1), Some(2)));
    // <= 1: 2 of (D or E) and (F or G); 2: 1 of F or G.
    let lowered: &[Row<'_>] = &[(1, 2, 2, &[&[1, 0]]), (2, 1, LOST, &[&[0, 0], &[1, 0]])];
    assert_steps(&profile.lowered, lowered);
    // 4: E or F; 5: E; >= 6: D and E, or F and G.
    let raised: &[Row<'_>] = &[(1, 4, 5, &[&[0, 1]]), (2, 6, WON, &[&[0, 0], &[0, 1]])];
    assert_steps(&profile.raised, raised);
    assert_eq!(profile.lowered[0].names[0].value, Value::centipawns(3));
}

/// The other two tables of the encyclopedia's page: the MIN nodes by themselves.
#[test]
fn the_encyclopedia_s_tables_of_the_children_come_out() {
    let b = profile(&Tree::min([Leaf(5), Leaf(2)]));
    assert_steps(&b.lowered, &[(1, 1, LOST, &[&[0]])]);
    assert_steps(&b.raised, &[(1, 3, 5, &[&[1]]), (2, 6, WON, &[&[0], &[1]])]);
    let c = profile(&Tree::min([Leaf(3), Leaf(4)]));
    assert_steps(&c.lowered, &[(1, 2, LOST, &[&[0]])]);
    assert_steps(&c.raised, &[(1, 4, 4, &[&[0]]), (2, 5, WON, &[&[0], &[1]])]);
}

/// The thesis's figure 2.3, the table of its tree of figure 2.2, which is rebuilt with the tests of
/// the definition: D (its J or K), E and F, G as grandchildren.
#[test]
fn the_thesis_s_table_comes_out() {
    let d = Tree::max([Tree::min([Leaf(1)]), Tree::min([Leaf(0)])]);
    let tree = Tree::max([Tree::min([d, Leaf(2)]), Tree::min([Leaf(0), Leaf(1)])]);
    let profile = profile(&tree);
    assert_eq!(profile.value, Value::centipawns(1));
    let j: &[usize] = &[0, 0, 0, 0];
    // -1 and below: 2; 0: 1, J alone; 2: 1; 3 and above: 2.
    let lowered: &[Row<'_>] = &[(1, 0, 0, &[j]), (2, -1, LOST, &[&[0, 1], &[1, 0]])];
    assert_steps(&profile.lowered, lowered);
    assert_steps(
        &profile.raised,
        &[(1, 2, 2, &[j]), (2, 3, WON, &[j, &[0, 1]])],
    );
}

#[test]
fn terminals_do_not_conspire_and_bound_what_can_be_reached() {
    let tree = Tree::max([
        Tree::min([Tree::Terminal(1), Leaf(2)]),
        Tree::min([Tree::Terminal(0), Leaf(0)]),
    ]);
    let profile = profile(&tree);
    assert_eq!((profile.below, profile.above), (Some(1), None));
    assert_eq!(profile.raised, vec![]);
    assert_eq!(profile.min_cn, Some(1));
    assert_eq!(profile.max_cn, Some(2));
    let proven = Tree::max([Tree::Terminal(4), Leaf(2)]);
    let proven = self::profile(&proven);
    assert_eq!((proven.below, proven.above), (None, Some(1)));
    assert_eq!(proven.ranges[5].min, Value::centipawns(4));
    assert_eq!(proven.ranges[5].max, Value::WIN);
}

#[test]
fn numbers_are_not_bounded_by_a_byte() {
    let wide = Tree::min(vec![Leaf(0); 700]);
    let profile = profile(&wide);
    assert_eq!((profile.below, profile.above), (Some(1), Some(700)));
    assert_eq!((profile.min_cn, profile.max_cn), (Some(1), Some(700)));
}

/// The grain only decides the next value.
#[test]
fn steps_lie_on_the_grain() {
    let tree = Tree::max([Leaf(100), Tree::min([Leaf(0), Leaf(300)])]);
    let question = Question {
        grain: 100,
        ..Question::default()
    };
    let profile = of_tree(&&tree, &question);
    assert_eq!(profile.raised[0].from, Value::centipawns(200));
    assert_eq!(profile.lowered[0].from, Value::centipawns(0));
    assert_eq!(profile.ranges[0].min, Value::centipawns(100));
}

#[test]
fn json_survives_and_says_what_it_means() {
    let profile = profile(&sample());
    let json = serde_json::to_value(&profile).unwrap();
    assert_eq!(json["basis"], "tree");
    assert_eq!(json["value"], serde_json::json!({"cp": 3}));
    assert_eq!(json["raised"][1]["to"], "won");
    let back: Profile<Vec<usize>> = serde_json::from_value(json).unwrap();
    assert_eq!(back, profile);
    for moves in [1, 3, -2] {
        let mate = serde_json::json!({"conspirators": 0, "min": {"mate": moves}, "max": "lost"});
        let range: Range = serde_json::from_value(mate.clone()).unwrap();
        assert_eq!(serde_json::to_value(range).unwrap(), mate);
    }
}

const LOW: i32 = -3;
const HIGH: i32 = 3;

/// Trees of at most eight leaves.
pub(super) fn small_trees() -> impl Strategy<Value = Tree> {
    let ends = prop_oneof![
        6 => (LOW..=HIGH).prop_map(Tree::Leaf),
        1 => (LOW..=HIGH).prop_map(Tree::Terminal)
    ];
    let trees = ends.prop_recursive(4, 12, 3, |inner| {
        (any::<bool>(), prop::collection::vec(inner, 1..4)).prop_map(|(max, children)| {
            Tree::Interior(if max { Kind::Max } else { Kind::Min }, children)
        })
    });
    trees.prop_filter("too many leaves", |tree| leaves(tree).len() <= 8)
}

/// The lines to all leaves that are not terminal.
pub(super) fn leaves(tree: &Tree) -> Vec<Vec<usize>> {
    match tree {
        Leaf(_) => vec![Vec::new()],
        Tree::Terminal(_) => Vec::new(),
        Tree::Interior(_, children) => {
            let below = children.iter().enumerate().flat_map(|(number, child)| {
                let lines = leaves(child).into_iter();
                lines.map(move |line| [vec![number], line].concat())
            });
            below.collect()
        }
    }
}

/// Gives the leaf at the end of a line another value.
pub(super) fn changed(tree: &mut Tree, line: &[usize], value: i32) {
    match (tree, line) {
        (Tree::Interior(_, children), [child, rest @ ..]) => {
            changed(&mut children[*child], rest, value);
        }
        (tree, _) => *tree = Leaf(value),
    }
}

/// Every value the root can have after at most `changes` of these leaves have been changed in any way.
fn reachable(tree: &Tree, leaves: &[Vec<usize>], changes: usize, into: &mut Vec<i32>) {
    into.push(tree.value());
    for (number, line) in leaves.iter().enumerate().filter(|_| changes > 0) {
        for value in LOW - 1..=HIGH + 1 {
            let mut tree = tree.clone();
            changed(&mut tree, line, value);
            reachable(&tree, &leaves[number + 1..], changes - 1, into);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Changing the named leaves gives the root the stated value; changing fewer leaves to any values does not.
    #[test]
    fn claims_hold_by_brute_force(tree in small_trees()) {
        let profile = profile(&tree);
        let inside = |value: Value| i32::from(value.get()).clamp(LOW - 1, HIGH + 1);
        for step in profile.lowered.iter().chain(&profile.raised) {
            prop_assert_eq!(step.names.len(), step.conspirators as usize);
            let (from, to) = (inside(step.from), inside(step.to));
            for target in from.min(to)..=from.max(to) {
                let mut tree = tree.clone();
                for name in &step.names {
                    changed(&mut tree, &name.line, target);
                }
                prop_assert_eq!(tree.value(), target);
            }
        }
        let leaves = leaves(&tree);
        for changes in 0..4 {
            let mut reached = Vec::new();
            reachable(&tree, &leaves, changes, &mut reached);
            let range = profile.ranges[changes];
            let ends = (inside(range.min), inside(range.max));
            let least = reached.iter().copied().min();
            prop_assert_eq!((least, reached.iter().copied().max()), (Some(ends.0), Some(ends.1)));
            for step in profile.lowered.iter().chain(&profile.raised) {
                let (from, to) = (inside(step.from), inside(step.to));
                let is_step = |value: &&i32| (from.min(to)..=from.max(to)).contains(*value);
                prop_assert_eq!(reached.iter().any(|it| is_step(&it)), changes >= step.conspirators as usize);
            }
        }
    }

    /// The profile's numbers are the definition's.
    #[test]
    fn numbers_equal_the_definition(tree in small_trees()) {
        let profile = profile(&tree);
        let own = tree.value();
        let numbers = |targets: Vec<i32>| -> Vec<Option<u32>> {
            let of = |target: i32| tree.conspiracy_number(target).get();
            targets.into_iter().map(of).collect()
        };
        let (up, down) = (numbers((own + 1..=HIGH + 1).collect()), numbers((LOW - 1..own).rev().collect()));
        prop_assert_eq!(profile.above, up.first().copied().flatten());
        prop_assert_eq!(profile.below, down.first().copied().flatten());
        let all = || up.iter().chain(&down).flatten().copied();
        prop_assert_eq!(profile.max_cn, all().max());
        prop_assert_eq!(profile.min_cn, all().min());
    }
}
