//! The table of the engine's options. Those that only the protocol needs are in `uci::options`.

use std::fmt::Display;
use std::str::FromStr;

use super::{EngineOption, OptionKind, from_spin, to_spin};
use crate::engine::memory::HASH_MEGABYTES;
use crate::engine::settings::{EngineSettings, NetworkChoice};
use crate::games::chess::Evaluation;
use crate::games::chess::tablebase::Tables;
use crate::profile::Margin;
use crate::search::best_first;
use crate::search::kit::settings_text::DEFAULT;
use crate::search::registry::Algorithm;

/// The name of the option for [`EngineSettings::sureness_margin`].
pub(crate) const SURENESS_MARGIN: &str = "Sureness Margin";

/// The name of the option for [`EngineSettings::mate_share`].
const MATE_SHARE: &str = "Mate Share";

/// Options that few need, hidden from GUIs. `setoption` and searches on the command line accept them all the same.
pub(crate) const FOR_EXPERIMENTS: [&str; 5] = [
    MATE_SHARE,
    SURENESS_MARGIN,
    "Conspiracy Margin",
    "Depth-First",
    "Alpha-Beta",
];

/// The engine's options, in the order in which GUIs list them.
pub(crate) static OPTIONS: &[EngineOption<EngineSettings>] = &[
    EngineOption {
        name: "Hash",
        doc: "Memory for the search's tree or table, in MiB.",
        kind: OptionKind::Spin {
            range: HASH_RANGE,
            get: |settings| to_spin(settings.search.hash_megabytes),
            set: |settings, n| settings.search.hash_megabytes = from_spin(n),
        },
    },
    EngineOption {
        name: "Threads",
        doc: "Number of search threads. `depth-first`, `alpha-beta`, `alpha-beta-plain`, `best-first`, `sibling-conspiracy` and `proof-number` use them; the others use one.",
        kind: OptionKind::Spin {
            range: (1, 1_024),
            get: |settings| to_spin(settings.search.threads.count),
            set: |settings, n| settings.search.threads.count = from_spin(n),
        },
    },
    EngineOption {
        name: "SyzygyPath",
        doc: "Folders with Syzygy endgame tablebases.",
        kind: OptionKind::Text {
            form: || {
                let separator = if cfg!(windows) { ';' } else { ':' };
                format!("{NOTHING}, or folders with Syzygy tables, separated by '{separator}'")
            },
            get: |settings| or_nothing(settings.tables.path()),
            set: |settings, text| {
                let path = if text == NOTHING { "" } else { text };
                // The searches already have the tables of the same path.
                if path != settings.tables.path() {
                    settings.tables = Tables::open(path).map_err(in_words)?;
                }
                Ok(())
            },
        },
    },
    EngineOption {
        name: "Search",
        doc: "Which search to use. Choose `depth-first` to play and analyse, `best-first` to count the leaves that a value rests on, `proof-number` to look for mates, `alpha-beta` to compare with a standard search. The others are for experiments.",
        kind: OptionKind::Combo {
            choices: || Algorithm::ALL.map(Algorithm::name).to_vec(),
            get: |settings| settings.search.algorithm.name(),
            set: |settings, place| settings.search.algorithm = Algorithm::ALL[place],
        },
    },
    EngineOption {
        name: MATE_SHARE,
        doc: "Share of an analysis, in percent of its positions, for a proof of mates beside `depth-first` and `alpha-beta`. In play there is none.",
        kind: OptionKind::Spin {
            range: (0, 50),
            get: |settings| settings.mate_share.into(),
            set: |settings, n| settings.mate_share = from_spin(n),
        },
    },
    EngineOption {
        name: "Evaluation",
        doc: "What positions are judged by. `network` was learnt from games, `tactical` counts material only, as in the thesis.",
        kind: OptionKind::Combo {
            choices: || Evaluation::ALL.map(Evaluation::name).to_vec(),
            get: |settings| settings.evaluation.name(),
            set: |settings, place| settings.evaluation = Evaluation::ALL[place],
        },
    },
    EngineOption {
        name: "EvalFile",
        doc: "A file with another network, for `Evaluation` `network`.",
        kind: OptionKind::Text {
            form: || {
                format!(
                    "{NOTHING}, or the path of a network; {NOTHING} is the one that is part of the program"
                )
            },
            get: |settings| or_nothing(settings.network.path()),
            set: |settings, text| {
                let path = if text == NOTHING { "" } else { text };
                settings.network = NetworkChoice::open(path).map_err(in_words)?;
                Ok(())
            },
        },
    },
    EngineOption {
        name: SURENESS_MARGIN,
        doc: "What a profile counts: the positions that would have to be misjudged for the value to change by this many centipawns, or for the move to change.",
        kind: OptionKind::Spin {
            range: (1, Margin::MOST as i64),
            get: |settings| settings.sureness_margin.centipawns().into(),
            set: |settings, n| settings.sureness_margin = Margin::new(from_spin(n)),
        },
    },
    EngineOption {
        name: "Conspiracy Margin",
        doc: "δ of `alpha-beta-conspiracy`, in centipawns: a move at most this much worse than the best one is an alternative to it.",
        kind: OptionKind::Spin {
            range: (0, 1_000),
            get: |settings| settings.search.conspiracy_margin.into(),
            set: |settings, n| settings.search.conspiracy_margin = from_spin(n),
        },
    },
    EngineOption {
        name: "Depth-First",
        doc: "Settings of `depth-first`, for experiments: the constants of its cost model.",
        kind: OptionKind::Text {
            form: || format!("`{DEFAULT}`, or words `constant=number`"),
            get: |settings| settings.search.depth_first.to_string(),
            set: |settings, text| read_into(&mut settings.search.depth_first, text),
        },
    },
    EngineOption {
        name: "Alpha-Beta",
        doc: "Settings of `alpha-beta`, for experiments: the constants of its techniques.",
        kind: OptionKind::Text {
            form: || format!("`{DEFAULT}`, or words `constant=number`"),
            get: |settings| settings.search.alpha_beta.to_string(),
            set: |settings, text| read_into(&mut settings.search.alpha_beta, text),
        },
    },
    EngineOption {
        name: "Best-First",
        doc: "Settings of `best-first`, for experiments.",
        kind: OptionKind::Text {
            form: || {
                let named = best_first::Settings::named().into_iter();
                let words: Vec<String> = named
                    .map(|(name, allowed)| format!("`{name}=` {allowed}"))
                    .collect();
                format!("`{DEFAULT}`, or words: {}", words.join("; "))
            },
            get: |settings| settings.search.best_first.to_string(),
            set: |settings, text| read_into(&mut settings.search.best_first, text),
        },
    },
];

/// Sets `place` to what `text` stands for; on an error it stays as it is.
fn read_into<T: FromStr<Err: Display>>(place: &mut T, text: &str) -> Result<(), String> {
    *place = text.parse().map_err(in_words)?;
    Ok(())
}

/// An error with its context, in one line.
fn in_words(reason: impl Display) -> String {
    format!("{reason:#}")
}

/// [`HASH_MEGABYTES`] as a spin's range.
const HASH_RANGE: (i64, i64) = (*HASH_MEGABYTES.start() as i64, *HASH_MEGABYTES.end() as i64);

/// An empty text in the protocol.
const NOTHING: &str = "<empty>";

/// A path in the protocol.
fn or_nothing(path: &str) -> String {
    if path.is_empty() { NOTHING } else { path }.to_owned()
}
