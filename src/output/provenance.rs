//! Provenance of a result: command, commit, day, machine.

use std::fs;
use std::thread;

use serde::{Deserialize, Serialize};

use crate::version;

/// All that is needed to judge or repeat a result.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The command that made the result, as typed into a shell.
    pub command: String,
    /// Commit of Cassius (see [`version::COMMIT`]); `None` in results from before commits were recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Day of the start, in UTC: `2026-11-20`; empty without a clock.
    pub date: String,
    /// Processor, number of cores the process may use, operating system.
    pub machine: String,
}

impl Provenance {
    /// The provenance of a result made here and now by `command`.
    pub fn here(command: impl Into<String>) -> Provenance {
        Provenance {
            command: command.into(),
            commit: Some(version::COMMIT.to_owned()),
            date: today(),
            machine: machine(),
        }
    }

    /// Whether both have the same commit, or one is unknown.
    pub(crate) fn may_be_of_one_commit(&self, other: &Provenance) -> bool {
        let known = |it: &Provenance| it.commit.clone().filter(|it| it != version::UNKNOWN);
        match (known(self), known(other)) {
            (Some(own), Some(others)) => own == others,
            _ => true,
        }
    }
}

/// The command line of this process as typed into a shell, with `program` as the program's name.
pub fn own_command_line(program: &str) -> String {
    let arguments = std::env::args_os().skip(1);
    command_line(
        program,
        arguments.map(|argument| argument.to_string_lossy().into_owned()),
    )
}

/// A command line as one would type it: the program's name as given, arguments quoted where a shell needs it.
fn command_line(program: &str, arguments: impl IntoIterator<Item = String>) -> String {
    let quoted = arguments.into_iter().map(|argument| quote(&argument));
    let words: Vec<String> = std::iter::once(program.to_owned()).chain(quoted).collect();
    words.join(" ")
}

fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=+,./:@%#".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(feature = "cli")]
fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

#[cfg(not(feature = "cli"))]
fn today() -> String {
    String::new()
}

fn machine() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let plural = if cores == 1 { "" } else { "s" };
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let processor = processor().unwrap_or_else(|| arch.to_owned());
    format!("{processor}, {cores} core{plural}, {os}")
}

/// Linux's name for the processor; `None` elsewhere.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_is_written_year_first() {
        let date = Provenance::here("cassius").date;
        let parts: Vec<usize> = date.split('-').map(str::len).collect();
        assert_eq!(parts, [4, 2, 2], "{date}");
    }

    #[test]
    fn commands_can_be_typed_again() {
        let words = [
            "suite",
            "epd/wac.epd",
            "--engine",
            "gnuchess --uci",
            "",
            "it's",
        ];
        assert_eq!(
            command_line("cassius", words.map(str::to_owned)),
            r"cassius suite epd/wac.epd --engine 'gnuchess --uci' '' 'it'\''s'"
        );
    }
}
