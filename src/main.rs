//! The cassius binary: carries out what the command line asks for.

use std::fs;
use std::io::{self, BufReader, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow};
use cassius::analysis::command as analysis;
use cassius::bench;
use cassius::cli::{
    AnalyzeArgs, BenchArgs, Cli, Command, CompletionsArgs, ExploreArgs, LabArgs, LabCommand,
    ManualArgs, PuzzlesArgs, SuiteArgs, SuiteCommand, Task, completions, manual,
};
use cassius::engine::fault;
use cassius::explorer::command as explorer;
use cassius::game_report::command as games;
use cassius::games::chess::Evaluation;
use cassius::lab::command as lab;
use cassius::lab::outlook::{command as outlook, sampling};
use cassius::lab::selfplay::run as selfplay;
use cassius::lab::training::command as training;
use cassius::lab::tree;
use cassius::puzzles::command as puzzles;
use cassius::report::output_file;
use cassius::report::provenance::command_line;
use cassius::search::Limits;
use cassius::suite::command::{self as suite, Flaws};
use cassius::uci;
use clap::Parser as _;

/// How the process ends. Wrong usage ends with 2, which clap sees to.
enum Exit {
    Success,
    Failure,
}

impl From<Flaws> for Exit {
    fn from(flaws: Flaws) -> Exit {
        if flaws.is_none() {
            Exit::Success
        } else {
            Exit::Failure
        }
    }
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
    let done = carry_out(cli.command.unwrap_or(Command::Uci));
    ExitCode::from(done.unwrap_or_else(|error| {
        let _ = writeln!(io::stderr(), "cassius: {error:#}");
        Exit::Failure
    }))
}

fn speak_uci() -> Result<Exit> {
    match uci::run(BufReader::new(io::stdin()), io::stdout()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("standard output cannot be written to")
        }
        _ => Ok(Exit::Success),
    }
}

/// Carries out a command. Where the reader of its output goes away, as `| head` does, it
/// had what it wanted; but a command that writes files as well has not done its work then.
fn carry_out(command: Command) -> Result<Exit> {
    let writes_files = command.writes_files();
    let mut out = Heard::new(io::stdout());
    let done = match command {
        Command::Uci => speak_uci(),
        Command::Bench(args) => run_bench(&args, &mut out),
        Command::Suite(args) => run_suite(*args, &mut out),
        Command::Analyze(args) => run_analyze(*args, &mut out),
        Command::Explore(args) => run_explore(*args, &mut out),
        Command::Puzzles(args) => run_puzzles(*args, &mut out),
        Command::Lab(args) => run_lab(*args, &mut out),
        Command::Completions(args) => print_completions(&args, &mut out),
        Command::Manual(args) => run_manual(&args, &mut out),
        Command::Options => print_options(&mut out),
    };
    match done {
        Err(error) if out.is_closed() && writes_files => Err(anyhow!(
            "standard output: {error}; the files may not be complete"
        )),
        Err(_) if out.is_closed() => Ok(Exit::Success),
        done => done,
    }
}

fn run_bench(args: &BenchArgs, out: &mut dyn io::Write) -> Result<Exit> {
    let settings = args.search.settings(Evaluation::default(), args.hash);
    let limits = Limits {
        iterations: Some(args.iterations),
        ..Limits::nodes(args.nodes)
    };
    let outcome = bench::run(&settings, &limits, |fen, report| {
        let (nodes, value) = (report.nodes, report.value.to_string());
        let iteration = report.iteration;
        writeln!(
            out,
            "{nodes:>9} nodes, iteration {iteration:>2}, {value:>6}  {fen}"
        )
    })?;
    writeln!(out, "{outcome}")?;
    Ok(Exit::Success)
}

fn run_suite(args: SuiteArgs, out: &mut dyn io::Write) -> Result<Exit> {
    let flaws = match args.command {
        Some(SuiteCommand::Merge(merge)) => {
            let (json, csv) = (merge.json.as_deref(), merge.csv.as_deref());
            suite::merge(&merge.files, json, csv, merge.overwrite.existing(), out)
                .map(|()| Flaws::default())?
        }
        None => {
            let options = args.run.into_options(own_command_line());
            suite::run(&options, out, &mut io::stderr())?
        }
    };
    Ok(flaws.into())
}

