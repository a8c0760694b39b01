//! `cassius analyze`: from options to tables and files.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, ensure};

use super::feed::Feed;
use super::foreign::Foreign;
use super::judge::{self, OwnJudge};
use super::options::Options;
use super::record::Header;
use super::run::{self, News, Plan};
use super::store::Store;
use super::{evidence, holding, index};
use crate::analysis::command as analysis;
use crate::engine::outlook;
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

/// Analyses games: tables go to `out`, what is wrong with games to `err`.
fn games(
    path: &Path,
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws> {
    let Options { common, games, .. } = options;
    // That is what `--json` alone stands for.
    ensure!(
        common.json.as_deref() != Some(Path::new("-")),
        "--json needs the name of a file when games are analysed"
    );
    let contestant = options.contestant()?;
    let outputs = [&common.json, &games.csv, &games.html, &games.pgn];
    let index = games.html_dir.as_deref().map(index::file_in);
    let outputs = outputs.map(Option::as_deref).into_iter();
    output_file::check_distinct([path], outputs.chain([index.as_deref()]))?;
    let source = GamesFile::open(path)?;
    let name = path.file_name().unwrap_or_default();
    // An engine's values are not on the scale of our evaluation.
    let own = contestant.settings();
    let effort = options.effort();
    let header = Header {
        file: name.to_string_lossy().into_owned(),
        search: contestant.name().to_owned(),
        hash_mb: common.hash,
        second_look: own.is_some(),
        ..judge::header(own, effort, own_command_line("cassius"))
    };
    let judging = own.map(judge::settings);
    let plan = Plan {
        judge: &|| {
            Ok(match &judging {
                Some(settings) => Box::new(OwnJudge::new(settings)),
                None => Box::new(Foreign(contestant.player()?)),
            })
        },
        effort,
        jobs: options.jobs(),
        has_chances: judging.as_ref().is_some_and(outlook::is_learnt_for),
        witness: own.map(evidence::settings),
        is_everywhere: own != judging.as_ref(),
        holder: judging.as_ref().map(holding::settings),
    };
    plan.ensure_memory(contestant.megabytes())?;
    let length = source.length();
    let mut feed = Feed::new(source, games.shard);
    let mut store = Store::open(path, options, header, out, err)?;
    if let Some(json) = &common.json {
        feed.leave_out(json, store.games.clone());
    }
    let progress = Progress::of_bytes(length);
    let ran = run::run(feed, &plan, |news| {
        let done = match news {
            News::Progress { game, bytes } => {
                progress.reach_with(bytes, format!("game {game}"));
                None
            }
            News::Game(info) => progress.aside(|| store.begin(*info, 0, err))?,
            News::Position(row) => store.add(row, 0)?,
        };
        if let Some(game) = done {
            progress.aside(|| store.finish_game(game, out))?;
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
    if let (Some(page), left_out @ 1..) = (&games.html, store.left_out()) {
        let page = page.display();
        writeln!(
            err,
            "{page}: has no room for {left_out} of the games; --json and --csv have all"
        )?;
    }
    Ok(store.flaws)
}
