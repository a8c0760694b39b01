//! Tables of text, for a terminal or as Markdown.

use std::fmt;

/// Rows under a heading; the first column is left-aligned, all others right-aligned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with this heading and no rows.
    pub fn new<S: Into<String>>(heading: impl IntoIterator<Item = S>) -> Table {
        Table {
            rows: vec![heading.into_iter().map(Into::into).collect()],
        }
    }

    /// Adds a row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// The table in GitHub's Markdown, with the same alignment.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut lines: Vec<String> = self.rows.iter().map(|row| line(row)).collect();
        let flush = |column| if column == 0 { "---" } else { "---:" }.to_owned();
        let rule: Vec<String> = (0..self.rows[0].len()).map(flush).collect();
        lines.insert(1, line(&rule));
        lines.concat()
    }
}

impl fmt::Display for Table {
    /// One line for each row, columns two blanks apart, no trailing blanks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                if column == 0 {
                    line.push_str(&format!("{cell:<width$}"));
                } else {
                    line.push_str(&format!("  {cell:>width$}"));
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A whole number with thousands separated by blanks: `12 345 678`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups.flat_map(str::from_utf8).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(["search", "solved", ""]);
        table.row(["best-first", "7", "x"]);
        table.row(["αβ", "260"]);
        let expected = "\
search      solved
best-first       7  x
αβ             260
";
        assert_eq!(table.to_string(), expected);
    }

    #[test]
    fn markdown_has_a_rule_and_no_stray_bars() {
        let mut table = Table::new(["search", "solved"]);
        table.row(["a|b", "7"]);
        let expected = "| search | solved |\n| --- | ---: |\n| a\\|b | 7 |\n";
        assert_eq!(table.markdown(), expected);
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1 000");
        assert_eq!(thousands(12_345_678), "12 345 678");
    }
}
