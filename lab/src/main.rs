//! The cassius-lab binary: carries out what the command line asks for.

use std::io;
use std::process::ExitCode;

use anyhow::Result;
use cassius::cli::program::{self, own_command_line};
use cassius::cli::{completions, manual};
use cassius::suite::command::Flaws;
use cassius_lab::cli::{Cli, LabCommand};
use cassius_lab::outlook::{command as outlook, sampling};
use cassius_lab::selfplay::run as selfplay;
use cassius_lab::training::command as training;
use cassius_lab::{command, tree};

/// Name of the program in recorded results.
const NAME: &str = "cassius lab";

fn main() -> ExitCode {
    program::run(NAME, Cli::writes_files, carry_out)
}

fn carry_out(cli: Cli, out: &mut dyn io::Write) -> Result<Flaws> {
    let mut err = io::stderr();
    let flaws = match cli.command {
        Some(LabCommand::List) => command::list(out).map(|()| Flaws::default())?,
        Some(LabCommand::Page(page)) => command::page(
            &page.folder,
            page.output.as_deref(),
            page.overwrite.existing(),
            out,
        )
        .map(|()| Flaws::default())?,
        Some(LabCommand::Tree(args)) => tree::draw(&args.into(), out).map(|()| Flaws::default())?,
        Some(LabCommand::Selfplay(args)) => selfplay::selfplay(&args.into(), &mut err)?,
        Some(LabCommand::Train(args)) => {
            let options = args.into_options(own_command_line(NAME));
            training::train(&options, out).map(|()| Flaws::default())?
        }
        Some(LabCommand::TrainScale(args)) => {
            let options = args.fit.into_options(own_command_line(NAME));
            training::train_scale(&args.network, &options, out).map(|()| Flaws::default())?
        }
        Some(LabCommand::SampleOutlook(args)) => sampling::sample(&args.into(), &mut err)?,
        Some(LabCommand::FitOutlook(args)) => {
            let options = args.into_options(own_command_line(NAME));
            outlook::fit_outlook(&options, out, &mut err)?
        }
        Some(LabCommand::Completions(args)) => {
            out.write_all(&completions::<Cli>(args.shell))?;
            Flaws::default()
        }
        Some(LabCommand::Manual(args)) => {
            args.write(&manual::<Cli>(), out)?;
            Flaws::default()
        }
        None => {
            let Some(experiment) = cli.run.experiment else {
                return Ok(Flaws::default());
            };
            let options = cli.run.into_options(own_command_line(NAME));
            command::run(experiment, &options, out, &mut err)?
        }
    };
    Ok(flaws)
}
