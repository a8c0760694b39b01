//! `cassius analyze`: from options to tables and files.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, ensure};

use super::court::{Beside, Plan};
use super::foreign::Foreign;
use super::judge::{self, OwnJudge};
use super::options::{GameOptions, Options};
use super::outputs::Store;
use super::pgn_games::Feed;
use super::record::{Header, Referee};
use super::run::{self, News};
use super::{evidence, holding, index};
use crate::analysis::command as analysis;
use crate::engine::outlook;
use crate::games::chess::Evaluation;
use crate::games::chess::notation::parse_fen;
use crate::games::chess::pgn::GamesFile;
use crate::output::output_file;
use crate::output::progress::Progress;
use crate::output::provenance::own_command_line;
use crate::suite::command::Flaws;

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
    let engine = options.engine()?;
    let outputs = [&common.json, &games.csv, &games.html, &games.pgn];
    let index = games.html_dir.as_deref().map(index::file_in);
    let outputs = outputs.map(Option::as_deref).into_iter();
    output_file::check_distinct([path], outputs.chain([index.as_deref()]))?;
    let source = GamesFile::open(path)?;
    let name = path.file_name().unwrap_or_default();
    let search = options.search();
    let own = search.settings(Evaluation::default(), common.hash);
    let effort = options.effort();
    let header = Header {
        file: name.to_string_lossy().into_owned(),
        search: search.to_string(),
        hash_mb: common.hash,
        engine: engine.as_ref().map(|it| Referee {
            name: it.name.clone(),
            program: it.program(),
            limit: options.engine_effort().stated().0,
        }),
        second_look: true,
        ..judge::header(&own, effort, own_command_line("cassius"))
    };
    let judging = judge::settings(&own);
    let of_engine = engine.as_ref().map_or(0, |it| it.hash_megabytes);
    let plan = Plan {
        judge: &|| {
            Ok(match &engine {
                Some(engine) => Box::new(Foreign::new(engine.start()?)),
                None => Box::new(OwnJudge::new(&judging)),
            })
        },
        effort: options.engine_effort(),
        beside: engine.as_ref().map(|_| Beside {
            settings: judging.clone(),
            effort,
        }),
        jobs: options.jobs(),
        has_chances: outlook::is_learnt_for(&judging),
        witness: Some(evidence::settings(&own)),
        is_everywhere: own != judging,
        holder: holding::settings(&judging),
    };
    plan.ensure_memory(judging.megabytes() + of_engine)?;
    let length = source.length;
    let mut store = Store::open(path, options, header, out, err)?;
    let feed = Feed::new(source, games.shard, store.games.clone());
    let progress = Progress::of_bytes(length);
    let ran = run::run(feed, &plan, |news| {
        let mut done = None;
        match news {
            News::Progress { game, bytes } => progress.reach_with(bytes, format!("game {game}")),
            News::Game(info, rows) => {
                if let Some(info) = info {
                    done = progress.aside(|| store.begin(*info, 0, err))?;
                }
                for row in rows {
                    done = store.add(row, 0)?;
                }
            }
        }
        if let Some(game) = done {
            progress.aside(|| store.finish_game(game, out))?;
            store.rewrite_page()?;
        }
        Ok(())
    });
    progress.finish();
    store.finish(ran)?;
    for page in games.html.iter().chain(&index) {
        progress.tell_page(page, err)?;
    }
    warn(path, games, &store, err)?;
    Ok(store.flaws)
}

/// Warns of games for which the page has no room, and of a player who is in none of the games.
fn warn(path: &Path, options: &GameOptions, store: &Store, err: &mut dyn Write) -> Result<()> {
    if let (Some(page), left_out @ 1..) = (&options.html, store.left_out()) {
        let page = page.display();
        writeln!(
            err,
            "{page}: has no room for {left_out} of the games; --json and --csv have all"
        )?;
    }
    if let (Some(player), Some(folder)) = (&options.player, &store.folder)
        && folder.misses_player()
    {
        let path = path.display();
        writeln!(
            err,
            "{path}: nobody is called '{player}' in these games; --player takes a name spelled as in the tag White or Black"
        )?;
    }
    Ok(())
}
