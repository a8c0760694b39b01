//! Comma-separated values (RFC 4180), written row by row.

use std::path::Path;

use super::output_file::{Existing, GrowingFile, OutputError};

/// A CSV file that is complete after every row.
#[derive(Debug)]
pub(crate) struct CsvFile {
    file: GrowingFile,
}

impl CsvFile {
    /// Opens the file: creates it, or empties it if it may be overwritten, and writes the heading.
    pub(crate) fn create(path: &Path, existing: Existing) -> Result<CsvFile, OutputError> {
        let file = GrowingFile::create(path, existing)?;
        Ok(CsvFile { file })
    }

    /// Adds a row.
    pub(crate) fn row<S: AsRef<str>>(&mut self, fields: &[S]) -> Result<(), OutputError> {
        self.file.push(line(fields).as_bytes())
    }
}

fn line<S: AsRef<str>>(fields: &[S]) -> String {
    let quoted: Vec<String> = fields.iter().map(|field| quote(field.as_ref())).collect();
    quoted.join(",") + "\n"
}

fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let fields = ["plain", "a,b", "say \"x\"", "two\nlines", ""];
        let expected = "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\n";
        assert_eq!(line(&fields), expected);
    }
}
