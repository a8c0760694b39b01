//! Which moves hold in a position, how sure it is that no other does, and how soon they are found. A position is thus a
//! puzzle only if surely no other move holds, and the puzzle accepts every move that does.
//!
//! Depth-first conspiracy-number search settles, from scratch, the values of the best moves one by one
//! ([`Limits::multipv`]). A move *holds* if it is worse than the best one by at most a fortieth of a point. The chance
//! that no other holds is the chance that the best of the others deserves a mark, by its cost ([`move_marks`](super::move_marks)).
//!
//! [`Limits::multipv`]: crate::search::Limits::multipv

use super::chances::{Chances, Circumstances, LOSSES, WORDS};
use super::verdict::PositionVerdict;
use crate::engine::fault::{Fault, Guarded};
use crate::engine::limit::Limit;
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::engine::stopwatch::Stopwatch;
use crate::engine::tracker::Tracker;
use crate::game::{Game as _, Root};
use crate::games::chess::line::WrittenMove;
use crate::games::chess::notation::is_chess960;
use crate::games::chess::{Move, Position};
use crate::search::registry::Algorithm;
use crate::search::{Limits, Observer, Occasion, Report};
use crate::wdl;

/// A move that holds is worse than the best by at most this many points.
const SLACK: f64 = 0.025;
/// Fewest positions visited before a move that is found late; a move that is never found counts as late too.
pub(super) const LATE: u64 = 1_000;
/// Most moves examined.
pub(crate) const MOST: usize = 4;
/// Most memory for the search, in MiB.
const HASH_MEGABYTES: usize = 16;

/// Settings of the search for moves that hold, beside a judge with these settings.
pub(super) fn settings(settings: &EngineSettings) -> EngineSettings {
    let mut settings = settings.clone();
    settings.search.algorithm = Algorithm::DepthFirst;
    settings.search.hash_megabytes = settings.search.hash_megabytes.min(HASH_MEGABYTES);
    settings
}

/// The moves that hold in a position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Held {
    /// The moves that hold, the best first.
    pub(crate) moves: Vec<Move>,
    /// Points by which the best of the others is worse; `None` if no other was looked at.
    pub(crate) rest: Option<f64>,
    /// Positions that the search visited before its best move was, to the end, one that holds; `None` if unknown.
    pub(crate) found: Option<u64>,
    /// Positions that the search visited; after a proven win, those that the search of the other moves visited.
    pub(crate) nodes: u64,
}

impl Held {
    /// The moves that hold among those with these points; `None` if there are no moves.
    pub(super) fn among(moves: &[(Move, f64)]) -> Option<Held> {
        let best = moves.iter().map(|it| it.1).reduce(f64::max)?;
        let holds = |it: &&(Move, f64)| it.1 >= best - SLACK;
        let others = moves.iter().filter(|it| !holds(it)).map(|it| it.1);
        Some(Held {
            moves: moves.iter().filter(holds).map(|it| it.0).collect(),
            rest: others.reduce(f64::max).map(|it| best - it),
            found: None,
            nodes: 0,
        })
    }

    /// The moves as they are written.
    pub(crate) fn written(&self, position: &Position) -> Vec<WrittenMove> {
        let chess960 = is_chess960(position);
        let moves = self.moves.iter();
        moves
            .map(|&m| WrittenMove::new(position, m, chess960))
            .collect()
    }

    /// The chance that a stronger judge sees every other move lose at least a twentieth of a point; `None` if no other
    /// was looked at. `verdict` judges the position, which has `choices` legal moves.
    pub(crate) fn chance(
        &self,
        is_black: bool,
        choices: usize,
        verdict: &PositionVerdict,
    ) -> Option<f64> {
        let verdict = &PositionVerdict {
            nodes: self.nodes,
            looks: None,
            ..verdict.clone()
        };
        let chances = Chances::of(&Circumstances {
            verdict,
            is_black,
            cost: self.rest?,
            choices,
            is_best: false,
        });
        Some(chances.dubious)
    }
}

/// Whether surely no other move holds, by the points that the best of the others loses (`rest`) and the chance that all
/// others lose. If the chance is unknown, they must lose a fifth of a point.
pub(crate) fn is_sure(rest: Option<f64>, chance: Option<f64>) -> bool {
    chance.map_or(rest >= Some(LOSSES[2]), |it| it >= WORDS[0].1)
}

/// Whether a move recaptures on the square of the last capture: it is too obvious for a puzzle.
pub(crate) fn takes_back(last: Option<Move>, m: Move) -> bool {
    last.is_some_and(|last| last.is_capture() && m.is_capture() && last.to() == m.to())
}

/// Whether everybody looks at a move at once: it recaptures on the square of the last capture, or answers a check. That it
/// is the only good one is not worth telling, as there was hardly a choice.
pub fn is_expected(position: &Position, last: Option<Move>, m: Move) -> bool {
    position.in_check() || takes_back(last, m)
}

/// The moves that hold in a position; `None` if the search failed.
pub(super) fn moves(
    searcher: &mut Guarded<ChessSearcher>,
    root: &Root<Position>,
    limit: Limit,
) -> Option<Held> {
    let limits = Limits {
        multipv: MOST,
        ..limit.kept_by_search()
    };
    let (report, watch) = search(searcher, root, &limits, Stopwatch::start(&limit)).ok()?;
    let mut held = watch.held(&report)?;
    if report.value.is_win() {
        // A proven win ends the search before it has looked at the others.
        let others = root.position.legal_moves().into_iter();
        let limits = Limits {
            search_moves: others.filter(|it| !held.moves.contains(it)).collect(),
            ..limit.kept_by_search()
        };
        if !limits.search_moves.is_empty() {
            let clock = Stopwatch::start(&limit);
            let (others, _) = search(searcher, root, &limits, clock).ok()?;
            held.rest = Some(wdl::points(report.value) - wdl::points(others.value));
            held.nodes = others.nodes;
        }
    }
    Some(held)
}

