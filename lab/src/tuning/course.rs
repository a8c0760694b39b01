//! The course of a tuning run: its iterations, each a line of a file. With that file a killed run goes on.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::spsa::{Plan, Spsa, Trial};
use crate::resumption::resume;
use cassius::engine::fault::Fault;
use cassius::output::json_lines::JsonLines;
use cassius::output::output_file::Existing;
use cassius::output::progress::Progress;
use cassius::workers;

/// All that the course depends on; the first line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    /// Version of the format.
    pub(crate) tuning: u32,
    /// Version and commit of Cassius.
    pub(crate) version: String,
    /// The search, as on the command line.
    pub(crate) search: String,
    /// Checksum of the search's network.
    pub(crate) network: Option<String>,
    /// Memory of each search, in MiB.
    pub(crate) hash: usize,
    /// Nodes for each move.
    pub(crate) nodes: u64,
    #[serde(flatten)]
    pub(crate) plan: Plan,
}

/// An iteration. The results alone decide how the run goes on; the values are for readers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Iteration {
    /// Its number, from 1.
    iteration: u64,
    /// Result of each pair: games that the first side won, less those that it lost.
    pub(crate) results: Vec<i32>,
    /// The constants after the iteration, rounded.
    pub(crate) values: Vec<f64>,
}

/// A file, and the run that it holds.
pub(crate) struct Course<'a> {
    file: JsonLines,
    run: Spsa<'a>,
    /// The iterations done.
    pub(crate) past: Vec<Iteration>,
}

