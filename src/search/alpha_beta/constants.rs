//! Alpha-beta's numbers by name, for tuning: `null_move.reduction` is the field `reduction` of [`Settings::null_move`].

use std::fmt;
use std::str::FromStr;

use super::settings::Settings;
use crate::search::kit::settings_text::{Constant, Tuned};

/// Declares the constants of techniques by their fields, and other constants.
macro_rules! constants {
    ($($technique:ident.$field:ident in $least:literal..=$most:literal;)+ [$($other:expr),+]) => {
        impl Tuned for Settings {
            const CONSTANTS: &'static [Constant<Settings>] = &[
                $(Constant {
                    name: concat!(stringify!($technique), ".", stringify!($field)),
                    range: ($least, $most),
                    place: |settings| settings.$technique.as_mut().map(|it| &mut it.$field),
                },)+
                $($other),+
            ];
        }
    };
}

constants! {
    aspiration.min_depth in 2..=20;
    aspiration.half_width in 1..=500;
    null_move.min_depth in 1..=12;
    null_move.reduction in 1..=12;
    null_move.depth_divisor in 1..=20;
    null_move.value_divisor in 10..=2000;
    null_move.most_for_value in 0..=12;
    null_move.verification_depth in 1..=120;
    reductions.min_depth in 1..=12;
    reductions.base in -200..=400;
    reductions.divisor in 50..=1000;
    reductions.history_divisor in 1000..=200_000;
    static_pruning.reverse_depth in 0..=20;
    static_pruning.reverse_margin in 0..=1000;
    move_pruning.late_depth in 0..=20;
    move_pruning.late_base in 0..=64;
    move_pruning.futility_depth in 0..=20;
    move_pruning.futility_base in 0..=1000;
    move_pruning.futility_margin in 0..=1000;
    move_pruning.exchange_depth in 0..=20;
    move_pruning.exchange_quiet in 0..=1000;
    move_pruning.exchange_capture in 0..=1000;
    singular.min_depth in 3..=20;
    singular.table_slack in 0..=12;
    singular.margin_per_ply in 0..=2000;
    singular.double_margin in 0..=1000;
    [
        Constant {
            name: "internal_reduction",
            range: (2, 20),
            place: |settings| settings.internal_reduction.as_mut(),
        },
        Constant {
            name: "correction",
            range: (0, 64),
            place: |settings| Some(&mut settings.correction),
        }
    ]
}

impl fmt::Display for Settings {
    /// Writes the constants that differ from those of [`Settings::full`]; `default` if none does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl FromStr for Settings {
    type Err = String;

    /// The inverse of `Display`: [`Settings::full`] with the constants of words `name=number`.
    fn from_str(text: &str) -> Result<Settings, String> {
        Settings::read(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn techniques_that_are_off_have_no_constants() {
        let mut plain = Settings::plain();
        assert!(plain.set("null_move.reduction", 3).is_err());
        assert_eq!(plain.set("correction", 8), Ok(()));
    }
}
