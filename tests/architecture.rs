//! Which module may use which: plans of the crate ([`HOUSE`]) and of some modules ([`ROOMS`]), from top to bottom, and
//! tests that no module uses one above it.
//!
//! The plans are compared with the sources without their tests: with every path that begins with `crate::` (in
//! the binary `cassius::`), or with as many `super::` as lead to the root of the crate. Inside a room it is
//! every path that leads to another part of it, and every call of a method that another part gives to a
//! type they share.

mod public;
mod sources;
mod words;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sources::{CodeLine, arrows_within, code, followers};

/// Each module of the crate with those that it uses. It may use only modules listed below it, so there is no cycle.
const HOUSE: &str = "
# What is started, and its command line.
main: cli
cli: uci puzzles game_report explorer explanation suite bench engine output lines version
# The front ends. Reports and suites put positions to other engines.
uci: engine outlook search games game wdl value lines workers version platform
puzzles: game_report suite engine search games game wdl value web output lines workers version
game_report: analysis uci_client engine outlook search games profile game wdl value web output lines workers version platform
analysis: engine search games profile conspiracy game value output version
explanation: engine search games game value output version
explorer: engine search games profile conspiracy game value web output version
suite: uci_client engine search games game output lines workers version
bench: engine search games game platform
# Other engines.
uci_client: engine games game lines
# What they have in common: chess and the searches come together here.
engine: outlook search games profile game value output lines random version platform
# What searches leave open; the searches, for any game; the games, for any search.
outlook: search value
search: profile conspiracy game value workers platform
games: game value lines random
# The theory.
profile: conspiracy value
conspiracy: value
game: value
wdl: value
value:
# Tools.
web: output lines
output: lines version
lines:
names:
random:
version:
workers: platform
platform:
";

/// Modules with their parts, each with the parts that it uses, which are listed below it. A module's own file is either
/// the floor: all parts may use it, and it uses none of them; or the roof: it may use all parts, and none uses it.
const ROOMS: &str = "
floor search
    registry: beside depth_first alpha_beta best_first proof_number papers events kit
    beside: proof_number kit
    papers: depth_first kit
    depth_first: events kit
    alpha_beta: events kit
    best_first: kit
    proof_number: kit
    events:
    kit:
roof search/papers
    unit_costs:
    b_star:
    controlled:
    alpha_beta_conspiracy:
    minimax:
floor search/kit
    planted: mate_line arena budget memory path sorting
    histories: history correction
    ordering: history
    correction: history statistics
    history: statistics
    statistics:
    mate_line: sorting
    team: budget sync
    deepening: budget
    budget: prover
    prover:
    arena:
    transposition_table: memory
    memory:
    forgetting:
    path:
    settings_text:
    sorting:
    sync:
roof search/alpha_beta
    driver: recursion sharing line pruning entries node worker settings
    recursion: sharing pruning entries node worker
    sharing: pruning entries node worker
    line: entries worker
    pruning: node worker settings
    entries: node worker
    node: worker
    worker: reductions settings
    reductions: settings
    constants: settings
    settings:
roof search/kit/team
    signals: shared turns
    turns:
    shared_search: shared marks
    shared: marks
    marks:
roof search/depth_first
    driver: node moves sharing worker root_moves settling certificates constants
    node: moves sharing worker line certificates constants
    moves: sharing worker certificates constants
    sharing: worker certificates
    worker: line certificates constants
    root_moves: line certificates
    line: certificates
    settling: certificates
    constants:
    certificates:
roof search/papers/unit_costs
    driver: node
    node:
roof game_report
    from_text: page annotated run analyser judge effort record
    command: store options index foreign pgn_games run analyser judge record
    store: text options index page summary standing gathering annotated move_marks record chances
    text: story summary disagreement moments record verdict
    options: effort
    index: page summary standing move_marks record phase
    page: story reply summary disagreement moments holding columns standing move_marks record verdict phase
    story: standing reply summary moments turn move_marks record verdict termination
    reply: standing record
    summary: disagreement moments columns accuracy turn record
    moments: holding turn move_marks record
    turn: standing move_marks record
    columns: record verdict
    standing: holding move_marks record verdict phase
    foreign: holding judge verdict
    pgn_games: gathering run
    gathering: record
    annotated: run disagreement move_marks record verdict
    run: analyser passes clock record opening
    analyser: passes evidence holding judge effort move_marks record chances verdict phase
    disagreement: record verdict
    passes: agreement judge move_marks record verdict
    agreement: judge verdict
    evidence: judge verdict
    judge: effort holding record verdict
    holding: chances verdict
    effort:
    clock:
    fixtures: move_marks record verdict
    accuracy: record verdict
    termination: record
    move_marks: record chances verdict
    record: chances verdict phase opening
    chances: verdict
    verdict:
    phase:
    opening:
";

/// A module that has a plan of its own.
struct Room {
    path: Vec<&'static str>,
    is_floor: bool,
    plan: Plan,
}

