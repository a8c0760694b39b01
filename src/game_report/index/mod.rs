//! A folder with a page for each game, and an index of them to search and sort.
//!
//! A game's page is written when the game is done. Memory holds only the entries of the index, a few hundred bytes a
//! game, and sums for the habits of each player.

mod habits;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use self::habits::Habits;
use super::page;
use super::record::Header;
use super::summary::GameDigest;
use crate::output::output_file::{self, Existing, OutputError, Refusal, WholeFile};
use crate::web::{self, escape, fill};

const PAGE: &str = include_str!("index.html");
const STYLE: &str = include_str!("index.css");
const SCRIPT: &str = include_str!("index.js");

/// File name of the index.
const INDEX: &str = "index.html";
/// Games between two writes of the index.
const EVERY: usize = 50;
/// Most characters shown of a tag.
const LONGEST: usize = 80;

/// The folder of pages.
pub(super) struct Folder {
    path: PathBuf,
    existing: Existing,
    index: WholeFile,
    /// The entries of the index, by the numbers of the games.
    entries: BTreeMap<usize, String>,
    habits: Habits,
    /// Games that the index on disk lacks.
    unwritten: usize,
}

impl Folder {
    /// Makes the folder if it is missing, and claims its index. Other files in it are left alone.
    /// The habits of `player` are shown first.
    pub(super) fn open(
        path: &Path,
        existing: Existing,
        player: Option<&str>,
    ) -> Result<Folder, OutputError> {
        make(path)?;
        output_file::sweep(path, is_page);
        let index = WholeFile::claim(&file_in(path), existing)?;
        if existing != Existing::Overwrite
            && let Some(there) = pages_in(path).next()
        {
            // Refuse now rather than when that game is done.
            return Err(Refusal::Exists.of(&there));
        }
        Ok(Folder {
            path: path.to_owned(),
            existing,
            index,
            entries: BTreeMap::new(),
            habits: Habits::new(player),
            unwritten: 0,
        })
    }

    /// Adds a finished game. The first games appear in the index at once, later ones in batches.
    pub(super) fn add(
        &mut self,
        header: &Header,
        digest: &GameDigest<'_>,
    ) -> Result<(), OutputError> {
        let page = self.path.join(file_name(digest.game.info.game));
        let text = page::render_one(header, digest, INDEX);
        output_file::write(&page, self.existing, text.as_bytes())?;
        self.habits.add(digest.game);
        self.entries.insert(digest.game.info.game, entry(digest));
        self.unwritten += 1;
        if self.entries.len() < EVERY || self.unwritten == EVERY {
            self.write(header)?;
        }
        Ok(())
    }

    /// Whether the player whose habits were asked for is in none of the games.
    pub(super) fn misses_player(&self) -> bool {
        self.habits.misses_chosen()
    }

    /// Writes the index with all games added.
    pub(super) fn write(&mut self, header: &Header) -> Result<(), OutputError> {
        let rows: String = self.entries.values().map(String::as_str).collect();
        let count = match self.entries.len() {
            1 => "1 game".to_owned(),
            count => format!("{count} games"),
        };
        let title = format!("{}: {count}", header.file);
        let text = fill(
            PAGE,
            &[
                ("head", &web::head(&title, &[STYLE])),
                ("file", &escape(&header.file)),
                ("count", &count),
                ("habits", &self.habits.section()),
                ("rows", &rows),
                ("made", &page::made(header)),
                ("script", SCRIPT),
            ],
        );
        self.index.write(text.as_bytes())?;
        self.unwritten = 0;
        Ok(())
    }
}

/// Makes a folder unless it exists.
fn make(folder: &Path) -> Result<(), OutputError> {
    let made = fs::create_dir_all(folder).map_err(|reason| match reason.kind() {
        // A folder that exists is no error, a file is.
        ErrorKind::AlreadyExists => Refusal::NotAFolder,
        _ => Refusal::Io(reason),
    });
    made.map_err(|refusal| refusal.of(folder))
}

/// Path of a folder's index.
pub(super) fn file_in(folder: &Path) -> PathBuf {
    folder.join(INDEX)
}

