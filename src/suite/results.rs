//! Results of a suite, and their file.
//!
//! The file holds JSON lines: a [`Header`] with the conditions of the run, then an [`Entry`] for each position and
//! search. Entries are written as soon as they are known, so a killed run loses at most the search under way, and
//! continues there.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::engine::limit::Limit;
use crate::output::csv::{Column, optional};
use crate::output::json_lines::{self, Lines};
use crate::output::output_file::{self, Existing, OutputError};
use crate::output::provenance::Provenance;
use crate::output::shard::Shard;

/// Conditions of a run. Runs can be merged if they agree in all but the shard, place and time. A continued run must
/// agree in the shard too.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    pub cassius: String,
    /// The EPD files, in order.
    pub files: Vec<String>,
    /// Number of positions in the files.
    pub positions: usize,
    /// The filter on positions; `None` for all.
    pub filter: Option<String>,
    /// The part of the filtered positions that was run; `None` for all of them.
    pub shard: Option<Shard>,
    /// The limit of each search.
    pub limit: Limit,
    /// Memory of each search, in MiB.
    pub hash_mb: usize,
    /// Names of the searches and engines, in the order in which they searched each position.
    pub searches: Vec<String>,
    /// For each name the checksum of its network; `None` for other evaluations and engines. Empty in older files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<Option<String>>,
    /// For each name the engine's SHA-256 (first digits) and arguments; `None` for our searches. Empty in older files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Option<String>>,
    /// Provenance: one run, or all runs merged.
    #[serde(default)]
    pub runs: Vec<Provenance>,
}

impl Header {
    /// The first condition in which the two runs differ, by name; shards, machines and days may differ, and so may
    /// unknown commits.
    pub fn difference(&self, other: &Header) -> Option<&'static str> {
        let same_commit = |run: &Provenance| {
            let mut others = other.runs.iter();
            others.all(|other| run.may_be_of_one_commit(other))
        };
        // Older files lack networks and programs.
        let same = |own: &[Option<String>], others: &[Option<String>]| {
            own.is_empty() || others.is_empty() || own == others
        };
        let checks = [
            ("version of cassius", self.cassius == other.cassius),
            ("commit of cassius", self.runs.iter().all(same_commit)),
            ("EPD files", self.files == other.files),
            ("number of positions", self.positions == other.positions),
            ("filter", self.filter == other.filter),
            ("limits", self.limit == other.limit),
            ("hash size", self.hash_mb == other.hash_mb),
            ("searches", self.searches == other.searches),
            ("networks", same(&self.networks, &other.networks)),
            ("engines", same(&self.programs, &other.programs)),
        ];
        let different = checks.into_iter().find(|(_, same)| !same);
        different.map(|(name, _)| name)
    }
}

/// A moment of a search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Moment {
    /// Milliseconds since the search began.
    pub ms: f64,
    /// Nodes visited by then.
    pub nodes: u64,
    /// Iteration under way or completed.
    pub iteration: u32,
}

/// The result of one search of one position.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether it solved the position.
    pub solved: bool,
    /// Its move, in standard algebraic notation.
    #[serde(rename = "move")]
    pub best_move: Option<String>,
    /// Its value for the side to move, in centipawns, unless it claims a mate.
    pub cp: Option<i32>,
    /// Moves to the mate it claims, negative if the side to move is mated.
    pub mate: Option<i32>,
    /// Whether the line of that mate leads to it: it ends in mate for the right side after this number of moves. `None`
    /// if no mate is claimed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mate_shown: Option<bool>,
    /// Last completed iteration: depth, demand or conspiracy threshold.
    pub iteration: u32,
    /// Deepest ply visited.
    pub seldepth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// Time, in milliseconds.
    pub ms: f64,
    /// The moment from which the right answer was given until the end. `None` if the final answer is wrong.
    pub solution: Option<Moment>,
    /// The reason for having no answer: a panic of our search, or an engine that crashed, hung or gave no legal move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure: Option<String>,
}

/// A position of a suite, a search, and its result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Number of the position in the files, from 1.
    pub position: usize,
    pub id: String,
    pub fen: String,
    /// The goal, as EPD operations.
    pub goal: String,
    pub search: String,
    /// The result.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// A whole file of results.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// Conditions of the run.
    pub header: Header,
    /// The results, in the order of positions and searches.
    pub entries: Vec<Entry>,
}

impl Results {
    /// Reads a file of results, finished or not.
    pub fn read(path: &Path) -> Result<Results> {
        Results::from_lines(path, json_lines::read_lines(path)?)
    }

