//! The manual and the completions, read by those they are written for: `man`'s formatter, and bash.

use std::fs;
use std::process::{Command as Process, Output, Stdio};

use assert_cmd::Command;
use predicates::prelude::*;

fn cassius() -> Command {
    Command::cargo_bin("cassius").expect("the binary")
}

/// What a program of the system says to some input, or nothing if the system does not have it.
#[allow(clippy::print_stderr)]
fn ask(program: &str, arguments: &[&str], input: &[u8]) -> Option<Output> {
    // On Windows a program called bash may be one that starts another system.
    if !cfg!(unix) {
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("input");
    fs::write(&file, input).expect("a file");
    let mut process = Process::new(program);
    let output = process.args(arguments).arg(&file).stdin(Stdio::null());
    match output.output() {
        Ok(output) => Some(output),
        Err(error) => {
            eprintln!("skipped: {program}: {error}");
            None
        }
    }
}

#[test]
fn the_folder_has_a_page_for_each_command_that_the_formatter_reads_without_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man6");
    let write = || {
        let mut command = cassius();
        command.arg("manual").arg(&pages);
        command
    };
    write().assert().success().stdout("").stderr("");
    let names: Vec<_> = fs::read_dir(&pages)
        .expect("the pages")
        .map(|entry| {
            entry
                .expect("a page")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    for name in [
        "cassius.6",
        "cassius-uci.6",
        "cassius-suite-merge.6",
        "cassius-lab.6",
    ] {
        assert!(names.iter().any(|it| it == name), "{name} in {names:?}");
    }
    for name in names {
        let page = fs::read(pages.join(&name)).expect("a page");
        let arguments = ["-ww", "-man", "-t", "-Tutf8", "-rLL=80n"];
        let Some(output) = ask("groff", &arguments, &page) else {
            break;
        };
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && errors.is_empty(),
            "{name}: {errors}"
        );
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("cassius"), "{name}: {text}");
    }

    write()
        .assert()
        .code(1)
        .stderr(predicate::str::contains("already exists; use --overwrite"));
    write().arg("--overwrite").assert().success();
}

fn script(shell: &str) -> Vec<u8> {
    let assert = cassius().args(["completions", shell]).assert();
    assert.success().get_output().stdout.clone()
}

#[test]
fn shells_accept_their_scripts() {
    for shell in ["bash", "zsh", "fish"] {
        let script = script(shell);
        assert!(!script.is_empty(), "{shell}");
        if let Some(output) = ask(shell, &["-n"], &script) {
            assert!(output.status.success(), "{shell}: {output:?}");
        }
    }
}

#[test]
fn bash_completes_commands_and_options() {
    for (before, word, found) in [
        (&["cassius"][..], "su", "suite"),
        (&["cassius", "suite"], "--movet", "--movetime"),
    ] {
        let mut input = script("bash");
        let (count, previous) = (before.len(), before[before.len() - 1]);
        let ask_for = format!(
            "\nCOMP_WORDS=({} {word}); COMP_CWORD={count}\n\
             _cassius cassius {word} {previous}\n\
             echo \"${{COMPREPLY[@]}}\"\n",
            before.join(" ")
        );
        input.extend(ask_for.bytes());
        let Some(output) = ask("bash", &["--norc"], &input) else {
            break;
        };
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(told.trim(), found, "{word}: {output:?}");
    }
}
