//! `cassius lab`: starts the laboratory, a program of its own.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::io;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use clap::Args;

const NAME: &str = "cassius-lab";

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

impl LabArgs {
    /// Runs `cassius-lab` from the folder of this program, and ends this process with its exit code.
    ///
    /// # Errors
    /// If it is missing, or cannot be started.
    pub fn run(&self) -> Result<()> {
        // The path may be a link to this program.
        let own = std::env::current_exe().and_then(|it| it.canonicalize());
        let path = own
            .context(NAME)?
            .with_file_name(format!("{NAME}{EXE_SUFFIX}"));
        match Command::new(&path).args(&self.arguments).status() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
                "the laboratory is a program of its own, and there is no {}; `cargo build --release --workspace` builds both",
                path.display()
            ),
            ended => std::process::exit(ended.context(NAME)?.code().unwrap_or(1)),
        }
    }
}
