//! Makes a page of recorded results.
//!
//! A folder holds sections, which are Markdown files, and results, which are JSON files. The page is the sections in
//! the order of their names, where a line `{{FILE.json}}` stands for all of a file of results, `{{FILE.json TABLE}}`
//! for one table with its picture, and `{{FILE.json made}}` for method and provenance. So words are written by hand,
//! and no number is: a sentence quotes a figure from a file by [`inline`]. Files may be outcomes of experiments or
//! results of suites; for a suite with many searches `{{FILE.json against SEARCH}}` compares only that one with each of
//! the others, and `{{FILE.json solutions}}` shows the picture of problems solved by time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};

use super::outcome::{Outcome, Table};
use super::{inline, text};
use cassius::output::table::Table as Columns;
use cassius::suite::compare;
use cassius::suite::results::{Header, Results};
use cassius::version;

/// A file of results.
enum Recorded {
    Experiment(Box<Outcome>),
    Suite(Box<Results>),
}

impl Recorded {
    fn outcome(&self) -> Option<&Outcome> {
        match self {
            Recorded::Experiment(outcome) => Some(outcome),
            Recorded::Suite(_) => None,
        }
    }
}

/// The files in a folder, of which the page is made.
pub(crate) fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| named(folder))?;
    let paths = entries.map(|entry| Ok(entry.with_context(|| named(folder))?.path()));
    paths.collect()
}

/// The page of the results in a folder. Links to pictures assume that the page lies beside the folder.
pub fn generate(folder: &Path) -> Result<String> {
    let (mut recorded, mut sections) = (BTreeMap::new(), Vec::new());
    for path in sources(folder)? {
        match path.extension().and_then(|it| it.to_str()) {
            Some("json") => drop(recorded.insert(name(&path), read(&path)?)),
            Some("md") => sections.push(path),
            _ => {}
        }
    }
    sections.sort();
    let pictures = name(folder);
    let mut page = format!(
        "<!-- Made by `cassius lab page`: change what is in {pictures}/ and make it again. -->\n"
    );
    let mut shown = BTreeSet::new();
    for path in sections {
        let section = fs::read_to_string(&path).with_context(|| named(&path))?;
        page.push('\n');
        for (number, line) in (1..).zip(section.trim().lines()) {
            let place = || format!("{}:{number}", path.display());
            let text = match placeholder(line) {
                Some(what) => {
                    let (file, part) = what.split_once(' ').unwrap_or((what, ""));
                    shown.insert(file.to_owned());
                    inserted(&recorded, file, part.trim(), &pictures).with_context(place)?
                }
                None => inline::expand(line, |file| recorded.get(file)?.outcome())
                    .with_context(place)?,
            };
            page.push_str(text.trim_end());
            page.push('\n');
        }
    }
    match recorded.into_keys().find(|file| !shown.contains(file)) {
        Some(file) => bail!(
            "{}: no section of the page shows this file",
            folder.join(file).display()
        ),
        None => Ok(page),
    }
}

/// The contents of a line that is a placeholder.
fn placeholder(line: &str) -> Option<&str> {
    let inner = line.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    // Otherwise the line is a sentence with figures in it.
    let is_whole = !inner.contains(';') && !inner.contains("{{");
    is_whole.then_some(inner.trim())
}

fn read(path: &Path) -> Result<Recorded> {
    let text = fs::read_to_string(path).with_context(|| named(path))?;
    let first = text.lines().next().unwrap_or_default();
    // Results of a suite are JSON lines; an outcome is one object over many lines.
    if serde_json::from_str::<Header>(first).is_ok() {
        return Ok(Recorded::Suite(Box::new(Results::read(path)?)));
    }
    let outcome = serde_json::from_str(&text);
    let outcome = outcome.context("neither the result of an experiment nor of a suite");
    Ok(Recorded::Experiment(outcome.with_context(|| named(path))?))
}

/// Markdown for a part of a file of results, or for all of it.
fn inserted(
    recorded: &BTreeMap<String, Recorded>,
    file: &str,
    part: &str,
    pictures: &str,
) -> Result<String> {
    let stem = file.trim_end_matches(".json");
    let unknown = || anyhow!("{file} has no part called '{part}'");
    match (recorded.get(file), part) {
        (None, _) => bail!("there is no {file} in the folder"),
        (Some(Recorded::Experiment(outcome)), "made") => Ok(made(outcome)),
        (Some(Recorded::Experiment(outcome)), "") => {
            let tables = outcome.findings.tables.iter();
            let tables = tables.map(|it| table(it, stem, pictures));
            let parts: Vec<String> = [made(outcome)].into_iter().chain(tables).collect();
            Ok(parts.join("\n"))
        }
        (Some(Recorded::Experiment(outcome)), id) => {
            let wanted = outcome.table(id).ok_or_else(unknown)?;
            Ok(table(wanted, stem, pictures))
        }
        (Some(Recorded::Suite(results)), "made") => Ok(suite_made(results)),
        (Some(Recorded::Suite(results)), "") => {
            Ok(suite_shown(results, &compare::pairing_table(results, None)))
        }
        (Some(Recorded::Suite(_)), "solutions") => Ok(format!(
            "![How many were solved after how long]({pictures}/{stem}-solutions.svg)\n"
        )),
        (Some(Recorded::Suite(results)), part) => {
            let search = part.strip_prefix("against ").ok_or_else(unknown)?;
            let pairs = compare::pairing_table(results, Some(search.trim()));
            if pairs.is_empty() {
                bail!("{file} compares nothing with '{search}'");
            }
            Ok(suite_shown(results, &pairs))
        }
    }
}

/// Method, command, place and date, and the notes.
fn made(outcome: &Outcome) -> String {
    let command = &outcome.provenance.command;
    let origin = text::origin(outcome).join("  \n");
    let (about, notes) = (&outcome.about, text::notes(outcome));
    format!("{about}\n\n    {command}\n\n{origin}\n{notes}")
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
    let (mut commits, mut places) = (BTreeSet::new(), BTreeSet::new());
    for run in &header.runs {
        let _ = writeln!(text, "    {}", run.command);
        commits.extend(run.commit.as_deref());
        places.insert(format!(", {}, {}", run.date, run.machine));
    }
    let commits = Vec::from_iter(commits).join(", ");
    let known = (!commits.is_empty()).then_some(commits.as_str());
    let version = version::of_results(&header.cassius, known);
    let chosen = header.filter.as_ref();
    let chosen = chosen.map_or_else(String::new, |filter| format!(", chosen: {filter}"));
    let _ = write!(
        text,
        "\nCassius {version}{}  \n{} ({} positions{chosen})  \n{} a position; {} MiB for each search\n",
        Vec::from_iter(places).join("; "),
        header.files.join(", "),
        header.positions,
        header.limit,
        header.hash_mb,
    );
    text
}

/// Provenance, a summary of each search, and the comparisons `pairs`.
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

/// The name of a file or folder, for errors.
fn named(path: &Path) -> String {
    path.display().to_string()
}
