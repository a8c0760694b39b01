//! The manual and the completions, read by `man`'s formatter and by bash.

use std::process::{Command, Stdio};

use crate::common::{Folder, Said, said};

/// The output of a program of the system for some input; `None` if it is not installed.
#[allow(clippy::print_stderr)]
fn ask(program: &str, arguments: &[&str], input: &str) -> Option<Said> {
    // On Windows a program called bash may start another system.
    if !cfg!(unix) {
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("input");
    std::fs::write(&file, input).expect("a file");
    let mut process = Command::new(program);
    let output = process.args(arguments).arg(&file).stdin(Stdio::null());
    match output.output() {
        Ok(output) => Some(output.into()),
        Err(error) => {
            eprintln!("skipped: {program}: {error}");
            None
        }
    }
}

#[test]
fn the_folder_has_a_page_for_each_command_that_the_formatter_reads_without_a_warning() {
    let folder = Folder::new("manual");
    let write = |options: &str| folder.run(&format!("manual . {options}"));
    write("").ended(0).prints_nothing().tells_nothing();
    let names = folder.names();
    for command in ["", "-uci", "-suite-merge", "-lab"] {
        let name = format!("cassius{command}.6");
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    for name in names {
        let arguments = ["-ww", "-man", "-t", "-Tutf8", "-rLL=80n"];
        let Some(said) = ask("groff", &arguments, &folder.read(&name)) else {
            break;
        };
        said.ended(0).tells_nothing().prints("cassius");
    }

    write("").ended(1).tells("already exists; use --overwrite");
    write("--overwrite").ended(0);
}

fn script(shell: &str) -> String {
    said(&format!("completions {shell}")).ended(0).out
}

#[test]
fn shells_accept_their_scripts() {
    for shell in ["bash", "zsh", "fish"] {
        let script = script(shell);
        assert!(!script.is_empty(), "{shell}");
        if let Some(said) = ask(shell, &["-n"], &script) {
            said.ended(0);
        }
    }
}

#[test]
fn bash_completes_commands_and_options() {
    for (before, word, found) in [
        (&["cassius"][..], "su", "suite"),
        (&["cassius", "suite"], "--movet", "--movetime"),
    ] {
        let (count, previous) = (before.len(), before[before.len() - 1]);
        let input = format!(
            "{}\nCOMP_WORDS=({} {word}); COMP_CWORD={count}\n\
             _cassius cassius {word} {previous}\n\
             echo \"${{COMPREPLY[@]}}\"\n",
            script("bash"),
            before.join(" ")
        );
        let Some(said) = ask("bash", &["--norc"], &input) else {
            break;
        };
        assert_eq!(said.out.trim(), found, "{word}: {said:?}");
    }
}
