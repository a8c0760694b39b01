//! What becomes of an analysis: the JSON, CSV and HTML files, and the text.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::annotated::AnnotatedPgn;
use super::gathering::Gathering;
use super::index::Folder;
use super::options::Options;
use super::page;
use super::reading::no_analysis;
use super::record::{Game, GameInfo, Header, Line, Row, Summary};
use super::summary::Told;
use super::text;
use crate::output::csv::CsvFile;
use crate::output::json_lines::{self, JsonLines};
use crate::output::output_file::{Existing, OutputError, WholeFile};
use crate::suite::command::Flaws;

/// Most positions on a page: browsers take some 30 MB of it, and not much more.
const MOST_ON_PAGE: usize = 10_000;

/// The files, and the games under way. Of those that are done only the page keeps some.
pub(super) struct Store {
    /// The file of games.
    source: PathBuf,
    header: Header,
    /// The games under way.
    pub(super) games: Gathering,
    json: Option<JsonLines>,
    csv: Option<CsvFile>,
    pgn: Option<AnnotatedPgn>,
    page: Option<Page>,
    folder: Option<Folder>,
    /// What did not go well so far.
    pub(super) flaws: Flaws,
}

/// The page, with the games that are on it.
struct Page {
    file: WholeFile,
    games: Vec<Game>,
    /// Positions in them.
    positions: usize,
    /// Games that are done and not on it.
    left_out: usize,
}

