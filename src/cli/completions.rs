//! `cassius completions`: scripts by which shells complete the command line, made of its definition.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

pub(super) const EXAMPLES: &str = "\
Examples:
  cassius completions bash > ~/.local/share/bash-completion/completions/cassius
  cassius completions zsh > ~/.zfunc/_cassius       # with fpath+=~/.zfunc before compinit in ~/.zshrc
  cassius completions fish > ~/.config/fish/completions/cassius.fish
  cassius completions powershell >> $PROFILE";

/// For which shell.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that is to read the script
    pub shell: Shell,
}

/// The script by which a shell completes the command line of a program.
pub fn completions<C: CommandFactory>(shell: Shell) -> Vec<u8> {
    let mut command = C::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    script
}
