//! Settings of a search as one text: `default`, or words `name=value` separated by blanks. Depth-first, best-first and
//! alpha-beta search have one UCI option of this form each. Numbers among the settings are [`Tuned`] by name.

use std::fmt;

/// A number of a search that is set by name, for tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// Its value now.
    pub value: i32,
    /// The least and the largest value allowed.
    pub range: (i32, i32),
}

/// A number among the settings `S`, with its least and largest value, and its place: none while its technique is off.
pub(in crate::search) struct Constant<S> {
    pub(in crate::search) name: &'static str,
    pub(in crate::search) range: (i32, i32),
    pub(in crate::search) place: fn(&mut S) -> Option<&mut i32>,
}

/// Settings whose numbers are set by name; the text `default` stands for their default.
pub(in crate::search) trait Tuned: Clone + Default + 'static {
    /// The constants of all techniques.
    const CONSTANTS: &'static [Constant<Self>];

    /// The constants of all techniques that are on.
    fn tunables(&self) -> Vec<Tunable> {
        let mut settings = self.clone();
        let tunable = |&Constant { name, range, place }: &Constant<Self>| {
            let value = *place(&mut settings)?;
            Some(Tunable { name, value, range })
        };
        Self::CONSTANTS.iter().filter_map(tunable).collect()
    }

    /// Sets a constant by name.
    ///
    /// # Errors
    /// If there is none of that name, its technique is off, or the value is out of its range.
    fn set(&mut self, name: &str, value: i32) -> Result<(), String> {
        let constant = Self::CONSTANTS.iter().find(|it| it.name == name);
        let place = constant.and_then(|it| Some(((it.place)(self)?, it.range)));
        let Some((place, (least, most))) = place else {
            let names = names::<Self>();
            return Err(format!(
                "there is no constant '{name}'; the constants are {names}"
            ));
        };
        if !(least..=most).contains(&value) {
            return Err(format!("{name} must be {least} to {most}, not {value}"));
        }
        *place = value;
        Ok(())
    }

    /// Writes the constants that differ from their defaults.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Self::default().tunables();
        let changed = self.tunables().into_iter();
        let changed = changed.filter(|it| !default.contains(it));
        write(f, changed.map(|it| (it.name, it.value.to_string())))
    }

    /// The inverse of [`Tuned::write`]: the default with the constants of words `name=number`.
    fn read(text: &str) -> Result<Self, String> {
        let malformed = |text: &str| {
            let names = names::<Self>();
            format!("'{text}' is not of the form name=number; the names are {names}")
        };
        let mut settings = Self::default();
        for (name, value) in pairs(text).map_err(malformed)? {
            let number = value.parse();
            let number = number.map_err(|_| malformed(&format!("{name}={value}")))?;
            settings.set(&name.to_ascii_lowercase(), number)?;
        }
        Ok(settings)
    }
}

fn names<S: Tuned>() -> String {
    let names: Vec<&str> = S::CONSTANTS.iter().map(|it| it.name).collect();
    names.join(", ")
}

/// The text that changes nothing.
pub(crate) const DEFAULT: &str = "default";

/// Parses a text into pairs; none for `default`.
///
/// # Errors
/// The first word not of the form `name=value`; the whole text if it has no word.
pub(in crate::search) fn pairs(text: &str) -> Result<Vec<(&str, &str)>, &str> {
    if text.trim().eq_ignore_ascii_case(DEFAULT) {
        return Ok(Vec::new());
    }
    if text.trim().is_empty() {
        return Err(text);
    }
    let words = text.split_whitespace();
    words.map(|word| word.split_once('=').ok_or(word)).collect()
}

/// Writes pairs in the form that [`pairs`] reads.
pub(in crate::search) fn write(
    f: &mut fmt::Formatter<'_>,
    pairs: impl Iterator<Item = (&'static str, String)>,
) -> fmt::Result {
    let words: Vec<String> = pairs
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if words.is_empty() {
        f.write_str(DEFAULT)
    } else {
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;
    use crate::search::{alpha_beta, depth_first};

    #[test]
    fn a_text_is_default_or_pairs() {
        assert_eq!(pairs(" Default "), Ok(vec![]));
        assert_eq!(pairs("a=1  b=c=d"), Ok(vec![("a", "1"), ("b", "c=d")]));
        assert_eq!(pairs("a=1 default"), Err("default"));
        assert_eq!(pairs("a = 1"), Err("a"));
        assert_eq!(pairs(" "), Err(" "));
    }

    fn every_constant_is_set_by_name_within_its_range<S>()
    where
        S: Tuned + fmt::Debug + PartialEq + fmt::Display + FromStr<Err = String>,
    {
        let default = S::default();
        assert_eq!(default.to_string(), "default");
        assert_eq!("default".parse().as_ref(), Ok(&default));
        assert_eq!(default.tunables().len(), S::CONSTANTS.len());
        for Tunable { name, value, range } in default.tunables() {
            let (least, most) = range;
            assert!((least..=most).contains(&value), "{name}");
            let mut settings = default.clone();
            let other = if value == least { most } else { least };
            assert_eq!(settings.set(name, other), Ok(()));
            assert_ne!(settings, default, "{name}");
            let written = settings.to_string();
            assert_eq!(written, format!("{name}={other}"));
            assert_eq!(written.parse().as_ref(), Ok(&settings));
            for bad in [least - 1, most + 1] {
                let error = format!("{name}={bad}").parse::<S>().unwrap_err();
                assert!(error.contains(&format!("{least} to {most}")), "{error}");
            }
        }
        let known = default.tunables()[0].name;
        for bad in ["", known, &format!("{known}=x"), "tardy", "tardy=1"] {
            let error = bad.parse::<S>().unwrap_err();
            assert!(error.contains(&format!("'{}", bad.trim_end_matches("=1"))));
            let mut constants = S::CONSTANTS.iter();
            assert!(constants.all(|it| error.contains(it.name)), "{error}");
        }
    }

    #[test]
    fn every_constant_of_a_search_is_set_by_name_within_its_range() {
        every_constant_is_set_by_name_within_its_range::<depth_first::Constants>();
        every_constant_is_set_by_name_within_its_range::<alpha_beta::Settings>();
    }
}
