//! Everything a GUI can set, declared once.
//!
//! [`OPTIONS`] is the only place that knows an option's name, kind, range and meaning, and what it
//! changes. The `option` lines, the validation, the error texts and the table in the README all
//! come from it; a new option is one more entry. Defaults are not written here: they are what
//! [`EngineSettings::default`] says.

use std::fmt::Write as _;
use std::time::Duration;

use thiserror::Error;

use crate::games::chess::tablebase::Tables;
use crate::games::chess::{Evaluation, Position, Quiescence};
use crate::search::Searcher;
use crate::search::best_first::{BranchRule, LeafWindow, SonOrder, StorageKind, Strategy};
use crate::search::registry::{self, Algorithm, Settings};

/// What the options change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// How to search.
    pub search: Settings,
    /// What positions are judged by.
    pub evaluation: Evaluation,
    /// Search threads to use.
    pub threads: usize,
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
    /// Endgame tablebases.
    pub tables: Tables,
}

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        EngineSettings {
            search: Settings::default(),
            evaluation: Evaluation::default(),
            threads: 1,
            move_overhead: Duration::from_millis(20),
            chess960: false,
            analyse_mode: false,
            multipv: 1,
            ponder: false,
            show_wdl: false,
            tables: Tables::default(),
        }
    }
}

impl EngineSettings {
    /// Makes the search that the settings describe.
    pub fn searcher(&self) -> Box<dyn Searcher<Position> + Send> {
        let evaluator = Quiescence::new(self.evaluation).with_tables(self.tables.clone());
        registry::build(&self.search, evaluator)
    }

    /// Whether [`EngineSettings::searcher`] makes the same of these settings and of others.
    pub fn makes_the_same_searcher(&self, other: &EngineSettings) -> bool {
        self.search == other.search
            && self.evaluation == other.evaluation
            && self.tables == other.tables
    }
}

/// What pressing a button asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Button {
    /// Forget everything earlier searches left behind.
    ClearHash,
}

/// One option.
pub struct UciOption {
    /// The name as GUIs show it.
    pub name: &'static str,
    /// What it does, for the README.
    pub doc: &'static str,
    kind: Kind,
}

/// The kinds of the protocol, each with the way to its setting.
enum Kind {
    Spin {
        range: (i64, i64),
        get: fn(&EngineSettings) -> i64,
        set: fn(&mut EngineSettings, i64),
    },
    Check {
        get: fn(&EngineSettings) -> bool,
        set: fn(&mut EngineSettings, bool),
    },
    Combo {
        choices: fn() -> Vec<&'static str>,
        get: fn(&EngineSettings) -> &'static str,
        /// Called with one of the choices only.
        set: fn(&mut EngineSettings, &'static str),
    },
    /// Free text, written `string` in the protocol.
    Text {
        /// What it should look like, in words.
        form: fn() -> String,
        get: fn(&EngineSettings) -> String,
        /// Refuses by returning false, leaving the settings as they are.
        set: fn(&mut EngineSettings, &str) -> bool,
    },
    Button(Button),
}

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
        doc: "Search threads. Accepted for the sake of match runners: every search uses one so far.",
        kind: Kind::Spin {
            range: (1, 1_024),
            get: |settings| to_spin(settings.threads),
            set: |settings, n| settings.threads = from_spin(n),
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
];

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

/// Why an option was not set. The old value stays.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OptionError {
    /// No option has that name.
    #[error("there is no option '{given}'; the options are {}", names())]
    UnknownName {
        /// What was given.
        given: String,
    },
    /// The option cannot have that value.
    #[error("option {name}: expected {expected}, found '{given}'; it stays {current}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// The values it can have.
        expected: String,
        /// What was given.
        given: String,
        /// The value it keeps.
        current: String,
    },
}

fn names() -> String {
    let names: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
    names.join(", ")
}

/// Sets the option called `name`, in any case, in `settings`; says which button was pressed if it
/// is one. A missing value counts as an empty one.
pub fn set(
    settings: &mut EngineSettings,
    name: &str,
    value: Option<&str>,
) -> Result<Option<Button>, OptionError> {
    let option = OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::UnknownName {
            given: name.to_owned(),
        })?;
    option.set(settings, value.unwrap_or_default())
}

impl UciOption {
    fn set(
        &self,
        settings: &mut EngineSettings,
        value: &str,
    ) -> Result<Option<Button>, OptionError> {
        let refuse = |settings: &EngineSettings| OptionError::BadValue {
            name: self.name,
            expected: self.range(),
            given: value.to_owned(),
            current: self.value(settings),
        };
        match &self.kind {
            Kind::Spin { range, set, .. } => {
                let number = value.parse().ok();
                let inside = number.filter(|n| (range.0..=range.1).contains(n));
                set(settings, inside.ok_or_else(|| refuse(settings))?);
            }
            Kind::Check { set, .. } => {
                let on = value.to_ascii_lowercase().parse();
                set(settings, on.map_err(|_| refuse(settings))?);
            }
            Kind::Combo { choices, set, .. } => {
                let choice = choices()
                    .into_iter()
                    .find(|choice| choice.eq_ignore_ascii_case(value));
                set(settings, choice.ok_or_else(|| refuse(settings))?);
            }
            Kind::Text { set, .. } => {
                if !set(settings, value) {
                    return Err(refuse(settings));
                }
            }
            Kind::Button(button) => return Ok(Some(*button)),
        }
        Ok(None)
    }

