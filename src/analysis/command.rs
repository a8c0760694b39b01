//! `cassius analyze --fen`: the options, most of which hold for games too, and the output.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use crate::engine::analyst::{Analyst, PositionProfile, text};
use crate::engine::limit::{Limit, milliseconds};
use crate::engine::memory::{self, parse_hash};
use crate::engine::spec::{self, SearchSpec};
use crate::engine::stopwatch::Watched;
use crate::game::Root;
use crate::games::chess::Evaluation;
use crate::output::output_file::{self, OverwriteArgs, WholeFile};
use crate::output::progress::Progress;
use crate::profile::Margin;
use crate::search::registry::{Algorithm, Settings};
use crate::version;

/// Position to analyse, and how. All but the position also applies to games.
#[derive(Clone, Debug, Args)]
pub(crate) struct AnalysisOptions {
    /// Analyse this position instead
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Read the castling rights of the FEN by the rules of Chess960; without it other than king e1, rooks a1, h1 have none
    #[arg(long, conflicts_with = "file")]
    chess960: bool,

    /// Visit at most N positions [default: 100000, unless --movetime is given; of games see --minutes]
    ///
    /// In games N is what a position takes on average: doubtful moves take more, and clear ones less. A move with a mark takes
    /// three searches more.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search for at most MS milliseconds, in games on average
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    movetime: Option<u64>,

    /// Search to use, with UCI options as NAME:OPTION=VALUE: best-first, depth-first-unit or depth-first
    ///
    /// best-first counts and names the positions that would have to be misjudged, in the tree it keeps.
    /// depth-first-unit counts them for the nearest values only. depth-first counts none: it gives the
    /// price of the cheapest line that could change the value. Games can be given to other searches too,
    /// for values alone.
    /// [default: best-first; of games depth-first, which plays best. Of games best-first counts for all positions instead of the
    /// marked ones, and depth-first judges]
    #[arg(long, value_name = "NAME")]
    search: Option<SearchSpec>,
    /// Count what it takes to change the value by this much, in centipawns [default: 50]
    ///
    /// Reports the fewest positions that would have to be misjudged together for the value to be lower by this much,
    /// or higher, or for another move to be better by as much; each by twice as much at most. best-first counts them.
    /// The same as the option "Sureness Margin" of --search.
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..=i64::from(Margin::MOST)))]
    margin: Option<u16>,
    /// Memory for the search's tree or table
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_megabytes,
          value_parser = parse_hash)]
    pub hash: usize,
    /// Position: print JSON instead of text, or write it to FILE. Games: write JSON lines to FILE, each as soon as it is known
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Whether files that exist are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl AnalysisOptions {
    /// Whether nodes or time are limited.
    pub(crate) const fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.movetime.is_some()
    }

    /// The limit of each search.
    pub(crate) fn limit(&self) -> Limit {
        Limit::of_analysis(self.nodes, self.movetime)
    }

    /// The search that the options name, or else `otherwise`; with the margin, if one is given.
    pub(crate) fn search(&self, otherwise: Algorithm) -> SearchSpec {
        let search = self.search.clone().unwrap_or(otherwise.into());
        match self.margin {
            Some(margin) => search.with_margin(Margin::new(margin)),
            None => search,
        }
    }
}

/// Profiles a position: writes text or JSON to `out`, JSON to the file if one is given, oddities of the FEN to `err`.
pub(crate) fn position(
    options: &AnalysisOptions,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<()> {
    let fen = options.fen.as_deref().unwrap_or_default();
    let position = spec::position(fen, options.chess960, err)?;
    // By default values are whole pawns, the scale of the papers.
    let search = options.search(Algorithm::BestFirst);
    let settings = search.settings(Evaluation::Tactical, options.hash);
    let file = options.json.as_deref().filter(|&it| it != Path::new("-"));
    output_file::check_distinct([Path::new(settings.network.path())], [file])?;
    let existing = options.overwrite.existing();
    let file = file
        .map(|path| WholeFile::claim(path, existing))
        .transpose()?;
    let root = Root::new(position);
    memory::ensure([settings.megabytes()], 1)?;
    let mut analyst = Analyst::new(&settings)?;
    let limit = options.limit();
    let whole = limit.movetime_ms.or(limit.nodes);
    let progress = Progress::new(whole.unwrap_or(0));
    let mut watch = Watched::new(&limit, |done| progress.reach(done));
    let profile = analyst.profile(&root, &limit.kept_by_search(), &mut watch);
    progress.finish();
    let profile = profile?;
    if options.json.is_some() {
        let told = ProfileDocument {
            cassius: version::NUMBER,
            commit: version::COMMIT,
            profile: &profile,
        };
        let text = serde_json::to_string_pretty(&told)? + "\n";
        match file {
            Some(mut file) => file.write(text.as_bytes())?,
            None => return Ok(out.write_all(text.as_bytes())?),
        }
    }
    let note = match settings.evaluation {
        Evaluation::Tactical => PIECES_ONLY,
        Evaluation::Network => "",
    };
    Ok(write!(out, "{}", text::profile(&profile, note))?)
}

/// A note that the values are found without the network, and how to use it.
const PIECES_ONLY: &str =
    "This counts pieces only. The judge that plays: --search depth-first:Evaluation=network\n";

/// A profile as JSON, with the version and the commit of Cassius.
#[derive(Serialize)]
struct ProfileDocument<'a> {
    cassius: &'a str,
    commit: &'a str,
    #[serde(flatten)]
    profile: &'a PositionProfile,
}
