//! The cassius binary: carries out what the command line asks for.

use std::io::{self, BufReader, Write as _};
use std::process::ExitCode;

use anyhow::Result;
use cassius::bench;
use cassius::cli::{BenchArgs, Cli, Command};
use cassius::search::Limits;
use cassius::search::registry::Settings;
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
    let filter = env_logger::Env::default().default_filter_or("off");
    env_logger::Builder::from_env(filter).init();
    let done = match cli.command {
        None | Some(Command::Uci) => {
            uci::run(BufReader::new(io::stdin()), io::stdout());
            Ok(())
        }
        Some(Command::Bench(args)) => run_bench(&args),
        Some(Command::Options) => print_options(),
    };
    ExitCode::from(match done {
        Err(error) if !is_closed_pipe(&error) => {
            let _ = writeln!(io::stderr(), "cassius: {error:#}");
            Exit::Failure
        }
        _ => Exit::Success,
    })
}

/// Whether the reader of our output has gone away, as `| head` does: it has what it wanted.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn run_bench(args: &BenchArgs) -> Result<()> {
    let settings = Settings {
        algorithm: args.search,
        hash_megabytes: args.hash,
    };
    let limits = Limits {
        iterations: Some(args.iterations),
        ..Limits::nodes(args.nodes)
    };
    let mut out = io::stdout();
    let outcome = bench::run(&settings, &limits, |fen, report| {
        let (nodes, value) = (report.nodes, report.value.to_string());
        let iteration = report.iteration;
        writeln!(
            out,
            "{nodes:>9} nodes, iteration {iteration:>2}, {value:>6}  {fen}"
        )
    })?;
    writeln!(out, "{outcome}")?;
    Ok(())
}

fn print_options() -> Result<()> {
    write!(io::stdout(), "{}", uci::options::markdown_table())?;
    Ok(())
}