    /// Results from the lines of a file, finished or not.
    pub(crate) fn from_lines<R: Read>(path: &Path, mut lines: Lines<R>) -> Result<Results> {
        let (_, header) = lines.parse_next()?.ok_or_else(|| nothing_in(path))?;
        let mut entries: Vec<Entry> = Vec::new();
        let mut known = BTreeSet::new();
        while let Some((line, entry)) = lines.parse_next::<Entry>()? {
            let Entry { id, search, .. } = &entry;
            ensure!(
                known.insert((entry.position, search.clone())),
                "{}:{line}: {id} by {search} is in the file already; remove one of the two lines",
                path.display()
            );
            entries.push(entry);
        }
        let mut results = Results { header, entries };
        results.sort();
        Ok(results)
    }

    /// Merges results of several shards. Runs may be unfinished, and an entry may be in several files if it is the same
    /// in all.
    pub fn merge(paths: &[PathBuf]) -> Result<Results> {
        let mut merged: Option<Results> = None;
        for path in paths {
            let next = Results::read(path)?;
            let Some(whole) = &mut merged else {
                merged = Some(next);
                continue;
            };
            let difference = whole.header.difference(&next.header);
            difference.map_or(Ok(()), |what| Err(different(path, what)))?;
            whole.header.shard = None;
            for run in &next.header.runs {
                if !whole.header.runs.contains(run) {
                    whole.header.runs.push(run.clone());
                }
            }
            whole.entries.extend(next.entries);
            whole.sort();
            whole.entries.dedup();
            let key = |it: &Entry| (it.position, it.search.clone());
            let mut pairs = whole.entries.windows(2);
            if let Some(pair) = pairs.find(|pair| key(&pair[0]) == key(&pair[1])) {
                let (path, Entry { id, search, .. }) = (path.display(), &pair[1]);
                bail!("{path}: {id} by {search} has two different outcomes");
            }
        }
        let merged = merged.filter(|it| !it.entries.is_empty());
        let first = paths.first().cloned().unwrap_or_default();
        merged.ok_or_else(|| nothing_in(&first))
    }

    fn sort(&mut self) {
        let searches = &self.header.searches;
        let rank = |search: &str| searches.iter().position(|name| name == search);
        // Entries of one position and search stand side by side, even if the header lacks the search.
        self.entries
            .sort_by_cached_key(|it| (it.position, rank(&it.search), it.search.clone()));
    }

    /// Writes all results to a file.
    pub fn write(&self, path: &Path, existing: Existing) -> Result<(), OutputError> {
        let mut text = json_lines::to_line(path, &self.header)?;
        for entry in &self.entries {
            text.push_str(&json_lines::to_line(path, entry)?);
        }
        output_file::write(path, existing, text.as_bytes())
    }
}

fn nothing_in(path: &Path) -> Error {
    anyhow!("{}: there are no results in this file", path.display())
}

/// The error for a file whose run had other conditions.
pub(super) fn different(path: &Path, what: &str) -> Error {
    let path = path.display();
    anyhow!("{path}: made under different conditions ({what}); it cannot be continued or merged")
}

/// The columns of a CSV file of results.
pub(crate) const CSV: [Column<Entry>; 16] = [
    ("position", |it| it.position.to_string()),
    ("id", |it| it.id.clone()),
    ("search", |it| it.search.clone()),
    ("solved", |it| it.outcome.solved.to_string()),
    ("move", |it| optional(it.outcome.best_move.as_ref())),
    ("goal", |it| it.goal.clone()),
    ("cp", |it| optional(it.outcome.cp)),
    ("mate", |it| optional(it.outcome.mate)),
    ("iteration", |it| it.outcome.iteration.to_string()),
    ("seldepth", |it| it.outcome.seldepth.to_string()),
    ("nodes", |it| it.outcome.nodes.to_string()),
    ("ms", |it| format!("{:.1}", it.outcome.ms)),
    ("solution_ms", |it| {
        solution(it, |at| format!("{:.1}", at.ms))
    }),
    ("solution_nodes", |it| solution(it, |at| at.nodes)),
    ("solution_iteration", |it| solution(it, |at| at.iteration)),
    ("failure", |it| optional(it.outcome.failure.as_ref())),
];

/// A property of the moment since which the answer was right; empty if the final answer is wrong.
fn solution<T: ToString>(entry: &Entry, of: fn(Moment) -> T) -> String {
    optional(entry.outcome.solution.map(of))
}
