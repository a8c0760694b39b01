//! The engine's options: all user settings of a search, each declared once.
//!
//! An entry of [`OPTIONS`] has an option's name, kind, range, meaning and effect. The `option` lines for GUIs, the
//! validation, the error texts and the table in docs/options.md come from it; a new option is one more entry.
//! Defaults come from [`EngineSettings::default`]. `uci::options` has the options that only the protocol needs.
//!
//! `table` has the entries. Here are the kinds of options, and the checking and writing of their values, generic over
//! the settings that they change.
//!
//! [`EngineSettings::default`]: super::settings::EngineSettings::default

mod table;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use table::{FOR_EXPERIMENTS, OPTIONS, SURENESS_MARGIN};

/// One option of the settings `S`.
pub(crate) struct EngineOption<S: 'static> {
    /// The name as GUIs show it.
    pub name: &'static str,
    /// Its description, for docs/options.md.
    pub doc: &'static str,
    /// Its kind, with access to the setting.
    pub kind: OptionKind<S>,
}

/// Kinds of options, named as in the protocol, with access to the setting.
pub(crate) enum OptionKind<S: 'static> {
    /// A whole number.
    Spin {
        /// Least and greatest value.
        range: (i64, i64),
        get: fn(&S) -> i64,
        /// Sets the number, which must lie in the range.
        set: fn(&mut S, i64),
    },
    /// Yes or no, with the place of the setting.
    Check(fn(&mut S) -> &mut bool),
    /// One of several names.
    Combo {
        /// All names.
        choices: fn() -> Vec<&'static str>,
        get: fn(&S) -> &'static str,
        /// Sets the choice by its place among the names.
        set: fn(&mut S, usize),
    },
    /// Free text, written `string` in the protocol.
    Text {
        /// Describes the form of the text.
        form: fn() -> String,
        get: fn(&S) -> String,
        /// Sets the text, or returns an error and changes nothing.
        set: fn(&mut S, &str) -> Result<(), String>,
    },
}

/// Sets the option called `name`, in upper or lower case, in `settings`; an error tells why nothing changed.
pub(crate) fn set<S: Clone>(
    options: &'static [EngineOption<S>],
    settings: &mut S,
    name: &str,
    value: &str,
) -> Result<(), String> {
    options
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| unknown(name, options.iter().map(|option| option.name)))?
        .set(settings, value)
}

/// The error for a name that no option has.
pub(crate) fn unknown<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> String {
    let names = names.collect::<Vec<&str>>().join(", ");
    format!("there is no option '{given}'; the options are {names}")
}

impl<S: Clone> EngineOption<S> {
    /// Sets the option in `settings`; on an error they stay as they are.
    pub(crate) fn set(&self, settings: &mut S, value: &str) -> Result<(), String> {
        let stays = |settings: &S, reason: &str| {
            let (name, current) = (self.name, self.value(settings));
            format!("option {name}: {reason}; it stays {current}")
        };
        let refuse = |settings: &S| {
            let expected = self.range();
            stays(settings, &format!("expected {expected}, found '{value}'"))
        };
        match &self.kind {
            OptionKind::Spin { range, set, .. } => {
                let number = value.parse().ok();
                let inside = number.filter(|n| (range.0..=range.1).contains(n));
                set(settings, inside.ok_or_else(|| refuse(settings))?);
            }
            OptionKind::Check(place) => {
                let on = value.to_ascii_lowercase().parse();
                *place(settings) = on.map_err(|_| refuse(settings))?;
            }
            OptionKind::Combo { choices, set, .. } => {
                let mut choices = choices().into_iter();
                let place = choices.position(|choice| choice.eq_ignore_ascii_case(value));
                set(settings, place.ok_or_else(|| refuse(settings))?);
            }
            OptionKind::Text { set, .. } => {
                set(settings, value).map_err(|reason| stays(settings, &reason))?;
            }
        }
        Ok(())
    }

    /// The option's value in `settings`, as the protocol writes it.
    pub(crate) fn value(&self, settings: &S) -> String {
        match &self.kind {
            OptionKind::Spin { get, .. } => get(settings).to_string(),
            OptionKind::Check(place) => place(&mut settings.clone()).to_string(),
            OptionKind::Combo { get, .. } => get(settings).to_owned(),
            OptionKind::Text { get, .. } => get(settings),
        }
    }

    /// Describes the values the option can have.
    pub(crate) fn range(&self) -> String {
        match &self.kind {
            OptionKind::Spin { range, .. } => {
                format!("a whole number from {} to {}", range.0, range.1)
            }
            OptionKind::Check(_) => "true or false".to_owned(),
            OptionKind::Combo { choices, .. } => format!("one of {}", choices().join(", ")),
            OptionKind::Text { form, .. } => form(),
        }
    }
}

/// A number as a spin value.
pub(crate) fn to_spin(n: impl TryInto<i64>) -> i64 {
    n.try_into().unwrap_or(i64::MAX)
}

/// A spin value as a number of a type that holds the option's whole range.
pub(crate) fn from_spin<N: TryFrom<i64> + Default>(n: i64) -> N {
    n.try_into().unwrap_or_default()
}
