//! Version and commit of this Cassius. A version stands for many commits, and results are reproducible for one commit
//! only, so records name the commit, too.

/// The version, as in `Cargo.toml`.
pub const NUMBER: &str = env!("CARGO_PKG_VERSION");

/// The commit it was built from, by its first 12 digits; with `-dirty-` and a checksum of the changes behind
/// it if the sources had been changed; or [`UNKNOWN`], if it was not built in a git checkout.
pub const COMMIT: &str = env!("CASSIUS_COMMIT");

/// [`COMMIT`] if unknown.
pub const UNKNOWN: &str = "unknown";

/// Version and commit: `1.0.0 (commit 0123456789ab)`.
pub const FULL: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (commit ",
    env!("CASSIUS_COMMIT"),
    ")"
);

/// Version, commit and built-in network, by the first digits of its file's SHA-256.
pub const WITH_NETWORK: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (commit ",
    env!("CASSIUS_COMMIT"),
    ", network ",
    env!("CASSIUS_NETWORK"),
    ")"
);

/// Whether the sources had been changed, so that no commit has them.
pub fn is_dirty() -> bool {
    COMMIT.contains("-dirty-")
}

/// Version and commit of results; `commit` is `None` for results from before commits were recorded.
pub fn of_results(number: &str, commit: Option<&str>) -> String {
    match commit {
        Some(commit) => format!("{number} (commit {commit})"),
        None => number.to_owned(),
    }
}
