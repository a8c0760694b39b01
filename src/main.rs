//! The cassius binary: carries out what the command line asks for.

use std::io::{self, BufReader};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use cassius::analysis::command as analysis;
use cassius::bench;
use cassius::cli::program::{self, UNWRITABLE, own_command_line};
use cassius::cli::{
    AnalyzeArgs, BenchArgs, Cli, Command, CompletionsArgs, ExploreArgs, LabArgs, ManualArgs,
    PuzzlesArgs, SuiteArgs, SuiteCommand, Task, completions, manual,
};
use cassius::explorer::command as explorer;
use cassius::game_report::command as games;
use cassius::games::chess::Evaluation;
use cassius::puzzles::command as puzzles;
use cassius::search::Limits;
use cassius::suite::command::{self as suite, Flaws};
use cassius::uci;

const NAME: &str = "cassius";

fn main() -> ExitCode {
    let filter = env_logger::Env::default().default_filter_or("off");
    env_logger::Builder::from_env(filter).init();
    program::run(NAME, Cli::writes_files, carry_out)
}

fn carry_out(cli: Cli, out: &mut dyn io::Write) -> Result<Flaws> {
    match cli.command.unwrap_or(Command::Uci) {
        Command::Uci => speak_uci(),
        Command::Bench(args) => run_bench(&args, out),
        Command::Suite(args) => run_suite(*args, out),
        Command::Analyze(args) => run_analyze(*args, out),
        Command::Explore(args) => run_explore(*args, out),
        Command::Puzzles(args) => run_puzzles(*args, out),
        Command::Lab(args) => run_lab(&args),
        Command::Completions(args) => print_completions(&args, out),
        Command::Manual(args) => run_manual(&args, out),
        Command::Options => print_options(out),
    }
}

fn speak_uci() -> Result<Flaws> {
    match uci::run(BufReader::new(io::stdin()), io::stdout()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context(UNWRITABLE),
        _ => Ok(Flaws::default()),
    }
}

/// Ends the process as the laboratory has ended.
fn run_lab(args: &LabArgs) -> Result<Flaws> {
    let ended = args.run()?;
    std::process::exit(ended.code().unwrap_or(1));
}

fn run_bench(args: &BenchArgs, out: &mut dyn io::Write) -> Result<Flaws> {
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
    Ok(Flaws::default())
}

fn run_suite(args: SuiteArgs, out: &mut dyn io::Write) -> Result<Flaws> {
    let flaws = match args.command {
        Some(SuiteCommand::Merge(merge)) => {
            let (json, csv) = (merge.json.as_deref(), merge.csv.as_deref());
            let existing = merge.overwrite.existing();
            suite::merge(&merge.files, json, csv, existing, out, &mut io::stderr())?
        }
        None => {
            let options = args.run.into_options(own_command_line(NAME));
            suite::run(&options, out, &mut io::stderr())?
        }
    };
    Ok(flaws)
}

fn run_analyze(args: AnalyzeArgs, out: &mut dyn io::Write) -> Result<Flaws> {
    match args.into_task(own_command_line(NAME), &mut io::stderr())? {
        Task::Position(options) => {
            analysis::position(&options, out)?;
            Ok(Flaws::default())
        }
        Task::Games(options) => Ok(games::run(&options, out, &mut io::stderr())?),
    }
}

fn run_explore(args: ExploreArgs, out: &mut dyn io::Write) -> Result<Flaws> {
    explorer::explore(&args.into_options(&mut io::stderr())?, out)?;
    Ok(Flaws::default())
}

fn run_puzzles(args: PuzzlesArgs, out: &mut dyn io::Write) -> Result<Flaws> {
    Ok(puzzles::run(&args.into(), out, &mut io::stderr())?)
}

fn print_completions(args: &CompletionsArgs, out: &mut dyn io::Write) -> Result<Flaws> {
    out.write_all(&completions::<Cli>(args.shell))?;
    Ok(Flaws::default())
}

fn run_manual(args: &ManualArgs, out: &mut dyn io::Write) -> Result<Flaws> {
    args.write(&manual::<Cli>(), out)?;
    Ok(Flaws::default())
}

fn print_options(out: &mut dyn io::Write) -> Result<Flaws> {
    write!(out, "{}", uci::options::markdown_table())?;
    Ok(Flaws::default())
}
