//! `cassius lab tune`: its options, the choice of constants, and the tables and pictures of the course.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use super::course::{Course, Header, Iteration};
use super::games::Games;
use super::spsa::{Plan, Tuned};
use crate::experiment::Findings;
use crate::outcome::{Plot, Table};
use crate::results::ResultFiles;
use crate::text;
use crate::training::command::number_within;
use cassius::engine::memory::{self, parse_hash};
use cassius::engine::settings::EngineSettings;
use cassius::engine::spec::SearchSpec;
use cassius::games::chess::Evaluation;
use cassius::output::flaws::Flaws;
use cassius::output::output_file::{self, OverwriteArgs};
use cassius::search::registry::{Algorithm, Tunable};
use cassius::version;

/// Version of the file format.
const FORMAT: u32 = 1;
/// A constant's last perturbation, unless given, is its value divided by this.
const STEP_DIVISOR: f64 = 8.0;
/// Least last perturbation of a constant: smaller ones would be lost in rounding.
const LEAST_STEP: f64 = 0.5;
/// Most rows of a table of the course.
const MOST_ROWS: u64 = 60;
/// Constants in a picture: it has no more colours.
const LINES: usize = 8;

/// Constants that are tuned only if they are named.
const LEFT_OUT: [&str; 6] = [
    // The unit of prices: all others can be measured by it.
    "ply",
    // How finely the root's value is settled: users read it, and games say little of it.
    "step",
    "range",
    "aspiration.min_depth",
    "aspiration.half_width",
    // A guard against errors in zugzwang, which are too rare for games to show.
    "null_move.verification_depth",
];

/// A run, and its files.
#[derive(Clone, Debug, Args)]
pub struct TuneOptions {
    /// Keep the run in this file, a line of JSON for each iteration; given again with --resume, the command goes on
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The search: depth-first or alpha-beta, NAME[:OPTION=VALUE]...; the run begins with its constants
    #[arg(long, value_name = "SEARCH", default_value = "depth-first")]
    pub search: SearchSpec,
    /// Tune these constants, NAME, NAME=STEP or NAME=START/STEP, separated by commas; all that make sense if there are
    /// none. STEP is how far the two sides of a game are from the middle in the last iteration, an eighth
    /// of START if not given, and at least 0.5. In iteration K of N it is larger by (N/K)^0.101
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub constants: Vec<String>,
    /// Positions to visit for each move
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Iterations of the whole run
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub iterations: u64,
    /// Pairs of games in an iteration
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    pub pairs: u16,
    /// How far a game that is won moves each constant in the last iteration, in steps
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = number_within(1e-6, 1.0))]
    pub rate: f64,
    /// Seed of openings and perturbations
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Memory for each search's table; a job has two
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = parse_hash)]
    pub hash: usize,
    /// Play N games at a time; it changes nothing about the run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Stop after this iteration, and go on another time
    #[arg(long, value_name = "N")]
    pub until: Option<u64>,
    /// Go on with a file that an earlier run of the same command began; --overwrite then replaces the JSON alone
    #[arg(long)]
    pub resume: bool,
    /// Write the constants and their course as JSON, for scripts/plot
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

