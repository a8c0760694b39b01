//! The cassius binary: carries out what the command line asks for.

use std::fs;
use std::io::{self, BufReader, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow};
use cassius::analysis::command::{self as analysis, AnalyzeError};
use cassius::bench::{self, BenchError};
use cassius::cli::{
    AnalyzeArgs, BenchArgs, Cli, Command, CompletionsArgs, ExploreArgs, LabArgs, LabCommand,
    ManualArgs, PuzzlesArgs, SuiteArgs, SuiteCommand, Task, completions, manual,
};
use cassius::engine::fault;
use cassius::explorer::command::{self as explorer, ExploreError};
use cassius::game_report::RunError;
use cassius::game_report::command::{self as games, ReportError};
use cassius::games::chess::Evaluation;
use cassius::lab::command as lab;
use cassius::lab::outlook::{command as outlook, sampling};
use cassius::lab::reversals::{rates, sampling as reversals};
use cassius::lab::selfplay::run as selfplay;
use cassius::lab::training::command as training;
use cassius::lab::tree;
use cassius::lab::tuning::command as tuning;
use cassius::puzzles::command::{self as puzzles, PuzzlesError};
use cassius::report::output_file;
use cassius::report::provenance::command_line;
use cassius::search::Limits;
use cassius::suite::command::{self as suite, Flaws, SuiteError};
use cassius::uci;
use clap::Parser as _;

/// How the process ends. Wrong usage ends with 2, which clap sees to.
enum Exit {
    Success,
    Failure,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Success => 0,
            Exit::Failure => 1,
        })
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    fault::note_panics();
    let filter = env_logger::Env::default().default_filter_or("off");
    env_logger::Builder::from_env(filter).init();
    let done = match cli.command {
        None | Some(Command::Uci) => {
            let ended = uci::run(BufReader::new(io::stdin()), io::stdout());
            ended
                .map(|()| Exit::Success)
                .context("standard output cannot be written to")
        }
        Some(Command::Bench(args)) => run_bench(&args),
        Some(Command::Suite(args)) => run_suite(*args),
        Some(Command::Analyze(args)) => run_analyze(*args),
        Some(Command::Explore(args)) => run_explore(*args),
        Some(Command::Puzzles(args)) => run_puzzles(*args),
        Some(Command::Lab(args)) => run_lab(*args),
        Some(Command::Completions(args)) => print_completions(&args),
        Some(Command::Manual(args)) => run_manual(&args),
        Some(Command::Options) => print_options(),
    };
    ExitCode::from(match done {
        Ok(exit) => exit,
        Err(error) if is_closed_pipe(&error) => Exit::Success,
        Err(error) => {
            let _ = writeln!(io::stderr(), "cassius: {error:#}");
            Exit::Failure
        }
    })
}

/// Whether the reader of our output has gone away, as `| head` does: it has what it wanted.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// An error of standard output in a run that writes files as well: that its reader has gone away is no success then.
fn cut_off(error: io::Error, files: &[&Option<PathBuf>]) -> anyhow::Error {
    if files.iter().all(|it| it.is_none()) {
        return error.into();
    }
    anyhow!("standard output: {error}; the files may not be complete")
}

