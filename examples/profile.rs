//! The profile of a chess position: what it is worth, how many positions would have to be misjudged for that to be
//! wrong, and which. Run it with `cargo run --release --example profile -- 'FEN'`.
#![allow(clippy::print_stdout)]

use cassius::analysis::{Analysis, Certainty, Error, Sureness};

fn main() -> Result<(), Error> {
    let problem = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";
    let fen = std::env::args().nth(1).unwrap_or(problem.to_owned());
    let verdict = Analysis::of(&fen)?.nodes(50_000).run()?;
    println!("{}: {}", verdict.value, verdict.line);
    match verdict.certainty() {
        Certainty::Proven => println!("that is proven"),
        Certainty::Leaves(leaves) => println!("{leaves} misjudged would change it"),
        Certainty::Price(price) => println!("a line of price {price:.1} would change it"),
    }
    // Best-first search counts, for all other values too.
    let Sureness::Counted(profile) = verdict.profile.sureness else {
        return Ok(());
    };
    for (steps, word) in [(profile.lowered, "at most"), (profile.raised, "at least")] {
        for step in steps {
            println!("{word} {}: {} misjudged", step.to, step.conspirators);
            for leaf in step.names {
                println!("  {} (now {})", leaf.line.san, leaf.value);
            }
        }
    }
    Ok(())
}
