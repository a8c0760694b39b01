//! The commit reported by a build: in a checkout, changed or not, in a worktree, and without git.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

// Like every build script it has a `main`, which prints.
#[allow(dead_code, clippy::print_stdout)]
#[path = "../build.rs"]
mod build;

/// A folder with the sources that a build needs, outside all repositories: git must not look above it.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("version-{test}"));
    let _ = fs::remove_dir_all(&path);
    write_sources(&path);
    path
}

/// Writes the sources that a build needs.
fn write_sources(folder: &Path) {
    for part in ["src", "networks"] {
        fs::create_dir_all(folder.join(part)).expect("creatable");
    }
    for name in [
        "build.rs",
        "Cargo.toml",
        "Cargo.lock",
        "src/lib.rs",
        "networks/default.net",
        "README.md",
    ] {
        fs::write(folder.join(name), "first").expect("writable");
    }
}

fn git(folder: &Path, arguments: &str) {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .args(["-c", "user.name=Test", "-c", "user.email=test@example.org"])
        .args(arguments.split_whitespace());
    let output = command.output().expect("git");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "git {arguments}: {said}");
}

fn is_commit(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[test]
fn a_checkout_knows_its_commit_and_whether_the_sources_are_its() {
    let folder = folder("checkout");
    git(&folder, "init -q -b main");
    git(&folder, "add .");
    assert_eq!(build::commit(&folder), build::UNKNOWN, "none yet");
    git(&folder, "commit -qm first");
    let first = build::commit(&folder);
    assert!(is_commit(&first), "{first}");

    fs::write(folder.join("README.md"), "second").expect("writable");
    assert_eq!(build::commit(&folder), first, "nothing is built of it");
    let mut dirty = Vec::new();
    for source in ["src/lib.rs", "Cargo.lock", "src/new.rs"] {
        for text in ["second", "third"] {
            fs::write(folder.join(source), text).expect("writable");
            dirty.push(build::commit(&folder));
            git(&folder, "add .");
            assert_eq!(Some(&build::commit(&folder)), dirty.last(), "{source}");
            git(&folder, "reset -q --hard");
            assert_eq!(build::commit(&folder), first);
        }
    }
    fs::remove_file(folder.join("src/lib.rs")).expect("removable");
    dirty.push(build::commit(&folder));
    git(&folder, "reset -q --hard");
    let is_dirty = |it: &String| it.starts_with(&format!("{first}-dirty-"));
    assert!(dirty.iter().all(is_dirty), "{dirty:?}");
    let different: HashSet<&String> = dirty.iter().collect();
    assert_eq!(different.len(), dirty.len(), "{dirty:?}");

    // Another worktree is at another commit, and has its own log of commits.
    let other = folder.with_file_name("version-worktree");
    let _ = fs::remove_dir_all(&other);
    let add = format!("worktree add -q -b other {}", other.display());
    git(&folder, &add);
    fs::write(other.join("src/lib.rs"), "third").expect("writable");
    git(&other, "commit -qam third");
    let third = build::commit(&other);
    assert!(is_commit(&third) && third != first, "{third}");
    assert_eq!(build::commit(&folder), first);
    let watched = build::watched(&other);
    assert!(watched.iter().all(|path| other.join(path).exists()));
    let logs = |path: &PathBuf| path.ends_with("worktrees/version-worktree/logs/HEAD");
    assert!(watched.iter().any(logs), "{watched:?}");
    let branch = |path: &PathBuf| path.ends_with("refs/heads/other");
    assert!(watched.iter().any(branch), "{watched:?}");
}

#[test]
fn an_unpacked_archive_does_not_know_its_commit() {
    let outer = folder("outer");
    git(&outer, "init -q -b main");
    git(&outer, "add .");
    git(&outer, "commit -qm outer");
    let inner = outer.join("cassius");
    write_sources(&inner);
    // The only commit is the outer repository's: it is not taken, and no file of git's is watched.
    assert_eq!(build::commit(&inner), build::UNKNOWN);
    let watched = build::watched(&inner);
    assert_eq!(watched, build::SOURCES.map(PathBuf::from));
}

#[test]
fn only_a_network_can_be_built_in() {
    let network = Path::new(env!("CARGO_MANIFEST_DIR")).join("networks/default.net");
    let checksum = build::checksum(&network).expect("the network");
    let is_other = option_env!("CASSIUS_EVALFILE").is_some();
    assert!(is_other || cassius::version::WITH_NETWORK.contains(&checksum));
    let folder = folder("network");
    let other = build::checksum(&folder.join("networks/default.net"));
    assert_eq!(other, Err("is no network of Cassius".to_owned()));
    assert!(build::checksum(&folder.join("missing.net")).is_err());
}
