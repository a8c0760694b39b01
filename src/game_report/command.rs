//! `cassius analyze GAME.pgn`: from options to tables and files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::feed::Feed;
use super::foreign::Foreign;
use super::judge::{self, Judge, OwnJudge, RunError};
use super::reading::RecordError;
use super::record::Header;
use super::run::{self, News, Plan};
use super::store::Store;
use super::text;
use super::{holding, index};
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::settings::EngineSettings;
use crate::output::output_file::{self, Existing, OutputError};
use crate::output::progress::Progress;
use crate::output::provenance::Provenance;
use crate::suite::command::Flaws;
use crate::suite::player::Contestant;
use crate::suite::results::Shard;
use crate::version;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The PGN file.
    pub file: PathBuf,
    /// Who analyses.
    pub contestant: Contestant,
    /// Memory for the search, in MiB.
    pub hash_megabytes: usize,
    /// What ends each search.
    pub limit: Limit,
    /// How many games are worked on at a time.
    pub jobs: usize,
    /// Which part of the games; `None` for all.
    pub shard: Option<Shard>,
    /// Page to write.
    pub html: Option<PathBuf>,
    /// Folder to fill with a page for each game and an index.
    pub html_dir: Option<PathBuf>,
    /// File of JSON lines to write.
    pub json: Option<PathBuf>,
    /// CSV file to write.
    pub csv: Option<PathBuf>,
    /// PGN file to write: the same games with remarks.
    pub pgn: Option<PathBuf>,
    /// What becomes of files that are there already: the JSON file is continued or not, the others are made
    /// anew with it.
    pub existing: Existing,
    /// The command line that asks for all this, to be recorded.
    pub command: String,
}

/// Why games cannot be analysed, or not to their ends.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A file that cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What happened.
        reason: io::Error,
    },
    /// Other games than those that were analysed.
    #[error(
        "{}: the games are not those that were analysed; remarks go only with the file as it was", path.display()
    )]
    Changed {
        /// The file of games.
        path: PathBuf,
    },
    /// A file that can be read only once.
    #[error("{}: --pgn needs a file of games that can be read twice, not a pipe", path.display())]
    Pipe {
        /// The file.
        path: PathBuf,
    },
    /// No games.
    #[error("{}: there is no game in this file", path.display())]
    Nothing {
        /// The file.
        path: PathBuf,
    },
    /// `--json` without a file.
    #[error("--json needs the name of a file when games are analysed")]
    NoFile,
    /// A file that is no analysis, or none that can be continued.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The search is too large for the machine.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// The search or the output.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl Options {
    /// The search of ours that analyses, if it is one. An engine's values are not on the scale of our evaluation.
    fn own(&self) -> Option<&EngineSettings> {
        match &self.contestant {
            Contestant::Search { settings, .. } => Some(settings),
            Contestant::Engine { .. } => None,
        }
    }

    /// Makes who analyses.
    fn judge(&self) -> Result<Box<dyn Judge>, RunError> {
        Ok(match self.own() {
            Some(settings) => Box::new(OwnJudge::new(settings)),
            None => Box::new(Foreign(self.contestant.player()?)),
        })
    }
}

impl From<io::Error> for ReportError {
    fn from(error: io::Error) -> ReportError {
        ReportError::Run(error.into())
    }
}

/// Analyses games: tables go to `out`, what is wrong with games to `err`.
pub fn run(
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws, ReportError> {
    let path = &options.file;
    // That is what `--json` alone stands for.
    if options.json.as_deref() == Some(Path::new("-")) {
        return Err(ReportError::NoFile);
    }
    let outputs = [&options.json, &options.csv, &options.html, &options.pgn];
    let index = options.html_dir.as_deref().map(index::file_in);
    let outputs = outputs.map(Option::as_deref).into_iter();
    output_file::check_distinct([path.as_path()], outputs.chain([index.as_deref()]))?;
    let (mut feed, length) = Feed::open(path)?;
    let name = path.file_name().unwrap_or_default();
    let own = options.own();
    let skeptic = own.filter(|_| options.pgn.is_some()).map(judge::skeptic);
    let header = Header {
        cassius: version::NUMBER.to_owned(),
        file: name.to_string_lossy().into_owned(),
        search: options.contestant.name().to_owned(),
        network: options.contestant.network(),
        limit: options.limit,
        hash_mb: options.hash_megabytes,
        second_look: skeptic.is_some(),
        margin: own.and_then(judge::margin),
        provenance: Provenance::here(options.command.clone()),
    };
    let holder = own.map(holding::settings);
    let [second, third] = [&skeptic, &holder].map(|it| it.as_ref().map(EngineSettings::megabytes));
    let each = [Some(options.contestant.megabytes()), second, third];
    memory::ensure(each.into_iter().flatten(), options.jobs)?;
    feed.keep(options.shard);
    let mut store = Store::open(options, header, out, err)?;
    if let Some(json) = &options.json {
        feed.leave_out(json, store.games.clone());
    }
    let progress = Progress::of_bytes(length);
    let plan = Plan {
        judge: &|| options.judge(),
        limit: options.limit,
        jobs: options.jobs,
        skeptic: skeptic.as_ref(),
        holder: holder.as_ref(),
    };
    let ran = run::run(feed, &plan, |news, bytes| {
        let done = match news {
            News::Game(info) => progress.aside(|| store.begin_new(*info, path, err))?,
            News::Position(row) => {
                let text = format!("game {}, {}", row.game, text::move_text(&row));
                progress.reach_with(bytes, text);
                store.add_new(*row)?
            }
        };
        if let Some(game) = done {
            progress.aside(|| store.finish_new(game, out))?;
            store.rewrite_page()?;
        }
        Ok(())
    });
    progress.finish();
    // What has been done is shown even if not everything could be.
    store.write_page()?;
    store.write_index()?;
    ran?;
    store.finish_pgn()?;
    if let (Some(page), left_out @ 1..) = (&options.html, store.left_out()) {
        let page = page.display();
        writeln!(
            err,
            "{page}: has no room for {left_out} of the games; --json and --csv have all"
        )?;
    }
    Ok(store.flaws)
}
