//! `cassius lab`: from options to an outcome, printed and kept; the list of experiments; the page.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::experiment::{EffortLimit, Experiment, Findings, LabError, Request, Subject};
use super::outcome::{Input, Outcome};
use super::page::{self, PageError};
use super::{EXPERIMENTS, text};
use cassius::engine::fault::guard;
use cassius::engine::memory;
use cassius::game_report::reading::RecordError;
use cassius::game_report::record::Record;
use cassius::games::chess::notation::Castling;
use cassius::output::json_lines;
use cassius::output::output_file::{self, Existing, WholeFile};
use cassius::output::provenance::Provenance;
use cassius::suite::choice::Filter;
use cassius::suite::command::{self as suite, Flaws};
use cassius::suite::epd;
use cassius::version;

/// What experiments on chess work on unless told otherwise.
const DEFAULT_FILE: &str = "epd/wac.epd";

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// EPD files.
    pub files: Vec<PathBuf>,
    /// Which of their positions to use.
    pub filter: Option<Filter>,
    /// Whether to take the time it takes.
    pub full: bool,
    /// Greatest effort per position or tree, in positions visited.
    pub nodes: Option<u64>,
    /// Greatest effort per position or tree, in milliseconds.
    pub movetime_ms: Option<u64>,
    /// Seed of whatever is random.
    pub seed: u64,
    /// Memory for each search, in MiB.
    pub hash_megabytes: usize,
    /// How many positions or trees are worked on at a time.
    pub jobs: usize,
    /// Rows and columns of the board, for games on one.
    pub size: Option<u8>,
    /// How many games to play.
    pub games: Option<u32>,
    /// File to keep what each search came to on each problem.
    pub states: Option<PathBuf>,
    /// Whether to go on with that file.
    pub resume: bool,
    /// JSON file to write the outcome to.
    pub json: Option<PathBuf>,
    /// What becomes of a file that is there already.
    pub existing: Existing,
    /// The command line that asks for all this, to be recorded with the outcome.
    pub command: String,
}