/// Modules with those that they use, separated by blanks.
type Plan = Vec<(&'static str, &'static str)>;

fn house() -> Plan {
    let lines = HOUSE.lines().filter(|line| !line.starts_with('#'));
    let parts = lines.filter_map(|line| line.split_once(':'));
    parts.map(|(name, uses)| (name, uses.trim())).collect()
}

fn rooms() -> Vec<Room> {
    let mut rooms: Vec<Room> = Vec::new();
    for line in ROOMS.trim().lines() {
        if let Some((part, uses)) = line.split_once(':') {
            let room = rooms.last_mut().expect("a room");
            room.plan.push((part.trim(), uses.trim()));
        } else {
            let (own, path) = line.split_once(' ').expect("floor or roof, and a path");
            rooms.push(Room {
                path: path.split('/').collect(),
                is_floor: own == "floor",
                plan: Plan::new(),
            });
        }
    }
    rooms
}

/// Crates that know the rules of chess, or its tables, and the only folder that may name them.
const CHESS_CRATES: [&str; 2] = ["shakmaty", "shakmaty_syzygy"];
const CHESS: &str = "games/chess";

/// Modules that are there with the feature `cli` alone.
const WITH_COMMAND_LINE: [&str; 6] = ["main", "cli", "uci", "suite", "uci_client", "bench"];

#[test]
fn the_plans_have_no_stairs_upwards() {
    let plans = rooms().into_iter().map(|room| room.plan);
    for plan in plans.chain([house()]) {
        for (floor, (module, uses)) in plan.iter().enumerate() {
            for used in uses.split(' ').filter(|used| !used.is_empty()) {
                let below = plan[floor + 1..].iter().any(|(name, _)| *name == used);
                assert!(below, "{module} uses {used}, which is not below it");
            }
        }
    }
}

fn agree(complaints: &str) {
    let told = "the sources and the plans in tests/architecture.rs differ";
    assert!(complaints.is_empty(), "{told}:\n{complaints}");
}

#[test]
fn parts_of_rooms_use_what_they_may_and_nothing_else() {
    let code = code();
    let mut complaints = String::new();
    for room in &rooms() {
        let name = room.path.join("/");
        let mut found = arrows_within(room, &code);
        for line in &code {
            let is_unknown = |part: &&String| room.plan.iter().all(|(name, _)| name != *part);
            if let Some(part) = line.part_of(room).filter(is_unknown) {
                let _ = writeln!(complaints, "{name}: {part} is not in the plan");
            }
        }
        for (part, uses) in &room.plan {
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
        let is_floor = |line: &&CodeLine| room.is_floor && line.module == room.path;
        for line in code.iter().filter(is_floor) {
            let place = line.place();
            for used in line.names_within(room) {
                let _ = writeln!(complaints, "{name}: the floor must not use {used}: {place}");
            }
        }
    }
    agree(&complaints);
}

#[test]
fn modules_use_what_they_may_and_nothing_else() {
    let mut complaints = String::new();
    let mut seen = BTreeSet::new();
    let house = house();
    for line in code() {
        let (module, place) = (&line.module[0], line.place());
        let Some((_, allowed)) = house.iter().find(|(name, _)| name == module) else {
            let _ = writeln!(complaints, "{place}: module {module} is not in the plan");
            continue;
        };
        for used in line.names().into_iter().filter(|it| it != module) {
            if !allowed.split(' ').any(|it| it == used) {
                let _ = writeln!(complaints, "{place}: {module} must not use {used}");
            }
            seen.insert((module.clone(), used));
        }
    }
    for (module, uses) in house {
        for used in uses.split(' ').filter(|used| !used.is_empty()) {
            if !seen.contains(&(module.to_owned(), used.to_owned())) {
                let _ = writeln!(complaints, "the plan lets {module} use {used}: it does not");
            }
        }
    }
    agree(&complaints);
}

#[test]
fn only_the_game_of_chess_knows_the_rules_library() {
    for line in code() {
        for name in CHESS_CRATES {
            let named = !followers(&line.text, &format!("{name}::")).is_empty();
            let (may, place) = (line.file.starts_with(CHESS), line.place());
            assert!(!named || may, "{place}: {name} is for src/{CHESS} only");
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
        let has_clock = ["Instant", "SystemTime"]
            .iter()
            .any(|it| line.text.contains(it));
        let is_of_the_system = has_clock && line.text.contains("std::time");
        assert!(!is_of_the_system, "{}: use crate::platform", line.place());
    }
}

/// A file that `tests/main.rs` does not list is compiled by nobody.
#[test]
fn every_file_of_tests_is_in_their_program() {
    let program = include_str!("main.rs");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_module = path.join("mod.rs").is_file() || path.extension() == Some("rs".as_ref());
        let name = path.file_stem().expect("a name").to_string_lossy();
        let is_listed = name == "main" || program.contains(&format!("\nmod {name};"));
        assert!(
            !is_module || is_listed,
            "tests/main.rs does not list {name}"
        );
    }
}
