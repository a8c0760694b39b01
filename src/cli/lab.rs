//! `cassius lab`: starts the laboratory, a program of its own.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use clap::Args;
use thiserror::Error;

/// Arguments of the laboratory.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct LabArgs {
    /// What `cassius-lab` takes; `cassius lab --help` shows it
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS"
    )]
    pub arguments: Vec<OsString>,
}

/// The laboratory could not be started.
#[derive(Debug, Error)]
pub enum LabError {
    /// It is not there.
    #[error(
        "the laboratory is a program of its own, and there is no {}; `cargo build --release --workspace` builds both", path.display()
    )]
    Missing {
        /// Where it should be: beside this program.
        path: PathBuf,
    },
    /// It is there and does not start, or this program does not know where it is itself.
    #[error("cassius-lab: {0}")]
    Start(#[from] io::Error),
}

impl LabArgs {
    /// Starts `cassius-lab`, which lies beside this program, and waits for its end.
    ///
    /// # Errors
    /// If it is not there, or cannot be started.
    pub fn run(&self) -> Result<ExitStatus, LabError> {
        // A link to this program may lie elsewhere.
        let own = std::env::current_exe()?.canonicalize()?;
        let path = own.with_file_name(format!("cassius-lab{EXE_SUFFIX}"));
        match Command::new(&path).args(&self.arguments).status() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(LabError::Missing { path })
            }
            ended => Ok(ended?),
        }
    }
}
