//! `cassius analyze`: from options to tables and files.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use super::analyser::{EngineJudge, JudgingPlan};
use super::foreign::{Foreign, GivenUp};
use super::index;
use super::judge;
use super::options::{GameOptions, Options};
use super::pgn_games::Feed;
use super::record::{Header, Referee};
use super::run;
use super::store::Store;
use crate::analysis::command as analysis;
use crate::games::chess::Evaluation;
use crate::games::chess::notation::parse_fen;
use crate::games::chess::pgn::GamesFile;
use crate::lines::printable;
use crate::output::flaws::Flaws;
use crate::output::output_file;
use crate::output::progress::Progress;
use crate::output::provenance::own_command_line;
use crate::uci_client::engine::EngineCommand;

/// Carries out `cassius analyze`, of a position or of games.
pub(crate) fn analyze(
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws> {
    match &options.file {
        Some(file) => games(file, options, out, err),
        None => {
            analysis::position(&options.common, out, err)?;
            Ok(Flaws::default())
        }
    }
}

/// Analyses games: writes tables to `out`, faults of games to `err`.
fn games(
    path: &Path,
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws> {
    let Options { common, games, .. } = options;
    // `--json` without a file stands for standard output, which the tables take.
    ensure!(
        common.json.as_deref() != Some(Path::new("-")),
        "--json needs the name of a file where games are analysed; it prints to standard output with --fen only"
    );
    ensure!(
        path.exists() || parse_fen(&path.to_string_lossy()).is_err(),
        "a position is given with --fen: cassius analyze --fen '{}'",
        path.display()
    );
    let search = options.search();
    let own = search.settings(Evaluation::default(), common.hash);
    check_distinct(path, options, Path::new(own.network.path()))?;
    let engine = options.engine()?;
    let source = GamesFile::open(path)?;
    let name = path.file_name().unwrap_or_default();
    let effort = options.effort();
    let header = Header {
        file: printable(&name.to_string_lossy()),
        search: search.to_string(),
        hash_mb: common.hash,
        engine: engine.as_ref().map(|it| Referee {
            name: it.name.clone(),
            program: it.program(),
            limit: options.engine_limit(),
        }),
        second_look: true,
        ..judge::header(&own, effort, own_command_line("cassius"))
    };
    let given_up = GivenUp::default();
    let engine = engine.as_ref().map(|engine| EngineJudge {
        start: Box::new(|| Ok(Box::new(Foreign::new(engine.start()?, given_up.clone())))),
        limit: options.engine_limit(),
        megabytes: engine.hash_megabytes,
    });
    let plan = JudgingPlan {
        engine,
        ..JudgingPlan::new(&own, effort, options.jobs(), true)
    };
    plan.ensure_memory()?;
    let length = source.length;
    let mut store = Store::open(path, options, header, out, err)?;
    let feed = Feed::new(source, games.shard, store.games.clone());
    let progress = Progress::of_bytes(length);
    let ran = run::run(
        feed,
        &plan,
        |game, bytes| {
            progress.reach_with(bytes, format!("game {game}"));
            Ok(())
        },
        |game| {
            progress.aside(|| store.add_game(game, out, err))?;
            Ok(store.rewrite_page()?)
        },
    );
    progress.finish();
    store.finish(ran)?;
    let index = games.html_dir.as_deref().map(index::file_in);
    for page in games.html.iter().chain(&index) {
        progress.report_page(page, err)?;
    }
    store.warn(games, err)?;
    if let Some(message) = given_up.get() {
        writeln!(err, "{message}")?;
    }
    Ok(store.flaws)
}

/// Checks that no file has two uses: the games, the network, what an engine's command names, and the outputs.
fn check_distinct(games: &Path, options: &Options, network: &Path) -> Result<()> {
    let GameOptions {
        html,
        html_dir,
        csv,
        pgn,
        engine,
        ..
    } = &options.games;
    if let Some(html) = html.as_deref().filter(|it| it.is_dir()) {
        let html = html.display();
        bail!(
            "{html}: is a folder; --html-dir {html} fills it with a page for each game, --html writes one file"
        );
    }
    let of_engine = engine.as_deref().into_iter().flat_map(EngineCommand::files);
    let inputs: Vec<&Path> = [games, network].into_iter().chain(of_engine).collect();
    let files = [&options.common.json, csv, html, pgn].map(Option::as_deref);
    let others = files.into_iter().flatten().chain(inputs.iter().copied());
    let pages = html_dir.as_deref().map(|it| index::written_in(it, others));
    let pages: Vec<PathBuf> = pages.unwrap_or_default();
    let pages = pages.iter().map(|it| Some(it.as_path()));
    Ok(output_file::check_distinct(
        inputs,
        files.into_iter().chain(pages),
    )?)
}