    /// The value the option has in `settings`, as the protocol writes it; empty for a button.
    pub fn value(&self, settings: &EngineSettings) -> String {
        match &self.kind {
            Kind::Spin { get, .. } => get(settings).to_string(),
            Kind::Check { get, .. } => get(settings).to_string(),
            Kind::Combo { get, .. } => get(settings).to_owned(),
            Kind::Text { get, .. } => get(settings),
            Kind::Button(_) => String::new(),
        }
    }

    /// The values the option can have, in words; empty for a button.
    fn range(&self) -> String {
        match &self.kind {
            Kind::Spin { range, .. } => format!("a whole number from {} to {}", range.0, range.1),
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Combo { choices, .. } => format!("one of {}", choices().join(", ")),
            Kind::Text { form, .. } => form(),
            Kind::Button(_) => String::new(),
        }
    }

    /// The line that declares the option to a GUI.
    pub fn declaration(&self) -> String {
        let default = self.value(&EngineSettings::default());
        let name = self.name;
        match &self.kind {
            Kind::Spin { range, .. } => {
                let (min, max) = range;
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            Kind::Check { .. } => format!("option name {name} type check default {default}"),
            Kind::Combo { choices, .. } => {
                let choices = choices().join(" var ");
                format!("option name {name} type combo default {default} var {choices}")
            }
            Kind::Text { .. } => format!("option name {name} type string default {default}"),
            Kind::Button(_) => format!("option name {name} type button"),
        }
    }
}

/// All options as a Markdown table, the one in the README.
pub fn markdown_table() -> String {
    let mut table = String::from("| option | default | values | meaning |\n|---|---|---|---|\n");
    let defaults = EngineSettings::default();
    for option in OPTIONS {
        let (value, values) = match option.kind {
            Kind::Button(_) => (String::new(), "a button".to_owned()),
            _ => (format!("`{}`", option.value(&defaults)), option.range()),
        };
        let (name, doc) = (option.name, option.doc);
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| `{name}` | {value} | {values} | {doc} |");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value the option can have that is not its default, and one it cannot have.
    fn other_and_impossible(option: &UciOption) -> Option<(String, String)> {
        let default = option.value(&EngineSettings::default());
        match &option.kind {
            Kind::Spin { range, .. } => {
                let top = range.1.to_string();
                Some((top, (range.1 + 1).to_string()))
            }
            Kind::Check { .. } => {
                let other = if default == "true" { "False" } else { "True" };
                Some((other.to_owned(), "maybe".to_owned()))
            }
            Kind::Combo { choices, .. } => {
                let other = choices().into_iter().find(|&choice| choice != default);
                let other = other.map_or(default, str::to_uppercase);
                Some((other, "no such choice".to_owned()))
            }
            Kind::Text { .. } if option.name == "SyzygyPath" => {
                Some((folder_with_a_table(), "/no/such/folder".to_owned()))
            }
            Kind::Text { .. } => Some(("ply=20 late=7".to_owned(), "late=many".to_owned())),
            Kind::Button(_) => None,
        }
    }

    /// A folder with a file that has the name and the size of a table.
    fn folder_with_a_table() -> String {
        let folder = std::env::temp_dir().join(format!("cassius-tables-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("KQvK.rtbw"), [0; 80]).unwrap();
        folder.to_str().unwrap().to_owned()
    }

    #[test]
    fn every_option_takes_what_it_declares_and_nothing_else() {
        for option in OPTIONS {
            let mut settings = EngineSettings::default();
            let name = option.name.to_uppercase();
            let Some((other, impossible)) = other_and_impossible(option) else {
                assert!(set(&mut settings, &name, None).unwrap().is_some());
                continue;
            };
            assert_eq!(set(&mut settings, &name, Some(&other)), Ok(None));
            assert!(option.value(&settings).eq_ignore_ascii_case(&other));
            let before = settings.clone();
            let mut bads = vec![Some(impossible.as_str()), Some("1 2")];
            // No tables at all is a choice.
            if option.name != "SyzygyPath" {
                bads.extend([Some(""), None]);
            }
            for bad in bads {
                let error = set(&mut settings, &name, bad).unwrap_err().to_string();
                assert!(error.contains(option.name), "{error}");
                assert!(error.contains(&option.value(&before)), "{error}");
                assert_eq!(settings, before, "{name} {bad:?}");
            }
        }
    }

    #[test]
    fn defaults_lie_in_the_ranges_they_are_declared_with() {
        for option in OPTIONS {
            let mut settings = EngineSettings::default();
            let value = option.value(&settings);
            assert!(
                option.set(&mut settings, &value).is_ok(),
                "{}",
                option.declaration()
            );
            assert_eq!(settings, EngineSettings::default());
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let mut settings = EngineSettings::default();
        let error = set(&mut settings, "Hsah", Some("3")).unwrap_err();
        assert!(error.to_string().contains("Hsah") && error.to_string().contains("Move Overhead"));
    }

    #[test]
    fn options_are_declared_in_the_protocols_words() {
        let lines: Vec<String> = OPTIONS.iter().map(UciOption::declaration).collect();
        assert!(
            lines.contains(&"option name Hash type spin default 64 min 1 max 65536".to_owned())
        );
        assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
        assert!(lines.contains(&"option name UCI_Chess960 type check default false".to_owned()));
    }
}
