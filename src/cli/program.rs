//! Start and end of `cassius` and `cassius-lab`: parsing the command line, running the command, the exit code.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Parser;
use clap::error::{ContextKind, ContextValue};

use crate::engine::fault;
use crate::lines::is_unprintable;
use crate::output::flaws::Flaws;
use crate::output::plain::Plain;

/// Error for a failed write to standard output.
pub const UNWRITABLE: &str = "standard output cannot be written to";

/// Parses the command line of a program and runs it; returns the exit code: 0 if all was done, 1 if something was
/// skipped or failed, 2 if the command line is wrong. Errors go to standard error after the program's name; the count
/// of skipped items and failures is the last line there.
///
/// `writes_files` tells whether the command also writes files. A closed standard output, as with `| head`, is success
/// unless files may be incomplete.
pub fn run<C: Parser>(
    name: &str,
    writes_files: impl FnOnce(&C) -> bool,
    carry_out: impl FnOnce(C, &mut dyn Write) -> Result<Flaws>,
) -> ExitCode {
    let command_line = match C::try_parse() {
        Ok(command_line) => command_line,
        Err(usage) => return print_usage(name, &with_tip(usage)),
    };
    fault::note_panics();
    let writes_files = writes_files(&command_line);
    let mut out = Heard {
        inner: Plain::new(io::stdout()),
        closed: false,
    };
    let done = match carry_out(command_line, &mut out) {
        Err(error) if out.closed && writes_files => Err(anyhow!(
            "standard output: {error}; the files may not be complete"
        )),
        Err(_) if out.closed => Ok(Flaws::default()),
        done => done,
    };
    match done {
        Ok(flaws) if flaws.is_none() => ExitCode::SUCCESS,
        // Errors begin with the name, by which scripts distinguish them from the count.
        Ok(flaws) => failed(&flaws.to_string()),
        Err(error) => failed(&format!("{name}: {error:#}")),
    }
}

/// Writes a reason to standard error.
fn failed(why: &str) -> ExitCode {
    // A failure here cannot be reported.
    let _ = writeln!(errors(), "{why}");
    ExitCode::FAILURE
}

/// Standard error, on which nothing is a command to a terminal.
pub fn errors() -> impl Write {
    Plain::new(io::stderr())
}

/// The error of usage, with a tip where a file of games or of test positions was given in place of a command.
fn with_tip(mut usage: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(file)) = usage.get(ContextKind::InvalidSubcommand) {
        let extension = Path::new(file).extension().unwrap_or_default();
        let tip = match extension.to_ascii_lowercase().to_str() {
            Some("pgn") => format!("to judge its games: cassius analyze '{file}'"),
            Some("epd") => {
                format!("to solve its positions: cassius suite '{file}' --movetime 1000")
            }
            _ => return usage,
        };
        usage.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
    usage
}

/// Prints help, the version, or an error of usage.
fn print_usage(name: &str, usage: &clap::Error) -> ExitCode {
    let is_odd = |it: OsString| it.to_string_lossy().contains(is_unprintable);
    let printed = if usage.use_stderr() && env::args_os().any(is_odd) {
        // Without the colours, which are commands too.
        errors().write_all(usage.to_string().as_bytes())
    } else {
        usage.print().and_then(|()| io::stdout().flush())
    };
    match printed {
        Err(error) if !usage.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
            failed(&format!("{name}: {UNWRITABLE}: {error}"))
        }
        _ => ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(1)),
    }
}

/// Standard output that notes whether its reader is gone.
struct Heard {
    inner: Plain<io::Stdout>,
    closed: bool,
}

impl Heard {
    fn noted<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        self.closed |= matches!(&done, Err(error) if error.kind() == io::ErrorKind::BrokenPipe);
        done
    }
}

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.inner.write(bytes);
        self.noted(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.inner.flush();
        self.noted(done)
    }
}
