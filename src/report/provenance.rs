//! Where a result comes from: command, day, machine.

use std::fs;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// What must be known to judge, or to repeat, a result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Provenance {
    /// The command that made it, as typed into a shell.
    pub command: String,
    /// The day it was begun, in UTC: `2026-11-20`.
    pub date: String,
    /// Processor, number of cores the process may use, operating system.
    pub machine: String,
}

impl Provenance {
    /// Something that is made here, now, by this command.
    pub fn here(command: impl Into<String>) -> Provenance {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        let days = since_epoch.map_or(0, |time| time.as_secs() / 86_400);
        Provenance {
            command: command.into(),
            date: civil_date(days),
            machine: machine(),
        }
    }
}

/// The command line of a process as one would type it: its own name without folders, arguments
/// quoted where a shell needs that.
pub fn command_line(program: &str, arguments: impl IntoIterator<Item = String>) -> String {
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

fn machine() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let plural = if cores == 1 { "" } else { "s" };
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let processor = processor().unwrap_or_else(|| arch.to_owned());
    format!("{processor}, {cores} core{plural}, {os}")
}

/// What Linux calls the processor; `None` elsewhere.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The date so many days after 1 January 1970 in the Gregorian calendar, counting in eras of 400
/// years that begin on 1 March, so that the leap day is a year's last.
fn civil_date(days: u64) -> String {
    const ERA: u64 = 146_097;
    let days = days + 719_468;
    let (era, day_of_era) = (days / ERA, days % ERA);
    let leap_days = day_of_era / 1_460 + day_of_era / (ERA - 1);
    let year_of_era = (day_of_era - leap_days + day_of_era / 36_524) / 365;
    let new_year = 365 * year_of_era + year_of_era / 4 - year_of_era / 100;
    let day_of_year = day_of_era - new_year;
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        let known = [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_777, "2026-11-20"),
            (20_818, "2026-12-31"),
            (47_541, "2100-03-01"),
        ];
        for (days, date) in known {
            assert_eq!(civil_date(days), date, "{days}");
        }
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
