//! A page of recorded results.
//!
//! A folder holds sections, which are Markdown files, and results, which are JSON files. The page is
//! the sections in the order of their names, where a line `{{FILE.json}}` stands for all that is to
//! be shown of a file of results, `{{FILE.json TABLE}}` for one table with its picture, and
//! `{{FILE.json made}}` for what was done and how it was made. So words are written by hand, and no
//! number is: a figure in a sentence is quoted from a file as [`inline`] says. Both outcomes of experiments and result files of suites will do; of a suite with many searches
//! `{{FILE.json against SEARCH}}` compares only that one with each of the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::outcome::{Outcome, Table};
use super::{inline, text};
use cassius::output::output_file::OutputError;
use cassius::output::table::Table as Columns;
use cassius::suite::compare;
use cassius::suite::results::{Header, Results};
use cassius::version;

/// Why there is no page.
#[derive(Debug, Error)]
pub enum PageError {
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A file or folder that cannot be read, or standard output.
    #[error("{}: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What happened.
        reason: io::Error,
    },
    /// A file that is neither an outcome nor results of a suite.
    #[error("{}: neither the result of an experiment ({reason}) nor of a suite", path.display())]
    Json {
        /// Which.
        path: PathBuf,
        /// Why it is no outcome.
        reason: serde_json::Error,
    },
    /// Results of a suite that cannot be read.
    #[error(transparent)]
    Results(#[from] anyhow::Error),
    /// A line of a section that stands for something that is not there.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The section.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// Results that no section shows.
    #[error("{}: no section of the page shows this file", path.display())]
    Unused {
        /// The file.
        path: PathBuf,
    },
}

/// A file of results.
enum Recorded {
    Experiment(Box<Outcome>),
    Suite(Box<Results>),
}

/// The page of the results in a folder. Links to pictures expect it beside the folder.
pub fn generate(folder: &Path) -> Result<String, PageError> {
    let files = files(folder)?;
    let with_ending = |ending: &str| {
        let has_it = |path: &&PathBuf| path.extension().is_some_and(|it| it == ending);
        files.iter().filter(has_it).cloned().collect::<Vec<_>>()
    };
    let mut recorded = BTreeMap::new();
    for path in with_ending("json") {
        recorded.insert(name(&path), read(&path)?);
    }
    let pictures = name(folder);
    let mut page = format!(
        "<!-- Made by `cassius lab page`: change what is in {pictures}/ and make it again. -->\n"
    );
    let mut shown = BTreeSet::new();
    for path in with_ending("md") {
        let section = fs::read_to_string(&path).map_err(at(&path))?;
        page.push('\n');
        for (number, line) in (1..).zip(section.trim().lines()) {
            let wrong = |reason| PageError::Line {
                path: path.clone(),
                line: number,
                reason,
            };
            let Some(what) = placeholder(line) else {
                let outcome = |file: &str| match recorded.get(file) {
                    Some(Recorded::Experiment(outcome)) => Some(&**outcome),
                    _ => None,
                };
                let words = inline::expand(line.trim_end(), outcome).map_err(wrong)?;
                page.push_str(&words);
                page.push('\n');
                continue;
            };
            let (file, part) = what.split_once(' ').unwrap_or((what, ""));
            let inserted = recorded
                .get(file)
                .ok_or_else(|| format!("there is no {file} in the folder"))
                .and_then(|it| show(it, file, part.trim(), &pictures))
                .map_err(wrong)?;
            page.push_str(inserted.trim_end());
            page.push('\n');
            shown.insert(file.to_owned());
        }
    }
    match recorded.into_keys().find(|file| !shown.contains(file)) {
        Some(file) => Err(PageError::Unused {
            path: folder.join(file),
        }),
        None => Ok(page),
    }
}

/// What a line stands for, if it stands for something.
fn placeholder(line: &str) -> Option<&str> {
    let inner = line.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    // Otherwise it is a figure, or several, which begin and end a line of words.
    let is_whole = !inner.contains(';') && !inner.contains("{{");
    is_whole.then_some(inner.trim())
}

