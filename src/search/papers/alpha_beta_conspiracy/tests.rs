//! Alpha-beta conspiracy search compared with minimax, and its credits with the definition.

use super::*;
use crate::conspiracy::Kind;
use crate::conspiracy::definition::Tree;
use crate::games::random_tree::{RandomTree, ReadOff, Shape, StaticValues};
use crate::games::tic_tac_toe::OpenRows;
use crate::search::Unobserved;
use crate::search::tests::references::{solves, solves_tic_tac_toe, tic_tac_toe};
use proptest::prelude::*;

fn search<G: Game, E: Evaluator<G>>(
    root: &Root<G>,
    limits: &Limits<G::Move>,
    margin: u16,
    evaluator: E,
) -> Report<G::Move> {
    let settings = Settings {
        hash_megabytes: 4,
        margin,
    };
    AlphaBetaConspiracy::new(settings, evaluator).search(root, limits, &mut Unobserved)
}

#[test]
fn tic_tac_toe_is_solved_like_minimax_does() {
    for margin in [0, 1, 100] {
        let limits = Limits::iterations(34);
        solves_tic_tac_toe(tic_tac_toe(), |root| {
            search(root, &limits, margin, OpenRows)
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_trees_are_solved_like_minimax_does(
        seed in any::<u64>(), branching in 1..5_u16, depth in 1..6_u16, margin in 0..30_u16,
    ) {
        let shape = Shape { branching, depth: Some(depth), ..Shape::default() };
        let root = Root::new(RandomTree::new(shape, seed));
        // Enough for the whole tree: a move costs at most log 4.
        let report = search(&root, &Limits::iterations(24), margin, ReadOff);
        solves(&root, depth, &report)?;
    }
}

/// A tree whose leaves all have one value.
fn level(branching: usize, depth: usize, ply: usize) -> Tree {
    if ply == depth {
        return Tree::Leaf(0);
    }
    let children = (0..branching).map(|_| level(branching, depth, ply + 1));
    Tree::Interior(Kind::at_ply(ply), children.collect())
}

/// If all moves are alike, the tree is searched exactly so deep that the number of leaves that must be wrong to lower
/// the value is the threshold, and likewise to raise it.
#[test]
fn where_all_moves_are_alike_credits_are_conspiracy_numbers() {
    for (branching, iteration) in [(2_u16, 2), (2, 4), (2, 6), (4, 4), (4, 8)] {
        let shape = Shape {
            branching,
            depth: None,
            limit: 0,
            values: StaticValues::Independent,
        };
        let root = Root::new(RandomTree::new(shape, 1));
        let report = search(&root, &Limits::iterations(iteration), 0, ReadOff);
        let depth = report.seldepth as usize;
        let tree = level(usize::from(branching), depth, 0);
        let threshold = 1 << (iteration / 2);
        assert_eq!(tree.conspiracy_number(-1).get(), Some(threshold));
        assert_eq!(tree.conspiracy_number(1).get(), Some(threshold));
    }
}

/// One credit reaches deeper where moves have no alternative.
#[test]
fn forced_lines_are_searched_more_deeply() {
    let shape = Shape {
        branching: 4,
        depth: None,
        limit: 400,
        values: StaticValues::Settled { loss: 90 },
    };
    let depth = |margin| {
        let roots = (0..10).map(|seed| Root::new(RandomTree::new(shape, seed)));
        let reports = roots.map(|root| search(&root, &Limits::iterations(6), margin, ReadOff));
        reports.map(|report| report.seldepth).sum::<u32>()
    };
    assert!(depth(0) > depth(90), "{} {}", depth(0), depth(90));
}
