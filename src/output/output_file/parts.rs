//! Temporary files, beside the files that they are to replace: `.NAME.XXXXXX.part`.
//!
//! A run locks its temporary files. So those that a killed run has left are told from those of a run that still lives.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use super::folder;

const SUFFIX: &str = ".part";
/// Random characters in a name, with the dot before them.
const RANDOM: usize = 7;

/// A temporary file beside the target, locked, with the target's permissions.
pub(super) fn temporary(target: &Path) -> io::Result<NamedTempFile> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder
        .prefix(&prefix)
        .suffix(SUFFIX)
        .rand_bytes(RANDOM - 1);
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    loop {
        let temporary = builder.tempfile_in(folder(target))?;
        // A file system without locks has no sweeping either.
        let _ = temporary.as_file().lock();
        // Another run may have swept it away before it was locked.
        if temporary.path().exists() {
            if let Ok(there) = fs::metadata(target) {
                temporary.as_file().set_permissions(there.permissions())?;
            }
            return Ok(temporary);
        }
    }
}

/// Removes from a folder the temporary files that killed runs have left for files with these names.
pub fn sweep(folder: &Path, is_name: impl Fn(&str) -> bool) {
    let entries = fs::read_dir(folder).into_iter().flatten();
    for entry in entries.filter_map(Result::ok) {
        let file_name = entry.file_name();
        let name = file_name
            .to_str()
            .and_then(|it| it.strip_prefix('.')?.strip_suffix(SUFFIX));
        let name = name.and_then(|it| it.split_at_checked(it.len().checked_sub(RANDOM)?));
        if name.is_some_and(|(name, random)| random.starts_with('.') && is_name(name)) {
            remove_if_left(&entry.path());
        }
    }
}

/// Removes a temporary file unless a run holds it. It does no harm if that fails.
fn remove_if_left(path: &Path) {
    if !fs::symlink_metadata(path).is_ok_and(|there| there.is_file()) {
        return;
    }
    // Removed before the lock is released: its run, if it has just made it, then sees that it is gone.
    if let Ok(file) = File::open(path)
        && file.try_lock().is_ok()
    {
        let _ = fs::remove_file(path);
    }
}
