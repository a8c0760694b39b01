//! The laboratory: experiments, most of them from papers; each is one command.
//!
//! An [`Experiment`] is a name, a short description and a function from a [`Request`] to [`Findings`]: tables and
//! notes. The function neither prints nor writes files. [`command`] runs it and adds the provenance to make an
//! [`Outcome`]. From that, [`text`] makes tables for a terminal, `serde` makes JSON, and [`page`] makes Markdown.
//! [`inline`] puts single numbers of it into sentences. `scripts/plot` draws pictures from the JSON.
//!
//! Other commands are not experiments: [`tree`] draws small trees with their conspiracy numbers, [`selfplay`] plays
//! games, [`training`] trains networks on them, [`yardstick`] holds networks against a judge, [`tuning`] tunes the
//! constants of searches, [`mod@outlook`] learns what a longer search is likely to change, [`falls`] where, and [`refit`] refits
//! all numbers that depend on search and network.
//!
//! To add an experiment, write an [`Experiment`] in a file of its own, and list it in [`EXPERIMENTS`]. Numbers that a
//! paper printed are data too: [`Table::printed`] and [`Table::beside`] put them beside ours, row by row.

pub mod chance;
pub mod chapter4;
pub mod chapter5;
pub mod chapter6;
pub mod cli;
pub mod command;
pub mod experiment;
pub mod falls;
pub mod hex;
pub mod inline;
pub mod outcome;
pub mod outlook;
pub mod page;
pub mod proof_numbers;
pub mod refit;
pub mod results;
pub(crate) mod resumption;
pub mod selfplay;
pub mod statistics;
pub mod text;
pub mod threads;
pub mod tic_tac_toe;
pub mod timeline;
pub mod training;
pub mod tree;
pub mod tuning;
pub mod turns;
pub mod yardstick;

pub use experiment::{Experiment, Findings, Request, Subject};
pub use outcome::{Cell, Column, Input, Outcome, Plot, Table};

/// Name of the program in recorded results.
pub const NAME: &str = "cassius lab";

/// All experiments, in the order of `cassius lab list`.
pub static EXPERIMENTS: &[&Experiment] = &[
    &chapter4::storages::EXPERIMENT,
    &chapter4::time_shares::EXPERIMENT,
    &chapter4::factors::RANGES,
    &chapter4::factors::BRANCHING,
    &chapter4::factors::DEPTHS,
    &chapter4::memory::EXPERIMENT,
    &chapter4::convergence::CONVERGENCE,
    &chapter4::convergence::OBSERVATIONS,
    &chapter5::effort::EXPERIMENT,
    &chapter5::distribution::EXPERIMENT,
    &chapter5::parameters::RANGE_SIZES,
    &chapter5::parameters::DEPTH_LIMITS,
    &chapter6::EXPERIMENT,
    &chapter6::FURTHER_VERSIONS,
    &tic_tac_toe::EXPERIMENT,
    &tic_tac_toe::GAMES,
    &tic_tac_toe::SPECULATION,
    &tic_tac_toe::RESIGNATION,
    &chance::EXPERIMENT,
    &turns::EXPERIMENT,
    &proof_numbers::EXPERIMENT,
    &hex::EXPERIMENT,
    &threads::EXPERIMENT,
];

/// Finds an experiment by its name or figure: `5.2`, `fig5.2` and `figure5.2` are the same.
pub fn find(name: &str) -> Result<&'static Experiment, String> {
    let name = name.to_lowercase();
    let figure = name.trim_start_matches("figure").trim_start_matches("fig");
    let is_it = |it: &&Experiment| it.name == name || it.figures.contains(&figure);
    EXPERIMENTS.iter().copied().find(is_it).ok_or_else(|| {
        let names: Vec<&str> = EXPERIMENTS.iter().map(|it| it.name).collect();
        format!(
            "there is no experiment or figure called '{name}'; choose one of {}, or see `cassius lab list`",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_and_figures_are_unique_and_found() {
        let mut seen = BTreeSet::new();
        for experiment in EXPERIMENTS {
            for name in experiment.figures.iter().chain([&experiment.name]) {
                assert!(seen.insert(*name), "{name} twice");
                assert_eq!(find(name).unwrap().name, experiment.name);
                assert_eq!(find(&name.to_uppercase()).unwrap().name, experiment.name);
            }
            for figure in experiment.figures {
                let name = find(&format!("fig{figure}")).unwrap().name;
                assert_eq!(name, experiment.name);
            }
        }
        assert!(find("fig9.9").unwrap_err().contains("effort"));
        assert!(find("fig").is_err());
    }
}
