//! `cassius lab tree` from the user's side, and the page on conspiracy numbers, whose drawings it makes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::str::{contains, ends_with, starts_with};

const PAGE: &str = "docs/conspiracy-numbers.md";

/// The result of `cassius lab tree` with the arguments in a line.
fn lab_tree(line: &str) -> Assert {
    let mut command = Command::cargo_bin("cassius-lab").expect("the binary");
    command.arg("tree").env_remove("RUST_LOG");
    command.args(line.split(' ')).assert()
}

#[test]
fn a_tree_is_drawn() {
    lab_tree("MAX(MIN(5,2),MIN(3,4)) --target 6 --threshold 2")
        .success()
        .stdout(starts_with(
            "A MAX 3       <=1:2, 2:1, 3:0, 4..5:1, >=6:2\n",
        ))
        .stdout(contains("to make the root 6: D, E\n"))
        .stdout(ends_with("Conspiracy threshold 2: likely range 2..5\n"));
    let negative = lab_tree("-3 --target -4").success();
    negative.stdout(contains("A -3 *"));
}

#[test]
fn what_makes_no_sense_is_explained() {
    for (line, code, message) in [
        ("MAX(MIN(5,2)", 2, "at character 13: expected ',' or ')'"),
        (
            "MAX(MID(5))",
            2,
            "at character 5: 'MID' is not a kind of node",
        ),
        ("5 --range 3..-3", 2, "a range goes from"),
        ("5 --threshold 0", 2, "--threshold"),
        (
            "MAX(5,9) --range 0..8",
            1,
            "the value 9 is not in the range 0..8",
        ),
        ("5 --svg no/such/folder.svg", 1, "no/such/folder.svg: "),
    ] {
        let run = lab_tree(line).code(code);
        run.stdout("").stderr(contains(message));
    }
}

/// The commands on the page make the pictures on the page, and there are no others.
#[test]
fn the_page_s_drawings_are_what_its_commands_make() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let page = fs::read_to_string(root.join(PAGE)).expect("the page");
    let mut made = BTreeSet::new();
    for line in page.lines() {
        let Some(arguments) = line.strip_prefix("    cassius lab tree ") else {
            continue;
        };
        let (arguments, file) = arguments.split_once(" --svg ").expect("a drawing");
        let drawing = Path::new(env!("CARGO_TARGET_TMPDIR")).join("drawing.svg");
        let arguments = arguments.replace('\'', "");
        let line = format!("{arguments} --overwrite --svg {}", drawing.display());
        lab_tree(&line).success();
        let now = fs::read_to_string(&drawing).expect("a drawing");
        let committed = fs::read_to_string(root.join(file)).unwrap_or_default();
        assert!(
            now == committed,
            "{file} is out of date: run cassius lab tree {line}"
        );
        let shown = file.strip_prefix("docs/").expect("a file under docs/");
        let is_shown = page.contains(&format!("]({shown})"));
        assert!(is_shown, "{shown} is not shown");
        made.insert(file.to_owned());
    }
    let there = fs::read_dir(root.join("docs/img")).expect("a folder");
    let there = there.map(|entry| entry.expect("an entry").file_name());
    let there = there.map(|name| format!("docs/img/{}", name.to_string_lossy()));
    // Other pictures belong to other pages: scripts/plot draws the training of networks.
    let is_plotted = |name: &String| name.starts_with("docs/img/network-");
    let drawings = there.filter(|name| name.ends_with(".svg") && !is_plotted(name));
    assert_eq!(drawings.collect::<BTreeSet<_>>(), made);
}

/// The table on the page. Its links are tested with those of all documents.
#[test]
fn the_page_s_table_holds() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let page = fs::read_to_string(root.join(PAGE)).expect("the page");
    let run = lab_tree("MAX(MIN(5,2),MIN(3,4))");
    let output = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    let table = output.split("\n\n").nth(1).expect("a table");
    let table: Vec<String> = table.lines().map(|line| format!("    {line}")).collect();
    assert!(page.contains(&table.join("\n")), "the table has changed");
}
