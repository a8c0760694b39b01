//! All options of the protocol: the engine's own, and those declared here, which only the protocol needs.
//!
//! The engine's own are in `engine::options::OPTIONS`, the others in `OPTIONS` here. `all` lists both, with the button
//! and the text about the engine; the `option` lines and the table in docs/options.md come from it.
//! `UciSettings::default` has the defaults.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::time::Duration;

use crate::engine::options::{self as engine, EngineOption, OptionKind, from_spin, to_spin};
use crate::engine::settings::EngineSettings;
use crate::engine::strength::{Level, scale};
use crate::version;

/// The settings of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UciSettings {
    /// Settings of the engine.
    pub engine: EngineSettings,
    /// Time lost between the GUI's clock and the engine's, taken off every time limit.
    pub move_overhead: Duration,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether the user analyses instead of playing.
    pub analyse_mode: bool,
    /// Number of best lines to show.
    pub multipv: usize,
    /// Whether the engine may ponder.
    pub ponder: bool,
    /// Whether scores come with the chances of a win, a draw and a loss.
    pub show_wdl: bool,
    /// Whether games are played at [`UciSettings::elo`] rather than at full strength.
    pub limits_strength: bool,
    /// Elo to play at if strength is limited.
    pub elo: u16,
    /// Whether lines beyond the protocol show how certain values are.
    pub shows_evidence: bool,
}

impl Default for UciSettings {
    fn default() -> UciSettings {
        UciSettings {
            engine: EngineSettings::default(),
            move_overhead: Duration::from_millis(20),
            chess960: false,
            analyse_mode: false,
            multipv: 1,
            ponder: false,
            show_wdl: false,
            limits_strength: false,
            elo: 2_000,
            shows_evidence: true,
        }
    }
}

impl UciSettings {
    /// The level of play; `None` at full strength, and in analysis.
    pub(crate) fn level(&self) -> Option<Level> {
        (self.limits_strength && !self.analyse_mode).then(|| Level::of(self.elo))
    }
}

/// The protocol's own options, in the order in which GUIs list them.
pub(crate) static OPTIONS: &[EngineOption<UciSettings>] = &[
    EngineOption {
        name: "Ponder",
        doc: "Tell the engine that the GUI may let it think on the opponent's time. It then spends its own time more freely.",
        kind: OptionKind::Check(|settings| &mut settings.ponder),
    },
    EngineOption {
        name: "MultiPV",
        doc: "Number of best lines to show.",
        kind: OptionKind::Spin {
            range: (1, 256),
            get: |settings| to_spin(settings.multipv),
            set: |settings, n| settings.multipv = from_spin(n),
        },
    },
    EngineOption {
        name: "Move Overhead",
        doc: "Time lost between the GUI and the engine, in milliseconds. It is subtracted from every time limit.",
        kind: OptionKind::Spin {
            range: (0, 10_000),
            get: |settings| to_spin(settings.move_overhead.as_millis()),
            set: |settings, n| settings.move_overhead = Duration::from_millis(from_spin(n)),
        },
    },
    EngineOption {
        name: "UCI_Chess960",
        doc: "Read the castling rights of FENs by the rules of Chess960, and write castling as king takes rook. Moves are understood in both notations.",
        kind: OptionKind::Check(|settings| &mut settings.chess960),
    },
    EngineOption {
        name: "UCI_AnalyseMode",
        doc: "Analysis instead of play. Forced moves, and moves without rivals, get full time too.",
        kind: OptionKind::Check(|settings| &mut settings.analyse_mode),
    },
    EngineOption {
        name: "UCI_ShowWDL",
        doc: "Show the chances of a win, a draw and a loss with each score, in permille.",
        kind: OptionKind::Check(|settings| &mut settings.show_wdl),
    },
    EngineOption {
        name: "UCI_LimitStrength",
        doc: "Play games at the strength of `UCI_Elo`. Analysis is not held back.",
        kind: OptionKind::Check(|settings| &mut settings.limits_strength),
    },
    EngineOption {
        name: "UCI_Elo",
        doc: "How strong to play with `UCI_LimitStrength`.",
        kind: OptionKind::Spin {
            range: (scale::RANGE.0 as i64, scale::RANGE.1 as i64),
            get: |settings| settings.elo.into(),
            set: |settings, n| settings.elo = from_spin(n),
        },
    },
    EngineOption {
        name: "Show Evidence",
        doc: "Show how sure each value is, in lines that begin with `info string`.",
        kind: OptionKind::Check(|settings| &mut settings.shows_evidence),
    },
];

