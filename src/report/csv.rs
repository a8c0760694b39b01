//! Comma-separated values (RFC 4180), written row by row.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// A CSV file that is complete, but for rows to come, after every row.
#[derive(Debug)]
pub struct CsvFile {
    file: File,
}

impl CsvFile {
    /// Creates the file, or empties it, and writes the heading.
    pub fn create(path: &Path, heading: &[&str]) -> io::Result<CsvFile> {
        let mut csv = CsvFile {
            file: File::create(path)?,
        };
        csv.row(heading)?;
        Ok(csv)
    }

    /// Adds a row.
    pub fn row<S: AsRef<str>>(&mut self, fields: &[S]) -> io::Result<()> {
        self.file.write_all(line(fields).as_bytes())
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