/// The files of a folder in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, PageError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        files.push(entry.map_err(at(folder))?.path());
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<Recorded, PageError> {
    let text = fs::read_to_string(path).map_err(at(path))?;
    let first = text.lines().next().unwrap_or_default();
    // Results of a suite are JSON lines; an outcome is one object over many lines.
    if serde_json::from_str::<Header>(first).is_ok() {
        return Ok(Recorded::Suite(Box::new(Results::read(path)?)));
    }
    match serde_json::from_str(&text) {
        Ok(outcome) => Ok(Recorded::Experiment(Box::new(outcome))),
        Err(reason) => Err(PageError::Json {
            path: path.to_owned(),
            reason,
        }),
    }
}

/// Markdown for a part of a file of results.
fn show(recorded: &Recorded, file: &str, part: &str, pictures: &str) -> Result<String, String> {
    let stem = file.trim_end_matches(".json");
    let unknown = || format!("{file} has no part called '{part}'");
    match (recorded, part) {
        (Recorded::Experiment(outcome), "") => {
            let mut parts = vec![made(outcome)];
            parts.extend(outcome.tables.iter().map(|it| table(it, stem, pictures)));
            Ok(parts.join("\n"))
        }
        (Recorded::Experiment(outcome), "made") => Ok(made(outcome)),
        (Recorded::Experiment(outcome), id) => {
            let wanted = outcome.tables.iter().find(|table| table.id == id);
            wanted
                .map(|it| table(it, stem, pictures))
                .ok_or_else(unknown)
        }
        (Recorded::Suite(results), "") => {
            Ok(suite_shown(results, &compare::pairing_table(results)))
        }
        (Recorded::Suite(results), "made") => Ok(suite_made(results)),
        (Recorded::Suite(_), "solutions") => Ok(format!(
            "![How many were solved after how long]({pictures}/{stem}-solutions.svg)\n"
        )),
        (Recorded::Suite(results), part) => {
            let search = part.strip_prefix("against ").ok_or_else(unknown)?;
            let pairs = compare::pairing_table_of(results, search.trim());
            if pairs.is_empty() {
                return Err(format!("{file} compares nothing with '{search}'"));
            }
            Ok(suite_shown(results, &pairs))
        }
    }
}

/// What was done, by which command, where and when, and what must be known to read the tables.
fn made(outcome: &Outcome) -> String {
    let command = &outcome.provenance.command;
    let origin = text::origin(outcome).join("  \n");
    let mut text = format!("{}\n\n    {command}\n\n{origin}\n", outcome.about);
    if !outcome.notes.is_empty() {
        text.push('\n');
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "- {note}");
    }
    text
}

fn table(table: &Table, stem: &str, pictures: &str) -> String {
    let mut text = text::markdown(table);
    if table.plot.is_some() {
        let (id, title) = (&table.id, &table.title);
        let _ = write!(text, "\n![{title}]({pictures}/{stem}-{id}.svg)\n");
    }
    text
}

fn suite_made(results: &Results) -> String {
    let header = &results.header;
    let mut text = String::new();
    for run in &header.runs {
        let _ = writeln!(text, "    {}", run.command);
    }
    let runs = header.runs.iter();
    let commits: BTreeSet<&str> = runs.filter_map(|run| run.commit.as_deref()).collect();
    let commits = Vec::from_iter(commits).join(", ");
    let known = (!commits.is_empty()).then_some(commits.as_str());
    let version = version::of_results(&header.cassius, known);
    let runs = header.runs.iter();
    let runs: BTreeSet<String> = runs
        .map(|run| format!(", {}, {}", run.date, run.machine))
        .collect();
    let runs: Vec<String> = runs.into_iter().collect();
    let chosen = header.filter.as_ref();
    let chosen = chosen.map_or_else(String::new, |filter| format!(", chosen: {filter}"));
    let _ = write!(
        text,
        "\nCassius {version}{}  \n{} ({} positions{chosen})  \n{} a position; {} MiB for each search\n",
        runs.join("; "),
        header.files.join(", "),
        header.positions,
        header.limit,
        header.hash_mb,
    );
    text
}

/// How the results were made, what each search did, and some searches side by side.
fn suite_shown(results: &Results, pairs: &Columns) -> String {
    let made = suite_made(results);
    let summary = compare::summary_table(results).markdown();
    let mut text = format!("{made}\n{summary}");
    if !pairs.is_empty() {
        let _ = write!(text, "\n{}\n{}.\n", pairs.markdown(), compare::LEGEND);
    }
    text
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn at(path: &Path) -> impl Fn(io::Error) -> PageError + '_ {
    move |reason| PageError::File {
        path: path.to_owned(),
        reason,
    }
}
