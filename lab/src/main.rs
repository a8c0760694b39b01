//! The cassius-lab binary.

use std::process::ExitCode;

use cassius::cli::program;
use cassius_lab::NAME;
use cassius_lab::cli::Cli;

fn main() -> ExitCode {
    program::run(NAME, Cli::writes_files, Cli::carry_out)
}