fn run_analyze(args: AnalyzeArgs, out: &mut dyn io::Write) -> Result<Exit> {
    match args.into_task(own_command_line(), &mut io::stderr())? {
        Task::Position(options) => {
            analysis::position(&options, out)?;
            Ok(Exit::Success)
        }
        Task::Games(options) => Ok(games::run(&options, out, &mut io::stderr())?.into()),
    }
}

fn run_explore(args: ExploreArgs, out: &mut dyn io::Write) -> Result<Exit> {
    explorer::explore(&args.into_options(&mut io::stderr())?, out)?;
    Ok(Exit::Success)
}

fn run_puzzles(args: PuzzlesArgs, out: &mut dyn io::Write) -> Result<Exit> {
    Ok(puzzles::run(&args.into(), out, &mut io::stderr())?.into())
}

fn run_lab(args: LabArgs, out: &mut dyn io::Write) -> Result<Exit> {
    let mut err = io::stderr();
    let flaws = match args.command {
        Some(LabCommand::List) => lab::list(out).map(|()| Flaws::default())?,
        Some(LabCommand::Page(page)) => lab::page(
            &page.folder,
            page.output.as_deref(),
            page.overwrite.existing(),
            out,
        )
        .map(|()| Flaws::default())?,
        Some(LabCommand::Tree(args)) => tree::draw(&args.into(), out).map(|()| Flaws::default())?,
        Some(LabCommand::Selfplay(args)) => selfplay::selfplay(&args.into(), &mut err)?,
        Some(LabCommand::Train(args)) => {
            let options = args.into_options(own_command_line());
            training::train(&options, out).map(|()| Flaws::default())?
        }
        Some(LabCommand::TrainScale(args)) => {
            let options = args.fit.into_options(own_command_line());
            training::train_scale(&args.network, &options, out).map(|()| Flaws::default())?
        }
        Some(LabCommand::SampleOutlook(args)) => sampling::sample(&args.into(), &mut err)?,
        Some(LabCommand::FitOutlook(args)) => {
            let options = args.into_options(own_command_line());
            outlook::fit_outlook(&options, out).map(|()| Flaws::default())?
        }
        None => {
            let Some(experiment) = args.run.experiment else {
                return Ok(Exit::Success);
            };
            let options = args.run.into_options(own_command_line());
            lab::run(experiment, &options, out, &mut err)?
        }
    };
    Ok(flaws.into())
}

/// The command line we were started with, as one would type it.
fn own_command_line() -> String {
    let arguments = std::env::args_os().skip(1);
    let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    command_line("cassius", arguments)
}

fn print_completions(args: &CompletionsArgs, out: &mut dyn io::Write) -> Result<Exit> {
    out.write_all(&completions(args.shell))?;
    Ok(Exit::Success)
}

fn run_manual(args: &ManualArgs, out: &mut dyn io::Write) -> Result<Exit> {
    let pages = manual();
    let Some(folder) = &args.folder else {
        let page = args.page(&pages)?;
        out.write_all(&page.text)?;
        return Ok(Exit::Success);
    };
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for page in &pages {
        let file = folder.join(page.file_name());
        output_file::write(&file, args.overwrite.existing(), &page.text)?;
    }
    Ok(Exit::Success)
}

fn print_options(out: &mut dyn io::Write) -> Result<Exit> {
    write!(out, "{}", uci::options::markdown_table())?;
    Ok(Exit::Success)
}

/// An output that notes whether its reader has gone away.
struct Heard<W> {
    inner: W,
    closed: bool,
}

impl<W> Heard<W> {
    fn new(inner: W) -> Heard<W> {
        Heard {
            inner,
            closed: false,
        }
    }

    /// Whether something could not be written for that reason.
    fn is_closed(&self) -> bool {
        self.closed
    }

    fn noted<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        self.closed |= matches!(&done, Err(error) if error.kind() == io::ErrorKind::BrokenPipe);
        done
    }
}

impl<W: io::Write> io::Write for Heard<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.inner.write(bytes);
        self.noted(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.inner.flush();
        self.noted(done)
    }
}
