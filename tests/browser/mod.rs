//! A browser for pages that tests look at.

use std::path::PathBuf;

/// A browser, or `None`, said aloud.
#[allow(clippy::print_stderr)]
pub(crate) fn chromium() -> Option<PathBuf> {
    let names = [
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    ];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let named = names
        .iter()
        .flat_map(|name| folders.iter().map(move |it| it.join(name)));
    let found = named.into_iter().find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: no Chromium on the PATH ({})", names.join(", "));
    }
    found
}
