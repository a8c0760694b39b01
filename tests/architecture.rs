//! Which module may use which: the house, floor by floor, some of its rooms likewise, and a test that nobody
//! climbs.
//!
//! What is compared is what the sources say, tests left out: every path that begins with `crate::` (in
//! the binary `cassius::`), or with as many `super::` as lead to the root of the crate. Inside a room it is
//! every path that leads to another part of it, and every call of a method that another part gives to a
//! type they share.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module of the crate with those it uses. Arrows point downwards only, so there is no circle.
const HOUSE: &[(&str, &str)] = &[
    // What is started, and its command line.
    ("main", "cli"),
    (
        "cli",
        "uci puzzles game_report explorer suite bench engine output version",
    ),
    // The front ends. Reports and experiments put positions to the players of suites.
    (
        "uci",
        "engine outlook search games game wdl value lines workers version",
    ),
    (
        "puzzles",
        "suite engine search games game wdl value web output lines workers version",
    ),
    (
        "game_report",
        "analysis suite engine search games profile game wdl value web output lines workers version",
    ),
    (
        "analysis",
        "engine search games profile conspiracy game value output version",
    ),
    (
        "explorer",
        "engine search games profile conspiracy game value web output version",
    ),
    (
        "suite",
        "engine search games game output lines workers version",
    ),
    ("bench", "engine search games game"),
    // What they have in common: chess and the searches come together here.
    (
        "engine",
        "outlook search games profile game value output lines random version platform",
    ),
    // What searches leave open; the searches, for any game; the games, for any search.
    ("outlook", "search value"),
    (
        "search",
        "profile conspiracy chance game value workers platform",
    ),
    ("games", "chance game value lines random"),
    // The theory.
    ("profile", "conspiracy value"),
    ("conspiracy", "value"),
    ("chance", "game"),
    ("game", "value"),
    ("wdl", "value"),
    ("value", ""),
    // Tools.
    ("web", "output"),
    ("output", "version"),
    ("lines", ""),
    ("names", ""),
    ("random", ""),
    ("version", ""),
    ("workers", "platform"),
    ("platform", ""),
];

/// A module with the parts of it, each with those it uses. Arrows point downwards only.
struct Room {
    path: &'static [&'static str],
    /// Whether the module's own file is the floor that all its parts stand on, and uses none of them. Else it is the
    /// roof: it may use all its parts, and no part uses it.
    is_floor: bool,
    plan: &'static [(&'static str, &'static str)],
}

/// Modules that have a plan of their own.
const ROOMS: &[Room] = &[
    Room {
        path: &["search"],
        is_floor: true,
        plan: &[
            ("registry", "play papers mates kit"),
            ("play", "mates kit"),
            ("papers", "mates kit"),
            ("mates", "kit"),
            ("kit", ""),
        ],
    },
    Room {
        path: &["search", "play"],
        is_floor: true,
        plan: &[
            ("depth_first", "learnt ordering history correction"),
            ("alpha_beta", "learnt ordering history correction"),
            ("learnt", "history correction"),
            ("ordering", "history"),
            ("correction", "history statistics"),
            ("history", "statistics"),
            ("statistics", ""),
        ],
    },
    Room {
        path: &["search", "papers"],
        is_floor: false,
        plan: &[
            ("best_first", "planted"),
            ("b_star", "planted arena"),
            ("controlled", "planted arena"),
            ("planted", "arena"),
            ("arena", ""),
            ("alpha_beta_conspiracy", ""),
            ("chance", ""),
            ("minimax", ""),
        ],
    },
    Room {
        path: &["search", "kit"],
        is_floor: false,
        plan: &[
            ("team", "watching budget sync"),
            ("watching", ""),
            ("deepening", "budget"),
            ("budget", ""),
            ("table", "memory"),
            ("memory", ""),
            ("forgetting", ""),
            ("path", ""),
            ("settings_text", ""),
            ("sorting", ""),
            ("sync", ""),
        ],
    },
    Room {
        path: &["search", "play", "alpha_beta"],
        is_floor: false,
        plan: &[
            ("driver", "recursion line pruning node worker settings"),
            ("recursion", "sharing pruning entries node worker"),
            ("sharing", "pruning entries node worker"),
            ("line", "entries worker"),
            ("pruning", "node worker settings"),
            ("entries", "node worker"),
            ("node", "worker"),
            ("worker", "reductions settings"),
            ("reductions", "settings"),
            ("settings", ""),
        ],
    },
    Room {
        path: &["search", "kit", "team"],
        is_floor: false,
        plan: &[
            ("signals", "turns"),
            ("turns", ""),
            ("shared", "marks"),
            ("marks", ""),
        ],
    },
    Room {
        path: &["search", "play", "depth_first"],
        is_floor: false,
        plan: &[("graded", "common"), ("unit", "common"), ("common", "")],
    },
    Room {
        path: &["search", "play", "depth_first", "common"],
        is_floor: false,
        plan: &[
            ("driver", "line worker settling certificates"),
            ("line", "worker certificates"),
            ("sharing", "worker certificates"),
            ("worker", "certificates"),
            ("settling", "certificates"),
            ("certificates", ""),
        ],
    },
    Room {
        path: &["search", "play", "depth_first", "graded"],
        is_floor: false,
        plan: &[
            ("root", "node question costs constants"),
            (
                "node",
                "trials price leaf correcting question costs constants",
            ),
            ("trials", "price question costs"),
            ("leaf", "costs"),
            ("price", "question costs constants"),
            ("correcting", "question costs"),
            ("question", ""),
            ("costs", "constants"),
            ("constants", ""),
        ],
    },
    Room {
        path: &["search", "play", "depth_first", "unit"],
        is_floor: false,
        plan: &[("root", "node"), ("node", "")],
    },
];