/// Paths that filling a folder may write: the folder itself, its index, the pages it has, and the pages that these other files of
/// the run would be.
pub(super) fn written_in<'p>(
    folder: &Path,
    others: impl IntoIterator<Item = &'p Path>,
) -> Vec<PathBuf> {
    let others = others.into_iter();
    let others = others.filter_map(|it| output_file::regular_file(it).ok().flatten());
    let names = others.filter_map(|it| Some(it.file_name()?.to_str()?.to_lowercase()));
    let pages = names.filter(|it| is_page(it)).map(|it| folder.join(it));
    [folder.to_owned(), file_in(folder)]
        .into_iter()
        .chain(pages_in(folder))
        .chain(pages)
        .collect::<BTreeSet<PathBuf>>()
        .into_iter()
        .collect()
}

/// The pages of games that the folder has already.
fn pages_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten();
    let files = files.filter_map(Result::ok).map(|file| file.path());
    files.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(is_page)
    })
}

/// Whether a file's name is that of a game's page.
fn is_page(name: &str) -> bool {
    let number = name
        .strip_prefix("game-")
        .and_then(|it| it.strip_suffix(".html"));
    number.is_some_and(|it| it.parse::<usize>().is_ok())
}

/// File name of a game's page.
fn file_name(game: usize) -> String {
    format!("game-{game}.html")
}

/// The entry of a game, a row of the table.
fn entry(digest: &GameDigest<'_>) -> String {
    let info = &digest.game.info;
    let tag = |name: &str, otherwise: &str| {
        let text = info.tag(name).unwrap_or(otherwise);
        escape(&text.chars().take(LONGEST).collect::<String>())
    };
    let [white, black] = ["White", "Black"].map(|side| tag(side, "?"));
    let opening = info.opening.as_ref();
    let opening = opening.map(|it| escape(&format!("{} {}", it.eco, it.name)));
    let accuracy = |accuracy: Option<f64>| match accuracy {
        Some(accuracy) => format!("<td class=\"number\">{accuracy:.0}</td>"),
        None => "<td class=\"number\" data-value=\"-1\">–</td>".to_owned(),
    };
    let fault = if info.error.is_some() {
        " <abbr title=\"something is wrong with this game\">(!)</abbr>"
    } else {
        ""
    };
    format!(
        "<tr><td class=\"number\">{0}</td><th scope=\"row\"><a href=\"{1}\">{white} – {black}</a>{fault}</th><td class=\"result\">{2}</td>{3}{4}<td>{5}</td><td class=\"number\">{6}</td><td class=\"date\">{7}</td><td>{8}</td></tr>\n",
        info.game,
        file_name(info.game),
        escape(&info.result).replace("1/2", "½"),
        accuracy(digest.summary.accuracy.white),
        accuracy(digest.summary.accuracy.black),
        opening.unwrap_or_else(|| tag("ECO", "")),
        info.plies.div_ceil(2),
        date(&tag("Date", "")),
        tag("Event", ""),
    )
}

/// Date as far as known: `2026-10` for `2026.10.??`.
fn date(tag: &str) -> String {
    let known = tag.split("??").next().unwrap_or_default();
    known.trim_end_matches('.').replace('.', "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::{info, row, tags, with_costs};
    use crate::game_report::record::Game;

    #[test]
    fn a_line_tells_what_there_is_and_keeps_strangers_words_text() {
        let mut info = info(7);
        info.tags = tags(&[
            ("White", "A <b>"),
            ("Date", "2026.??.??"),
            ("Event", "\"x\" & y"),
        ]);
        info.plies = 5;
        info.error = Some("wrong".to_owned());
        let rows = (0..9).map(|ply| row(ply, Some("a"), "a", 10));
        let rows = with_costs(rows.collect());
        let line = entry(&GameDigest::of(&Game { info, rows }));
        for part in [
            "<a href=\"game-7.html\">A &lt;b&gt; – ?</a>",
            "<td class=\"date\">2026</td>",
            "&quot;x&quot; &amp; y",
            "(!)",
            "<td class=\"number\">100</td>",
            "<td class=\"number\">3</td>",
        ] {
            assert!(line.contains(part), "{part} {line}");
        }
        assert_eq!(date("2026.10.??"), "2026-10");
        assert_eq!(date("2026.??.05"), "2026", "no month, but no May either");
        assert_eq!(date("????.??.??"), "");
    }
}
