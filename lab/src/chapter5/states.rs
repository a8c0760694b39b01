//! A file of the states of searches on each problem, from which a killed run can be continued.
//!
//! JSON lines: a header with the searches and marks, then a line for each problem and search. Problems are identified
//! by position and goal, so a run on more of them can continue the file of a run on fewer.

use std::collections::HashMap;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::experiment::Request;
use crate::resumption::resume;
use crate::timeline::{Mark, State};
use cassius::output::json_lines::JsonLines;
use cassius::output::provenance::Provenance;
use cassius::search::registry::Settings;
use cassius::version;

/// Error for a file of another run.
const OTHER: &str =
    "these states are of another version, of other searches or limits; they cannot be gone on with";

/// Version, commit, searches and marks of a file. A run can continue it only if all are the same.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Header {
    /// Version of Cassius.
    states_of: String,
    /// Commit of Cassius, if known.
    commit: Option<String>,
    /// The searches, in order.
    searches: Vec<String>,
    /// Marks at which states are taken.
    marks: Vec<String>,
}

/// States of one search on one problem.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// Index of the search, from 0.
    pub(super) search: usize,
    /// The position with its goal.
    pub(super) problem: String,
    /// The state at each mark.
    pub(super) states: Vec<State>,
}

/// States by index of the search and by problem.
pub(super) type Known<const N: usize> = HashMap<(usize, String), [State; N]>;

/// Opens the file that the request names; returns its states and the file for new ones, or neither without a name.
pub(super) fn open<const N: usize>(
    request: &Request,
    settings: &[Settings],
    marks: [Mark; N],
) -> Result<(Known<N>, Option<JsonLines>)> {
    let Some(path) = &request.states else {
        return Ok((Known::new(), None));
    };
    let existing = request.overwrite.or_resume(request.resume);
    let header = Header {
        states_of: version::NUMBER.to_owned(),
        commit: Provenance::here(String::new()).commit,
        searches: settings.iter().map(|it| format!("{it:?}")).collect(),
        marks: marks.iter().map(|it| format!("{it:?}")).collect(),
    };
    let (file, lines) = resume(path, existing, &header, |_| OTHER.to_owned())?;
    let known = lines.into_iter().map(|line: Line| {
        let states = line.states.try_into().ok();
        let states = states.with_context(|| format!("{}: {OTHER}", path.display()))?;
        Ok(((line.search, line.problem), states))
    });
    Ok((known.collect::<Result<_>>()?, Some(file)))
}