/// Runs an experiment: the outcome goes to `out` and, if asked for, to a file; malformed lines of EPD
/// files are named in `err`.
pub fn run(
    experiment: &Experiment,
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws, LabError> {
    memory::ensure([options.hash_megabytes], options.jobs)?;
    let inputs = options.files.iter().map(PathBuf::as_path);
    let outputs = [options.json.as_deref(), options.states.as_deref()];
    output_file::check_distinct(inputs, outputs)?;
    // Better now than after minutes.
    let json = options.json.as_deref();
    let json = json.map(|path| WholeFile::claim(path, options.existing));
    let json = json.transpose()?;
    let (request, inputs, malformed) = prepare(experiment, options, err)?;
    let provenance = Provenance::here(options.command.clone());
    let start = Instant::now();
    let doing = || format!("the experiment {}", experiment.name);
    let mut findings = guard(doing, || (experiment.run)(&request))??;
    let left_out = std::mem::take(&mut findings.left_out);
    for fault in &left_out {
        writeln!(err, "left out: {fault}")?;
        findings.note(format!("Left out: {fault}."));
    }
    let seconds = (start.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    let outcome = outcome(experiment, findings, inputs, provenance, seconds);
    if let Some(mut file) = json {
        file.write(&outcome.to_json()?)?;
    }
    write!(out, "{}", text::outcome(&outcome))?;
    Ok(Flaws {
        malformed,
        failures: left_out.len(),
    })
}

/// Tells what experiments there are.
pub fn list(out: &mut dyn Write) -> Result<(), LabError> {
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

/// Makes a page of the recorded results in a folder; it goes to `output`, or else to `out`.
pub fn page(
    folder: &Path,
    output: Option<&Path>,
    existing: Existing,
    out: &mut dyn Write,
) -> Result<(), PageError> {
    let text = page::generate(folder)?;
    if let Some(path) = output {
        return Ok(output_file::write(path, existing, text.as_bytes())?);
    }
    out.write_all(text.as_bytes())
        .map_err(|reason| PageError::File {
            path: PathBuf::from("standard output"),
            reason,
        })
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

/// `figures 5.2, 5.3`, or nothing.
fn figures(experiment: &Experiment) -> String {
    match experiment.figures {
        [] => String::new(),
        [one] => format!("figure {one}"),
        many => format!("figures {}", many.join(", ")),
    }
}

/// Reads what the experiment works on: the request, where its positions come from, and how many lines
/// were malformed.
fn prepare(
    experiment: &Experiment,
    options: &Options,
    err: &mut dyn Write,
) -> Result<(Request, Vec<Input>, usize), LabError> {
    let mut files = options.files.clone();
    match experiment.subject {
        Subject::Own | Subject::Board | Subject::Games if !files.is_empty() => {
            let experiment = experiment.name;
            return Err(LabError::NoUseForFiles { experiment });
        }
        Subject::Problems | Subject::Efforts if files.is_empty() => {
            files.push(PathBuf::from(DEFAULT_FILE));
        }
        _ => {}
    }
    if options.states.is_some() && experiment.subject != Subject::Efforts {
        let experiment = experiment.name;
        return Err(LabError::NoUseForStates { experiment });
    }
    let has_limit = options.nodes.is_some() || options.movetime_ms.is_some();
    match experiment.effort {
        EffortLimit::Fixed if has_limit => {
            let experiment = experiment.name;
            return Err(LabError::NoUseForLimit { experiment });
        }
        EffortLimit::Nodes if options.movetime_ms.is_some() => {
            let experiment = experiment.name;
            return Err(LabError::NoUseForTime { experiment });
        }
        _ => {}
    }
    let plays = matches!(experiment.subject, Subject::Board | Subject::Games);
    if options.size.is_some() && experiment.subject != Subject::Board {
        let experiment = experiment.name;
        return Err(LabError::NoUseForBoard { experiment });
    }
    if options.games.is_some() && !plays {
        let experiment = experiment.name;
        return Err(LabError::NoUseForGames { experiment });
    }
    let (mut problems, mut inputs, mut malformed) = (Vec::new(), Vec::new(), 0);
    if experiment.subject == Subject::Analyses {
        return analyses(options, &files, err);
    }
    for file in &files {
        let (mut records, bad) = suite::read(std::slice::from_ref(file), Castling::Standard, err)?;
        if let Some(filter) = &options.filter {
            let mut number = 0;
            records.retain(|record| {
                number += 1;
                filter.accepts(number, &record.id)
            });
        }
        malformed += bad;
        inputs.push(Input {
            file: file.display().to_string(),
            positions: records.len(),
        });
        problems.extend(records);
    }
    let wants_problems = matches!(experiment.subject, Subject::Problems | Subject::Efforts);
    if wants_problems && problems.is_empty() {
        return Err(LabError::Nothing);
    }
    let request = request(options, &files, problems, Vec::new());
    Ok((request, inputs, malformed))
}

/// The same for an experiment on analyses.
fn analyses(
    options: &Options,
    files: &[PathBuf],
    err: &mut dyn Write,
) -> Result<(Request, Vec<Input>, usize), LabError> {
    let records = files.iter().map(|file| Record::read(file));
    let records = records.collect::<Result<Vec<Record>, RecordError>>()?;
    let inputs = files.iter().zip(&records).map(|(file, record)| Input {
        file: file.display().to_string(),
        positions: record.games.iter().map(|game| game.rows.len()).sum(),
    });
    let inputs: Vec<Input> = inputs.collect();
    if inputs.iter().all(|it| it.positions == 0) {
        return Err(LabError::Nothing);
    }
    let torn = json_lines::name_torn(files, err)?;
    Ok((request(options, files, Vec::new(), records), inputs, torn))
}

fn request(
    options: &Options,
    files: &[PathBuf],
    problems: Vec<epd::Record>,
    analyses: Vec<Record>,
) -> Request {
    let stem = |path: &PathBuf| Some(path.file_stem()?.to_string_lossy().into_owned());
    Request {
        problems,
        analyses,
        sets: files.iter().filter_map(stem).collect(),
        full: options.full,
        nodes: options.nodes,
        movetime_ms: options.movetime_ms,
        seed: options.seed,
        hash_megabytes: options.hash_megabytes,
        jobs: options.jobs,
        size: options.size,
        games: options.games,
        states: options.states.clone().map(|path| {
            let existing = if options.resume {
                Existing::Resume
            } else {
                options.existing
            };
            (path, existing)
        }),
    }
}

fn outcome(
    experiment: &Experiment,
    findings: Findings,
    inputs: Vec<Input>,
    provenance: Provenance,
    seconds: f64,
) -> Outcome {
    Outcome {
        experiment: experiment.name.to_owned(),
        title: experiment.title.to_owned(),
        about: experiment.about.to_owned(),
        cassius: version::NUMBER.to_owned(),
        provenance,
        seconds,
        seed: findings.seed,
        inputs,
        settings: findings.settings,
        tables: findings.tables,
        notes: findings.notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius::engine::fault::Fault;

    const SOUND: Experiment = Experiment {
        name: "trial",
        title: "",
        figures: &[],
        about: "",
        subject: Subject::Own,
        effort: EffortLimit::Fixed,
        run: |_| {
            let mut findings = Findings::default();
            let fault = Fault {
                doing: "the third tree".to_owned(),
                reason: "on purpose".to_owned(),
            };
            assert_eq!(findings.keep(vec![Ok(1), Err(fault), Ok(3)]), [1, 3]);
            Ok(findings)
        },
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

    fn try_out(experiment: &Experiment) -> (Result<Flaws, LabError>, [String; 2]) {
        let options = Options {
            files: Vec::new(),
            filter: None,
            full: false,
            nodes: None,
            movetime_ms: None,
            seed: 1,
            hash_megabytes: 1,
            jobs: 2,
            size: None,
            games: None,
            states: None,
            resume: false,
            json: None,
            existing: Existing::Refuse,
            command: String::new(),
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let flaws = run(experiment, &options, &mut out, &mut err);
        (
            flaws,
            [out, err].map(|text| String::from_utf8(text).unwrap()),
        )
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
        assert!(
            error.contains("the experiment trial: on purpose"),
            "{error}"
        );
        assert_eq!(out, "");
    }
}
