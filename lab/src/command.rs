//! `cassius lab`: runs experiments, lists them, makes the page of results.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use super::experiment::{EffortLimit, Experiment, Findings, Request, Subject};
use super::outcome::Input;
use super::results::ResultFiles;
use super::{EXPERIMENTS, page};
use cassius::engine::fault::guard;
use cassius::engine::memory;
use cassius::game_report::record::Record;
use cassius::games::chess::notation::Castling;
use cassius::output::flaws::Flaws;
use cassius::output::json_lines;
use cassius::output::output_file::{self, OverwriteArgs};
use cassius::suite::command as suite;

/// Default file of positions for experiments on chess.
const DEFAULT_FILE: &str = "epd/wac.epd";
/// Error for an experiment that gets no problems or games.
const NOTHING: &str = "there are no positions to run";

/// Runs an experiment: writes the outcome to `out` and, if asked for, to a file; names malformed lines of EPD files in
/// `err`.
pub fn run(
    experiment: &Experiment,
    mut request: Request,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws> {
    memory::ensure([request.hash_megabytes], request.jobs)?;
    if wants_problems(experiment) && request.files.is_empty() {
        request.files.push(PathBuf::from(DEFAULT_FILE));
    }
    let (json, states) = (request.json.as_deref(), request.states.as_deref());
    output_file::check_distinct(request.files.iter().map(PathBuf::as_path), [json, states])?;
    let files = ResultFiles::claim([], [None, json], request.overwrite.existing())?;
    let (inputs, malformed) = prepare(experiment, &mut request, err)?;
    let doing = || format!("the experiment {}", experiment.name);
    let findings = Findings {
        inputs,
        ..guard(doing, || (experiment.run)(&request))??
    };
    let names = [experiment.name, experiment.title, experiment.about];
    let flaws = files.report(None, names, findings, out, err)?;
    Ok(Flaws { malformed, ..flaws })
}

/// Lists the experiments.
pub fn list(out: &mut dyn Write) -> Result<()> {
    for experiment in EXPERIMENTS {
        let figures = figures(experiment);
        writeln!(out, "{} - {}", experiment.name, experiment.title)?;
        if !figures.is_empty() {
            writeln!(out, "    (thesis, {figures})")?;
        }
        writeln!(out, "\n    {}\n", experiment.about.replace('\n', "\n    "))?;
    }
    Ok(())
}

/// Folder to make a page of, and file to write.
#[derive(Debug, Args)]
pub struct PageArgs {
    /// The folder
    #[arg(value_name = "FOLDER", default_value = "lab/docs/results")]
    pub folder: PathBuf,
    /// Write the page to a file beside the folder instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

/// Makes a page of the recorded results in a folder.
pub fn page(args: &PageArgs, out: &mut dyn Write) -> Result<()> {
    let sources = page::sources(&args.folder)?;
    let sources = sources.iter().map(PathBuf::as_path);
    output_file::check_distinct(sources, [args.output.as_deref()])?;
    let text = page::generate(&args.folder)?;
    match &args.output {
        Some(path) => {
            let existing = args.overwrite.existing();
            Ok(output_file::write(path, existing, text.as_bytes())?)
        }
        None => out.write_all(text.as_bytes()).context("standard output"),
    }
}

/// The experiments as a table, for the help.
pub fn contents() -> String {
    let mut text = String::new();
    let width = EXPERIMENTS.iter().map(|it| it.name.len()).max();
    let width = width.unwrap_or(0);
    for experiment in EXPERIMENTS {
        let _ = write!(text, "  {:width$}  {}", experiment.name, experiment.title);
        if experiment.figures.is_empty() {
            text.push('\n');
        } else {
            let _ = writeln!(text, " ({})", figures(experiment));
        }
    }
    text
}

/// The experiment's figures: `figures 5.2, 5.3`; empty if there are none.
fn figures(experiment: &Experiment) -> String {
    match experiment.figures {
        [] => String::new(),
        [one] => format!("figure {one}"),
        many => format!("figures {}", many.join(", ")),
    }
}

/// Fails if a request has an argument that the experiment does not use.
fn check(experiment: &Experiment, request: &Request) -> Result<()> {
    let (name, subject, effort) = (experiment.name, experiment.subject, experiment.effort);
    let makes_its_own = matches!(subject, Subject::Own | Subject::Board);
    ensure!(
        !makes_its_own || request.files.is_empty(),
        "{name} makes its own trees or games and takes no files"
    );
    ensure!(
        request.states.is_none() || subject == Subject::Efforts,
        "{name} keeps no states: leave out --states"
    );
    let has_limit = request.nodes.is_some() || request.movetime_ms.is_some();
    ensure!(
        effort != EffortLimit::Fixed || !has_limit,
        "{name} chooses its effort itself: leave out --nodes and --movetime"
    );
    ensure!(
        effort != EffortLimit::Nodes || request.movetime_ms.is_none(),
        "{name} counts positions: give --nodes instead of --movetime"
    );
    ensure!(
        request.size.is_none() || subject == Subject::Board,
        "{name} plays no games on a board: leave out --size"
    );
    ensure!(
        request.games.is_none() || subject == Subject::Board,
        "{name} plays no games: leave out --games"
    );
    Ok(())
}

/// Whether an experiment is done on positions of files.
const fn wants_problems(experiment: &Experiment) -> bool {
    matches!(experiment.subject, Subject::Problems | Subject::Efforts)
}

/// Reads the experiment's input into the request; returns the files with their positions, and the number of malformed
/// lines.
fn prepare(
    experiment: &Experiment,
    request: &mut Request,
    err: &mut dyn Write,
) -> Result<(Vec<Input>, usize)> {
    check(experiment, request)?;
    if experiment.subject == Subject::Analyses {
        return analyses(request, err);
    }
    let (mut inputs, mut malformed) = (Vec::new(), 0);
    for file in &request.files {
        let (mut records, bad) = suite::read(std::slice::from_ref(file), Castling::Standard, err)?;
        let mut number = 0;
        records.retain(|record| {
            number += 1;
            let filter = request.filter.as_ref();
            filter.is_none_or(|it| it.accepts(number, &record.id))
        });
        malformed += bad;
        inputs.push(Input::new(file, records.len()));
        request.problems.extend(records);
    }
    ensure!(
        !wants_problems(experiment) || !request.problems.is_empty(),
        NOTHING
    );
    Ok((inputs, malformed))
}

/// Like [`prepare`], for an experiment on analyses.
fn analyses(request: &mut Request, err: &mut dyn Write) -> Result<(Vec<Input>, usize)> {
    let files = &request.files;
    let records = files.iter().map(|file| Record::read(file));
    let records = records.collect::<Result<Vec<Record>>>()?;
    let inputs = files.iter().zip(&records).map(|(file, record)| {
        let positions = record.games.iter().map(|game| game.rows.len()).sum();
        Input::new(file, positions)
    });
    let inputs: Vec<Input> = inputs.collect();
    ensure!(inputs.iter().any(|it| it.positions > 0), NOTHING);
    let torn = json_lines::name_torn(files, err)?;
    request.analyses = records;
    Ok((inputs, torn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use cassius::engine::fault::Fault;
    use clap::Parser as _;

    const SOUND: Experiment = Experiment {
        name: "trial",
        run: |_| {
            let mut findings = Findings::default();
            let fault = Fault {
                doing: "the third tree".to_owned(),
                reason: "on purpose".to_owned(),
            };
            assert_eq!(findings.keep(vec![Ok(1), Err(fault), Ok(3)]), [1, 3]);
            Ok(findings)
        },
        ..Experiment::PLAIN
    };

    const PANICS: Experiment = Experiment {
        run: |request| {
            let work = |(): &mut (), &n: &u32| assert!(n != 7, "on purpose");
            let items: Vec<u32> = (0..10).collect();
            cassius::workers::map(&items, request.jobs, || (), work, |_| ())?;
            Ok(Findings::default())
        },
        ..SOUND
    };

    fn try_out(experiment: &Experiment) -> (Result<Flaws>, [String; 2]) {
        let line = ["cassius-lab", "effort", "--hash", "1", "--jobs", "2"];
        let request = Cli::parse_from(line).request;
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let flaws = run(experiment, request, &mut out, &mut err);
        let texts = [out, err].map(|text| String::from_utf8(text).unwrap());
        (flaws, texts)
    }

    #[test]
    fn what_a_search_fails_at_is_left_out_and_told() {
        let (flaws, [out, err]) = try_out(&SOUND);
        assert_eq!(flaws.unwrap().failures, 1);
        for text in [out, err] {
            assert!(text.contains("internal error in the third tree"), "{text}");
        }
    }

    #[test]
    fn an_experiment_that_panics_ends_with_an_error() {
        let (flaws, [out, _]) = try_out(&PANICS);
        let error = flaws.unwrap_err().to_string();
        let told = "the experiment trial: on purpose";
        assert!(error.contains(told), "{error}");
        assert_eq!(out, "");
    }
}
