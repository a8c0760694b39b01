//! All numbers that depend on the default search and the built-in network, made anew: `cassius lab refit`.
//!
//! [`chances`] and [`levels`] are commands of their own, as are the fits of outlook and marks (`outlook`); `refit` runs
//! them all, and makes the games and searches that the outlook is learnt from.

pub mod chances;
pub mod levels;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;

use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::settings::{ChessSearcher, EngineSettings};
use cassius::output::flaws::Flaws;
use cassius::output::progress::Progress;
use cassius::workers;

/// Options of the self-play games from which the outlook's searches are sampled.
const GAMES: &str = "--shards 0..20 --nodes 2000 --seed 41";
/// Samples of these searches: the file; fewest and most nodes, plies between two positions, seed, MiB of memory.
const SAMPLES: [(&str, [u32; 5]); 4] = [
    ("outlook-1.jsonl", [16_000, 160_000, 11, 7, 16]),
    ("outlook-2.jsonl", [16_000, 160_000, 60, 10, 16]),
    ("outlook-3.jsonl", [16_000, 160_000, 600, 11, 16]),
    ("outlook-long.jsonl", [160_000, 2_560_000, 660, 8, 32]),
];

/// Folder to work in, and files that the chances of marks are fitted to.
#[derive(Clone, Debug, Args)]
pub struct RefitOptions {
    /// Work in this folder; steps that have been done there are left alone
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Games analysed by this version, `cassius analyze GAMES.pgn --json FILE`, for the chances of marks; without, these stay
    #[arg(long, value_name = "FILE", requires = "labels")]
    pub analyses: Vec<PathBuf>,
    /// Labels of a judge (`scripts/measure label`) of the same games
    #[arg(long, value_name = "FILE", requires = "analyses")]
    pub labels: Vec<PathBuf>,
    /// Do N games or searches at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
}

/// A step: the command, and the file that exists when it is done; `None` for self-play and samples, which find out
/// themselves what they lack.
struct Step {
    words: Vec<String>,
    done: Option<PathBuf>,
}

impl RefitOptions {
    fn steps(&self) -> Vec<Step> {
        let path = |name: &str| self.folder.join(name).display().to_string();
        let jobs = self.jobs.to_string();
        let step = |words: &[&str], done: Option<&str>| Step {
            words: words.iter().map(|&it| it.to_owned()).collect(),
            done: done.map(|it| self.folder.join(it)),
        };
        // A command that writes a source file and a report of its accuracy.
        let fit = |name: &str, source: &str, more: &[&str]| {
            let (output, json) = (path(source), path(&format!("{name}.json")));
            let mut words = vec![name];
            words.extend(more);
            words.extend(["--output", &output, "--json", &json, "--overwrite"]);
            step(&words, Some(source))
        };
        let mut steps = vec![
            fit("fit-chances", "src/wdl/fitted.rs", &["--jobs", &jobs]),
            fit(
                "fit-levels",
                "src/engine/strength/marks.rs",
                &["--games", "1000", "--jobs", &jobs],
            ),
        ];
        let games = path("outlook-games");
        let mut words = vec!["selfplay", &games, "--jobs", &jobs];
        words.extend(GAMES.split(' '));
        steps.push(step(&words, None));
        let samples = SAMPLES.map(|(file, _)| path(file));
        for ((_, [least, most, every, seed, hash]), file) in SAMPLES.iter().zip(&samples) {
            let options = format!(
                "--least-nodes {least} --most-nodes {most} --every {every} --seed {seed} --hash {hash}"
            );
            let mut words = vec!["sample-outlook", &games, "--output", file, "--resume"];
            words.extend(options.split(' ').chain(["--jobs", &jobs]));
            steps.push(step(&words, None));
        }
        let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
        steps.push(fit("fit-outlook", "src/outlook/weights.rs", &samples));
        if !self.analyses.is_empty() {
            let text = |paths: &[PathBuf]| -> Vec<String> {
                paths.iter().map(|it| it.display().to_string()).collect()
            };
            let (analyses, labels) = (text(&self.analyses), text(&self.labels));
            let mut words: Vec<&str> = analyses.iter().map(String::as_str).collect();
            words.extend(labels.iter().flat_map(|it| ["--labels", it]));
            steps.push(fit(
                "fit-marks",
                "src/game_report/chances/weights.rs",
                &words,
            ));
        }
        steps
    }
}

/// Runs the remaining steps, each as a command by `carry_out`; ends at the first with flaws.
pub fn refit(
    options: &RefitOptions,
    out: &mut dyn Write,
    carry_out: impl Fn(&[String], &mut dyn Write) -> Result<Flaws>,
) -> Result<Flaws> {
    for step in options.steps() {
        let command = step.words.join(" ");
        if step.done.as_deref().is_some_and(Path::exists) {
            writeln!(out, "done before: {command}")?;
            continue;
        }
        writeln!(out, "cassius lab {command}")?;
        let folders = step.done.iter().filter_map(|it| it.parent());
        for folder in folders.chain([options.folder.as_path()]) {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let flaws = carry_out(&step.words, out)?;
        if flaws.malformed + flaws.failures > 0 {
            // Otherwise the next run would take the step for done.
            if let Some(file) = step.done.filter(|it| it.exists()) {
                let aside = file.with_added_extension("faulty");
                fs::rename(&file, &aside).with_context(|| file.display().to_string())?;
                let (file, aside) = (file.display(), aside.display());
                writeln!(
                    out,
                    "{aside}: made with faults; rename it to {file} to go on with it"
                )?;
            }
            return Ok(flaws);
        }
    }
    Ok(Flaws::default())
}

/// Nodes for the value of an opening.
const OPENING_NODES: u64 = 2_000;

/// How many games to play, and how.
#[derive(Clone, Debug, Args)]
pub struct Playing {
    /// Games to play; for levels, between each two
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub games: u64,
    /// Seed of openings and of what levels choose
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Play N games at a time; it changes nothing about them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
}

/// Plays the games by their numbers, from 0, on several threads, each with a default search of its own; returns them in their order.
fn play_all<G: Send>(
    playing: &Playing,
    play: impl Fn(&mut Guarded<ChessSearcher>, u64) -> Result<G, Fault> + Sync,
) -> io::Result<Vec<Result<G, Fault>>> {
    let progress = Progress::new(playing.games);
    let numbers: Vec<u64> = (0..playing.games).collect();
    let prepare = || EngineSettings::default().guarded();
    let play = |search: &mut _, &number: &u64| play(search, number);
    let done = |_: &u64| progress.advance(String::new());
    let games = workers::map(&numbers, playing.jobs.into(), prepare, play, done)?;
    progress.finish();
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::Parser as _;

    #[test]
    fn each_step_is_a_command() {
        let options = RefitOptions {
            folder: PathBuf::from("some folder"),
            analyses: vec!["a.json".into(), "b.json".into()],
            labels: vec!["a.labels".into()],
            jobs: 3,
        };
        let steps = options.steps();
        for step in &steps {
            let words = std::iter::once("cassius lab").chain(step.words.iter().map(String::as_str));
            assert!(Cli::try_parse_from(words).is_ok(), "{:?}", step.words);
        }
        // The files are written to the places of the program's own sources.
        for source in steps.iter().filter_map(|it| it.done.as_ref()) {
            let place = source.strip_prefix("some folder").unwrap();
            let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(place);
            assert!(program.is_file(), "{}", place.display());
        }
    }
}
