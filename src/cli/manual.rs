//! `cassius manual`: pages for `man`, generated from the command line's definition.

use std::fs;
use std::io;
use std::iter;
use std::path::Path;

use anyhow::{Context as _, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::output::output_file::{self, Existing};
use crate::version;

/// Section of the manual: games, where systems keep chess engines.
const SECTION: &str = "6";

/// Writes the pages of a program to a folder. Commands hidden from help have none.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write<C: CommandFactory>(folder: &Path, existing: Existing) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (name, text) in pages::<C>() {
        let file = folder.join(format!("{name}.{SECTION}"));
        output_file::write(&file, existing, &text)?;
    }
    Ok(())
}

/// The page of each command, by its full name for `man`, as in `cassius-suite-merge`.
fn pages<C: CommandFactory>() -> Vec<(String, Vec<u8>)> {
    // The command `help` would have a page for each command again.
    let mut command = C::command().disable_help_subcommand(true);
    command.build();
    let commands = with_subcommands(&command).into_iter();
    // Writing to memory does not fail.
    let pages = commands.map(|it| (name(it), page(it).unwrap_or_default()));
    pages.collect()
}

fn name(command: &Command) -> String {
    let name = command.get_display_name();
    name.unwrap_or(command.get_name()).to_owned()
}

/// A command and all its visible subcommands, with theirs.
fn with_subcommands(command: &Command) -> Vec<&Command> {
    let below = visible_subcommands(command).flat_map(with_subcommands);
    iter::once(command).chain(below).collect()
}

fn visible_subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|it| !it.is_hide_set())
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone())
        .section(SECTION)
        .source(format!("Cassius {}", version::NUMBER))
        .manual("Cassius Manual");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    // Long options cannot be hyphenated, so lines are not justified.
    let mut ragged = Roff::default();
    ragged.control("ad", ["l"]);
    ragged.control("nh", []);
    ragged.to_writer(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if visible_subcommands(command).next().is_some() {
        man.render_subcommands_section(&mut text)?;
    }
    if let Some(rest) = command.get_after_help() {
        sections(&rest.to_string()).to_writer(&mut text)?;
    }
    Ok(text)
}

/// The text after the help, as sections. A line `Heading:` or `Exit code: ...` begins one; text before is NOTES.
/// Indented lines are commands and tables: they stay as they are.
fn sections(text: &str) -> Roff {
    const EXIT: &str = "Exit code: ";
    let mut roff = Roff::default();
    let mut as_is = false;
    let begins = |line: &str| line.ends_with(':') || line.starts_with(EXIT);
    if text.lines().next().is_some_and(|line| !begins(line)) {
        roff.control("SH", ["NOTES"]);
    }
    for line in text.lines() {
        let indented = line.strip_prefix("  ");
        if indented.is_some() != as_is {
            as_is = indented.is_some();
            roff.control(if as_is { "nf" } else { "fi" }, []);
        }
        if let Some(command) = indented {
            roff.text([roman(command)]);
        } else if line.trim().is_empty() {
            roff.control("PP", []);
        } else if let Some(heading) = line.strip_suffix(':') {
            roff.control("SH", [heading.to_uppercase().as_str()]);
        } else if let Some(codes) = line.strip_prefix(EXIT) {
            roff.control("SH", ["EXIT STATUS"]);
            roff.text([roman(codes)]);
        } else {
            roff.text([roman(line)]);
        }
    }
    if as_is {
        roff.control("fi", []);
    }
    roff
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_has_a_page_with_all_its_options_and_commands() {
        let pages: BTreeMap<String, Vec<u8>> = pages::<Cli>().into_iter().collect();
        let mut command = Cli::command().disable_help_subcommand(true);
        command.build();
        let commands = with_subcommands(&command);
        for &command in &commands {
            let name = name(command);
            let text = String::from_utf8_lossy(&pages[&name]).replace("\\-", "-");
            for option in command.get_arguments().filter_map(clap::Arg::get_long) {
                assert!(text.contains(&format!("--{option}")), "{name}: {option}");
            }
            for part in visible_subcommands(command) {
                let part = format!("{name}-{}({SECTION})", part.get_name());
                assert!(text.contains(&part), "{name}: {part}");
            }
        }
        assert_eq!(commands.len(), pages.len());
        assert!(commands.len() > 10, "{}", commands.len());
    }

    #[test]
    fn what_stands_below_the_help_becomes_sections() {
        let text =
            sections("Examples:\n  cassius bench\n  .dot\n\nExit code: 0 if it is.\nElse 1.");
        let text = text.to_roff();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                ".SH EXAMPLES",
                ".nf",
                "cassius bench",
                "\\&.dot",
                ".fi",
                ".PP",
                ".SH \"EXIT STATUS\"",
                "0 if it is.",
                "Else 1.",
            ]
        );
    }
}
