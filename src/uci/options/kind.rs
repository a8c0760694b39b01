//! What options have in common: their kinds, and how a value is checked, told and declared.

use thiserror::Error;

use super::{EngineSettings, OPTIONS};

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
    /// What it does, for docs/options.md.
    pub doc: &'static str,
    pub(super) kind: Kind,
}

/// The kinds of the protocol, each with the way to its setting.
pub(super) enum Kind {
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
        /// Refuses with the reason, leaving the settings as they are.
        set: fn(&mut EngineSettings, &str) -> Result<(), String>,
    },
    Button(Button),
    /// A text that is told and never set.
    About(&'static str),
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
    /// The option cannot have that text.
    #[error("option {name}: {reason}; it stays {current}")]
    Refused {
        /// The option.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
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
    pub(super) fn set(
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
                set(settings, value).map_err(|reason| OptionError::Refused {
                    name: self.name,
                    reason,
                    current: self.value(settings),
                })?;
            }
            Kind::Button(button) => return Ok(Some(*button)),
            // Nothing that a GUI could mean by it.
            Kind::About(_) => {}
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
            Kind::About(text) => (*text).to_owned(),
        }
    }

    /// The values the option can have, in words.
    pub(super) fn range(&self) -> String {
        match &self.kind {
            Kind::Spin { range, .. } => format!("a whole number from {} to {}", range.0, range.1),
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Combo { choices, .. } => format!("one of {}", choices().join(", ")),
            Kind::Text { form, .. } => form(),
            Kind::Button(_) => "a button".to_owned(),
            Kind::About(_) => "for reading only".to_owned(),
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
            Kind::Text { .. } | Kind::About(_) => {
                format!("option name {name} type string default {default}")
            }
            Kind::Button(_) => format!("option name {name} type button"),
        }
    }
}
