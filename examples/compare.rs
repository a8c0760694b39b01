//! Two searches on the same problems with as many positions to visit. Run it with
//! `cargo run --release --example compare -- best-first alpha-beta`.
#![allow(clippy::print_stdout)]

use std::error::Error;

use cassius::engine::settings::EngineSettings;
use cassius::game::Root;
use cassius::games::chess::{Evaluation, notation};
use cassius::search::registry::{Algorithm, Settings};
use cassius::search::{Limits, Unobserved};

/// Positions from *Win at Chess* with their solutions.
const PROBLEMS: [(&str, &str); 6] = [
    (
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -",
        "Qg6",
    ),
    ("8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - -", "Rxb2"),
    (
        "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - -",
        "Rg3",
    ),
    (
        "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - -",
        "Qxh7+",
    ),
    ("5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - -", "Qc4+"),
    ("7k/p7/1R5K/6r1/6p1/6P1/8/8 w - -", "Rb7"),
];
const NODES: u64 = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let names = match given.as_slice() {
        [first, second] => [first.as_str(), second],
        _ => ["best-first", "alpha-beta"],
    };
    for name in names {
        let algorithm: Algorithm = name.parse()?;
        let settings = EngineSettings {
            search: Settings {
                algorithm,
                ..Settings::default()
            },
            evaluation: Evaluation::Tactical,
            ..EngineSettings::default()
        };
        let mut search = settings.searcher();
        let mut solved = 0;
        for (fen, solution) in PROBLEMS {
            let root = Root::new(notation::parse_fen(fen)?);
            let solution = notation::parse_san(&root.position, solution)?;
            search.clear();
            let report = search.search(&root, &Limits::nodes(NODES), &mut Unobserved);
            solved += usize::from(report.best_move() == Some(solution));
        }
        println!("{name} solves {solved} of {}", PROBLEMS.len());
    }
    Ok(())
}
