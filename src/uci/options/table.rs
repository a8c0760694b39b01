//! The table of options: an entry for each.

use std::time::Duration;

use super::kind::{Button, Kind, UciOption};
use crate::games::chess::Evaluation;
use crate::games::chess::tablebase::Tables;
use crate::search::best_first;
use crate::search::registry::Algorithm;
use crate::search::settings_text::DEFAULT;

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
        doc: "Number of search threads. The depth-first and alpha-beta searches use them; the others use one.",
        kind: Kind::Spin {
            range: (1, 1_024),
            get: |settings| to_spin(settings.search.threads),
            set: |settings, n| settings.search.threads = from_spin(n),
        },
    },
    UciOption {
        name: "Clear Hash",
        doc: "Clear everything that earlier searches stored.",
        kind: Kind::Button(Button::ClearHash),
    },
    UciOption {
        name: "Ponder",
        doc: "Tell the engine that the GUI may let it think on the opponent's time. It then spends its own time more freely.",
        kind: Kind::Check {
            get: |settings| settings.ponder,
            set: |settings, on| settings.ponder = on,
        },
    },
    UciOption {
        name: "MultiPV",
        doc: "Number of best lines to show.",
        kind: Kind::Spin {
            range: (1, 256),
            get: |settings| to_spin(settings.multipv),
            set: |settings, n| settings.multipv = from_spin(n),
        },
    },
    UciOption {
        name: "Move Overhead",
        doc: "Time lost between the GUI and the engine, in milliseconds. It is subtracted from every time limit.",
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
                settings.tables = Tables::open(path).map_err(in_words)?;
                Ok(())
            },
        },
    },
    UciOption {
        name: "Search",
        doc: "Which search to use. Choose `depth-first` to play and analyse, `best-first` to count the leaves that a value rests on, `proof-number` to look for mates, `alpha-beta` to compare with a standard search. The others are for experiments.",
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
        doc: "What positions are judged by. `positional` is for games; `tactical` counts material only and is for puzzles.",
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
        doc: "When worse, and when the value is no harder to raise than to lower, play the move that is hardest to answer among those about as good as the best.",
        kind: Kind::Check {
            get: |settings| settings.speculates,
            set: |settings, on| settings.speculates = on,
        },
    },
    UciOption {
        name: "Speculation Margin",
        doc: "How much worse than the best move a speculative move may be, in centipawns.",
        kind: Kind::Spin {
            range: (0, 1_000),
            get: |settings| settings.speculation.margin.into(),
            set: |settings, n| {
                settings.speculation.margin = n.try_into().unwrap_or_default();
            },
        },
    },
    UciOption {
        name: "Depth-First",
        doc: "Settings of `depth-first`, for experiments: the constants of its cost model.",
        kind: Kind::Text {
            form: || format!("`{DEFAULT}`, or words `constant=number`"),
            get: |settings| settings.search.graded.to_string(),
            set: |settings, text| {
                settings.search.graded = text.parse().map_err(in_words)?;
                Ok(())
            },
        },
    },
    UciOption {
        name: "Best-First",
        doc: "Settings of `best-first`, for experiments.",
        kind: Kind::Text {
            form: || {
                let named = best_first::Settings::named().into_iter();
                let words: Vec<String> = named
                    .map(|(name, allowed)| format!("`{name}=` {allowed}"))
                    .collect();
                format!("`{DEFAULT}`, or words: {}", words.join("; "))
            },
            get: |settings| settings.search.best_first.to_string(),
            set: |settings, text| {
                settings.search.best_first = text.parse().map_err(in_words)?;
                Ok(())
            },
        },
    },
    UciOption {
        name: "UCI_Chess960",
        doc: "Write castling as king takes rook, as Chess960 needs. Both notations are always understood.",
        kind: Kind::Check {
            get: |settings| settings.chess960,
            set: |settings, on| settings.chess960 = on,
        },
    },
    UciOption {
        name: "UCI_AnalyseMode",
        doc: "Analysis instead of play. Forced and easy moves get full time too, and there is no speculative play.",
        kind: Kind::Check {
            get: |settings| settings.analyse_mode,
            set: |settings, on| settings.analyse_mode = on,
        },
    },
    UciOption {
        name: "UCI_ShowWDL",
        doc: "Show the chances of a win, a draw and a loss with each score, in permille.",
        kind: Kind::Check {
            get: |settings| settings.show_wdl,
            set: |settings, on| settings.show_wdl = on,
        },
    },
    UciOption {
        name: "UCI_EngineAbout",
        doc: "What the engine is and its licence, for GUIs that show it.",
        kind: Kind::About(ABOUT),
    },
];

/// What the engine says of itself.
const ABOUT: &str = concat!(
    "Cassius ",
    env!("CARGO_PKG_VERSION"),
    " searches by conspiracy numbers; free software under the GNU GPL, version 3 or later"
);

/// A reason, for the error that a user sees.
fn in_words(reason: impl std::fmt::Display) -> String {
    reason.to_string()
}

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
