//! Everything a GUI can set: the engine's own options and, declared here, those that only the protocol
//! needs.
//!
//! [`OPTIONS`] is the table of the latter, as [`engine::options`](crate::engine::options) has one of the
//! former. [`all`] lists both, with the one button there is and a text about the engine; the `option`
//! lines and the table in docs/options.md come from that. Defaults are what [`UciSettings::default`] says.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::time::Duration;

use crate::engine::options::{self as engine, EngineOption, Kind, OptionError, from_spin, to_spin};
use crate::engine::settings::EngineSettings;
use crate::engine::strength::{Level, scale};
use crate::version;

/// What the options of a session change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciSettings {
    /// What is searched with.
    pub engine: EngineSettings,
    /// Time lost between the GUI's clock and the engine's, taken off every time limit.
    pub move_overhead: Duration,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether this is analysis rather than play.
    pub analyse_mode: bool,
    /// How many best lines to show.
    pub multipv: usize,
    /// Whether the opponent's time may be thought on.
    pub ponder: bool,
    /// Whether values come with the chances of a win, a draw and a loss.
    pub show_wdl: bool,
    /// Whether games are played at [`UciSettings::elo`] rather than as well as possible.
    pub limits_strength: bool,
    /// How strong to play where that is limited.
    pub elo: u16,
    /// Whether it is told how sure values are, in lines beyond the protocol's.
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
    /// What games are held back to; `None` at full strength, and in analysis.
    pub fn level(&self) -> Option<Level> {
        (self.limits_strength && !self.analyse_mode).then(|| Level::of(self.elo))
    }
}

/// The protocol's own options, in the order GUIs are told of them.
pub static OPTIONS: &[EngineOption<UciSettings>] = &[
    EngineOption {
        name: "Ponder",
        doc: "Tell the engine that the GUI may let it think on the opponent's time. It then spends its own time more freely.",
        kind: Kind::Check {
            get: |settings| settings.ponder,
            set: |settings, on| settings.ponder = on,
        },
    },
    EngineOption {
        name: "MultiPV",
        doc: "Number of best lines to show.",
        kind: Kind::Spin {
            range: (1, 256),
            get: |settings| to_spin(settings.multipv),
            set: |settings, n| settings.multipv = from_spin(n),
        },
    },
    EngineOption {
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
    EngineOption {
        name: "UCI_Chess960",
        doc: "Read the castling rights of FENs by the rules of Chess960, and write castling as king takes rook. Moves are understood in both notations.",
        kind: Kind::Check {
            get: |settings| settings.chess960,
            set: |settings, on| settings.chess960 = on,
        },
    },
    EngineOption {
        name: "UCI_AnalyseMode",
        doc: "Analysis instead of play. Forced and easy moves get full time too.",
        kind: Kind::Check {
            get: |settings| settings.analyse_mode,
            set: |settings, on| settings.analyse_mode = on,
        },
    },
    EngineOption {
        name: "UCI_ShowWDL",
        doc: "Show the chances of a win, a draw and a loss with each score, in permille.",
        kind: Kind::Check {
            get: |settings| settings.show_wdl,
            set: |settings, on| settings.show_wdl = on,
        },
    },
    EngineOption {
        name: "UCI_LimitStrength",
        doc: "Play games at the strength of `UCI_Elo`. Analysis is not held back.",
        kind: Kind::Check {
            get: |settings| settings.limits_strength,
            set: |settings, on| settings.limits_strength = on,
        },
    },
    EngineOption {
        name: "UCI_Elo",
        doc: "How strong to play with `UCI_LimitStrength`.",
        kind: Kind::Spin {
            range: (scale::RANGE.0 as i64, scale::RANGE.1 as i64),
            get: |settings| settings.elo.into(),
            set: |settings, n| settings.elo = n.try_into().unwrap_or(scale::RANGE.1),
        },
    },
    EngineOption {
        name: "Show Evidence",
        doc: "Show how sure each value is, in lines that begin with `info string`.",
        kind: Kind::Check {
            get: |settings| settings.shows_evidence,
            set: |settings, on| settings.shows_evidence = on,
        },
    },
];

/// What pressing a button asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Button {
    /// Forget everything earlier searches left behind.
    ClearHash,
}

