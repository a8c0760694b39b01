//! The table of options: an entry for each.

use std::time::Duration;

use super::kind::{Button, Kind, UciOption};
use crate::games::chess::Evaluation;
use crate::games::chess::tablebase::Tables;
use crate::search::best_first::{BranchRule, LeafWindow, SonOrder, StorageKind, Strategy};
use crate::search::registry::Algorithm;

/// All options, in the order GUIs are told of them.
pub static OPTIONS: &[UciOption] = &[
    UciOption {
        name: "Hash",
        doc: "Memory for the search's tree or table, in MiB.",
        kind: Kind::Spin {
            range: (1, 65_536),
            get: |settings| to_spin(settings.search.hash_megabytes),
            set: |settings, n| settings.search.hash_megabytes = from_spin(n),
        },
    },
    UciOption {
        name: "Threads",
        doc: "Threads that search side by side: depth-first search and alpha-beta; the others use one.",
        kind: Kind::Spin {
            range: (1, 1_024),
            get: |settings| to_spin(settings.search.threads),
            set: |settings, n| settings.search.threads = from_spin(n),
        },
    },
    UciOption {
        name: "Clear Hash",
        doc: "Forget everything earlier searches left behind.",
        kind: Kind::Button(Button::ClearHash),
    },
    UciOption {
        name: "Ponder",
        doc: "Whether the GUI lets the engine think on the opponent's time; its own is then spent more freely.",
        kind: Kind::Check {
            get: |settings| settings.ponder,
            set: |settings, on| settings.ponder = on,
        },
    },
    UciOption {
        name: "MultiPV",
        doc: "How many best lines to show, at most as many as there are moves.",
        kind: Kind::Spin {
            range: (1, 256),
            get: |settings| to_spin(settings.multipv),
            set: |settings, n| settings.multipv = from_spin(n),
        },
    },
    UciOption {
        name: "Move Overhead",
        doc: "Milliseconds lost between the GUI's clock and the engine's; taken off every time limit.",
        kind: Kind::Spin {
            range: (0, 10_000),
            get: |settings| i64::try_from(settings.move_overhead.as_millis()).unwrap_or(i64::MAX),
            set: |settings, n| {
                settings.move_overhead = Duration::from_millis(u64::try_from(n).unwrap_or(0));
            },
        },
    },
    UciOption {
        name: "SyzygyPath",
        doc: "Folders with Syzygy endgame tablebases.",
        kind: Kind::Text {
            form: || {
                let separator = if cfg!(windows) { ';' } else { ':' };
                format!("{NOTHING}, or folders with Syzygy tables, separated by '{separator}'")
            },
            get: |settings| match settings.tables.path() {
                "" => NOTHING.to_owned(),
                path => path.to_owned(),
            },
            set: |settings, text| {
                let path = if text == NOTHING { "" } else { text };
                match Tables::open(path) {
                    Ok(tables) => {
                        settings.tables = tables;
                        true
                    }
                    Err(_) => false,
                }
            },
        },
    },
    UciOption {
        name: "Search",
        doc: "Which search to use.",
        kind: Kind::Combo {
            choices: || Algorithm::ALL.into_iter().map(Algorithm::name).collect(),
            get: |settings| settings.search.algorithm.name(),
            set: |settings, name| {
                if let Ok(algorithm) = name.parse() {
                    settings.search.algorithm = algorithm;
                }
            },
        },
    },
    UciOption {
        name: "Evaluation",
        doc: "What positions are judged by: everything, for playing games, or material alone, for solving tactics.",
        kind: Kind::Combo {
            choices: || Evaluation::ALL.map(Evaluation::name).to_vec(),
            get: |settings| settings.evaluation.name(),
            set: |settings, name| {
                let evaluation = &mut settings.evaluation;
                choose(evaluation, &Evaluation::ALL, Evaluation::name, name);
            },
        },
    },
    UciOption {
        name: "Speculative Play",
        doc: "Where it stands worse and little would turn the game, choose among moves about as good the one that is the hardest to answer.",
        kind: Kind::Check {
            get: |settings| settings.speculates,
            set: |settings, on| settings.speculates = on,
        },
    },
    UciOption {
        name: "Speculation Margin",
        doc: "Most that a speculative move may be worse than the best one, in centipawns.",
        kind: Kind::Spin {
            range: (0, 1_000),
            get: |settings| settings.speculation.margin.into(),
            set: |settings, n| {
                settings.speculation.margin = n.try_into().unwrap_or_default();
            },
        },
    },
    UciOption {
        name: "Graded Costs",
        doc: "Depth-first: constants of the cost model that differ from their defaults (`src/search/depth_first/graded.rs`).",
        kind: Kind::Text {
            form: || "default, or constants as name=number with blanks between".to_owned(),
            get: |settings| settings.search.graded.to_string(),
            set: |settings, text| match text.parse() {
                Ok(graded) => {
                    settings.search.graded = graded;
                    true
                }
                Err(_) => false,
            },
        },
    },
    UciOption {
        name: "Storage",
        doc: "Best-first: which conspiracy numbers are kept with the tree; the tree grown is the same.",
        kind: Kind::Combo {
            choices: || StorageKind::ALL.map(StorageKind::name).to_vec(),
            get: |settings| settings.search.best_first.storage.name(),
            set: |settings, name| {
                let storage = &mut settings.search.best_first.storage;
                choose(storage, &StorageKind::ALL, StorageKind::name, name);
            },
        },
    },
    UciOption {
        name: "Depth Limit",
        doc: "Best-first: ply at which positions keep the value they have.",
        kind: Kind::Spin {
            range: (1, 1_000),
            get: |settings| settings.search.best_first.depth_limit.into(),
            set: |settings, n| {
                settings.search.best_first.depth_limit = n.try_into().unwrap_or(u16::MAX);
            },
        },
    },
    UciOption {
        name: "Delta",
        doc: "Best-first: a threshold has converged when the likely range is so many pawns wide.",
        kind: Kind::Spin {
            range: (0, 30),
            get: |settings| settings.search.best_first.delta.into(),
            set: |settings, n| {
                settings.search.best_first.delta = n.try_into().unwrap_or(u8::MAX);
            },
        },
    },
    UciOption {
        name: "Strategy",
        doc: "Best-first: which end of the likely range to rule out, or the root's neighbours.",
        kind: Kind::Combo {
            choices: || Strategy::ALL.map(Strategy::name).to_vec(),
            get: |settings| settings.search.best_first.strategy.name(),
            set: |settings, name| {
                let strategy = &mut settings.search.best_first.strategy;
                choose(strategy, &Strategy::ALL, Strategy::name, name);
            },
        },
    },
    UciOption {
        name: "Branch Rule",
        doc: "Best-first: which of the sons that qualify to descend to, by the thesis's names.",
        kind: Kind::Combo {
            choices: || BranchRule::ALL.map(BranchRule::name).to_vec(),
            get: |settings| settings.search.best_first.branch_rule.name(),
            set: |settings, name| {
                let rule = &mut settings.search.best_first.branch_rule;
                choose(rule, &BranchRule::ALL, BranchRule::name, name);
            },
        },
    },
    UciOption {
        name: "Best Move Cutoff",
        doc: "Best-first: a threshold has also converged when only one move may be the best.",
        kind: Kind::Check {
            get: |settings| settings.search.best_first.best_move_cutoff,
            set: |settings, on| settings.search.best_first.best_move_cutoff = on,
        },
    },
    UciOption {
        name: "Leaf Window",
        doc: "Best-first: evaluate leaves exactly at the root's value only, within the likely range, or everywhere.",
        kind: Kind::Combo {
            choices: || LeafWindow::ALL.map(LeafWindow::name).to_vec(),
            get: |settings| settings.search.best_first.leaf_window.name(),
            set: |settings, name| {
                let window = &mut settings.search.best_first.leaf_window;
                choose(window, &LeafWindow::ALL, LeafWindow::name, name);
            },
        },
    },
    UciOption {
        name: "Son Order",
        doc: "Best-first: whether the game's taste orders new positions of the same value.",
        kind: Kind::Combo {
            choices: || SonOrder::ALL.map(SonOrder::name).to_vec(),
            get: |settings| settings.search.best_first.son_order.name(),
            set: |settings, name| {
                let order = &mut settings.search.best_first.son_order;
                choose(order, &SonOrder::ALL, SonOrder::name, name);
            },
        },
    },
    UciOption {
        name: "UCI_Chess960",
        doc: "Write castling as king takes rook, as Chess960 needs; both ways are always understood.",
        kind: Kind::Check {
            get: |settings| settings.chess960,
            set: |settings, on| settings.chess960 = on,
        },
    },
    UciOption {
        name: "UCI_AnalyseMode",
        doc: "Analysis rather than play: only moves and easy ones are searched like any other.",
        kind: Kind::Check {
            get: |settings| settings.analyse_mode,
            set: |settings, on| settings.analyse_mode = on,
        },
    },
    UciOption {
        name: "UCI_ShowWDL",
        doc: "Tell the chances of a win, a draw and a loss with each score, in permille.",
        kind: Kind::Check {
            get: |settings| settings.show_wdl,
            set: |settings, on| settings.show_wdl = on,
        },
    },
    UciOption {
        name: "UCI_EngineAbout",
        doc: "What the engine is, for GUIs that show it.",
        kind: Kind::About(ABOUT),
    },
];

/// What the engine says of itself.
const ABOUT: &str = concat!(
    "Cassius ",
    env!("CARGO_PKG_VERSION"),
    " searches by conspiracy numbers; free software under the GNU GPL, version 3 or later"
);

/// How the protocol writes an empty text.
const NOTHING: &str = "<empty>";

/// Sets `setting` to the one of `all` that has this name.
fn choose<T: Copy>(setting: &mut T, all: &[T], name_of: fn(T) -> &'static str, name: &str) {
    if let Some(&chosen) = all.iter().find(|&&it| name_of(it) == name) {
        *setting = chosen;
    }
}

fn to_spin(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A spin value as a size; ranges of sizes never begin below zero.
fn from_spin(n: i64) -> usize {
    usize::try_from(n).unwrap_or_default()
}
