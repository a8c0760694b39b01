//! Files of JSON lines that allow a killed run to be continued.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::outcome::Input;
use cassius::engine::fault::Fault;
use cassius::engine::memory::{self, parse_hash};
use cassius::engine::settings::EngineSettings;
use cassius::engine::spec::SearchSpec;
use cassius::games::chess::Evaluation;
use cassius::output::flaws::Flaws;
use cassius::output::json_lines::{JsonLines, read_lines};
use cassius::output::output_file::{self, Existing, OverwriteArgs};
use cassius::output::progress::Progress;
use cassius::workers;

/// A file of searches, and the search that fills it.
#[derive(Clone, Debug, Args)]
pub struct RecordingOptions {
    /// Write the searches to this file, a line of JSON each; given again with --resume, the command goes on
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Search N positions at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Continue a file of an earlier run of the same command
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
    /// The search: NAME[:OPTION=VALUE]...
    #[arg(long, value_name = "SEARCH", default_value = "depth-first")]
    pub search: SearchSpec,
    /// Memory for each search's table
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = parse_hash)]
    pub hash: usize,
}

/// A position of a game: the game's index among those given, from 0, the plies before the position, and the position in
/// Forsyth-Edwards notation.
pub(crate) type PlaceInGame = (u64, usize, String);

impl RecordingOptions {
    /// Settings of the search.
    pub(crate) fn settings(&self) -> EngineSettings {
        self.search.settings(Evaluation::default(), self.hash)
    }

    /// Fails if there is too little memory for the searches, or if the file is one of the `inputs` or the search's network.
    pub(crate) fn check<'p>(&self, inputs: impl Iterator<Item = &'p Path>) -> Result<()> {
        let settings = self.settings();
        memory::ensure([settings.megabytes()], self.jobs.into())?;
        let inputs = inputs.map(Path::to_path_buf);
        let inputs: Vec<_> = inputs.chain([settings.network.path().into()]).collect();
        let inputs = inputs.iter().map(PathBuf::as_path);
        Ok(output_file::check_distinct(
            inputs,
            [Some(self.output.as_path())],
        )?)
    }

    /// Searches what is drawn and not yet in the file, by `work`, and appends its lines. Failures are named in `err`.
    pub(crate) fn record<H, L, D: Send, S>(
        &self,
        header: &H,
        mut drawn: Vec<(PlaceInGame, D)>,
        place_of: impl Fn(L) -> PlaceInGame,
        prepare: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &PlaceInGame, D) -> Result<Option<L>, Fault> + Sync,
        err: &mut dyn Write,
    ) -> Result<Flaws>
    where
        H: Serialize + DeserializeOwned + PartialEq,
        L: Serialize + DeserializeOwned + Send,
    {
        let existing = self.overwrite.or_resume(self.resume);
        let text = |header: &H| serde_json::to_string(header).unwrap_or_default();
        let other = |found: &H| {
            let (found, wanted) = (text(found), text(header));
            format!("made by '{found}'; this run would add '{wanted}'; choose another file")
        };
        let (mut file, past) = resume(&self.output, existing, header, other)?;
        let done = past.into_iter().map(place_of);
        let done: BTreeMap<_, _> = done.map(|(game, ply, fen)| ((game, ply), fen)).collect();
        self.check_games(&done, &drawn)?;
        drawn.retain(|((game, ply, _), _)| !done.contains_key(&(*game, *ply)));
        let progress = Progress::new(drawn.len() as u64);
        let mut flaws = Flaws::default();
        workers::share(
            drawn.into_iter(),
            self.jobs.into(),
            || anyhow::Ok(prepare()),
            |state, (place, drawn), hand_over| {
                hand_over(work(state, &place, drawn));
                Ok(())
            },
            |result| {
                match result {
                    Ok(Some(line)) => file.push(&line)?,
                    Ok(None) => {}
                    Err(fault) => {
                        flaws.failures += 1;
                        progress.aside(|| writeln!(err, "{fault}"))?;
                    }
                }
                progress.advance(String::new());
                Ok(())
            },
        )?;
        progress.finish();
        Ok(flaws)
    }

    /// Checks that the file's positions come from the games given.
    fn check_games<D>(
        &self,
        done: &BTreeMap<(u64, usize), String>,
        drawn: &[(PlaceInGame, D)],
    ) -> Result<()> {
        let drawn = drawn
            .iter()
            .map(|((game, ply, fen), _)| ((*game, *ply), fen));
        let drawn: BTreeMap<_, _> = drawn.collect();
        match done
            .iter()
            .find(|(place, fen)| drawn.get(place) != Some(fen))
        {
            Some((&(game, ply), _)) => bail!(
                "{}: has another position for ply {ply} of game {game}; go on with the games it was begun with, or choose another file",
                self.output.display()
            ),
            None => Ok(()),
        }
    }
}

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

/// Reads files of one search and network; `conditions` are those of a header that must agree, and its seed. Returns the
/// lines, and the files with their numbers of lines.
///
/// # Errors
/// If the conditions differ, or a file has a position that was read before.
pub(crate) fn read_records<H: DeserializeOwned, L: DeserializeOwned>(
    paths: &[PathBuf],
    conditions: impl Fn(&H) -> (String, u64),
    place_of: impl Fn(&L) -> PlaceInGame,
) -> Result<(Vec<L>, Vec<Input>)> {
    let (mut wanted, mut records, mut inputs) = (None, Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for path in paths {
        let before = records.len();
        let mut seed = 0;
        let mut lines = read_lines(path)?;
        if let Some((_, header)) = lines.parse_next::<H>()? {
            let (found, its_seed) = conditions(&header);
            seed = its_seed;
            let wanted = wanted.get_or_insert_with(|| found.clone());
            ensure!(
                found == *wanted,
                "{}: sampled from '{found}', the files before it from '{wanted}'; give files of one search",
                path.display()
            );
        }
        while let Some((_, line)) = lines.parse_next::<L>()? {
            let (game, ply, fen) = place_of(&line);
            // Seed and FEN count: another seed may draw a position again; games of two folders have the same indices.
            ensure!(
                seen.insert((seed, game, ply, fen)),
                "{}: ply {ply} of game {game} was read before; give each file once",
                path.display(),
            );
            records.push(line);
        }
        inputs.push(Input::new(path, records.len() - before));
    }
    Ok((records, inputs))
}
