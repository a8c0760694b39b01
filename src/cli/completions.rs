//! `cassius completions`: completion scripts for shells, generated from the definition of the command line.

use std::io::Write;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

pub(super) const EXAMPLES: &str = "\
Examples:
  cassius completions bash > ~/.local/share/bash-completion/completions/cassius
  cassius completions zsh > ~/.zfunc/_cassius       # with fpath+=~/.zfunc before compinit in ~/.zshrc
  cassius completions fish > ~/.config/fish/completions/cassius.fish
  cassius completions powershell >> $PROFILE";

/// Arguments of `cassius completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that is to read the script
    pub shell: Shell,
}

impl CompletionsArgs {
    /// Writes the shell's completion script for the program `C`.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write<C: CommandFactory>(&self, out: &mut dyn Write) -> Result<()> {
        let mut command = C::command();
        let name = command.get_name().to_owned();
        // Into memory first: the generator panics if it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        Ok(out.write_all(&script)?)
    }
}