/// Crates that know the rules of chess, or its tables, and the only folder that may name them.
const CHESS_CRATES: [&str; 2] = ["shakmaty", "shakmaty_syzygy"];
const CHESS: &str = "games/chess";

/// Modules that are there with the feature `cli` alone.
const WITH_COMMAND_LINE: [&str; 5] = ["main", "cli", "uci", "suite", "bench"];

/// A line of code that is not a test.
struct CodeLine {
    /// The file, below `src`.
    file: PathBuf,
    number: usize,
    /// The modules that the file lies in, from the top: `["suite", "engine"]`.
    module: Vec<String>,
    text: String,
}

impl CodeLine {
    fn place(&self) -> String {
        format!("src/{}:{}", self.file.display(), self.number)
    }

    /// The top-level modules that the line names.
    fn names(&self) -> Vec<String> {
        let root = if self.module[0] == "main" {
            "cassius::".to_owned()
        } else {
            "crate::".to_owned()
        };
        let supers = "super::".repeat(self.module.len());
        [root, supers]
            .iter()
            .flat_map(|prefix| followers(&self.text, prefix))
            .collect()
    }

    /// The part of the room that the line stands in.
    fn part_of(&self, room: &Room) -> Option<&String> {
        let is_in = self.module.iter().zip(room.path).all(|(a, b)| a == b);
        self.module.get(room.path.len()).filter(|_| is_in)
    }

    /// The parts of the room that paths in the line lead to, and where it is a roof what its own file defines.
    fn names_within(&self, room: &Room) -> Vec<String> {
        let path = format!("crate::{}::", room.path.join("::"));
        let supers = match self.module.len() - room.path.len() {
            0 => "self::".to_owned(),
            floors => "super::".repeat(floors),
        };
        let names = [path, supers]
            .into_iter()
            .flat_map(|prefix| followers(&self.text, &prefix));
        let is_part = |name: &str| room.plan.iter().any(|&(part, _)| part == name);
        let names = names.filter(|name| name != "super");
        if room.is_floor {
            names.filter(|name| name == "{" || is_part(name)).collect()
        } else {
            names.collect()
        }
    }
}

/// The methods that some code defines.
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

/// The methods that some code calls of `self` or of a `worker`, which parts of a room add methods to.
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

