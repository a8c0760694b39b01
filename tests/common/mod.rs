//! What several test files need.

use std::path::PathBuf;

/// A file of the collection of test positions that lives beside the repository (`../shared`, or
/// where `CASSIUS_SHARED` says), or `None`, said aloud, where there is no such file.
#[allow(clippy::print_stderr)]
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("CASSIUS_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let file = folder.join(path);
    if file.is_file() {
        Some(file)
    } else {
        eprintln!("skipped: no {}", file.display());
        None
    }
}
