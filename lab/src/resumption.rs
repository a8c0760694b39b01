//! Files of JSON lines that allow a killed run to be continued.

use std::path::Path;

use anyhow::{Result, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;

use cassius::output::json_lines::JsonLines;
use cassius::output::output_file::Existing;

/// Opens a file with this header for appending, and returns its lines. A file with another header is an error,
/// described by `other`.
pub(crate) fn resume<H: Serialize + DeserializeOwned + PartialEq, L: DeserializeOwned>(
    path: &Path,
    existing: Existing,
    header: &H,
    other: impl Fn(&H) -> String,
) -> Result<(JsonLines, Vec<L>)> {
    let mut file = JsonLines::open(path, existing, header)?;
    let mut past = Vec::new();
    if file.is_empty() {
        file.push(header)?;
        return Ok((file, past));
    }
    let mut lines = file.lines()?;
    if let Some((_, found)) = lines.parse_next::<H>()? {
        ensure!(found == *header, "{}: {}", path.display(), other(&found));
    }
    while let Some((_, line)) = lines.parse_next()? {
        past.push(line);
    }
    drop(lines);
    Ok((file, past))
}