impl Store {
    /// Opens the files. What an earlier run has written to the JSON file is told to `out` and `err`, and goes
    /// to the other files again.
    pub(super) fn open(
        games: &Path,
        options: &Options,
        header: Header,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<Store> {
        let mut existing = options.existing();
        let mut json = None;
        let first = Line::Header(header.clone());
        if let Some(path) = &options.common.json {
            let mut file = JsonLines::open(path, existing, &first)?;
            if !file.is_empty() {
                let old = first_header(path, &mut file)?;
                old.ensure_same(path, &header)?;
                // The others were made from it, and are made from it again.
                existing = Existing::Overwrite;
            }
            json = Some(file);
        }
        // Nothing is written before it is certain that all can be.
        let csv = options.games.csv.as_deref();
        let csv = csv.map(|path| CsvFile::create(path, existing));
        let pgn = options.games.pgn.as_deref();
        let pgn = pgn.map(|path| AnnotatedPgn::create(path, existing, games, &header));
        let page = options.games.html.as_deref();
        let page = page.map(|path| WholeFile::claim(path, existing));
        let folder = options.games.html_dir.as_deref();
        let player = options.games.player.as_deref();
        let folder = folder.map(|path| Folder::open(path, existing, player));
        let path = options.common.json.as_deref().unwrap_or(games);
        let mut store = Store {
            source: games.to_owned(),
            header,
            games: Gathering::new(path),
            json: None,
            csv: csv.transpose()?,
            pgn: pgn.transpose()?,
            page: page.transpose()?.map(|file| Page {
                file,
                games: Vec::new(),
                positions: 0,
                left_out: 0,
            }),
            folder: folder.transpose()?,
            flaws: Flaws::default(),
        };
        // The JSON file's header comes first: it tells the next run that the other files are this one's.
        let mut continues = false;
        if let Some(file) = &mut json {
            continues = !file.is_empty();
            if !continues {
                file.push(&first)?;
            }
        }
        if let Some(csv) = &mut store.csv {
            csv.row(&text::csv_heading())?;
        }
        if let Some(mut file) = json {
            if continues {
                store.take_in(path, &mut file, out, err)?;
            }
            store.json = Some(file);
        }
        Ok(store)
    }

    /// Takes in what an earlier run has written.
    fn take_in(
        &mut self,
        path: &Path,
        file: &mut JsonLines,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<()> {
        let mut unsummarised: Vec<Summary> = Vec::new();
        for line in file.lines()?.skip(1) {
            let (number, line) = line?;
            let done = match json_lines::parse(path, number, &line)? {
                // Of a part that was joined to this one.
                Line::Header(part) => {
                    part.ensure_same(path, &self.header)?;
                    None
                }
                Line::Game(info) => self.begin(info, number, err)?,
                Line::Position(row) => self.add(row, number)?,
                Line::Summary(told) => {
                    unsummarised.retain(|it| it.game != told.game);
                    None
                }
            };
            if let Some(game) = done {
                unsummarised.push(self.finish_game(game, out)?);
            }
        }
        // The run was killed before it could tell.
        for summary in unsummarised {
            file.push(&Line::Summary(summary))?;
        }
        Ok(())
    }

    /// A game begins, in line `line` of the JSON file, or anew. Given back if it is done thereby.
    pub(super) fn begin(
        &mut self,
        info: GameInfo,
        line: usize,
        err: &mut dyn Write,
    ) -> Result<Option<Game>> {
        if let Some(json) = &mut self.json {
            json.push(&Line::Game(info.clone()))?;
        }
        let source = self.source.display();
        for told in info.oddities.iter().chain(&info.error) {
            writeln!(err, "{source}: {told}")?;
        }
        self.flaws.malformed += usize::from(info.error.is_some());
        self.games.begin(info, line)
    }

    /// A position follows. Its game is given back if it is done thereby.
    pub(super) fn add(&mut self, row: Box<Row>, line: usize) -> Result<Option<Game>> {
        if let Some(csv) = &mut self.csv {
            csv.row(&text::csv_row(&row))?;
        }
        self.flaws.failures += usize::from(row.verdict.failure.is_some());
        let position = Line::Position(row);
        if let Some(json) = &mut self.json {
            json.push(&position)?;
        }
        match position {
            Line::Position(row) => self.games.add(*row, line),
            _ => Ok(None),
        }
    }

    /// A game is done: it is told, and put on the page if there is room.
    pub(super) fn finish_game(&mut self, game: Game, out: &mut dyn Write) -> Result<Summary> {
        let told = Told::of(&game);
        let summary = told.summary.clone();
        if let Some(json) = &mut self.json {
            json.push(&Line::Summary(summary.clone()))?;
        }
        writeln!(out, "{}", text::game(&told, self.header.judge()))?;
        if let Some(folder) = &mut self.folder {
            folder.add(&self.header, &told)?;
        }
        if let Some(pgn) = &mut self.pgn {
            pgn.add(game.clone())?;
        }
        if let Some(page) = &mut self.page {
            page.add(game);
        }
        Ok(summary)
    }

    /// Writes the index of the pages with what is known.
    pub(super) fn write_index(&mut self) -> Result<(), OutputError> {
        let folder = self.folder.as_mut();
        folder.map_or(Ok(()), |folder| folder.write(&self.header))
    }

    /// Whether the player whose habits were asked for is in none of the games.
    pub(super) fn misses_player(&self) -> bool {
        self.folder.as_ref().is_some_and(Folder::misses_player)
    }

    /// All games are done: writes what stands behind them.
    pub(super) fn finish_pgn(&mut self) -> Result<()> {
        self.pgn.as_mut().map_or(Ok(()), AnnotatedPgn::finish)
    }

    /// Writes the page anew, unless pages would come one behind the other, or nothing is new on it.
    pub(super) fn rewrite_page(&mut self) -> Result<(), OutputError> {
        match &self.page {
            Some(page) if !page.file.is_stream() && page.left_out == 0 => self.write_page(),
            _ => Ok(()),
        }
    }

    /// Writes the page with what is known. Whoever has it open sees the old one or the new one whole.
    pub(super) fn write_page(&mut self) -> Result<(), OutputError> {
        let Some(page) = &mut self.page else {
            return Ok(());
        };
        let mut games: Vec<&Game> = page.games.iter().collect();
        if page.left_out == 0 {
            games.extend(self.games.open());
        }
        games.sort_by_key(|game| game.info.game);
        let text = page::render(&self.header, &games, page.left_out);
        page.file.write(text.as_bytes())
    }

    /// Games that are done and that the page has no room for.
    pub(super) fn left_out(&self) -> usize {
        self.page.as_ref().map_or(0, |page| page.left_out)
    }
}

impl Page {
    fn add(&mut self, game: Game) {
        let has_room = self.games.is_empty() || self.positions + game.rows.len() <= MOST_ON_PAGE;
        if self.left_out > 0 || !has_room {
            self.left_out += 1;
        } else {
            self.positions += game.rows.len();
            self.games.push(game);
        }
    }
}

/// What stands first in a file that an earlier run began.
fn first_header(path: &Path, file: &mut JsonLines) -> Result<Header> {
    let first = file.lines()?.next().transpose()?;
    let (number, line) = first.ok_or_else(|| no_analysis(path))?;
    match json_lines::parse(path, number, &line)? {
        Line::Header(header) => Ok(header),
        _ => Err(no_analysis(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::{info, row};

    fn game(number: usize, rows: usize) -> Game {
        Game {
            info: info(number),
            rows: vec![row(0, None, "a", 0); rows],
        }
    }

    #[test]
    fn a_page_has_room_for_so_many_positions() {
        let folder = tempfile::tempdir().unwrap();
        let mut page = Page {
            file: WholeFile::claim(&folder.path().join("page"), Existing::Refuse).unwrap(),
            games: Vec::new(),
            positions: 0,
            left_out: 0,
        };
        // One that is longer than all may be together is shown if it comes first.
        page.add(game(1, MOST_ON_PAGE + 1));
        assert_eq!((page.games.len(), page.left_out), (1, 0));
        page.add(game(2, 1));
        page.add(game(3, 0));
        assert_eq!((page.games.len(), page.left_out), (1, 2), "no gaps");
    }
}
