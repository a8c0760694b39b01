//! A folder of games: the recipe that made them, the shards, the manifest that lists them.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::record::{GameRecord, read_all};
use crate::outcome::pretty_json;
use cassius::games::chess::network::weights::sha256;
use cassius::output::output_file::{self, Existing, Refusal};

/// File with the conditions of a folder's games.
const RECIPE: &str = "recipe.json";
/// File with the list of a folder's shards.
const MANIFEST: &str = "manifest.json";
/// Extension of shards.
const EXTENSION: &str = "viri";

/// The conditions on which the games of a folder depend.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// Version and commit of Cassius.
    pub version: String,
    /// The search, as on the command line.
    pub search: String,
    /// Checksum of the search's network; `None` for other evaluations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// Memory of the search, in MiB; missing in the first versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<usize>,
    /// Nodes for each move.
    pub nodes: u64,
    /// Seed of openings and random moves.
    pub seed: u64,
    /// Games in each shard.
    pub games_per_shard: u64,
    /// For new labels: the games whose positions they are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels_of: Option<LabelSource>,
}

/// The positions that were given new labels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LabelSource {
    /// How the games were played.
    pub games: Box<Recipe>,
    /// One position in this many was labelled.
    pub every: u32,
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cassius {}", self.version)?;
        if let Some(network) = &self.network {
            write!(f, ", network {network}")?;
        }
        write!(f, ", --search {}", self.search)?;
        if let Some(hash) = self.hash {
            write!(f, " --hash {hash}")?;
        }
        let (nodes, seed, games) = (self.nodes, self.seed, self.games_per_shard);
        write!(f, " --nodes {nodes} --seed {seed} --games {games}")?;
        match &self.labels_of {
            Some(LabelSource { games, every }) => write!(f, " --every {every} --of [{games}]"),
            None => Ok(()),
        }
    }
}

/// A shard in the manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShardEntry {
    pub file: String,
    /// Number of games, without failed ones.
    pub games: u64,
    /// Number of positions with a value.
    pub positions: u64,
    /// Games won by White, drawn, won by Black.
    pub results: [u64; 3],
    /// SHA-256 of the file.
    pub sha256: String,
}

/// The contents of a folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The conditions of the games.
    pub recipe: Recipe,
    pub games: u64,
    /// Number of positions with a value.
    pub positions: u64,
    /// The files, by name.
    pub shards: Vec<ShardEntry>,
}

/// Removes what runs that were killed have left in a folder. Others may still work in it.
pub(super) fn sweep(folder: &Path) {
    let shard = format!(".{EXTENSION}");
    output_file::sweep(folder, |name| {
        [RECIPE, MANIFEST].contains(&name) || name.ends_with(&shard)
    });
}

/// Path of a shard.
pub(super) fn shard_path(folder: &Path, shard: u64) -> PathBuf {
    folder.join(format!("games-{shard:05}.{EXTENSION}"))
}

/// Fails if the folder's games have another recipe; writes the recipe if there is none.
pub(super) fn agree_on_recipe(folder: &Path, wanted: &Recipe) -> Result<()> {
    let path = folder.join(RECIPE);
    if read_recipe(&path)?.is_none() {
        match output_file::write(&path, Existing::Refuse, &pretty_json(wanted)?) {
            // Another run was faster.
            Err(error) if matches!(error.reason, Refusal::Exists) => {}
            written => written?,
        }
    }
    match read_recipe(&path)? {
        Some(found) if found != *wanted => bail!(
            "{}: made by '{found}'; this run would add games made by '{wanted}'; choose another folder",
            path.display()
        ),
        _ => Ok(()),
    }
}

/// The recipe of a folder's games.
pub(super) fn recipe_of(folder: &Path) -> Result<Recipe> {
    let path = folder.join(RECIPE);
    read_recipe(&path)?.with_context(|| format!("{}: is missing", path.display()))
}