impl<'a> Course<'a> {
    /// Opens the file of a run, and replays its iterations.
    pub(crate) fn open(path: &Path, existing: Existing, header: &'a Header) -> Result<Course<'a>> {
        let other = |found: &Header| {
            let differ = differences(found, header);
            format!("belongs to another run ({differ}); give its settings, or choose another file")
        };
        let (file, lines) = resume(path, existing, header, other)?;
        let mut course = Course {
            file,
            run: Spsa::new(&header.plan),
            past: Vec::new(),
        };
        for Iteration { results, .. } in lines {
            let trials = course.run.trials();
            course.learn(&trials, results);
        }
        Ok(course)
    }

    fn learn(&mut self, trials: &[Trial], results: Vec<i32>) {
        self.run.learn(trials, &results);
        let rounded = |value: &f64| (value * 1e4).round() / 1e4;
        self.past.push(Iteration {
            iteration: self.run.done,
            results,
            values: self.run.values.iter().map(rounded).collect(),
        });
    }

    /// Goes on to iteration `end`, with `jobs` games at a time; the course does not depend on `jobs`. `play` plays a
    /// game of a trial; its flag says whether the first side is White. It returns the first side's result: 1, 0 or -1.
    /// If a game fails, `err` receives the fault, and the pair counts 0. Returns the number of failed games.
    pub(crate) fn go_on(
        &mut self,
        end: u64,
        jobs: usize,
        play: impl Fn(&Trial, bool) -> Result<i32, Fault> + Sync,
        err: &mut dyn Write,
    ) -> Result<usize> {
        let progress = Progress::new(end.saturating_sub(self.run.done));
        let (start, mut played, mut failures) = (Instant::now(), 0, 0);
        while self.run.done < end {
            let trials = self.run.trials();
            let games = trials.iter().flat_map(|it| [(it, true), (it, false)]);
            let mut results = vec![Some(0); trials.len()];
            workers::share(
                games.enumerate(),
                jobs,
                || anyhow::Ok(()),
                |(), (number, (trial, is_white)), hand_over| {
                    hand_over((number / 2, play(trial, is_white)));
                    Ok(())
                },
                |(pair, result)| {
                    match result {
                        Ok(won) => results[pair] = results[pair].map(|it| it + won),
                        Err(fault) => {
                            results[pair] = None;
                            failures += 1;
                            progress.aside(|| writeln!(err, "{fault}"))?;
                        }
                    }
                    Ok(())
                },
            )?;
            played += 2 * trials.len();
            let results = results.into_iter().map(Option::unwrap_or_default);
            self.learn(&trials, results.collect());
            if let Some(done) = self.past.last() {
                self.file.push(done)?;
            }
            let minutes = start.elapsed().as_secs_f64() / 60.0;
            let rate = played as f64 / minutes.max(f64::EPSILON);
            progress.advance(format!("{rate:.0} games a minute"));
        }
        progress.finish();
        Ok(failures)
    }

    /// The constants now.
    pub(crate) fn values(&self) -> &[f64] {
        &self.run.values
    }
}

/// The settings in which two runs differ, with both values where they are short.
fn differences(found: &Header, wanted: &Header) -> String {
    let [found, wanted] = [found, wanted].map(|it| serde_json::to_value(it).unwrap_or_default());
    let settings = found.as_object().into_iter().flatten();
    let differ = settings.filter(|(name, there)| wanted[*name] != **there);
    let differ = differ.map(|(name, there)| match &wanted[name] {
        Value::Array(_) => format!("other {name}"),
        here => format!("{name} {there} there, {here} here"),
    });
    differ.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::spsa::tests::{game, plan};
    use super::*;

    fn header() -> Header {
        Header {
            tuning: 1,
            version: "0".to_owned(),
            search: "depth-first".to_owned(),
            network: None,
            hash: 1,
            nodes: 100,
            plan: plan(30),
        }
    }

    /// Continues the run in a file up to iteration `end`; returns the file's lines.
    fn lines(path: &Path, existing: Existing, end: u64, jobs: usize) -> Vec<String> {
        let header = header();
        let mut course = Course::open(path, existing, &header).unwrap();
        let play = |trial: &Trial, is_white| Ok(game(trial, is_white));
        let failures = course.go_on(end, jobs, play, &mut Vec::new()).unwrap();
        assert_eq!(failures, 0);
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(course.past.len() + 1, text.lines().count());
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_course_depends_neither_on_jobs_nor_on_interruptions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        let whole = lines(&path, Existing::Refuse, 30, 1);
        assert_eq!(whole.len(), 31);
        assert_ne!(whole[1], whole[30]);
        assert_eq!(lines(&path, Existing::Overwrite, 30, 3), whole);
        assert_eq!(lines(&path, Existing::Overwrite, 11, 2), whole[..12]);
        // Killed while it wrote.
        let mut torn = fs::read(&path).unwrap();
        torn.extend(whole[12][..9].bytes());
        fs::write(&path, torn).unwrap();
        assert_eq!(lines(&path, Existing::Resume, 30, 2), whole);
        assert_eq!(lines(&path, Existing::Resume, 30, 2), whole);
    }

    #[test]
    fn another_runs_file_is_refused_with_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        let before = lines(&path, Existing::Refuse, 2, 1);
        let mut other = header();
        other.nodes = 200;
        other.plan.constants[1].step = 3.0;
        let error = Course::open(&path, Existing::Resume, &other).err().unwrap();
        let error = error.to_string();
        for part in [
            "tune.jsonl: belongs to another run",
            "other constants; nodes 100 there, 200 here",
        ] {
            assert!(error.contains(part), "{error}");
        }
        let error = Course::open(&path, Existing::Refuse, &header())
            .err()
            .unwrap();
        assert!(error.to_string().contains("--resume"), "{error}");
        assert_eq!(lines(&path, Existing::Resume, 2, 1), before);
    }

    #[test]
    fn a_game_that_fails_leaves_its_pair_without_a_result() {
        let folder = tempfile::tempdir().unwrap();
        let header = header();
        let path = folder.path().join("tune.jsonl");
        let mut course = Course::open(&path, Existing::Refuse, &header).unwrap();
        let play = |trial: &Trial, is_white| match trial.number {
            2 if is_white => Err(Fault {
                doing: "a game".to_owned(),
                reason: "on purpose".to_owned(),
            }),
            _ => Ok(1),
        };
        let mut err = Vec::new();
        assert_eq!(course.go_on(2, 2, play, &mut err).unwrap(), 1);
        assert!(String::from_utf8(err).unwrap().contains("on purpose"));
        let results: Vec<_> = course.past.iter().map(|it| it.results.as_slice()).collect();
        assert_eq!(results, [[2, 2, 0, 2], [2, 2, 2, 2]]);
    }
}