/// Tunes; prints the constants to `out`. A game in which the search fails is named in `err`.
pub fn tune(options: &TuneOptions, out: &mut dyn Write, err: &mut dyn Write) -> Result<Flaws> {
    let jobs = usize::from(options.jobs);
    let settings = options.search.settings(Evaluation::default(), options.hash);
    ensure!(
        settings.search.threads.count == 1,
        "--search {}: games of several threads are others each time; leave Threads at 1, and use --jobs",
        options.search
    );
    memory::ensure([settings.megabytes(); 2], jobs)?;
    let constants = choose(&options.constants, &settings.search.tunables())
        .with_context(|| format!("--search {}", options.search))?;
    let outputs = [Some(options.file.as_path()), options.json.as_deref()];
    output_file::check_distinct([Path::new(settings.network.path())], outputs)?;
    let header = header(options, &settings, constants);
    let plan = &header.plan;
    let games = Games {
        names: plan.constants.iter().map(|it| it.name.clone()).collect(),
        settings,
        nodes: options.nodes,
        seed: options.seed,
    };
    let existing = options.overwrite.or_resume(options.resume);
    let mut course = Course::open(&options.file, existing, &header)?;
    let json = [None, options.json.as_deref()];
    let files = ResultFiles::claim([], json, options.overwrite.existing())?;
    let end = options.until.unwrap_or(u64::MAX).min(plan.iterations);
    let play = |trial: &_, first_is_white| games.play(trial, first_is_white);
    let failures = course.go_on(end, jobs, play, err)?;

    let mut findings = Findings {
        tables: vec![constants_table(plan, course.values())],
        notes: notes(&games, &course),
        seed: Some(options.seed),
        ..Findings::default()
    };
    let done = format!("{} of {}", course.past.len(), plan.iterations);
    findings.setting("search", options.search.to_string());
    findings.setting("positions visited for a move", options.nodes.to_string());
    findings.setting("iterations", done);
    findings.setting("pairs of games in each", plan.pairs.to_string());
    findings.setting("rate", plan.rate.to_string());
    let names = [
        "tune",
        "Constants tuned by games",
        "Simultaneous perturbation (Spall 1992): in each pair of games all constants are moved by a step, up on the one side \
         and down on the other.",
    ];
    findings.tables.extend(course_tables(plan, &course.past));
    let mut outcome = files.write(None, names, findings)?;
    // The course is not printed: the JSON file has it, for pictures.
    outcome.findings.tables.truncate(1);
    write!(out, "{}", text::outcome(&outcome))?;
    Ok(Flaws {
        malformed: 0,
        failures,
    })
}

/// The constants to tune: those of a list, or all that make sense.
fn choose(list: &[String], known: &[Tunable]) -> Result<Vec<Tuned>> {
    ensure!(
        !known.is_empty(),
        "the search has no constants to tune; choose depth-first or alpha-beta"
    );
    let is_sensible = |it: &&Tunable| !LEFT_OUT.contains(&it.name);
    if list.is_empty() {
        let chosen = known.iter().filter(is_sensible);
        return Ok(chosen.map(|it| tuned(it, it.value, None)).collect());
    }
    let mut chosen: Vec<Tuned> = Vec::new();
    for word in list {
        let constant = one(word.trim(), known)?;
        let is_new = chosen.iter().all(|it| it.name != constant.name);
        ensure!(is_new, "--constants: {} is given twice", constant.name);
        chosen.push(constant);
    }
    Ok(chosen)
}

/// A constant by its word, NAME, NAME=STEP or NAME=START/STEP.
fn one(word: &str, known: &[Tunable]) -> Result<Tuned> {
    let (name, numbers) = word.split_once('=').unzip();
    let name = name.unwrap_or(word);
    let constant = known.iter().find(|it| it.name == name);
    let constant = constant.with_context(|| {
        let names: Vec<&str> = known.iter().map(|it| it.name).collect();
        let names = names.join(", ");
        format!("--constants: there is no constant '{name}'; choose from {names}")
    })?;
    let Some(numbers) = numbers else {
        return Ok(tuned(constant, constant.value, None));
    };
    let (start, step) = match numbers.split_once('/') {
        Some((start, step)) => (start.parse().ok(), step),
        None => (Some(constant.value), numbers),
    };
    let step: Option<f64> = step.parse().ok();
    let step = step.filter(|&it| it > 0.0 && it.is_finite());
    let (start, step) = start.zip(step).with_context(|| {
        format!("--constants: expected NAME, NAME=STEP or NAME=START/STEP with a whole START and a STEP above 0, found '{word}'")
    })?;
    let (least, most) = constant.range;
    ensure!(
        (least..=most).contains(&start),
        "--constants: {name} must start from {least} to {most}, not {start}"
    );
    Ok(tuned(constant, start, Some(step)))
}

fn tuned(constant: &Tunable, start: i32, step: Option<f64>) -> Tuned {
    let default = (f64::from(start).abs() / STEP_DIVISOR).max(LEAST_STEP);
    Tuned {
        name: constant.name.to_owned(),
        start,
        step: step.unwrap_or(default),
        range: constant.range,
    }
}

fn header(options: &TuneOptions, settings: &EngineSettings, constants: Vec<Tuned>) -> Header {
    Header {
        tuning: FORMAT,
        version: version::FULL.to_owned(),
        search: options.search.to_string(),
        network: settings.network_checksum().map(str::to_owned),
        hash: settings.search.hash_megabytes,
        nodes: options.nodes,
        plan: Plan {
            seed: options.seed,
            iterations: options.iterations,
            pairs: options.pairs.into(),
            rate: options.rate,
            constants,
        },
    }
}