fn run_bench(args: &BenchArgs) -> Result<Exit> {
    let settings = args.search.settings(Evaluation::default(), args.hash);
    let limits = Limits {
        iterations: Some(args.iterations),
        ..Limits::nodes(args.nodes)
    };
    let mut out = io::stdout();
    let done = bench::run(&settings, &limits, |fen, report| {
        let (nodes, value) = (report.nodes, report.value.to_string());
        let iteration = report.iteration;
        writeln!(
            out,
            "{nodes:>9} nodes, iteration {iteration:>2}, {value:>6}  {fen}"
        )
    });
    match done {
        Ok(outcome) => {
            writeln!(out, "{outcome}")?;
            Ok(Exit::Success)
        }
        Err(BenchError::Output(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

fn run_suite(args: SuiteArgs) -> Result<Exit> {
    let mut out = io::stdout();
    let done = match args.command {
        Some(SuiteCommand::Merge(merge)) => {
            let (json, csv) = (merge.json.as_deref(), merge.csv.as_deref());
            suite::merge(
                &merge.files,
                json,
                csv,
                merge.overwrite.existing(),
                &mut out,
            )
            .map(|()| Flaws::default())
        }
        None => {
            let options = args.run.into_options(own_command_line());
            let done = suite::run(&options, &mut out, &mut io::stderr());
            if let Err(SuiteError::Output(error)) = done {
                return Err(cut_off(error, &[&options.json, &options.csv]));
            }
            done
        }
    };
    match done {
        Ok(flaws) if flaws.is_none() => Ok(Exit::Success),
        Ok(_) => Ok(Exit::Failure),
        Err(SuiteError::Output(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

fn run_analyze(args: AnalyzeArgs) -> Result<Exit> {
    let (mut out, mut err) = (io::stdout(), io::stderr());
    match args.into_task(own_command_line())? {
        Task::Position(options) => match analysis::position(&options, &mut out) {
            Ok(()) => Ok(Exit::Success),
            Err(AnalyzeError::Output(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        },
        Task::Games(options) => match games::run(&options, &mut out, &mut err) {
            Ok(flaws) if flaws.is_none() => Ok(Exit::Success),
            Ok(_) => Ok(Exit::Failure),
            Err(ReportError::Run(RunError::Io(error))) => {
                let it = &options;
                let files = [&it.json, &it.html, &it.html_dir, &it.csv, &it.pgn];
                Err(cut_off(error, &files))
            }
            Err(error) => Err(error.into()),
        },
    }
}

fn run_explore(args: ExploreArgs) -> Result<Exit> {
    match explorer::explore(&args.into_options(), &mut io::stdout()) {
        Ok(()) => Ok(Exit::Success),
        Err(ExploreError::Output(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

fn run_puzzles(args: PuzzlesArgs) -> Result<Exit> {
    let options = args.into();
    match puzzles::run(&options, &mut io::stdout(), &mut io::stderr()) {
        Ok(flaws) if flaws.is_none() => Ok(Exit::Success),
        Ok(_) => Ok(Exit::Failure),
        Err(PuzzlesError::Io(error)) => Err(cut_off(error, &[&options.epd, &options.html])),
        Err(error) => Err(error.into()),
    }
}

fn run_lab(args: LabArgs) -> Result<Exit> {
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let flaws = match args.command {
        Some(LabCommand::List) => lab::list(&mut out).map(|()| Flaws::default())?,
        Some(LabCommand::Page(page)) => lab::page(
            &page.folder,
            page.output.as_deref(),
            page.overwrite.existing(),
            &mut out,
        )
        .map(|()| Flaws::default())?,
        Some(LabCommand::Tree(args)) => {
            tree::draw(&args.into(), &mut out).map(|()| Flaws::default())?
        }
        Some(LabCommand::Selfplay(args)) => selfplay::selfplay(&args.into(), &mut err)?,
        Some(LabCommand::Tune(args)) => {
            tuning::tune(&args.into(), &mut out).map(|()| Flaws::default())?
        }
        Some(LabCommand::Train(args)) => {
            let options = args.into_options(own_command_line());
            training::train(&options, &mut out).map(|()| Flaws::default())?
        }
        Some(LabCommand::TrainScale(args)) => {
            let options = args.fit.into_options(own_command_line());
            training::train_scale(&args.network, &options, &mut out).map(|()| Flaws::default())?
        }
        Some(LabCommand::SampleOutlook(args)) => sampling::sample(&args.into(), &mut err)?,
        Some(LabCommand::FitOutlook(args)) => {
            let options = args.into_options(own_command_line());
            outlook::fit_outlook(&options, &mut out).map(|()| Flaws::default())?
        }
        Some(LabCommand::Reversals(args)) => reversals::sample(&args.into(), &mut err)?,
        Some(LabCommand::ReversalRates(args)) => {
            let options = args.into_options(own_command_line());
            rates::tell(&options, &mut out).map(|()| Flaws::default())?
        }
        None => {
            let Some(experiment) = args.run.experiment else {
                return Ok(Exit::Success);
            };
            let options = args.run.into_options(own_command_line());
            lab::run(experiment, &options, &mut out, &mut err)?
        }
    };
    Ok(if flaws.is_none() {
        Exit::Success
    } else {
        Exit::Failure
    })
}

/// The command line we were started with, as one would type it.
fn own_command_line() -> String {
    let arguments = std::env::args_os().skip(1);
    let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    command_line("cassius", arguments)
}

fn print_completions(args: &CompletionsArgs) -> Result<Exit> {
    io::stdout().write_all(&completions(args.shell))?;
    Ok(Exit::Success)
}

fn run_manual(args: &ManualArgs) -> Result<Exit> {
    let pages = manual();
    let Some(folder) = &args.folder else {
        let page = args.page(&pages)?;
        io::stdout().write_all(&page.text)?;
        return Ok(Exit::Success);
    };
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for page in &pages {
        let file = folder.join(page.file_name());
        output_file::write(&file, args.overwrite.existing(), &page.text)?;
    }
    Ok(Exit::Success)
}

fn print_options() -> Result<Exit> {
    write!(io::stdout(), "{}", uci::options::markdown_table())?;
    Ok(Exit::Success)
}
