//! Finds out which commit is built, and with which network, for `src/version.rs`.
//!
//! Nothing about the commit may fail: without git, or outside a checkout of Cassius (an unpacked archive, a crate from the
//! registry), the commit is unknown. Cargo runs this again when the sources change or another commit is
//! checked out, and not otherwise.

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

/// What the binary is made of: a change in any of them makes it another one than the commit's.
pub(crate) const SOURCES: [&str; 5] = [
    "src",
    "networks/default.net",
    "build.rs",
    "Cargo.toml",
    "Cargo.lock",
];

/// The network that is part of the binary, unless the environment names another one.
const NETWORK: &str = "networks/default.net";
const OTHER_NETWORK: &str = "CASSIUS_EVALFILE";
/// What the file of a network begins with.
const SIGNATURE: &[u8] = b"CASSNET";
/// How many digits of its checksum are told.
const DIGITS: usize = 12;

/// What is said of a commit that cannot be found out.
pub(crate) const UNKNOWN: &str = "unknown";

// That is how Cargo is told.
#[allow(clippy::print_stdout)]
fn main() {
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let network = network_file(&folder);
    println!("cargo::rustc-env=CASSIUS_COMMIT={}", commit(&folder));
    match checksum(&network) {
        Ok(checksum) => println!("cargo::rustc-env=CASSIUS_NETWORK={checksum}"),
        Err(reason) => println!("cargo::error={}: {reason}", network.display()),
    }
    println!(
        "cargo::rustc-env=CASSIUS_NETWORK_FILE={}",
        network.display()
    );
    println!("cargo::rerun-if-changed={}", network.display());
    println!("cargo::rerun-if-env-changed={OTHER_NETWORK}");
    for path in watched(&folder) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// The file of the network that becomes part of the binary.
fn network_file(folder: &Path) -> PathBuf {
    let other = std::env::var_os(OTHER_NETWORK).filter(|name| !name.is_empty());
    folder.join(other.map_or_else(|| PathBuf::from(NETWORK), PathBuf::from))
}

/// The first digits of the SHA-256 of a network.
pub(crate) fn checksum(file: &Path) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    if !bytes.starts_with(SIGNATURE) {
        return Err("is no network of Cassius".to_owned());
    }
    Ok(hexadecimal(&Sha256::digest(&bytes), DIGITS))
}

/// The first digits of a checksum.
fn hexadecimal(checksum: &[u8], digits: usize) -> String {
    let mut text: String = checksum.iter().map(|byte| format!("{byte:02x}")).collect();
    text.truncate(digits);
    text
}

/// The commit that is checked out in a folder. If the sources differ from it, `-dirty-` and a checksum of what
/// differs are behind it: two such builds are the same only if these are.
pub(crate) fn commit(folder: &Path) -> String {
    let found = || {
        // A repository around the folder that does not know these files is somebody else's.
        git(
            folder,
            &["ls-files", "--error-unmatch", "Cargo.toml", "build.rs"],
        )?;
        let commit = git(folder, &["rev-parse", "--short=12", "HEAD"])?;
        let changed = changed_files(folder)?;
        if changed.is_empty() {
            return Some(commit);
        }
        let mut digest = Sha256::new();
        for name in changed {
            digest.update(&name);
            // One that is gone is told by its name.
            digest.update(std::fs::read(folder.join(name)).unwrap_or_default());
        }
        Some(format!(
            "{commit}-dirty-{}",
            hexadecimal(&digest.finalize(), 8)
        ))
    };
    found().unwrap_or_else(|| UNKNOWN.to_owned())
}

/// The sources that differ from the commit, or that it does not know.
fn changed_files(folder: &Path) -> Option<Vec<String>> {
    let differing = ["diff", "--name-only", "--relative", "-z", "HEAD", "--"];
    let unknown = ["ls-files", "--others", "--exclude-standard", "-z", "--"];
    let differing = git(folder, &[&differing[..], &SOURCES].concat())?;
    let unknown = git(folder, &[&unknown[..], &SOURCES].concat())?;
    let names = differing.split('\0').chain(unknown.split('\0'));
    Some(
        names
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
    )
}

/// The files and folders on which that depends. One that is not there would make Cargo build anew each time.
pub(crate) fn watched(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = SOURCES.map(PathBuf::from).into();
    if commit(folder) != UNKNOWN {
        // HEAD says which branch it is, the branch (or all that are packed) which commit; the log grows with
        // each commit, also where the branch's file does not exist yet.
        let branch = git(folder, &["symbolic-ref", "--quiet", "HEAD"]).unwrap_or_default();
        for name in ["HEAD", "logs/HEAD", &branch, "packed-refs"] {
            paths.extend(git(folder, &["rev-parse", "--git-path", name]).map(PathBuf::from));
        }
    }
    paths.retain(|path| path != Path::new("") && folder.join(path).exists());
    paths
}

/// What git says in a folder, if all goes well.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    // It would write to the index only to be faster the next time.
    command.arg("--no-optional-locks").args(arguments);
    // A hook of git's that builds is told of another repository than the folder's.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    let output = command.current_dir(folder).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
