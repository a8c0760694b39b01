//! Names and texts of the settings of best-first search.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::branch::BranchRule;
use super::settings::{ChildOrder, LeafWindow, MoveChoice, Settings, StorageKind, Strategy};
use crate::search::kit::settings_text;

/// A named setting.
struct NamedSetting {
    name: &'static str,
    /// Describes the values allowed.
    allowed: fn() -> String,
    get: fn(&Settings) -> String,
    /// Sets a value; `None`, without a change, if it is not allowed.
    set: fn(&mut Settings, &str) -> Option<()>,
}

/// A setting whose values have names.
macro_rules! choice {
    ($name:literal, $field:ident, $type:ty) => {
        NamedSetting {
            name: $name,
            allowed: || one_of(<$type>::ALL.map(<$type>::name)),
            get: |settings| word(settings.$field.name()),
            set: |settings, value| {
                let is_it = |it: &$type| word(it.name()).eq_ignore_ascii_case(value);
                settings.$field = <$type>::ALL.into_iter().find(is_it)?;
                Some(())
            },
        }
    };
}

/// A setting whose values are numbers.
macro_rules! number {
    ($name:literal, $field:ident, $range:expr) => {
        NamedSetting {
            name: $name,
            allowed: || format!("a whole number from {} to {}", $range.start(), $range.end()),
            get: |settings| settings.$field.to_string(),
            set: |settings, value| {
                settings.$field = value.parse().ok().filter(|it| $range.contains(it))?;
                Some(())
            },
        }
    };
}

/// All settings but the grid and the values of leaves, which make it another search.
const ENTRIES: &[NamedSetting] = &[
    choice!("strategy", strategy, Strategy),
    choice!("branch-rule", branch_rule, BranchRule),
    number!("rounds", rounds, ROUNDS),
    NamedSetting {
        name: "best-move-cutoff",
        allowed: || "true or false".to_owned(),
        get: |settings| settings.best_move_cutoff.to_string(),
        set: |settings, value| {
            settings.best_move_cutoff = value.to_ascii_lowercase().parse().ok()?;
            Some(())
        },
    },
    number!("delta", delta, DELTAS),
    number!("depth-limit", depth_limit, DEPTH_LIMITS),
    choice!("leaf-window", leaf_window, LeafWindow),
    choice!("child-order", child_order, ChildOrder),
    choice!("answer", answer, MoveChoice),
    choice!("storage", storage, StorageKind),
];

/// Widths of the likely range, in steps of the grid.
const DELTAS: RangeInclusive<u8> = 0..=30;
/// Rounds of the round robin.
const ROUNDS: RangeInclusive<u8> = 1..=200;
/// Depth limits, in plies.
const DEPTH_LIMITS: RangeInclusive<u16> = 1..=1_000;

impl Settings {
    /// Names of all settings, with descriptions of the values allowed.
    pub fn named() -> Vec<(&'static str, String)> {
        let entries = ENTRIES.iter();
        entries
            .map(|entry| (entry.name, (entry.allowed)()))
            .collect()
    }
}

impl fmt::Display for Settings {
    /// Writes the settings that differ from their defaults; `default` if none does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Settings::default();
        let changed = ENTRIES.iter().filter_map(|entry| {
            let value = (entry.get)(self);
            (value != (entry.get)(&default)).then_some((entry.name, value))
        });
        settings_text::write(f, changed)
    }
}

impl FromStr for Settings {
    type Err = String;

    /// The inverse of `Display`: words `name=value` separated by blanks, or `default`. Case is ignored; settings not
    /// named have their defaults.
    fn from_str(text: &str) -> Result<Settings, String> {
        let pairs = settings_text::pairs(text).map_err(|text| {
            format!(
                "'{text}' is not of the form name=value; the names are {}",
                names()
            )
        })?;
        let mut settings = Settings::default();
        for (name, value) in pairs {
            let entry = ENTRIES.iter().find(|it| it.name.eq_ignore_ascii_case(name));
            let entry = entry.ok_or_else(|| {
                format!("there is no setting '{name}'; the settings are {}", names())
            })?;
            if (entry.set)(&mut settings, value).is_none() {
                let (name, allowed) = (entry.name, (entry.allowed)());
                return Err(format!("{name} must be {allowed}, not '{value}'"));
            }
        }
        Ok(settings)
    }
}

fn names() -> String {
    let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
    names.join(", ")
}

/// The name of a choice as one word: `OR RR + AND RR` is `or-rr+and-rr`.
fn word(name: &str) -> String {
    name.to_ascii_lowercase()
        .replace(" + ", "+")
        .replace(' ', "-")
}

/// Lists names as words.
fn one_of<const N: usize>(names: [&'static str; N]) -> String {
    let words = names.map(word);
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::best_first::LeafScores;

    #[test]
    fn settings_are_read_as_they_are_written() {
        assert_eq!(Settings::default().to_string(), "default");
        assert_eq!("default".parse(), Ok(Settings::default()));
        let text = "strategy=higher-cn branch-rule=likelihoods'+rr rounds=3 best-move-cutoff=false delta=2 \
                    depth-limit=9 leaf-window=whole child-order=value+preference answer=leftmost \
                    storage=four-numbers";
        let settings: Settings = text.to_uppercase().parse().unwrap();
        assert_eq!(settings.to_string(), text);
        assert_eq!(
            settings,
            Settings {
                grid: Settings::default().grid,
                storage: StorageKind::FourNumbers,
                depth_limit: 9,
                delta: 2,
                strategy: Strategy::HigherNumber,
                branch_rule: BranchRule::PrimedLikelihoodsRoundRobin,
                rounds: 3,
                best_move_cutoff: false,
                leaf_window: LeafWindow::Whole,
                child_order: ChildOrder::ValueThenPreference,
                leaf_scores: LeafScores::Absolute,
                answer: MoveChoice::Leftmost,
            }
        );
    }

    #[test]
    fn every_choice_can_be_made_by_its_word() {
        let set = |text: String| text.parse::<Settings>().unwrap();
        for rule in BranchRule::ALL {
            let settings = set(format!("branch-rule={}", word(rule.name())));
            assert_eq!(settings.branch_rule, rule);
        }
        for strategy in Strategy::ALL {
            let settings = set(format!("strategy={}", word(strategy.name())));
            assert_eq!(settings.strategy, strategy);
        }
        for storage in StorageKind::ALL {
            let settings = set(format!("storage={}", word(storage.name())));
            assert_eq!(settings.storage, storage);
        }
    }

    #[test]
    fn what_cannot_be_set_is_answered_with_what_can() {
        let cases = [
            ("", "name=value"),
            ("delta", "'delta' is not of the form name=value"),
            ("stratgy=distance", "the settings are strategy, branch-rule"),
            (
                "delta=31",
                "delta must be a whole number from 0 to 30, not '31'",
            ),
            ("depth-limit=0", "from 1 to 1000"),
            ("rounds=0", "from 1 to 200"),
            ("answer=best", "safest or leftmost"),
            (
                "strategy=best",
                "strategy must be distance, higher-cn or minimum-windows, not 'best'",
            ),
            ("best-move-cutoff=1", "true or false"),
        ];
        for (text, said) in cases {
            let error = text.parse::<Settings>().unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
