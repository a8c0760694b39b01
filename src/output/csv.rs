//! Comma-separated values (RFC 4180), written row by row.
//!
//! Texts come from strangers, and spreadsheets take a cell that begins with certain characters for a formula, which may call
//! programs. Such a cell gets an apostrophe in front, by which they take it for text. Numbers stay as they are.

use std::path::Path;

use super::output_file::{Existing, GrowingFile, OutputError};
use crate::lines::is_unprintable;

/// A column: its name, and its cell for an item, empty if there is nothing to say.
pub(crate) type Column<T> = (&'static str, fn(&T) -> String);

/// A CSV file that is complete after every row.
#[derive(Debug)]
pub(crate) struct CsvFile<T: 'static> {
    file: GrowingFile,
    columns: &'static [Column<T>],
}

impl<T> CsvFile<T> {
    /// Opens or creates the file. Old contents that may be overwritten stay until the first line is written.
    pub(crate) fn create(
        path: &Path,
        existing: Existing,
        columns: &'static [Column<T>],
    ) -> Result<CsvFile<T>, OutputError> {
        let file = GrowingFile::create(path, existing)?;
        Ok(CsvFile { file, columns })
    }

    /// Writes the names of the columns.
    pub(crate) fn heading(&mut self) -> Result<(), OutputError> {
        self.push(|column| column.0.to_owned())
    }

    /// Adds the row of an item.
    pub(crate) fn row(&mut self, item: &T) -> Result<(), OutputError> {
        self.push(|column| column.1(item))
    }

    fn push(&mut self, cell: impl Fn(&Column<T>) -> String) -> Result<(), OutputError> {
        let cells = self.columns.iter().map(cell);
        self.file.push(line(cells).as_bytes())
    }
}

/// A cell that may be empty.
pub(crate) fn optional<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn line(fields: impl Iterator<Item = String>) -> String {
    let quoted: Vec<String> = fields.map(quote).collect();
    quoted.join(",") + "\n"
}

/// First characters of what spreadsheets take for a formula, some in their full width too.
const FORMULA: [char; 9] = ['=', '+', '-', '@', '\n', '＝', '＋', '－', '＠'];

fn quote(mut field: String) -> String {
    field.retain(|c| c == '\n' || !is_unprintable(c));
    if field.starts_with(FORMULA) && field.parse::<f64>().is_err() {
        field.insert(0, '\'');
    }
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let fields = ["plain", "a,b", "say \"x\"", "two\nlines", ""];
        let expected = "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\n";
        assert_eq!(line(fields.into_iter().map(str::to_owned)), expected);
    }

    #[test]
    fn no_text_is_a_formula_and_numbers_stay_numbers() {
        let quoted = |field: &str| quote(field.to_owned());
        assert_eq!(quoted("=cmd|'/C calc'!A0"), "'=cmd|'/C calc'!A0");
        assert_eq!(quoted("@SUM(1,2)"), "\"'@SUM(1,2)\"");
        for text in ["+1+1", "-2+3", "\t=1", "\r=1", "＝1", "--"] {
            assert!(quoted(text).starts_with('\''), "{text:?}");
        }
        for number in ["-35", "+0.5", "-1e-7", "1-0", "e4", "??", "'=", " =1"] {
            assert_eq!(quoted(number), number);
        }
        assert_eq!(quoted("a\u{202e}b\u{1b}c"), "abc");
        // What hides the first character is gone before it is looked at.
        assert_eq!(quoted("\u{202a}=1"), "'=1");
    }
}
