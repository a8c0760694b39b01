//! Searches with a [prover](super::kit::prover) of mates beside them.

use std::time::Duration;

use super::kit::prover::Proved;
use super::proof_number::stepped::SteppedProver;
use super::{Limits, Observer, Report, Searcher};
use crate::game::{Evaluator, Game, Root};

/// A prover's part of the memory that its search's table has.
const PART_OF_HASH: usize = 16;

/// Memory of a prover beside a search with a table of this size, in MiB.
pub(crate) const fn prover_megabytes(hash_megabytes: usize) -> usize {
    hash_megabytes.div_ceil(PART_OF_HASH)
}

/// A search, and the prover that gets a share of its nodes unless the move is to be played.
pub(super) struct BesideProver<S, E> {
    search: S,
    prover: SteppedProver<E>,
}

impl<S, E> BesideProver<S, E> {
    /// A search with a table of `hash_megabytes`, and a prover that knows the endgames of `evaluator` and gets `share`
    /// percent of the nodes.
    pub(super) fn new(search: S, hash_megabytes: usize, share: u32, evaluator: E) -> Self {
        BesideProver {
            search,
            prover: SteppedProver::new(prover_megabytes(hash_megabytes), share, evaluator),
        }
    }
}

impl<G: Game, S: Proved<G>, E: Evaluator<G>> Searcher<G> for BesideProver<S, E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        if limits.for_play || self.prover.share() == 0 {
            return self.search.search(root, limits, observer);
        }
        let mut prover = self.prover.begin(root, limits);
        self.search
            .search_beside(root, limits, observer, &mut prover)
    }

    fn clear(&mut self) {
        self.search.clear();
        self.prover.clear();
    }

    fn forget_proofs(&mut self) {
        // The prover's keys depend on the past.
        self.search.forget_proofs();
    }

    fn prepare(&mut self, longest: Duration) -> bool {
        self.search.prepare(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Root;
    use crate::games::chess::{Evaluation, Move, Position, Quiescence};
    use crate::games::tic_tac_toe::OpenRows;
    use crate::search::Bound;
    use crate::search::alpha_beta::{self, AlphaBeta};
    use crate::search::depth_first::{self, DepthFirst};
    use crate::search::tests::playing::{MIDDLEGAME, TACTICAL, chess, replay};
    use crate::search::tests::references::{minimax, tic_tac_toe, winner};
    use crate::value::Value;

    /// The prover's share in these tests, in percent.
    const SHARE: u32 = 20;

    /// Mates in six and seven that neither search finds by itself in [`FEW`] nodes.
    const FAR_MATES: [&str; 3] = [
        "8/2p5/2P1p3/8/4p1p1/6p1/4K1p1/1Q4bk w - - 0 1",
        "7k/n3pp1p/1p5K/1p3p2/8/8/8/6R1 w - - 0 1",
        "5B2/p7/K4N2/7b/k1p5/rp2R3/7r/8 w - - 0 1",
    ];
    const FEW: u64 = 60_000;

    /// Both searches with a prover.
    fn both<E: Evaluator<G> + Clone + Send + 'static, G: Game + Send + Sync + 'static>(
        share: u32,
        evaluator: E,
    ) -> [Box<dyn Searcher<G>>; 2] {
        let depth_first = DepthFirst::new(depth_first::Settings::default(), evaluator.clone());
        let alpha_beta = AlphaBeta::new(alpha_beta::Settings::full(), evaluator.clone());
        [
            Box::new(BesideProver::new(depth_first, 64, share, evaluator.clone())),
            Box::new(BesideProver::new(alpha_beta, 64, share, evaluator)),
        ]
    }

    fn in_chess(share: u32) -> [Box<dyn Searcher<Position>>; 2] {
        both(share, Quiescence::new(Evaluation::Network))
    }

    /// All reports of a search.
    fn told(
        search: &mut dyn Searcher<Position>,
        root: &Root<Position>,
        limits: &Limits<Move>,
    ) -> Vec<Report<Move>> {
        let mut told = Vec::new();
        search.search(root, limits, &mut told);
        told
    }

    /// Checks that the line of every mate that is told ends in mate when it should.
    fn lines_end(root: &Root<Position>, told: &[Report<Move>]) {
        for report in told {
            let Some(plies) = report.value.plies_to_end() else {
                continue;
            };
            let end = replay(root, &report.pv);
            let is_mate = end.in_check() && !end.has_legal_move();
            assert!(
                is_mate && report.pv.len() == usize::from(plies),
                "{report:?}"
            );
        }
    }

    #[test]
    fn a_mate_is_proven_whichever_search_thinks() {
        for fen in FAR_MATES {
            let root = chess(fen);
            for (beside, alone) in in_chess(SHARE).iter_mut().zip(&mut in_chess(0)) {
                let limits = Limits::nodes(FEW);
                let with = told(&mut **beside, &root, &limits);
                let last = with.last().unwrap();
                assert!(last.value.is_win(), "{fen}: {last:?}");
                lines_end(&root, &with);
                let without = told(&mut **alone, &root, &limits);
                assert!(!without.last().unwrap().value.is_decided(), "{fen}");
                // The loser sees it, too.
                let mut after = root.clone();
                after.play(last.pv[0]);
                beside.clear();
                let seen = told(&mut **beside, &after, &limits);
                assert!(seen.last().unwrap().value.is_loss(), "{fen}: {seen:?}");
                lines_end(&after, &seen);
            }
        }
    }

    #[test]
    fn the_prover_keeps_to_its_share() {
        for (fen, nodes) in [(MIDDLEGAME, 150_000), (TACTICAL, 40_000)] {
            let root = chess(fen);
            for mut search in in_chess(SHARE) {
                let limits = Limits {
                    multipv: 3,
                    ..Limits::nodes(nodes)
                };
                let all = told(&mut *search, &root, &limits);
                assert!(all.last().unwrap().nodes <= nodes);
                let open = |it: &&Report<Move>| it.nodes >= 20_000 && !it.value.is_decided();
                let late: Vec<&Report<Move>> = all.iter().filter(open).collect();
                assert!(fen != MIDDLEGAME || late.len() > 2);
                for report in late {
                    let part = report.proof_share.unwrap();
                    assert!((180..=220).contains(&part), "{report:?}");
                }
            }
        }
    }

    #[test]
    fn the_limit_on_nodes_counts_both_and_two_runs_are_equal() {
        let root = chess(MIDDLEGAME);
        for nodes in [1, 77, 5_000, 33_333] {
            let limits = Limits::nodes(nodes);
            let [once, twice] = [(); 2]
                .map(|()| in_chess(SHARE).map(|mut search| told(&mut *search, &root, &limits)));
            for (once, twice) in once.iter().zip(&twice) {
                assert_eq!(once.last().unwrap().nodes, nodes);
                assert_eq!(format!("{once:?}"), format!("{twice:?}"));
            }
        }
    }

    #[test]
    fn a_move_to_be_played_is_searched_without_a_prover() {
        let root = chess(MIDDLEGAME);
        let limits = Limits {
            for_play: true,
            ..Limits::nodes(20_000)
        };
        for (beside, alone) in in_chess(SHARE).iter_mut().zip(&mut in_chess(0)) {
            let [with, without] = [beside, alone].map(|it| told(&mut **it, &root, &limits));
            assert_eq!(format!("{with:?}"), format!("{without:?}"));
        }
    }

    #[test]
    fn an_exact_mate_is_the_shortest() {
        for root in tic_tac_toe() {
            for mut search in both(SHARE, OpenRows) {
                let report = search.search(
                    &root,
                    &Limits::nodes(50_000),
                    &mut crate::search::Unobserved,
                );
                let best = minimax(&root, 9, OpenRows);
                assert_eq!(winner(report.value), winner(best), "{root:?}");
                if report.bound == Bound::Exact && report.value.is_decided() {
                    assert_eq!(report.value, best, "{root:?}");
                }
                assert!(
                    !report.value.is_decided() || report.bound == Bound::Exact,
                    "{root:?} {report:?} {best:?}"
                );
            }
        }
        for (fen, moves) in [(TACTICAL, 2), ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1)] {
            let root = chess(fen);
            for mut search in in_chess(SHARE) {
                let all = told(&mut *search, &root, &Limits::nodes(200_000));
                let last = all.last().unwrap();
                let expected = (Value::win_in(2 * moves - 1), Bound::Exact);
                assert_eq!((last.value, last.bound), expected, "{fen}");
            }
        }
    }
}
