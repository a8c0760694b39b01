//! Play at a limited strength (`UCI_LimitStrength`, `UCI_Elo`): a searcher that sees less, and does not always play its
//! best move.
//!
//! Two handicaps make a level; `scale` maps Elo to both.
//!
//! - *Nodes*: a limit on nodes for each move.
//! - *Careless moves*, a percentage: for them the search keeps several lines and draws one. The more a move
//!   loses against the best one, the less likely it is; beyond a few times the level's *slack* it is never played. A
//!   mate that the search sees is always played.
//!
//! All draws depend on a seed, the position and the number of moves so far. So with the same seed a game can be
//! repeated; each new game gets another seed.
//!
//! The scale was measured with the default search on one thread, the built-in network and no tablebases, so
//! [`searcher`] uses these, whatever the settings.

mod marks;
pub(crate) mod scale;
#[cfg(test)]
mod tests;

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

pub use self::scale::Level;
use super::settings::{ChessSearcher, EngineSettings};
use super::tracker::Tracker;
use crate::game::{Game as _, Root};
use crate::games::chess::{Move, Position};
use crate::random::{Random, mix};
use crate::search::registry::Settings;
use crate::search::{Limits, Observer, Occasion, Report, Searcher};
use crate::value::Value;

/// Memory of the search, in MiB: more than the strongest level fills.
const MEGABYTES: usize = 8;
/// Number of lines from which a careless move is drawn.
const CHOICES: usize = 10;
/// Moves that lose more than this many times the slack are never played.
const FARTHEST: f64 = 6.0;

/// A searcher that plays at a level; `seed` determines its games.
pub fn searcher(level: Level, seed: u64) -> ChessSearcher {
    let settings = EngineSettings {
        search: Settings {
            hash_megabytes: MEGABYTES,
            ..Settings::default()
        },
        ..EngineSettings::default()
    };
    Box::new(Limited {
        level,
        seed,
        inner: settings.searcher(),
    })
}

/// A random seed.
pub(crate) fn any_seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// A searcher limited to a level.
///
/// Its only report has the move that it plays, and the value of that move: better lines would show the opponent what
/// it passed over.
struct Limited {
    level: Level,
    seed: u64,
    inner: ChessSearcher,
}

impl Searcher<Position> for Limited {
    fn search(
        &mut self,
        root: &Root<Position>,
        limits: &Limits<Move>,
        observer: &mut dyn Observer<Move>,
    ) -> Report<Move> {
        let place = mix(root.position.key()).wrapping_add(root.history.len() as u64);
        let mut random = Random::new(mix(self.seed ^ place));
        let nodes = (self.level.nodes as f64 * (0.75 + 0.5 * unit(&mut random))) as u64;
        let is_careless = 100.0 * unit(&mut random) < self.level.careless;
        let choices = if is_careless { CHOICES } else { 1 };
        let moves = limits.root_moves(&root.position).len();
        let asked = Limits {
            nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(nodes.max(1))),
            multipv: choices.min(moves).max(1),
            ..limits.clone()
        };
        let mut listener = Listener {
            outer: observer,
            tracker: Tracker::default(),
        };
        let best = self.inner.search(root, &asked, &mut listener);
        let mut lines = listener.tracker.final_lines(&best);
        let values: Vec<_> = lines.iter().map(|line| line.value).collect();
        let chosen = choose(&values, self.level.slack, &mut random);
        let report = Report {
            occasion: Occasion::Final,
            line: 1,
            nodes: best.nodes,
            ..lines.swap_remove(chosen)
        };
        observer.report(&report);
        report
    }

    /// Changes the seed, for another game.
    fn clear(&mut self) {
        self.seed = mix(self.seed);
        self.inner.clear();
    }

    fn prepare(&mut self, longest: Duration) -> bool {
        self.inner.prepare(longest)
    }
}

/// Keeps the lines of iterations; forwards no report.
struct Listener<'a> {
    outer: &'a mut dyn Observer<Move>,
    tracker: Tracker,
}

impl Observer<Move> for Listener<'_> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self.outer.should_stop(nodes)
    }

    fn wants_another_iteration(&mut self, done: &Report<Move>) -> bool {
        self.outer.wants_another_iteration(done)
    }

    fn report(&mut self, report: &Report<Move>) {
        if report.occasion == Occasion::Iteration {
            self.tracker.learn(report);
        }
    }
}

/// Index of the move to play among moves of these values, the best first.
///
/// A move's weight falls by a factor of e for each `slack` centipawns it is worse than the best. Decided values leave
/// no choice: a mate seen is played, and a move that gets mated is played only if the best one does, too.
fn choose(values: &[Value], slack: f64, random: &mut Random) -> usize {
    let Some(&best) = values.first().filter(|best| !best.is_decided()) else {
        return 0;
    };
    let weights: Vec<f64> = values.iter().map(|&it| weight(it, best, slack)).collect();
    let mut left = unit(random) * weights.iter().sum::<f64>();
    let chosen = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    chosen.unwrap_or(0)
}

fn weight(value: Value, best: Value, slack: f64) -> f64 {
    let loss = f64::from(i32::from(best.get()) - i32::from(value.get()));
    if value.is_decided() || loss > FARTHEST * slack {
        // The best move always has a weight.
        return f64::from(u8::from(loss <= 0.0));
    }
    (-loss / slack).exp()
}

/// A uniform random number from 0 to 1.
fn unit(random: &mut Random) -> f64 {
    (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
}
