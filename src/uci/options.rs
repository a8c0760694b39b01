//! Everything a GUI can set, declared once.
//!
//! [`OPTIONS`] is the only place that knows an option's name, kind, range and meaning, and what it
//! changes. The `option` lines, the validation, the error texts and the table in docs/options.md all
//! come from it; a new option is one more entry. Defaults are not written there: they are what
//! [`EngineSettings::default`] says.
//!
//! Files: `table` the entries, `kind` what the kinds of options have in common.

mod kind;
mod table;
#[cfg(test)]
mod tests;

pub use kind::{Button, OptionError, UciOption, set};
pub use table::OPTIONS;

use std::fmt::Write as _;
use std::time::Duration;

use crate::games::chess::tablebase::Tables;
use crate::games::chess::{Evaluation, Position, Quiescence};
use crate::search::Searcher;
use crate::search::registry::{self, Algorithm, Settings};
use crate::search::speculation::{self, Speculative};

/// What the options change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// How to search.
    pub search: Settings,
    /// What positions are judged by.
    pub evaluation: Evaluation,
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
    /// Whether to speculate on the opponent's mistakes.
    pub speculates: bool,
    /// How to.
    pub speculation: speculation::Settings,
}

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        EngineSettings {
            search: Settings::default(),
            evaluation: Evaluation::default(),
            move_overhead: Duration::from_millis(20),
            chess960: false,
            analyse_mode: false,
            multipv: 1,
            ponder: false,
            show_wdl: false,
            tables: Tables::default(),
            speculates: false,
            speculation: speculation::Settings::default(),
        }
    }
}

/// Memory of the search that speculation looks through the opponent's eyes with, besides `Hash`.
const SCOUT_MEGABYTES: usize = 1;

impl EngineSettings {
    /// Makes the search that the settings describe.
    pub fn searcher(&self) -> Box<dyn Searcher<Position> + Send> {
        let searcher = self.build(&self.search);
        let Some(settings) = self.speculation() else {
            return searcher;
        };
        let scout = self.build(&Settings {
            hash_megabytes: SCOUT_MEGABYTES,
            threads: 1,
            ..self.search.clone()
        });
        Box::new(Speculative::new(settings, searcher, scout))
    }

    /// How to speculate, if at all: analysis is of the truth.
    fn speculation(&self) -> Option<speculation::Settings> {
        (self.speculates && !self.analyse_mode).then_some(self.speculation)
    }

    /// Makes the search that looks for a mate (`go mate`): proof-number search, whatever the settings'
    /// search, in the form they say if they say one.
    pub fn mate_searcher(&self) -> Box<dyn Searcher<Position> + Send> {
        let algorithm = match self.search.algorithm {
            Algorithm::ProofNumberTree => Algorithm::ProofNumberTree,
            _ => Algorithm::ProofNumber,
        };
        self.build(&Settings {
            algorithm,
            ..self.search.clone()
        })
    }

    fn build(&self, search: &Settings) -> Box<dyn Searcher<Position> + Send> {
        let evaluator = Quiescence::new(self.evaluation).with_tables(self.tables.clone());
        registry::build(search, evaluator)
    }

    /// Whether [`EngineSettings::searcher`] makes the same of these settings and of others.
    pub fn makes_the_same_searcher(&self, other: &EngineSettings) -> bool {
        self.search == other.search
            && self.evaluation == other.evaluation
            && self.tables == other.tables
            && self.speculation() == other.speculation()
    }
}

/// All options as a Markdown table, the one in docs/options.md.
pub fn markdown_table() -> String {
    let mut table = String::from("| option | default | values | meaning |\n|---|---|---|---|\n");
    let defaults = EngineSettings::default();
    for option in OPTIONS {
        let value = match option.value(&defaults) {
            none if none.is_empty() => none,
            value => format!("`{value}`"),
        };
        let values = option.range();
        let (name, doc) = (option.name, option.doc);
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| `{name}` | {value} | {values} | {doc} |");
    }
    table
}