/// The button that clears all tables.
const CLEAR_HASH: &str = "Clear Hash";
/// The read-only text about the engine.
const ABOUT: &str = "UCI_EngineAbout";

/// An option as shown to users and GUIs.
pub(crate) struct OptionText {
    /// The name as GUIs show it.
    pub name: &'static str,
    doc: &'static str,
    /// A description of its values.
    values: String,
    /// Its default, as the protocol writes it; empty for a button.
    default: String,
    /// Its kind and default, in the protocol's syntax.
    kind: String,
}

impl OptionText {
    fn of<S: Clone + Default>(option: &EngineOption<S>) -> OptionText {
        let default = option.value(&S::default());
        OptionText {
            name: option.name,
            doc: option.doc,
            values: option.range(),
            kind: in_words(&option.kind, &default),
            default,
        }
    }

    /// The line that declares it to a GUI.
    pub(crate) fn declaration(&self) -> String {
        format!("option name {} type {}", self.name, self.kind)
    }
}

/// All options, in the order in which GUIs list them.
pub(crate) fn all() -> Vec<OptionText> {
    let button = OptionText {
        name: CLEAR_HASH,
        doc: "Clear everything that earlier searches stored.",
        values: "a button".to_owned(),
        default: String::new(),
        kind: "button".to_owned(),
    };
    let about = OptionText {
        name: ABOUT,
        doc: "What the engine is, its version and commit, and its licence, for GUIs that show it.",
        values: "for reading only".to_owned(),
        default: about(),
        kind: format!("string default {}", about()),
    };
    let engine = engine::OPTIONS.iter().map(OptionText::of);
    let protocol = OPTIONS.iter().map(OptionText::of);
    engine
        .chain([button])
        .chain(protocol)
        .chain([about])
        .collect()
}

/// The options declared to GUIs.
pub(crate) fn declared() -> impl Iterator<Item = OptionText> {
    let is_for_guis = |option: &OptionText| !engine::FOR_EXPERIMENTS.contains(&option.name);
    all().into_iter().filter(is_for_guis)
}

/// Sets the option called `name`, in upper or lower case, in `settings`; returns whether it is the button. A missing
/// value counts as empty.
pub(crate) fn set(
    settings: &mut UciSettings,
    name: &str,
    value: Option<&str>,
) -> Result<bool, String> {
    let value = value.unwrap_or_default();
    let is_it = |other: &str| other.eq_ignore_ascii_case(name);
    if let Some(option) = engine::OPTIONS.iter().find(|it| is_it(it.name)) {
        option.set(&mut settings.engine, value)?;
    } else if let Some(option) = OPTIONS.iter().find(|it| is_it(it.name)) {
        option.set(settings, value)?;
    } else if !is_it(CLEAR_HASH) && !is_it(ABOUT) {
        return Err(engine::unknown(name, all().iter().map(|it| it.name)));
    }
    Ok(is_it(CLEAR_HASH))
}

/// A kind of option and its default in the protocol's syntax.
fn in_words<S>(kind: &OptionKind<S>, default: &str) -> String {
    match kind {
        OptionKind::Spin { range, .. } => {
            format!("spin default {default} min {} max {}", range.0, range.1)
        }
        OptionKind::Check(_) => format!("check default {default}"),
        OptionKind::Combo { choices, .. } => {
            format!("combo default {default} var {}", choices().join(" var "))
        }
        OptionKind::Text { .. } => format!("string default {default}"),
    }
}

/// The engine's text about itself.
fn about() -> String {
    let version = version::WITH_NETWORK;
    format!(
        "Cassius {version} searches by conspiracy numbers; free software under the GNU GPL, version 3 or later"
    )
}

/// All options as the Markdown table of docs/options.md.
pub fn markdown_table() -> String {
    let mut table = String::from("| option | default | values | meaning |\n|---|---|---|---|\n");
    for option in all() {
        let OptionText { name, doc, .. } = option;
        // The default of the text about the engine changes with each commit.
        let default = match option.default.as_str() {
            default if !default.is_empty() && name != ABOUT => format!("`{default}`"),
            _ => String::new(),
        };
        // Markdown would take <empty> for HTML and show nothing.
        let values = option.values.replace('<', r"\<");
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| `{name}` | {default} | {values} | {doc} |");
    }
    table
}
