//! Which moves would have held where one is marked: so that a puzzle made of the position takes every right answer.
//!
//! Depth-first conspiracy-number search settles the values of the best moves one by one ([`Limits::multipv`]), with the limit
//! that the positions have. A move *holds* if it is worth as much as the best one, but for a fortieth of a point.
//!
//! [`Limits::multipv`]: crate::search::Limits::multipv

use crate::engine::fault::Guarded;
use crate::engine::limit::Limit;
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::engine::stopwatch::Stopwatch;
use crate::game::Root;
use crate::games::chess::line::WrittenMove;
use crate::games::chess::notation::is_chess960;
use crate::games::chess::{Move, Position};
use crate::search::registry::Algorithm;
use crate::search::{Limits, Observer, Occasion, Report};
use crate::wdl;

/// Points by which a move that holds is worse than the best, at the most.
const SLACK: f64 = 0.025;
/// Most moves that are looked at.
pub(super) const MOST: usize = 4;
/// Most memory for the search, in MiB.
const HASH_MEGABYTES: usize = 16;

/// Settings of the search that looks for them where positions are judged by a search of these.
pub(super) fn settings(settings: &EngineSettings) -> EngineSettings {
    let mut settings = settings.clone();
    settings.search.algorithm = Algorithm::DepthFirst;
    settings.search.hash_megabytes = settings.search.hash_megabytes.min(HASH_MEGABYTES);
    settings
}

/// The moves that hold in a position, the best first; `None` if the search failed.
pub(super) fn moves(
    searcher: &mut Guarded<ChessSearcher>,
    root: &Root<Position>,
    limit: Limit,
) -> Option<Vec<WrittenMove>> {
    searcher.get().clear();
    let mut watch = Watch {
        clock: Stopwatch::start(&limit),
        lines: [None; MOST],
    };
    let limits = Limits {
        multipv: MOST,
        ..limit.kept_by_search()
    };
    let position = &root.position;
    let report = searcher
        .search(position, |it| it.search(root, &limits, &mut watch))
        .ok()?;
    let mut lines: Vec<(Move, f64)> = watch.lines.into_iter().flatten().collect();
    if lines.is_empty() {
        lines.push((report.best_move()?, wdl::points(report.value)));
    }
    Some(among(position, lines))
}

/// The moves that hold among those with these points, in their order.
pub(super) fn among(position: &Position, mut moves: Vec<(Move, f64)>) -> Vec<WrittenMove> {
    let best = moves.iter().map(|it| it.1).fold(0.0, f64::max);
    moves.retain(|it| it.1 >= best - SLACK);
    let chess960 = is_chess960(position);
    let moves = moves.into_iter();
    let moves = moves.map(|(m, _)| WrittenMove::new(position, m, chess960));
    moves.collect()
}

/// Remembers the best moves of the last iteration, and ends the search by the clock.
struct Watch {
    clock: Stopwatch,
    lines: [Option<(Move, f64)>; MOST],
}

impl Observer<Move> for Watch {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.clock.is_over()
    }

    fn report(&mut self, report: &Report<Move>) {
        if report.occasion == Occasion::Iteration
            && let Some(line) = self.lines.get_mut(report.line - 1)
        {
            let points = wdl::points(report.value);
            *line = report.best_move().map(|m| (m, points));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::notation::parse_fen;

    fn held(fen: &str) -> Vec<String> {
        let settings = EngineSettings {
            search: crate::search::registry::Settings {
                algorithm: Algorithm::DepthFirst,
                hash_megabytes: 1,
                ..Default::default()
            },
            ..EngineSettings::default()
        };
        let limit = Limit {
            movetime_ms: None,
            nodes: Some(3_000),
            depth: None,
        };
        let root = Root::new(parse_fen(fen).unwrap());
        let moves = moves(&mut settings.guarded(), &root, limit).unwrap();
        moves.into_iter().map(|it| it.uci).collect()
    }

    #[test]
    fn one_move_or_several() {
        assert_eq!(held("6k1/5ppp/8/8/8/7q/5P1P/1R4K1 w - - 4 30"), ["b1b8"]);
        // Two ways to take a queen.
        let both = held("4k3/8/8/3q4/2P1P3/8/8/4K3 w - - 0 1");
        assert_eq!(both.len(), 2, "{both:?}");
        assert_eq!(held("7k/8/8/8/8/8/6q1/7K w - - 0 1").len(), 1, "forced");
    }
}
