//! The cassius binary.

use std::process::ExitCode;

use cassius::cli::{Cli, program};

fn main() -> ExitCode {
    let filter = env_logger::Env::default().default_filter_or("off");
    env_logger::Builder::from_env(filter).init();
    program::run("cassius", Cli::writes_files, Cli::carry_out)
}
