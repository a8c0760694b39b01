//! Contents of the sources: code, paths in it, method calls.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::Room;

/// A line of code that is not a test.
pub(super) struct CodeLine {
    /// The file, below `src`.
    pub(super) file: PathBuf,
    number: usize,
    /// The modules that the file lies in, from the top: `["suite", "engine"]`.
    pub(super) module: Vec<String>,
    pub(super) text: String,
}

impl CodeLine {
    pub(super) fn place(&self) -> String {
        format!("src/{}:{}", self.file.display(), self.number)
    }

    /// The top-level modules that the line names.
    pub(super) fn names(&self) -> Vec<String> {
        let root = match self.module[0].as_str() {
            "main" => "cassius::",
            _ => "crate::",
        };
        let supers = "super::".repeat(self.module.len());
        [root, &supers].map(|it| followers(&self.text, it)).concat()
    }

    /// The part of the room that the line belongs to.
    pub(super) fn part_of(&self, room: &Room) -> Option<&String> {
        let is_in = self.module.iter().zip(&room.path).all(|(a, b)| a == b);
        self.module.get(room.path.len()).filter(|_| is_in)
    }

    /// The parts of the room named by paths in the line; if the line's file is a roof, also those it defines.
    pub(super) fn names_within(&self, room: &Room) -> Vec<String> {
        let path = format!("crate::{}::", room.path.join("::"));
        let supers = match self.module.len() - room.path.len() {
            0 => "self::".to_owned(),
            floors => "super::".repeat(floors),
        };
        let mut names = [path, supers].map(|it| followers(&self.text, &it)).concat();
        let is_part = |name: &str| room.plan.iter().any(|&(part, _)| part == name);
        names.retain(|it| it != "super" && (!room.is_floor || it == "{" || is_part(it)));
        names
    }
}

/// The methods that code defines.
fn methods_defined(code: &str) -> BTreeSet<&str> {
    let functions = code.match_indices("fn ").filter_map(|(at, found)| {
        let rest = &code[at + found.len()..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let arguments = &rest[rest.find('(')? + 1..];
        let first = arguments.split([',', ')', ':']).next()?.trim();
        let is_method = ["self", "mut self", "&self", "&mut self"].contains(&first);
        is_method.then_some(&rest[..end])
    });
    functions.collect()
}

/// The methods that code calls on `self` or on a `worker`, to which parts of a room add methods.
fn methods_called(code: &str) -> BTreeSet<String> {
    let squeezed: String = code.split_whitespace().collect();
    let of = |receiver: &str| {
        let calls = squeezed.match_indices(receiver);
        let names = calls.filter_map(|(at, _)| {
            let rest = &squeezed[at + receiver.len()..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
            rest[end..].starts_with('(').then(|| rest[..end].to_owned())
        });
        names.collect::<Vec<_>>()
    };
    [of("self."), of("worker.")].concat().into_iter().collect()
}

/// Uses of one part of a room by another, as pairs (user, used), each with a place in the code.
pub(super) fn arrows_within(room: &Room, code: &[CodeLine]) -> BTreeMap<(String, String), String> {
    let mut arrows = BTreeMap::new();
    let mut texts: BTreeMap<&String, String> = BTreeMap::new();
    for line in code {
        let Some(part) = line.part_of(room) else {
            continue;
        };
        for used in line.names_within(room) {
            arrows.entry((part.clone(), used)).or_insert(line.place());
        }
        let text = texts.entry(part).or_default();
        text.push_str(&line.text);
        text.push('\n');
    }
    let defined = texts.iter().map(|(&part, it)| (part, methods_defined(it)));
    let defined: BTreeMap<&String, BTreeSet<&str>> = defined.collect();
    for (&part, text) in &texts {
        for method in methods_called(text) {
            let definers = defined.iter().filter(|(_, all)| all.contains(&*method));
            let definers: Vec<&String> = definers.map(|(&definer, _)| definer).collect();
            // A name defined in several parts may be another type's.
            if let &[definer] = definers.as_slice() {
                arrows
                    .entry((part.clone(), definer.clone()))
                    .or_insert(format!("{method}, which {part} calls"));
            }
        }
    }
    arrows.retain(|(part, used), _| part != used);
    arrows
}

/// The words that follow `prefix` at the beginning of a path: all of a list in braces; `{` if the list begins on
/// another line.
pub(super) fn followers(text: &str, prefix: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let word = |text: &str| {
        let end = text.find(|c: char| !is_part(c) || c == ':');
        text[..end.unwrap_or(text.len())].to_owned()
    };
    text.match_indices(prefix)
        .filter(|&(at, _)| !text[..at].ends_with(is_part))
        .map(|(at, _)| &text[at + prefix.len()..])
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some("") => vec!["{".to_owned()],
            Some(several) => {
                let several = several.split('}').next().unwrap_or_default();
                several.split(", ").map(word).collect()
            }
            None => vec![word(rest)],
        })
        .collect()
}

pub(super) fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            source_files(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}

/// All code below `src` without comments, tests and the list of modules.
pub(super) fn code() -> Vec<CodeLine> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    source_files(&source, &mut files);
    files.sort();
    let mut lines = Vec::new();
    for path in files {
        let file = path.strip_prefix(&source).expect("a file of it").to_owned();
        let parts = file.with_extension("");
        let parts = parts.iter().map(|part| part.to_string_lossy().into_owned());
        let mut module: Vec<String> = parts.collect();
        if module == ["lib"] || module.iter().any(|part| part == "tests") {
            continue;
        }
        if module.last().is_some_and(|name| name == "mod") {
            module.pop();
        }
        let text = fs::read_to_string(&path).expect("readable text");
        // Tests stand at the end of a file.
        let code = text.split("\nmod tests {").next().unwrap_or_default();
        for (number, line) in (1..).zip(code.lines()) {
            let text = line.split("//").next().unwrap_or_default();
            lines.push(CodeLine {
                file: file.clone(),
                number,
                module: module.clone(),
                text: text.to_owned(),
            });
        }
    }
    lines
}

#[test]
fn methods_of_a_shared_type_are_found() {
    let defined =
        methods_defined("fn a(&mut self,) fn b<T>(\n    &self) fn c(x: u8) fn d(self) {}");
    assert_eq!(defined.into_iter().collect::<Vec<_>>(), ["a", "b", "d"]);
    let called = methods_called("self.worker\n    .a(x); self.b; self.c.d(); self\n .e()");
    assert_eq!(called.into_iter().collect::<Vec<_>>(), ["a", "e"]);
}

#[test]
fn paths_are_found_in_every_form() {
    let names = |module: &[&str], text: &str| {
        let line = CodeLine {
            file: PathBuf::new(),
            number: 1,
            module: module.iter().map(|&part| part.to_owned()).collect(),
            text: text.to_owned(),
        };
        line.names()
    };
    assert_eq!(names(&["suite", "run"], "use crate::game::Root;"), ["game"]);
    assert_eq!(names(&["suite"], "use crate::{a::b, c};"), ["a", "c"]);
    assert_eq!(names(&["suite"], "pub(crate) use crate::{"), ["{"]);
    let two = "let x: crate::game::A = crate::value::B;";
    assert_eq!(names(&["suite"], two), ["game", "value"]);
    let above = "super::super::uci::run();";
    assert_eq!(names(&["suite", "run"], above), ["uci"]);
    assert!(names(&["suite", "run"], "use super::uci;").is_empty());
    assert_eq!(names(&["suite"], "use super::uci;"), ["uci"]);
    assert_eq!(names(&["main"], "use cassius::uci;"), ["uci"]);
}