/// Searches a position from scratch; returns the final report and what was seen of the search.
pub(crate) fn search(
    searcher: &mut Guarded<ChessSearcher>,
    root: &Root<Position>,
    limits: &Limits<Move>,
    clock: Stopwatch,
) -> Result<(Report<Move>, Watch), Fault> {
    searcher.get().clear();
    search_on(searcher, root, limits, clock)
}

/// Searches like [`search`], with what the search knows of positions before.
pub(crate) fn search_on(
    searcher: &mut Guarded<ChessSearcher>,
    root: &Root<Position>,
    limits: &Limits<Move>,
    clock: Stopwatch,
) -> Result<(Report<Move>, Watch), Fault> {
    let mut watch = Watch {
        clock,
        tracker: Tracker::default(),
        chosen: Vec::new(),
    };
    let last = searcher.search(&root.position, |it| it.search(root, limits, &mut watch))?;
    Ok((last, watch))
}

/// The point of a search, in nodes and iterations, since which a move has been the best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Since {
    pub(crate) nodes: u64,
    pub(crate) iteration: u32,
}

/// Remembers the lines of the last iteration, and when the best move changed; ends the search by the clock.
pub(crate) struct Watch {
    clock: Stopwatch,
    /// The lines of iterations.
    pub(crate) tracker: Tracker,
    /// The best moves, in the order in which each became the best.
    chosen: Vec<(Move, Since)>,
}

impl Watch {
    /// The point since which the best move has been one of these to the end; `None` if the last best move is another.
    pub(crate) fn since(&self, moves: &[Move]) -> Option<Since> {
        let last = self.chosen.iter().rev();
        let last = last.take_while(|it| moves.contains(&it.0)).last()?;
        Some(last.1)
    }

    /// The moves that hold by the last iteration; `None` if there are none.
    pub(crate) fn held(&self, report: &Report<Move>) -> Option<Held> {
        let lines = self.tracker.lines();
        let lines = lines.filter_map(|it| Some((it.best_move()?, wdl::points(it.value))));
        let mut lines: Vec<(Move, f64)> = lines.collect();
        if lines.is_empty() {
            lines.push((report.best_move()?, wdl::points(report.value)));
        }
        let held = Held::among(&lines)?;
        let since = self.since(&held.moves);
        Some(Held {
            found: Some(since.map_or(report.nodes.max(LATE), |it| it.nodes)),
            nodes: report.nodes,
            ..held
        })
    }
}

impl Observer<Move> for Watch {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.clock.is_over()
    }

    fn report(&mut self, report: &Report<Move>) {
        if report.occasion == Occasion::Iteration {
            self.tracker.learn(report);
        }
        if let Some(m) = report.best_move().filter(|_| report.line == 1)
            && self.chosen.last().is_none_or(|(best, _)| *best != m)
        {
            let since = Since {
                nodes: report.nodes,
                iteration: report.iteration,
            };
            self.chosen.push((m, since));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::notation::{parse_fen, parse_san};

    fn held(fen: &str) -> (Vec<String>, Held) {
        let mut settings = settings(&EngineSettings::default());
        settings.search.hash_megabytes = 1;
        let limit = Limit::of_analysis(Some(3_000), None);
        let root = Root::new(parse_fen(fen).unwrap());
        let held = moves(&mut settings.guarded(), &root, limit).unwrap();
        let written = held.written(&root.position).into_iter();
        (written.map(|it| it.uci).collect(), held)
    }

    #[test]
    fn recaptures_and_answers_to_check_are_expected() {
        let told = |fen: &str, moves: [&str; 2]| {
            let mut position = parse_fen(fen).unwrap();
            let last = parse_san(&position, moves[0]).unwrap();
            position.play(last);
            is_expected(
                &position,
                Some(last),
                parse_san(&position, moves[1]).unwrap(),
            )
        };
        let exchange = "4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1";
        assert!(told(exchange, ["exd5", "cxd5"]));
        assert!(!told(exchange, ["exd5", "c5"]), "a choice");
        assert!(!told(exchange, ["Ke2", "Nf4+"]));
        assert!(told("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", ["Ra8+", "Kd7"]));
    }

    #[test]
    fn one_move_or_several() {
        let (moves, mate) = held("6k1/5ppp/8/8/8/7q/5P1P/1R4K1 w - - 4 30");
        assert_eq!(moves, ["b1b8"]);
        // All others lose.
        let verdict = PositionVerdict::worth(None, Some(1));
        let chance = mate.chance(false, 20, &verdict);
        assert!(is_sure(mate.rest, chance), "{mate:?} {chance:?}");
        // Two ways to take a queen.
        let (both, taken) = held("4k3/8/8/3q4/2P1P3/8/8/4K3 w - - 0 1");
        assert_eq!(both.len(), 2, "{both:?}");
        assert!(
            taken.found < Some(1_500),
            "which of the two is best does not matter: {taken:?}"
        );
        let (forced, only) = held("7k/8/8/8/8/8/6q1/7K w - - 0 1");
        assert_eq!((forced.len(), only.rest), (1, None));
        assert!(!is_sure(only.rest, only.chance(false, 1, &verdict)));
    }

    #[test]
    fn what_is_sure_goes_by_the_chance_or_else_by_the_cost() {
        assert!(is_sure(Some(0.1), Some(0.85)) && !is_sure(Some(0.9), Some(0.84)));
        assert!(is_sure(Some(0.2), None) && !is_sure(Some(0.19), None) && !is_sure(None, None));
    }
}
