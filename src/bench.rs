//! The benchmark: a fixed list of positions, searched to fixed limits.
//!
//! Its node count is a fingerprint of search and evaluation, its speed a measure of the machine;
//! match runners in `OpenBench`'s manner read both.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::Result;

use crate::engine::memory;
use crate::engine::settings::EngineSettings;
use crate::engine::spec::SearchSpec;
use crate::engine::stopwatch::nodes_per_second;
use crate::game::Root;
use crate::games::chess::{Evaluation, Move, notation};
use crate::platform::Instant;
use crate::search::registry::Settings;
use crate::search::{Limits, PREPARATION, Report, Unobserved};

/// How to search the list.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Options {
    /// Stop each position after this iteration: a depth, a demand or a conspiracy threshold
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..)))]
    pub iterations: u32,
    /// Stop each position after this many nodes
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..)))]
    pub nodes: u64,
    /// Memory for the search's tree or table
    #[cfg_attr(feature = "cli", arg(long, value_name = "MIB", default_value_t = Settings::default().hash_megabytes,
               value_parser = memory::parse_hash))]
    pub hash: usize,
    /// Search to use, with UCI options as NAME:OPTION=VALUE; other options have their defaults
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", default_value = Settings::default().algorithm.name()))]
    pub search: SearchSpec,
}

impl Default for Options {
    fn default() -> Options {
        let settings = Settings::default();
        Options {
            iterations: 8,
            nodes: 300_000,
            hash: settings.hash_megabytes,
            search: settings.algorithm.into(),
        }
    }
}

/// Openings, middlegames, endgames, a forced mate for and against, promotions, castling, Chess960.
const POSITIONS: [&str; 16] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "2r3k1/pp3ppp/2n1b3/3p4/3P4/P1PB1N2/5PPP/R5K1 b - - 2 21",
    "r1b2rk1/4qppp/p2bpn2/1p6/3N4/1BN1P3/PP2QPPP/R4RK1 w - - 0 14",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/6p1/7p/p3P2P/5PP1/1r4K1/R7 w - - 0 40",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
    "6rk/5Qpp/8/6N1/8/8/5PPP/6K1 b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

/// Carries out `cassius bench`.
pub fn bench(options: &Options, out: &mut dyn Write) -> Result<()> {
    let settings = options.search.settings(Evaluation::default(), options.hash);
    let limits = Limits {
        iterations: Some(options.iterations),
        ..Limits::nodes(options.nodes)
    };
    let summary = run(&settings, &limits, |fen, report| {
        let (nodes, value) = (report.nodes, report.value.to_string());
        let iteration = report.iteration;
        writeln!(
            out,
            "{nodes:>9} nodes, iteration {iteration:>2}, {value:>6}  {fen}"
        )
    })?;
    Ok(writeln!(out, "{summary}")?)
}

/// Searches all positions, each as in a new game, and hands `tell` the FEN and the report of each. Returns the line that
/// match runners look for: `N nodes M nps`.
///
/// Stops early only if memory is short, `tell` fails or the search panics.
fn run(
    settings: &EngineSettings,
    limits: &Limits<Move>,
    mut tell: impl FnMut(&str, &Report<Move>) -> io::Result<()>,
) -> Result<String> {
    memory::ensure([settings.megabytes()], 1)?;
    let mut searcher = settings.guarded();
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    for fen in POSITIONS {
        // All are positions: a test says so.
        let Ok(position) = notation::parse_chess960_fen(fen) else {
            continue;
        };
        // Not timed: clearing a large table takes longer than many a search.
        searcher.get().clear();
        searcher.get().prepare(PREPARATION);
        let root = Root::new(position);
        let start = Instant::now();
        let report = searcher.search(&root.position, |it| {
            it.search(&root, limits, &mut Unobserved)
        })?;
        elapsed += start.elapsed();
        nodes += report.nodes;
        tell(fen, &report)?;
    }
    let speed = nodes_per_second(nodes, elapsed);
    Ok(format!("{nodes} nodes {speed} nps"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fault::tests::Treacherous;
    use crate::game::Game;
    use crate::games::chess::tablebase::Tables;

    #[test]
    fn all_are_positions_with_a_game_to_play() {
        for fen in POSITIONS {
            let position = notation::parse_chess960_fen(fen).unwrap();
            assert_eq!(position.outcome(), None, "{fen}");
        }
    }

    #[test]
    fn the_count_is_the_same_every_time() {
        let limits = Limits {
            iterations: Some(3),
            ..Limits::nodes(3_000)
        };
        let count = || {
            let (mut told, mut nodes) = (0, 0);
            let summary = run(&EngineSettings::default(), &limits, |_, report| {
                told += 1;
                nodes += report.nodes;
                Ok(())
            });
            let summary = summary.unwrap();
            assert_eq!(told, POSITIONS.len());
            assert!(summary.starts_with(&format!("{nodes} nodes ")));
            assert!(summary.ends_with(" nps"));
            nodes
        };
        assert_eq!(count(), count());
    }

    #[test]
    fn a_panic_is_an_error_that_says_where() {
        let settings = EngineSettings {
            tables: Tables::new("treacherous", Treacherous { pieces: 10 }),
            ..EngineSettings::default()
        };
        let mut told = 0;
        let error = run(&settings, &Limits::nodes(3_000), |_, _| {
            told += 1;
            Ok(())
        });
        let error = error.unwrap_err().to_string();
        assert!(told > 0 && error.contains("position"), "{told} {error}");
    }
}