/// One option as GUIs see it.
#[derive(Clone, Copy)]
pub enum UciOption {
    /// One of the engine's.
    Engine(&'static EngineOption<EngineSettings>),
    /// One of the protocol's.
    Protocol(&'static EngineOption<UciSettings>),
    /// Something to press.
    Button(Button),
    /// A text that is told and never set.
    About,
}

/// All options, in the order GUIs are told of them.
pub fn all() -> impl Iterator<Item = UciOption> {
    let engine = engine::OPTIONS.iter().map(UciOption::Engine);
    let protocol = OPTIONS.iter().map(UciOption::Protocol);
    engine
        .chain([UciOption::Button(Button::ClearHash)])
        .chain(protocol)
        .chain([UciOption::About])
}

/// The options that a GUI is told of.
pub fn declared() -> impl Iterator<Item = UciOption> {
    all().filter(|option| !engine::FOR_EXPERIMENTS.contains(&option.name()))
}

/// Sets the option called `name`, in any case, in `settings`; says which button was pressed if it
/// is one. A missing value counts as an empty one.
pub fn set(
    settings: &mut UciSettings,
    name: &str,
    value: Option<&str>,
) -> Result<Option<Button>, OptionError> {
    let value = value.unwrap_or_default();
    let option = all().find(|option| option.name().eq_ignore_ascii_case(name));
    match option.ok_or_else(|| OptionError::unknown(name, all().map(UciOption::name)))? {
        UciOption::Engine(option) => option.set(&mut settings.engine, value)?,
        UciOption::Protocol(option) => option.set(settings, value)?,
        UciOption::Button(button) => return Ok(Some(button)),
        // Nothing that a GUI could mean by it.
        UciOption::About => {}
    }
    Ok(None)
}

impl UciOption {
    /// The name as GUIs show it.
    pub fn name(self) -> &'static str {
        match self {
            UciOption::Engine(option) => option.name,
            UciOption::Protocol(option) => option.name,
            UciOption::Button(Button::ClearHash) => "Clear Hash",
            UciOption::About => "UCI_EngineAbout",
        }
    }

    /// What it does, for docs/options.md.
    fn doc(self) -> &'static str {
        match self {
            UciOption::Engine(option) => option.doc,
            UciOption::Protocol(option) => option.doc,
            UciOption::Button(Button::ClearHash) => {
                "Clear everything that earlier searches stored."
            }
            UciOption::About => {
                "What the engine is, its version and commit, and its licence, for GUIs that show it."
            }
        }
    }

    /// The values it can have, in words.
    fn range(self) -> String {
        match self {
            UciOption::Engine(option) => option.range(),
            UciOption::Protocol(option) => option.range(),
            UciOption::Button(_) => "a button".to_owned(),
            UciOption::About => "for reading only".to_owned(),
        }
    }

    /// The value it has in `settings`, as the protocol writes it; empty for a button.
    pub fn value(self, settings: &UciSettings) -> String {
        match self {
            UciOption::Engine(option) => option.value(&settings.engine),
            UciOption::Protocol(option) => option.value(settings),
            UciOption::Button(_) => String::new(),
            UciOption::About => about(),
        }
    }

    /// The line that declares it to a GUI.
    pub fn declaration(self) -> String {
        let name = self.name();
        let default = self.value(&UciSettings::default());
        let kind = match self {
            UciOption::Engine(option) => in_words(&option.kind, &default),
            UciOption::Protocol(option) => in_words(&option.kind, &default),
            UciOption::Button(_) => "button".to_owned(),
            UciOption::About => format!("string default {default}"),
        };
        format!("option name {name} type {kind}")
    }
}

/// A kind of option and its default in the protocol's words.
fn in_words<S>(kind: &Kind<S>, default: &str) -> String {
    match kind {
        Kind::Spin { range, .. } => {
            let (min, max) = range;
            format!("spin default {default} min {min} max {max}")
        }
        Kind::Check { .. } => format!("check default {default}"),
        Kind::Combo { choices, .. } => {
            let choices = choices().join(" var ");
            format!("combo default {default} var {choices}")
        }
        Kind::Text { .. } => format!("string default {default}"),
    }
}

/// What the engine says of itself.
fn about() -> String {
    let version = version::WITH_NETWORK;
    format!(
        "Cassius {version} searches by conspiracy numbers; free software under the GNU GPL, version 3 or later"
    )
}

/// All options as a Markdown table, the one in docs/options.md.
pub fn markdown_table() -> String {
    let mut table = String::from("| option | default | values | meaning |\n|---|---|---|---|\n");
    let defaults = UciSettings::default();
    for option in all() {
        let value = match option.value(&defaults) {
            // Another with each commit.
            _ if matches!(option, UciOption::About) => String::new(),
            none if none.is_empty() => none,
            value => format!("`{value}`"),
        };
        let (name, doc) = (option.name(), option.doc());
        // Markdown would take <empty> for HTML and show nothing.
        let values = option.range().replace('<', r"\<");
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| `{name}` | {value} | {values} | {doc} |");
    }
    table
}