fn read_recipe(path: &Path) -> Result<Option<Recipe>> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| path.display().to_string())?,
    };
    if text.is_empty() {
        // The machine went down during the write.
        return Ok(None);
    }
    let recipe = serde_json::from_slice(&text).map(Some);
    recipe.with_context(|| path.display().to_string())
}

/// Writes the manifest of the shards in the folder.
///
/// Other runs may add shards and write the manifest meanwhile. So each run looks again after writing, and writes again
/// if there are new shards: no shard came between the list and the write of the last manifest. A lock would do the
/// same, but some network file systems have none.
pub(super) fn write_manifest(folder: &Path, recipe: &Recipe) -> Result<()> {
    let mut present = shards_of(folder)?;
    loop {
        let entries = present.iter().map(|path| entry(path));
        let shards = entries.collect::<Result<Vec<ShardEntry>>>()?;
        let manifest = Manifest {
            recipe: recipe.clone(),
            games: shards.iter().map(|it| it.games).sum(),
            positions: shards.iter().map(|it| it.positions).sum(),
            shards,
        };
        let (path, text) = (folder.join(MANIFEST), pretty_json(&manifest)?);
        output_file::write(&path, Existing::Overwrite, &text)?;
        let listed = std::mem::replace(&mut present, shards_of(folder)?);
        if listed == present {
            return Ok(());
        }
    }
}

/// The complete shards in a folder, by name.
pub fn shards_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    let at = || folder.display().to_string();
    for file in fs::read_dir(folder).with_context(at)? {
        let path = file.with_context(at)?.path();
        if path.extension().is_some_and(|it| it == EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Files of games: those named, and the shards of named folders. A file named twice is an error.
pub fn files_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(shards_of(path)?);
        } else {
            files.push(path.clone());
        }
    }
    let mut seen = BTreeSet::new();
    for file in &files {
        let name = file.display();
        let real = fs::canonicalize(file).with_context(|| name.to_string())?;
        ensure!(
            seen.insert(real),
            "{name}: is given twice; name each file of games once"
        );
    }
    Ok(files)
}

fn entry(path: &Path) -> Result<ShardEntry> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut entry = ShardEntry {
        file: name.into_owned(),
        games: 0,
        positions: 0,
        results: [0; 3],
        sha256: sha256(&bytes),
    };
    read_games(path, |game| {
        entry.positions += game.moves.len() as u64;
        if !game.moves.is_empty() && !game.is_same_game {
            entry.games += 1;
            entry.results[2 - game.result as usize] += 1;
        }
    })?;
    Ok(entry)
}

/// Reads the games of a file one by one.
pub fn read_games(path: &Path, each: impl FnMut(&GameRecord)) -> Result<()> {
    let at = || path.display().to_string();
    let bytes = fs::read(path).with_context(at)?;
    read_all(&bytes, each).with_context(at)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn recipe() -> Recipe {
        Recipe {
            version: "0".to_owned(),
            search: "minimax".to_owned(),
            network: None,
            hash: None,
            nodes: 1,
            seed: 1,
            games_per_shard: 1,
            labels_of: None,
        }
    }

    /// Runs that end together, each with a shard of its own: the manifest lists all.
    #[test]
    fn the_last_manifest_lists_all_shards() {
        const RUNS: u64 = 4;
        for _ in 0..50 {
            let folder = tempfile::tempdir().unwrap();
            let folder = folder.path();
            thread::scope(|scope| {
                for run in 0..RUNS {
                    scope.spawn(move || {
                        fs::write(shard_path(folder, run), b"").unwrap();
                        write_manifest(folder, &recipe()).unwrap();
                    });
                }
            });
            let json = fs::read(folder.join(MANIFEST)).unwrap();
            let manifest: Manifest = serde_json::from_slice(&json).unwrap();
            let listed: BTreeSet<String> = manifest.shards.into_iter().map(|it| it.file).collect();
            assert_eq!(listed.len() as u64, RUNS, "{listed:?}");
        }
    }
}
