//! The command line: the list of commands. The options of each are defined beside the code that carries it out.

mod manual;
pub mod program;

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context as _, Result, bail};
use clap::builder::ValueHint;
use clap::{CommandFactory, Parser, Subcommand};
pub use clap_complete::Shell;

use crate::bench;
use crate::explanation::command as explanation;
use crate::explorer::command as explorer;
use crate::game_report::{command as games, options as analysis};
use crate::output::flaws::Flaws;
use crate::output::output_file::OverwriteArgs;
use crate::puzzles::command as puzzles;
use crate::suite::command as suite;
use crate::suite::options::SuiteArgs;
use crate::uci;
use crate::version;

use program::UNWRITABLE;

/// A chess engine that searches by conspiracy numbers.
///
/// Without a command, Cassius speaks UCI on standard input and output: that is how chess GUIs and
/// match runners start it.
#[derive(Debug, Parser)]
#[command(version = version::WITH_NETWORK, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  cassius analyze game.pgn --html game.html
  cassius analyze --fen '8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1'
  printf 'position startpos\\ngo movetime 1000\\n' | cassius
  cassius suite epd/wac.epd --movetime 1000
  cassius lab list

Set RUST_LOG=debug to log what the engine is told and does, on standard error.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Speak UCI on standard input and output (the default)
    Uci,
    /// Search a fixed list of positions and print the node count and the speed
    ///
    /// The count is the same every time: it changes only when the search or the evaluation does.
    Bench(bench::Options),
    /// Solve test positions with several searches side by side, and compare them
    Suite(Box<SuiteArgs>),
    /// Show how sure the value of a position is, or of each position of a game; annotate games
    #[command(alias = "analyse")]
    Analyze(Box<analysis::Options>),
    /// Show the tree that a search has grown: a page with a board and branches to unfold
    Explore(Box<explorer::Options>),
    /// Tell why a search does not play a move: what it asked along a line, and where it gave the line up
    Explain(Box<explanation::Options>),
    /// Find puzzles in games: one move is better than all others, and not easily seen
    Puzzles(Box<puzzles::Options>),
    /// Repeat the experiments of the papers that Cassius follows, play games to learn from, train networks
    #[command(disable_help_flag = true)]
    Lab {
        /// Arguments of `cassius-lab`; `cassius lab --help` lists them
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "ARGUMENTS"
        )]
        arguments: Vec<OsString>,
    },
    /// Print the script by which a shell completes commands and options
    #[command(after_help = COMPLETIONS)]
    Completions {
        /// The shell that is to read the script
        shell: Shell,
    },
    /// Write the pages that `man` shows
    Manual {
        /// Write the pages of all commands to this folder, one file for each, in the language that `man` reads
        #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
        /// Whether existing files are replaced.
        #[command(flatten)]
        overwrite: OverwriteArgs,
    },
    /// Print the UCI options as a Markdown table
    #[command(hide = true)]
    Options,
}

impl Cli {
    /// Whether the command also writes files, besides what it prints.
    pub fn writes_files(&self) -> bool {
        match &self.command {
            Some(Command::Suite(args)) => is_any_given(&args.outputs()),
            Some(Command::Analyze(options)) => is_any_given(&options.outputs()),
            Some(Command::Explore(options)) => is_any_given(&[&options.html, &options.tree]),
            Some(Command::Puzzles(options)) => is_any_given(&[&options.epd, &options.html]),
            Some(Command::Manual { .. }) => true,
            None
            | Some(
                Command::Uci
                | Command::Bench(_)
                | Command::Explain(_)
                | Command::Lab { .. }
                | Command::Completions { .. }
                | Command::Options,
            ) => false,
        }
    }

    /// Carries out the command; `out` receives what it prints.
    ///
    /// # Errors
    /// If the command did not reach its end; the error says why.
    pub fn carry_out(self, out: &mut dyn Write) -> Result<Flaws> {
        let mut err = program::errors();
        let done = match self.command.unwrap_or(Command::Uci) {
            Command::Suite(args) => return suite::suite(&args, out, &mut err),
            Command::Analyze(options) => return games::analyze(&options, out, &mut err),
            Command::Puzzles(options) => return puzzles::run(&options, out, &mut err),
            Command::Uci => speak_uci(),
            Command::Bench(options) => bench::bench(&options, out),
            Command::Explore(options) => explorer::explore(&options, out, &mut err),
            Command::Explain(options) => explanation::run(&options, out, &mut err),
            Command::Lab { arguments } => run_laboratory(&arguments),
            Command::Completions { shell } => write_completions::<Cli>(shell, out),
            Command::Manual { folder, overwrite } => {
                manual::write::<Cli>(&folder, overwrite.existing())
            }
            Command::Options => Ok(write!(out, "{}", uci::options::markdown_table())?),
        };
        done.map(|()| Flaws::default())
    }
}

const COMPLETIONS: &str = "\
Examples:
  cassius completions bash > ~/.local/share/bash-completion/completions/cassius
  cassius completions zsh > ~/.zfunc/_cassius       # with fpath+=~/.zfunc before compinit in ~/.zshrc
  cassius completions fish > ~/.config/fish/completions/cassius.fish
  cassius completions powershell >> $PROFILE";

/// Writes the shell's completion script for the program `C`.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_completions<C: CommandFactory>(shell: Shell, out: &mut dyn Write) -> Result<()> {
    let mut command = C::command();
    let name = command.get_name().to_owned();
    // Into memory first: the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    Ok(out.write_all(&script)?)
}

/// The laboratory, a program of its own.
const LAB: &str = "cassius-lab";

/// Runs `cassius-lab` from the folder of this program, and ends this process with its exit code.
///
/// # Errors
/// If it is missing, or cannot be started.
fn run_laboratory(arguments: &[OsString]) -> Result<()> {
    // The path may be a link to this program.
    let own = std::env::current_exe().and_then(|it| it.canonicalize());
    let path = own
        .context(LAB)?
        .with_file_name(format!("{LAB}{EXE_SUFFIX}"));
    match process::Command::new(&path).args(arguments).status() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
            "the laboratory is a program of its own, and there is no {}; `cargo build --release --workspace` builds both",
            path.display()
        ),
        ended => process::exit(ended.context(LAB)?.code().unwrap_or(1)),
    }
}

/// Holds a UCI conversation on standard input and output.
fn speak_uci() -> Result<()> {
    match uci::run(BufReader::new(io::stdin()), io::stdout()) {
        Err(error) if error.kind() == io::ErrorKind::OutOfMemory => Err(error.into()),
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context(UNWRITABLE),
        _ => Ok(()),
    }
}

/// Whether one of these is a file; `-` is standard output.
pub fn is_any_given(files: &[&Option<PathBuf>]) -> bool {
    let mut files = files.iter().filter_map(|file| file.as_deref());
    files.any(|file| file != Path::new("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }
}
