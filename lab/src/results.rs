//! Files for what a command has found or learnt.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::Args;

use super::experiment::Findings;
use super::outcome::{Outcome, pretty_json};
use super::{NAME, text};
use cassius::cli::is_any_given;
use cassius::output::flaws::Flaws;
use cassius::output::output_file::{self, Existing, OverwriteArgs, WholeFile};
use cassius::output::provenance::{Provenance, own_command_line};
use cassius::version;

/// Files for a fit and its test.
#[derive(Clone, Debug, Args)]
pub struct ResultArgs {
    /// Write the numbers to this file, as the program's source has them
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the test of their accuracy as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl ResultArgs {
    /// Whether any file is written.
    pub fn writes_files(&self) -> bool {
        is_any_given(&[&self.output, &self.json])
    }

    /// Claims the files, none of which may be one of the inputs.
    pub(crate) fn claim<'p>(
        &'p self,
        inputs: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<ResultFiles> {
        let outputs = [self.output.as_deref(), self.json.as_deref()];
        ResultFiles::claim(inputs, outputs, self.overwrite.existing())
    }
}

/// Files claimed before the work begins, so that a file that cannot be written is an error then, not after hours.
pub(crate) struct ResultFiles {
    /// For what was learnt, and for the outcome.
    files: [Option<WholeFile>; 2],
    start: Instant,
}

impl ResultFiles {
    /// Claims files for what is learnt and for the outcome.
    pub(crate) fn claim<'p>(
        inputs: impl IntoIterator<Item = &'p PathBuf>,
        outputs: [Option<&'p Path>; 2],
        existing: Existing,
    ) -> Result<ResultFiles> {
        output_file::check_distinct(inputs.into_iter().map(PathBuf::as_path), outputs)?;
        let claim = |path| WholeFile::claim(path, existing);
        let [learnt, outcome] = outputs.map(|path| path.map(claim).transpose());
        Ok(ResultFiles {
            files: [learnt?, outcome?],
            start: Instant::now(),
        })
    }

    /// Writes what was learnt, if anything, and the findings; `names` are the experiment's name, title and description.
    pub(crate) fn write(
        self,
        learnt: Option<&[u8]>,
        names: [&str; 3],
        findings: Findings,
    ) -> Result<Outcome> {
        let [learnt_file, outcome_file] = self.files;
        if let (Some(mut file), Some(learnt)) = (learnt_file, learnt) {
            file.write(learnt)?;
        }
        let [experiment, title, about] = names.map(str::to_owned);
        let outcome = Outcome {
            experiment,
            title,
            about,
            cassius: version::NUMBER.to_owned(),
            provenance: Provenance::here(own_command_line(NAME)),
            seconds: (self.start.elapsed().as_secs_f64() * 10.0).round() / 10.0,
            findings,
        };
        if let Some(mut file) = outcome_file {
            file.write(&pretty_json(&outcome)?)?;
        }
        Ok(outcome)
    }

    /// Does what `write` does, and prints the findings to `out`, and failed searches to `err`.
    pub(crate) fn report(
        self,
        learnt: Option<&str>,
        names: [&str; 3],
        mut findings: Findings,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<Flaws> {
        let failures = findings.name_left_out(err)?;
        let outcome = self.write(learnt.map(str::as_bytes), names, findings)?;
        write!(out, "{}", text::outcome(&outcome))?;
        Ok(Flaws {
            malformed: 0,
            failures,
        })
    }
}
