//! Words of the sources: names of types, and openings of doc comments.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::sources::{code, source_files};

/// Most types of the crate that may have one name.
const MOST_OF_A_NAME: usize = 2;

/// Names that each search, or each command, has a type of. This list may only shrink.
const SHARED_NAMES: [&str; 4] = ["Driver", "Options", "Settings", "Worker"];

/// Openings of doc comments that nobody understands without the item before.
const LEANING: [&str; 12] = [
    "...",
    "…",
    "The same ",
    "The same,",
    "The same;",
    "Does the same",
    "Same ",
    "Likewise",
    "And ",
    "Then ",
    "These ",
    "Those ",
];

/// The name of the type that a line of code defines.
fn defined(code: &str) -> Option<&str> {
    let item = code.trim_start();
    let item = match item.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => item,
    };
    let (kind, rest) = item.trim_start().split_once(' ')?;
    let name = rest
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    let is_type = ["struct", "enum", "trait"].contains(&kind);
    (is_type && !name.is_empty()).then_some(name)
}

#[test]
fn a_name_has_at_most_two_types() {
    let code = code();
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in &code {
        if let Some(name) = defined(&line.text) {
            places.entry(name).or_default().push(line.place());
        }
    }
    places.retain(|_, places| places.len() > MOST_OF_A_NAME);
    let mut complaints = String::new();
    for (name, places) in &places {
        if !SHARED_NAMES.contains(name) {
            let _ = writeln!(complaints, "{name} has too many types: {places:?}");
        }
    }
    for name in SHARED_NAMES {
        if !places.contains_key(name) {
            let _ = writeln!(complaints, "{name} is an exception without need");
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

/// The first lines of the doc comments in a text, with their numbers.
fn openings(text: &str) -> Vec<(usize, &str)> {
    let mut openings = Vec::new();
    let mut is_inside = false;
    for (number, line) in (1..).zip(text.lines()) {
        let words = line.trim_start().strip_prefix("///");
        if let Some(words) = words.filter(|_| !is_inside) {
            openings.push((number, words.trim()));
        }
        is_inside = words.is_some();
    }
    openings
}

#[test]
fn a_doc_comment_stands_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "lab/src", "web/src", "tests", "examples"] {
        source_files(&root.join(folder), &mut files);
    }
    let mut complaints = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("readable text");
        for (number, opening) in openings(&text) {
            let begins_small = opening.starts_with(|c: char| c.is_ascii_lowercase());
            if begins_small || LEANING.iter().any(|it| opening.starts_with(it)) {
                complaints.insert(format!("{}:{number}: {opening}", file.display()));
            }
        }
    }
    let told = "doc comments that need the item before";
    assert!(complaints.is_empty(), "{told}: {complaints:#?}");
}

#[test]
fn types_and_openings_are_found_in_every_form() {
    assert_eq!(
        defined("    pub(in crate::search) struct A<T>(T);"),
        Some("A")
    );
    assert_eq!(defined("pub enum B {"), Some("B"));
    assert_eq!(defined("trait C: Copy {"), Some("C"));
    assert_eq!(defined("struct $name;"), None);
    assert_eq!(defined("let structure = a;"), None);
    let text = "    /// One\n    /// two.\n    a: u8,\n    /// Three.\n//! Four.";
    assert_eq!(openings(text), [(1, "One"), (4, "Three.")]);
}
