//! The programs in `examples/` run and print their results.

use std::path::Path;
use std::process::Command;

use crate::common::Has as _;

/// The output of an example; `None`, with a message, if it has not been built: `cargo test` builds all, `cargo test
/// --test integration` none.
#[allow(clippy::print_stderr)]
fn said(name: &str, args: &[&str]) -> Option<String> {
    let built = Path::new(env!("CARGO_BIN_EXE_cassius")).parent();
    let program = built.map(|folder| folder.join("examples").join(name));
    let program = program.filter(|program| program.is_file());
    let Some(program) = program else {
        eprintln!("skipped: build it with cargo build --example {name}");
        return None;
    };
    let output = Command::new(program).args(args).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).expect("text"))
}

#[test]
fn a_game_of_one_s_own() {
    let Some(said) = said("own_game", &[]) else {
        return;
    };
    assert!(said.starts_with("worth "), "{said}");
    assert!(said.contains("positions would have to be misjudged"));
}

#[test]
fn the_profile_of_a_position() {
    let Some(said) = said("profile", &[]) else {
        return;
    };
    said.has("misjudged would change it");
    let has_line = said.contains("at least won") || said.contains("1... ");
    assert!(has_line, "{said}");
}

#[test]
fn two_searches_compared() {
    let Some(said) = said("compare", &["depth-first", "alpha-beta"]) else {
        return;
    };
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines[0].starts_with("depth-first solves "), "{said}");
    assert!(lines[1].starts_with("alpha-beta solves "), "{said}");
}
