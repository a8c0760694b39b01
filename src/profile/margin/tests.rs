use proptest::prelude::*;

use super::super::snapshot::{Judged, Snapshot};
use super::super::tests::{changed, leaves, small_trees};
use super::super::{Question, of_tree};
use super::*;
use crate::conspiracy::Kind;
use crate::conspiracy::definition::Tree::{self, Leaf, Terminal};

fn counts(tree: &Tree, margin: u16, choice: Option<usize>) -> [Option<u32>; 3] {
    let question = Question {
        margin: Some(Margin::new(margin)),
        choice,
        ..Question::default()
    };
    let counts = of_tree(&tree, &question).by_margin.unwrap();
    assert_eq!(counts.margin, Margin::new(margin));
    [counts.worse, counts.better, counts.other_move]
}

#[test]
fn a_margin_asks_for_more_than_the_next_value() {
    // To gain half a pawn, two replies to one of the moves must be wrong. To lose it, one reply to each move must be;
    // one reply to the first move alone makes the second move better.
    let tree = Tree::max([
        Tree::min([Leaf(30), Leaf(50), Leaf(200)]),
        Tree::min([Leaf(0), Leaf(10)]),
    ]);
    assert_eq!(counts(&tree, 1, None), [Some(1), Some(1), None]);
    assert_eq!(counts(&tree, 50, None), [Some(2), Some(2), Some(1)]);
    assert_eq!(counts(&tree, 20, None), [Some(1), Some(1), Some(2)]);
    // The move to play need not be the best one.
    assert_eq!(counts(&tree, 20, Some(1))[2], Some(0));
}

#[test]
fn a_leaf_is_wrong_by_two_margins_at_most() {
    let tree = Tree::max([Leaf(0), Leaf(-60), Terminal(-10)]);
    assert_eq!(counts(&tree, 50, None), [None, Some(1), Some(1)]);
    let tree = Tree::max([Leaf(0), Leaf(-150)]);
    assert_eq!(counts(&tree, 50, None), [Some(1), Some(1), Some(2)]);
    let tree = Tree::max([Leaf(0), Leaf(-151)]);
    assert_eq!(counts(&tree, 50, None), [Some(1), Some(1), None]);
}

#[test]
fn what_is_final_is_not_wrong() {
    assert_eq!(counts(&Terminal(0), 50, None), [None, None, None]);
    assert_eq!(counts(&Leaf(0), 50, None), [Some(1), Some(1), None]);
    let judged = |value, nature| Judged {
        value,
        nature,
        turn: 0,
    };
    let (root, leaf) = (Nature::Interior(Kind::Max), Nature::Leaf);
    let won = Snapshot::of(0, |&node: &usize| match node {
        0 => (judged(Value::win_in(3), root), vec![((), 1), ((), 2)]),
        1 => (judged(Value::win_in(3), leaf), vec![]),
        _ => (judged(Value::DRAW, leaf), vec![]),
    });
    let question = Question {
        margin: Some(Margin::default()),
        ..Question::default()
    };
    let profile = of_tree(&won, &question);
    assert!(profile.value.is_win());
    let counts = profile.by_margin.unwrap();
    let counts = [counts.worse, counts.better, counts.other_move];
    assert_eq!(counts, [None, None, None]);
}

/// Passes on every tree that results from changing leaves by at most `error`, and the number of changed leaves.
fn misjudged(
    tree: &Tree,
    leaves: &[Vec<usize>],
    error: i32,
    wrong: u32,
    tell: &mut impl FnMut(&Tree, u32),
) {
    let Some((first, rest)) = leaves.split_first() else {
        return tell(tree, wrong);
    };
    misjudged(tree, rest, error, wrong, tell);
    let value = first.iter().fold(tree, |tree, &child| match tree {
        Tree::Interior(_, children) => &children[child],
        end => end,
    });
    let value = value.value();
    for other in (value - error..=value + error).filter(|&it| it != value) {
        let mut tree = tree.clone();
        changed(&mut tree, first, other);
        misjudged(&tree, rest, error, wrong + 1, tell);
    }
}

/// Lead of the best other move over the chosen one, for the side to move.
fn lead_of_others(tree: &Tree, choice: usize) -> Option<i32> {
    let Tree::Interior(kind, children) = tree else {
        return None;
    };
    let sign = if *kind == Kind::Max { 1 } else { -1 };
    let others = children.iter().enumerate().filter(|&(it, _)| it != choice);
    let best = others.map(|(_, it)| sign * it.value()).max()?;
    Some(best - sign * children[choice].value())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// The counts are the minima over all sets of wrong leaves.
    #[test]
    fn counts_hold_by_brute_force(
        tree in small_trees().prop_filter("too many leaves", |it| leaves(it).len() <= 4),
        margin in 1..=2_u16,
        choice in 0..3_usize,
    ) {
        let moves = match &tree {
            Tree::Interior(_, children) => children.len(),
            _ => 1,
        };
        let choice = choice % moves;
        let (value, by) = (tree.value(), i32::from(margin));
        let mut fewest = [None; 3];
        misjudged(&tree, &leaves(&tree), 2 * by, 0, &mut |tree, wrong| {
            let now = tree.value();
            let other = lead_of_others(tree, choice).is_some_and(|it| it >= by);
            for (fewest, is) in fewest.iter_mut().zip([now <= value - by, now >= value + by, other]) {
                if is {
                    *fewest = Some(fewest.map_or(wrong, |it: u32| it.min(wrong)));
                }
            }
        });
        prop_assert_eq!(counts(&tree, margin, Some(choice)), fewest);
    }
}