fn constants_table(plan: &Plan, values: &[f64]) -> Table {
    let headings = "constant | start | now:1 | step:2 | moved, in steps:2";
    let mut table = Table::new("tune-constants", "The constants", headings);
    for (constant, &value) in plan.constants.iter().zip(values) {
        table.row([
            constant.name.as_str().into(),
            constant.start.into(),
            value.into(),
            constant.step.into(),
            constant.moved(value).into(),
        ]);
    }
    table
}

/// Notes: the number of pairs of games with a winner, and the option that sets the constants as they are now.
fn notes(games: &Games, course: &Course<'_>) -> Vec<String> {
    let results: Vec<&i32> = course.past.iter().flat_map(|it| &it.results).collect();
    let decided = results.iter().filter(|it| ***it != 0).count();
    let all = results.len();
    let values: Vec<i32> = course.values().iter().map(|it| it.round() as i32).collect();
    let search = games.settings(&values).search;
    let option = match search.algorithm {
        Algorithm::AlphaBeta => format!("Alpha-Beta={}", search.alpha_beta),
        _ => format!("Depth-First={}", search.depth_first),
    };
    vec![
        format!("{all} pairs of games, of which {decided} had a winner."),
        format!("Now: {option}"),
    ]
}

/// The course of all constants, in tables of a few each.
fn course_tables(plan: &Plan, past: &[Iteration]) -> Vec<Table> {
    let every = (past.len() as u64).div_ceil(MOST_ROWS).max(1);
    let parts = plan.constants.chunks(LINES).enumerate();
    let tables = parts.map(|(number, constants)| {
        let names: Vec<&str> = constants.iter().map(|it| it.name.as_str()).collect();
        let headings = format!("iteration | {}:2", names.join(":2 | "));
        let id = format!("tune-course-{}", number + 1);
        let mut table = Table::new(
            &id,
            format!("The course of {}", names.join(", ")),
            &headings,
        );
        table.named_row(0, constants.iter().map(|_| 0.0));
        for (iteration, line) in (1_u64..).zip(past) {
            if iteration % every == 0 || iteration == past.len() as u64 {
                let values = constants.iter().zip(&line.values[LINES * number..]);
                table.named_row(iteration, values.map(|(it, &value)| it.moved(value)));
            }
        }
        table.plotted(Plot::new("iteration", names, "moved, in steps"))
    });
    tables.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius::search::registry::Settings;

    fn chosen(algorithm: Algorithm, list: &str) -> Result<Vec<Tuned>, String> {
        let words: Vec<String> = list.split_terminator(',').map(str::to_owned).collect();
        let known = Settings::of(algorithm, 1).tunables();
        choose(&words, &known).map_err(|error| error.to_string())
    }

    #[test]
    fn constants_have_a_start_and_a_step() {
        let chosen = chosen(Algorithm::DepthFirst, "late,ply=2.5, record=7/0.5").unwrap();
        let told = chosen.iter();
        let told = told.map(|it| (it.name.as_str(), it.start, it.step));
        let expected = [("late", 7, 0.875), ("ply", 16, 2.5), ("record", 7, 0.5)];
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn all_that_make_sense_are_tuned_unless_some_are_named() {
        for algorithm in [Algorithm::DepthFirst, Algorithm::AlphaBeta] {
            let all = Settings::of(algorithm, 1).tunables();
            let left_out = all.iter().filter(|it| LEFT_OUT.contains(&it.name)).count();
            let chosen = chosen(algorithm, "").unwrap();
            assert_eq!((left_out, chosen.len()), (3, all.len() - 3));
            assert!(chosen.iter().all(|it| it.step >= LEAST_STEP));
        }
    }

    #[test]
    fn names_and_numbers_that_are_wrong_are_explained() {
        for (list, reason) in [
            ("ltae", "no constant 'ltae'; choose from leaf, "),
            ("late,late=2", "late is given twice"),
            ("late=", "expected NAME, NAME=STEP or NAME=START/STEP"),
            ("late=0", "a STEP above 0, found 'late=0'"),
            ("late=1.5/2", "a whole START"),
            ("late=65/2", "late must start from 0 to 64, not 65"),
        ] {
            let error = chosen(Algorithm::DepthFirst, list).unwrap_err();
            assert!(error.contains(reason), "{list}: {error}");
        }
        let error = chosen(Algorithm::Minimax, "").unwrap_err();
        let told = "choose depth-first or alpha-beta";
        assert!(error.contains(told), "{error}");
    }
}
