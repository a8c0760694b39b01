//! A file of what searches came to on each problem, so that a long run that is killed goes on where it was.
//!
//! JSON lines: a header that says how the searches were run, then a line for each problem and search. Problems
//! are told apart by their positions and what these ask for, so a run on more of them can go on with the file of a run on fewer.

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

/// Why a file cannot be gone on with.
const OTHER: &str =
    "these states are of another version, of other searches or limits; they cannot be gone on with";

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
pub(super) struct Line {
    /// The search's number, from 0.
    search: usize,
    /// The position, and what it asks for.
    problem: String,
    /// At each mark.
    states: Vec<State>,
}

impl Line {
    pub(super) fn new(search: usize, problem: &str, states: &[State]) -> Line {
        Line {
            search,
            problem: problem.to_owned(),
            states: states.to_vec(),
        }
    }
}

/// States by the number of the search and the problem.
pub(super) type Known<const N: usize> = HashMap<(usize, String), [State; N]>;

/// The states of an earlier run, and the file that new ones go to, if the request names one.
pub(super) fn open<const N: usize>(
    request: &Request,
    settings: &[Settings],
    marks: [Mark; N],
) -> Result<(Known<N>, Option<JsonLines>)> {
    let Some((path, existing)) = request.states() else {
        return Ok((Known::new(), None));
    };
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
