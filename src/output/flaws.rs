//! Flaws of a run that has ended.

use std::fmt;

/// Flaws of a completed run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flaws {
    /// Items skipped, whole or in part: malformed lines and games, files without positions, lines that are cut short.
    pub malformed: usize,
    /// Positions where our own search failed, or an engine crashed, hung or gave no legal move.
    pub failures: usize,
}

impl Flaws {
    /// Whether nothing was skipped and nothing failed.
    pub fn is_none(self) -> bool {
        self == Flaws::default()
    }
}

impl fmt::Display for Flaws {
    /// `2 malformed items skipped, whole or in part; 1 failure`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let several = |count: usize, what: &str, said: &str| {
            let ending = if count == 1 { "" } else { "s" };
            (count > 0).then(|| format!("{count} {what}{ending}{said}"))
        };
        let skipped = " skipped, whole or in part";
        let parts = [
            several(self.malformed, "malformed item", skipped),
            several(self.failures, "failure", ""),
        ];
        let told: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&told.join("; "))
    }
}
