//! A file of what searches came to on each problem, so that a long run that is killed goes on where it was.
//!
//! JSON lines: a header that says how the searches were run, then a line for each problem and search. Problems
//! are told apart by their positions and what these ask for, so a run on more of them can go on with the file of a run on fewer.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::anyhow;
use serde::{Deserialize, Serialize};

use crate::experiment::{LabError, Request};
use crate::timeline::{Mark, State};
use cassius::output::json_lines::{self, JsonLines};
use cassius::output::output_file::OutputError;
use cassius::output::provenance::Provenance;
use cassius::search::registry::Settings;
use cassius::version;

/// How the searches of a file were run. They can be gone on with if all of it is the same.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Header {
    /// Version of Cassius.
    states_of: String,
    /// Its commit, if that is known.
    commit: Option<String>,
    /// The searches, in order.
    searches: Vec<String>,
    /// When they are looked at.
    marks: Vec<String>,
}

/// What a search came to on a problem.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    /// The search's number, from 0.
    search: usize,
    /// The position, and what it asks for.
    problem: String,
    /// At each mark.
    states: Vec<State>,
}

/// The error where a file's states were come to under other conditions.
fn other_states(path: &Path) -> LabError {
    let path = path.display();
    anyhow!(
        "{path}: these states are of another version, of other searches or limits; they cannot be gone on with"
    )
}

/// States that are known already, and the file that new ones go to, if one was asked for.
pub(super) struct Kept<const N: usize> {
    known: HashMap<(usize, String), [State; N]>,
    file: Option<Mutex<File>>,
}

struct File {
    lines: JsonLines,
    /// Why it could not be written, if so: told at the end.
    failure: Option<OutputError>,
}

impl<const N: usize> Kept<N> {
    /// Opens the request's file, if it names one.
    pub(super) fn open(
        request: &Request,
        settings: &[Settings],
        marks: [Mark; N],
    ) -> Result<Kept<N>, LabError> {
        let mut known = HashMap::new();
        let Some((path, existing)) = request.states() else {
            return Ok(Kept { known, file: None });
        };
        let header = Header {
            states_of: version::NUMBER.to_owned(),
            commit: Provenance::here(String::new()).commit,
            searches: settings.iter().map(|it| format!("{it:?}")).collect(),
            marks: marks.iter().map(|it| format!("{it:?}")).collect(),
        };
        let mut lines = JsonLines::open(path, existing, &header)?;
        if lines.is_empty() {
            lines.push(&header)?;
        } else {
            for (number, line) in lines.lines()?.enumerate() {
                let (at, text) = line?;
                if number == 0 {
                    let found: Header = json_lines::parse(path, at, &text)?;
                    if found != header {
                        return Err(other_states(path));
                    }
                    continue;
                }
                let line: Line = json_lines::parse(path, at, &text)?;
                let states = <[State; N]>::try_from(line.states);
                let states = states.map_err(|_| other_states(path))?;
                known.insert((line.search, line.problem), states);
            }
        }
        let file = File {
            lines,
            failure: None,
        };
        let file = Some(Mutex::new(file));
        Ok(Kept { known, file })
    }

    /// What a search came to on a problem in an earlier run.
    pub(super) fn known(&self, search: usize, problem: &str) -> Option<[State; N]> {
        self.known.get(&(search, problem.to_owned())).copied()
    }

    /// Writes down what a search came to.
    pub(super) fn keep(&self, search: usize, problem: &str, states: &[State; N]) {
        let Some(file) = &self.file else { return };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let line = Line {
            search,
            problem: problem.to_owned(),
            states: states.to_vec(),
        };
        if file.failure.is_none() {
            file.failure = file.lines.push(&line).err();
        }
    }

    /// Whether something could not be written down. Nothing that comes after it is.
    pub(super) fn has_failed(&self) -> bool {
        let failed = |file: &Mutex<File>| {
            let file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.failure.is_some()
        };
        self.file.as_ref().is_some_and(failed)
    }

    /// Whether all could be written down.
    pub(super) fn check(self) -> Result<(), LabError> {
        let file = self.file.map(Mutex::into_inner);
        let file = file.map(|it| it.unwrap_or_else(PoisonError::into_inner));
        match file.and_then(|it| it.failure) {
            Some(failure) => Err(failure.into()),
            None => Ok(()),
        }
    }
}
