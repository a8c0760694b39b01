//! Comma-separated values (RFC 4180), written row by row.

use std::path::Path;

use super::output_file::{Existing, GrowingFile, OutputError};

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

fn quote(field: String) -> String {
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
}