/// The arrows between the parts of a room, each with the place where it is found.
fn arrows_within(room: &Room, code: &[CodeLine]) -> BTreeMap<(String, String), String> {
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
    let defined = texts
        .iter()
        .map(|(&part, text)| (part, methods_defined(text)));
    let defined: BTreeMap<&String, BTreeSet<&str>> = defined.collect();
    for (&part, text) in &texts {
        for method in methods_called(text) {
            let definers = defined.iter().filter(|(_, all)| all.contains(&*method));
            let definers: Vec<&String> = definers.map(|(&definer, _)| definer).collect();
            // A name that several parts use may be another type's.
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

/// The words that follow `prefix` wherever it begins a path, each of them where several do; `{` where these begin on
/// another line.
fn followers(text: &str, prefix: &str) -> Vec<String> {
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

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            source_files(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}

/// All code below `src` but comments, tests and the list of modules.
fn code() -> Vec<CodeLine> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    source_files(&source, &mut files);
    files.sort();
    let mut lines = Vec::new();
    for path in files {
        let file = path.strip_prefix(&source).expect("a file of it").to_owned();
        let parts = file.with_extension("");
        let mut module: Vec<String> = parts
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
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
fn the_plans_have_no_stairs_upwards() {
    let plans = ROOMS.iter().map(|room| room.plan).chain([HOUSE]);
    for plan in plans {
        for (floor, (module, uses)) in plan.iter().enumerate() {
            for used in uses.split(' ').filter(|used| !used.is_empty()) {
                let below = plan[floor + 1..].iter().any(|(name, _)| *name == used);
                assert!(below, "{module} uses {used}, which is not below it");
            }
        }
    }
}

#[test]
fn parts_of_rooms_use_what_they_may_and_nothing_else() {
    let code = code();
    let mut complaints = String::new();
    for room in ROOMS {
        let name = room.path.join("/");
        let mut found = arrows_within(room, &code);
        for line in &code {
            let part = line.part_of(room);
            if let Some(part) = part.filter(|&part| room.plan.iter().all(|(name, _)| name != part))
            {
                let _ = writeln!(complaints, "{name}: {part} is not in the plan");
            }
        }
        for (part, uses) in room.plan {
            for used in uses.split(' ').filter(|used| !used.is_empty()) {
                let arrow = ((*part).to_owned(), used.to_owned());
                if found.remove(&arrow).is_none() {
                    let _ = writeln!(complaints, "{name}: {part} may use {used}: it does not");
                }
            }
        }
        for ((part, used), place) in found {
            let _ = writeln!(complaints, "{name}: {part} must not use {used}: {place}");
        }
        let floor = code
            .iter()
            .filter(|line| room.is_floor && line.module == room.path);
        for line in floor {
            for used in line.names_within(room) {
                let place = line.place();
                let _ = writeln!(complaints, "{name}: the floor must not use {used}: {place}");
            }
        }
    }
    assert!(
        complaints.is_empty(),
        "the sources and the plans in tests/architecture.rs differ:\n{complaints}"
    );
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
fn modules_use_what_they_may_and_nothing_else() {
    let mut complaints = String::new();
    let mut seen = BTreeSet::new();
    for line in code() {
        let module = &line.module[0];
        let Some((_, allowed)) = HOUSE.iter().find(|(name, _)| name == module) else {
            let _ = writeln!(
                complaints,
                "{}: module {module} is not in the plan",
                line.place()
            );
            continue;
        };
        for used in line.names() {
            if used == *module {
                continue;
            }
            if !allowed.split(' ').any(|it| it == used) {
                let place = line.place();
                let _ = writeln!(complaints, "{place}: {module} must not use {used}");
            }
            seen.insert((module.clone(), used));
        }
    }
    for (module, uses) in HOUSE {
        for used in uses.split(' ').filter(|used| !used.is_empty()) {
            if !seen.contains(&((*module).to_owned(), used.to_owned())) {
                let _ = writeln!(complaints, "the plan lets {module} use {used}: it does not");
            }
        }
    }
    assert!(
        complaints.is_empty(),
        "the sources and the plan in tests/architecture.rs differ:\n{complaints}"
    );
}

#[test]
fn only_the_game_of_chess_knows_the_rules_library() {
    for line in code() {
        for name in CHESS_CRATES {
            let named = !followers(&line.text, &format!("{name}::")).is_empty();
            assert!(
                !named || line.file.starts_with(CHESS),
                "{}: {name} is for src/{CHESS} only",
                line.place()
            );
        }
    }
}

#[test]
fn what_needs_no_command_line_asks_the_platform_for_its_clock() {
    for line in code() {
        let module = line.module[0].as_str();
        if WITH_COMMAND_LINE.contains(&module) || module == "platform" {
            continue;
        }
        let is_of_the_system = line.text.contains("std::time")
            && ["Instant", "SystemTime"]
                .iter()
                .any(|clock| line.text.contains(clock));
        assert!(!is_of_the_system, "{}: use crate::platform", line.place());
    }
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
    assert_eq!(
        names(&["suite"], "let x: crate::game::A = crate::value::B;"),
        ["game", "value"]
    );
    assert_eq!(
        names(&["suite", "run"], "super::super::uci::run();"),
        ["uci"]
    );
    assert!(names(&["suite", "run"], "use super::uci;").is_empty());
    assert_eq!(names(&["suite"], "use super::uci;"), ["uci"]);
    assert_eq!(names(&["main"], "use cassius::uci;"), ["uci"]);
}
