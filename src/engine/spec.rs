//! Names on the command line: a search as `NAME[:OPTION=VALUE]...`, a position as a FEN.

use std::fmt;
#[cfg(feature = "cli")]
use std::io::Write;
use std::str::FromStr;

use thiserror::Error;

use super::options::{self, OPTIONS, SURENESS_MARGIN};
use super::settings::EngineSettings;
use crate::games::chess::Evaluation;
#[cfg(feature = "cli")]
use crate::games::chess::{
    Position,
    notation::{Castling, FenError, read_fen},
};
use crate::profile::Margin;
use crate::search::registry::Algorithm;

/// One of our searches with options of the engine (`OPTIONS`): `NAME[:OPTION=VALUE]...`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchSpec {
    algorithm: Algorithm,
    options: Vec<(String, String)>,
}

/// The reason why a text names no search: an unknown name or option, an invalid value, or a part not of the form
/// OPTION=VALUE.
#[derive(PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SpecError(String);

impl SearchSpec {
    /// Sets the search and its options in `settings`.
    pub fn apply(&self, settings: &mut EngineSettings) -> Result<(), SpecError> {
        for (name, value) in &self.options {
            options::set(OPTIONS, settings, name, value).map_err(SpecError)?;
        }
        settings.search.algorithm = self.algorithm;
        Ok(())
    }

    /// This search with another margin.
    #[must_use]
    pub(crate) fn with_margin(mut self, margin: Margin) -> SearchSpec {
        let value = margin.centipawns().to_string();
        self.options.push((SURENESS_MARGIN.to_owned(), value));
        self
    }

    /// The settings it stands for, with this evaluation and memory as defaults.
    pub fn settings(&self, evaluation: Evaluation, hash_megabytes: usize) -> EngineSettings {
        let mut settings = EngineSettings {
            evaluation,
            ..EngineSettings::default()
        };
        settings.search.hash_megabytes = hash_megabytes;
        // The options were validated on default settings when the specification was read.
        let _ = self.apply(&mut settings);
        settings
    }
}

impl From<Algorithm> for SearchSpec {
    /// A search without options.
    fn from(algorithm: Algorithm) -> SearchSpec {
        SearchSpec {
            algorithm,
            options: Vec::new(),
        }
    }
}

impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.algorithm.name())?;
        let mut options = self.options.iter();
        options.try_for_each(|(name, value)| write!(f, ":{name}={value}"))
    }
}

impl FromStr for SearchSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<SearchSpec, SpecError> {
        let mut parts = text.split(':');
        let algorithm: Result<Algorithm, _> = parts.next().unwrap_or_default().trim().parse();
        let algorithm = algorithm.map_err(|unknown| SpecError(unknown.to_string()))?;
        let mut spec = SearchSpec::from(algorithm);
        for option in options_of(parts) {
            let pair = option.split_once('=');
            let (name, value) = pair.ok_or_else(|| {
                let found = option.trim();
                SpecError(format!("expected OPTION=VALUE, found '{found}'"))
            })?;
            let option = (name.trim().to_owned(), value.trim().to_owned());
            spec.options.push(option);
        }
        spec.apply(&mut EngineSettings::default())?;
        Ok(spec)
    }
}

/// Reads a FEN from the command line. Reports dropped castling rights to `err`.
#[cfg(feature = "cli")]
pub(crate) fn position(
    fen: &str,
    is_chess960: bool,
    err: &mut dyn Write,
) -> Result<Position, FenError> {
    let castling = Castling::of(is_chess960);
    let read = read_fen(fen, castling)?;
    if let Some(rights) = read.dropped {
        let hint = castling.hint("--chess960");
        // The position is valid even if the message cannot be written.
        let _ = writeln!(err, "cassius: {rights}{hint}");
    }
    Ok(read.position)
}

/// Options with their values, joined again from parts between colons. A value may hold colons, as paths do: a part
/// without `=` belongs to the value before it.
fn options_of<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    for part in parts {
        match options.last_mut() {
            Some(last) if !part.contains('=') => {
                last.push(':');
                last.push_str(part);
            }
            _ => options.push(part.to_owned()),
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::best_first::{BranchRule, StorageKind};

    #[test]
    fn a_search_takes_options_and_values_with_blanks() {
        let text =
            "best-first:Best-First=branch-rule=likelihoods'+rr storage=compromise : hash = 5";
        let spec: SearchSpec = text.parse().unwrap();
        let settings = spec.settings(Evaluation::Tactical, 3).search;
        assert_eq!(settings.algorithm, Algorithm::BestFirst);
        assert_eq!(settings.hash_megabytes, 5);
        let best_first = settings.best_first;
        assert_eq!(
            best_first.branch_rule,
            BranchRule::PrimedLikelihoodsRoundRobin
        );
        assert_eq!(best_first.storage, StorageKind::Compromise);
    }

    #[test]
    fn a_value_may_have_colons() {
        let options = |text: &str| options_of(text.split(':'));
        assert_eq!(
            options("SyzygyPath=/a:/b:Hash=5"),
            ["SyzygyPath=/a:/b", "Hash=5"]
        );
        assert_eq!(options(r"EvalFile=C:\x.net"), [r"EvalFile=C:\x.net"]);
        assert_eq!(options("late"), ["late"]);
        for bad in ["depth-first:", "depth-first:late", "depth-first:Hash=5:"] {
            assert!(bad.parse::<SearchSpec>().is_err(), "{bad}");
        }
    }
}
