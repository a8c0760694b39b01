//! One use for each file of a run: no output is an input, nor two outputs, whatever their names.
//!
//! Files are compared, not names: hard links, links, other spellings on a file system that ignores case, and folders mounted
//! twice lead to one file. A file that does not exist yet is compared by its folder and its name there. Where the system has
//! no number for each file (Windows), real paths are compared, and hard links are taken for different files.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::{OutputError, Refusal, folder, regular_file};

/// The identity of a file or folder that exists.
#[cfg(unix)]
type Id = (u64, u64);
#[cfg(not(unix))]
type Id = PathBuf;

#[cfg(unix)]
fn id_of(there: &Metadata) -> Id {
    use std::os::unix::fs::MetadataExt as _;
    (there.dev(), there.ino())
}

#[cfg(unix)]
fn id(path: &Path) -> Option<Id> {
    Some(id_of(&fs::metadata(path).ok()?))
}

#[cfg(not(unix))]
fn id(path: &Path) -> Option<Id> {
    fs::canonicalize(path).ok()
}

/// A file, by which it is compared.
#[derive(PartialEq, Eq, Hash, Debug)]
enum Identity {
    There(Id),
    /// Does not exist yet: its folder, and its name there.
    New(Id, OsString),
}

impl Identity {
    /// The identity of what a path leads to; `None` unless that is a regular file or a folder, or can be made.
    fn of(path: &Path) -> Option<Identity> {
        if let Ok(there) = fs::metadata(path) {
            let is_compared = there.is_file() || there.is_dir();
            return is_compared.then(|| id(path).map(Identity::There))?;
        }
        let target = regular_file(path).ok().flatten()?;
        let name = target.file_name()?.to_owned();
        Some(Identity::New(id(folder(&target))?, name))
    }

    /// Whether both are new names in one folder, `place`, that differ in case only and so lead to one file there.
    fn differs_in_case(&self, other: &Identity, place: &Path) -> bool {
        let (Identity::New(one, name), Identity::New(two, other)) = (self, other) else {
            return false;
        };
        let lower = |name: &OsString| name.to_string_lossy().to_lowercase();
        one == two && lower(name) == lower(other) && ignores_case(place)
    }
}

/// Whether the file system finds the files of a folder by names that differ in case. Asks by means of a file.
fn ignores_case(folder: &Path) -> bool {
    let asked = tempfile::Builder::new()
        .prefix(".case-")
        .tempfile_in(folder);
    asked.is_ok_and(|file| {
        let name = file.path().file_name().unwrap_or_default();
        folder.join(name.to_ascii_uppercase()).exists()
    })
}

/// A use of a file in this run.
struct Use {
    path: PathBuf,
    /// Whether it is an output that is only appended to as it is, as standard output is.
    is_stream: bool,
}

/// Checks that no output of a run is also an input or another output. The files to which standard output and standard error
/// go are outputs too; several streams may go to the same file.
pub fn check_distinct<'p>(
    inputs: impl IntoIterator<Item = &'p Path>,
    outputs: impl IntoIterator<Item = Option<&'p Path>>,
) -> Result<(), OutputError> {
    let mut uses: HashMap<Identity, Use> = HashMap::new();
    for path in inputs {
        if let Some(there @ Identity::There(_)) = Identity::of(path) {
            uses.insert(there, Use::new(path, false));
        }
    }
    for (name, identity) in standard_streams() {
        let stream = Use::new(Path::new(name), true);
        match uses.insert(identity, stream) {
            Some(input) if !input.is_stream => {
                return Err(Refusal::Twice(Some(name.into())).of(&input.path));
            }
            _ => {}
        }
    }
    for path in outputs.into_iter().flatten() {
        let Some(identity) = Identity::of(path) else {
            continue;
        };
        let is_stream = matches!(regular_file(path), Ok(None));
        let spelled = || {
            uses.iter()
                .find(|it| it.0.differs_in_case(&identity, folder(path)))
        };
        let same = uses.get(&identity).or_else(|| Some(spelled()?.1));
        if let Some(same) = same.filter(|it| !(it.is_stream && is_stream)) {
            let other = (same.path != path).then(|| same.path.clone());
            return Err(Refusal::Twice(other).of(path));
        }
        uses.insert(identity, Use::new(path, is_stream));
    }
    Ok(())
}

impl Use {
    fn new(path: &Path, is_stream: bool) -> Use {
        Use {
            path: path.to_owned(),
            is_stream,
        }
    }
}

/// The regular files to which standard output and standard error go.
#[cfg(unix)]
fn standard_streams() -> Vec<(&'static str, Identity)> {
    use std::os::fd::AsFd as _;
    let (out, err) = (io::stdout(), io::stderr());
    let both = [
        ("standard output", out.as_fd()),
        ("standard error", err.as_fd()),
    ];
    let regular = both.into_iter().filter_map(|(name, stream)| {
        let there = File::from(stream.try_clone_to_owned().ok()?)
            .metadata()
            .ok()?;
        there
            .is_file()
            .then(|| (name, Identity::There(id_of(&there))))
    });
    regular.collect()
}

#[cfg(not(unix))]
fn standard_streams() -> Vec<(&'static str, Identity)> {
    Vec::new()
}
