//! Outputs of an analysis: JSON, CSV, HTML and PGN files, and the text.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::annotated::AnnotatedPgn;
use super::chances::Chances;
use super::gathering::{self, Gathering};
use super::index::Folder;
use super::move_marks;
use super::options::{GameOptions, Options};
use super::page;
use super::record::{Game, GameInfo, Header, Opinion, RecordLine, Row, Summary};
use super::standing::{self, Standing};
use super::summary::GameDigest;
use super::text;
use crate::games::chess::line::WrittenMove;
use crate::outlook::Outlook;
use crate::output::csv::{Column, CsvFile, optional};
use crate::output::flaws::Flaws;
use crate::output::json_lines::JsonLines;
use crate::output::output_file::{Existing, OutputError, WholeFile};

/// Most positions on a page: some 30 MB, and browsers take not much more.
const MOST_ON_PAGE: usize = 10_000;

/// The output files and the unfinished games. Finished games are kept only for the page.
pub(super) struct Store {
    /// The file of games.
    source: PathBuf,
    header: Header,
    /// Unfinished games.
    pub(super) games: Gathering,
    json: Option<JsonLines>,
    csv: Option<CsvFile<Row>>,
    pgn: Option<AnnotatedPgn>,
    page: Option<Page>,
    folder: Option<Folder>,
    /// Faults and failures so far.
    pub(super) flaws: Flaws,
    /// The legend printed most recently.
    legend: String,
}

/// The page, with the games that are on it.
struct Page {
    file: WholeFile,
    games: Vec<Game>,
    /// Number of finished games that are not on it.
    left_out: usize,
}

impl Store {
    /// Opens the files. Results of an earlier run in the JSON file are printed to `out` and `err` and written to the
    /// other files again.
    pub(super) fn open(
        games: &Path,
        options: &Options,
        header: Header,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<Store> {
        let mut existing = options.existing();
        let first = RecordLine::Header(header.clone());
        let json = options.common.json.as_deref();
        let path = json.unwrap_or(games);
        let json = json.map(|path| JsonLines::open(path, existing, &first));
        let mut json = json.transpose()?;
        if json.as_ref().is_some_and(JsonLines::is_begun) {
            // The other files are made again from the JSON file, even if that has but a part of its header.
            existing = Existing::Overwrite;
        }
        let earlier = json.as_mut().filter(|file| !file.is_empty());
        let continues = earlier.is_some();
        if let Some(file) = earlier {
            let old = gathering::header(path, &mut file.lines()?)?;
            old.ensure_same(path, &header)?;
        }
        // Nothing is written before all files are known to be writable.
        let csv = options.games.csv.as_deref();
        let csv = csv.map(|path| CsvFile::create(path, existing, &CSV));
        let pgn = options.games.pgn.as_deref();
        let pgn = pgn.map(|path| AnnotatedPgn::create(path, existing, games, &header));
        let page = options.games.html.as_deref();
        let page = page.map(|path| WholeFile::claim(path, existing));
        let folder = options.games.html_dir.as_deref();
        let player = options.games.player.as_deref();
        let folder = folder.map(|path| Folder::open(path, existing, player));
        let mut store = Store {
            source: games.to_owned(),
            header,
            games: Gathering::new(path),
            json: None,
            csv: csv.transpose()?,
            pgn: pgn.transpose()?,
            page: page.transpose()?.map(Page::new),
            folder: folder.transpose()?,
            flaws: Flaws::default(),
            legend: String::new(),
        };
        // The JSON file's header comes first: by it the next run knows that the other files are its own.
        if let Some(file) = json.as_mut().filter(|_| !continues) {
            file.push(&first)?;
        }
        if let Some(csv) = &mut store.csv {
            csv.heading()?;
        }
        if let Some(file) = json.as_mut().filter(|_| continues) {
            store.take_in(path, file, out, err)?;
        }
        store.json = json;
        Ok(store)
    }

    /// Takes in the results of an earlier run.
    fn take_in(
        &mut self,
        path: &Path,
        file: &mut JsonLines,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<()> {
        let mut unsummarised: Vec<Summary> = Vec::new();
        let mut lines = file.lines()?;
        while let Some((number, line)) = lines.parse_next::<RecordLine>()? {
            let done = match line {
                // The file's own header, or that of a part (`--shard`) that was joined to this file.
                RecordLine::Header(part) => {
                    part.ensure_same(path, &self.header)?;
                    None
                }
                RecordLine::Game(info) => self.begin(info, number, err)?,
                RecordLine::Position(row) => self.add(*row, number)?,
                RecordLine::Summary(told) => {
                    unsummarised.retain(|it| it.game != told.game);
                    None
                }
            };
            if let Some(game) = done {
                unsummarised.push(self.finish_game(game, out)?);
            }
        }
        drop(lines);
        // The run was killed before it wrote these summaries.
        for summary in unsummarised {
            file.push(&RecordLine::Summary(summary))?;
        }
        Ok(())
    }

    /// Adds a judged game, without what an earlier run has of it.
    pub(super) fn add_game(
        &mut self,
        game: Game,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<()> {
        let known = self.games.open.get(&game.info.game);
        let known = known.map(|it| it.rows.len());
        let mut done = match known {
            Some(_) => None,
            None => self.begin(game.info, 0, err)?,
        };
        for row in game.rows.into_iter().skip(known.unwrap_or(0)) {
            done = self.add(row, 0)?;
        }
        if let Some(game) = done {
            self.finish_game(game, out)?;
        }
        Ok(())
    }

    /// Begins a game, read from line `line` of the JSON file, or new (0). A game that has no positions is done: returns it.
    fn begin(&mut self, info: GameInfo, line: usize, err: &mut dyn Write) -> Result<Option<Game>> {
        if let Some(json) = &mut self.json {
            json.push(&RecordLine::Game(info.clone()))?;
        }
        let source = self.source.display();
        for told in info.oddities.iter().chain(&info.error) {
            writeln!(err, "{source}: {told}")?;
        }
        self.flaws.malformed += usize::from(info.error.is_some());
        self.games.begin(info, line)
    }

    /// Adds a position; returns its game if that was the last one.
    fn add(&mut self, row: Row, line: usize) -> Result<Option<Game>> {
        if let Some(csv) = &mut self.csv {
            csv.row(&row)?;
        }
        self.flaws.failures += usize::from(row.verdict.failure.is_some());
        if let Some(json) = &mut self.json {
            json.push(&RecordLine::Position(Box::new(row.clone())))?;
        }
        self.games.add(row, line)
    }

    /// Finishes a game: prints it, and puts it on the page if there is room.
    fn finish_game(&mut self, game: Game, out: &mut dyn Write) -> Result<Summary> {
        let digest = GameDigest::of(&game);
        let summary = digest.summary.clone();
        if let Some(json) = &mut self.json {
            json.push(&RecordLine::Summary(summary.clone()))?;
        }
        writeln!(
            out,
            "{}",
            text::game(&digest, self.header.judge(), &mut self.legend)
        )?;
        if let Some(folder) = &mut self.folder {
            folder.add(&self.header, &digest)?;
        }
        if let Some(pgn) = &mut self.pgn {
            pgn.add(game.clone())?;
        }
        if let Some(page) = &mut self.page {
            page.add(game);
        }
        Ok(summary)
    }

    /// Rewrites the page, unless it is full or the output is a pipe, where pages would follow one another.
    pub(super) fn rewrite_page(&mut self) -> Result<(), OutputError> {
        match &self.page {
            Some(page) if !page.file.is_stream() && page.left_out == 0 => self.write_page(),
            _ => Ok(()),
        }
    }

    /// Finishes the files after a run. Finished games are shown even if it failed.
    pub(super) fn finish(&mut self, ran: Result<()>) -> Result<()> {
        self.write_page()?;
        if let Some(folder) = &mut self.folder {
            folder.write(&self.header)?;
        }
        ran?;
        if let Some(pgn) = &mut self.pgn {
            pgn.finish()?;
        }
        Ok(())
    }

    /// Writes the page, in one step, so that nobody reads half of it.
    fn write_page(&mut self) -> Result<(), OutputError> {
        let Some(page) = &mut self.page else {
            return Ok(());
        };
        let mut games: Vec<&Game> = page.games.iter().collect();
        if page.left_out == 0 {
            games.extend(self.games.open.values());
        }
        games.sort_by_key(|game| game.info.game);
        let text = page::render(&self.header, &games, page.left_out);
        page.file.write(text.as_bytes())
    }

    /// Warns of games for which the page has no room, and of a player who is in none of the games.
    pub(super) fn warn(&self, options: &GameOptions, err: &mut dyn Write) -> Result<()> {
        let left_out = self.page.as_ref().map_or(0, |page| page.left_out);
        if let (Some(page), 1..) = (&options.html, left_out) {
            let page = page.display();
            writeln!(
                err,
                "{page}: has no room for {left_out} of the games; --json and --csv have all"
            )?;
        }
        if let (Some(player), Some(folder)) = (&options.player, &self.folder)
            && folder.misses_player()
        {
            let path = self.source.display();
            writeln!(
                err,
                "{path}: nobody is called '{player}' in these games; --player takes a name spelled as in the tag White or Black"
            )?;
        }
        Ok(())
    }
}

impl Page {
    fn new(file: WholeFile) -> Page {
        Page {
            file,
            games: Vec::new(),
            left_out: 0,
        }
    }

    fn add(&mut self, game: Game) {
        let has_room = || {
            let positions: usize = self.games.iter().map(|it| it.rows.len()).sum();
            positions + game.rows.len() <= MOST_ON_PAGE
        };
        if self.left_out == 0 && (self.games.is_empty() || has_room()) {
            self.games.push(game);
        } else {
            self.left_out += 1;
        }
    }
}

/// The columns of the CSV file.
pub(super) const CSV: [Column<Row>; 52] = [
    ("game", |row| row.game.to_string()),
    ("ply", |row| row.ply.to_string()),
    ("move", |row| row.number.to_string()),
    ("side", |row| row.mover().to_lowercase()),
    ("played", |row| san(row.played.as_ref())),
    ("best", |row| san(row.verdict.best.as_ref())),
    ("cp", |row| optional(row.verdict.cp)),
    ("mate", |row| optional(row.verdict.mate)),
    ("give_or_take", |row| optional(row.verdict.give_or_take)),
    ("confidence", |row| optional(row.verdict.confidence)),
    ("lower", |row| optional(row.verdict.lower)),
    ("higher", |row| optional(row.verdict.higher)),
    ("demand", |row| optional(row.verdict.demand)),
    ("price_lower", |row| optional(row.verdict.price_lower)),
    ("price_higher", |row| optional(row.verdict.price_higher)),
    ("max_cn", |row| optional(row.verdict.max_cn)),
    ("min_cn", |row| optional(row.verdict.min_cn)),
    ("down_tactic", |row| row.turn.down_tactic.to_string()),
    ("up_tactic", |row| row.turn.up_tactic.to_string()),
    ("critical", |row| row.turn.critical.to_string()),
    ("iteration", |row| row.verdict.iteration.to_string()),
    ("nodes", |row| row.verdict.nodes.to_string()),
    ("ms", |row| format!("{:.1}", row.verdict.ms)),
    ("fen", |row| row.fen.clone()),
    ("failure", |row| optional(row.verdict.failure.as_ref())),
    ("margin_lower", |row| optional(row.verdict.margin_lower)),
    ("margin_higher", |row| optional(row.verdict.margin_higher)),
    ("other_move", |row| optional(row.verdict.other_move)),
    ("phase", |row| {
        optional(row.facts.phase.map(|it| it.name().to_lowercase()))
    }),
    ("clock_s", |row| optional(row.facts.clock_s)),
    ("spent_s", |row| optional(row.facts.spent_s)),
    ("move_stays", |row| outlook(row, |it| it.move_stays)),
    ("value_stays", |row| outlook(row, |it| it.value_stays)),
    ("own_best", |row| {
        san(row.own.as_ref().and_then(|it| it.verdict.best.as_ref()))
    }),
    ("own_cp", |row| own(row, |it| it.verdict.cp)),
    ("own_mate", |row| own(row, |it| it.verdict.mate)),
    ("own_cost", |row| own(row, |it| it.cost)),
    ("played_cp", |row| optional(row.verdict.played_cp)),
    ("played_mate", |row| optional(row.verdict.played_mate)),
    ("cost", |row| optional(row.facts.cost)),
    ("chance_dubious", |row| chance(row, |it| it.dubious)),
    ("chance_mistake", |row| chance(row, |it| it.mistake)),
    ("chance_blunder", |row| chance(row, |it| it.blunder)),
    ("mark", |row| {
        optional(move_marks::of(row).map(|it| it.grade.sign()))
    }),
    ("band", |row| {
        optional(Standing::of(row).map(|it| it.band.name()))
    }),
    ("band_chance", |row| {
        let chance = Standing::of(row).and_then(|it| it.chance);
        optional(chance.map(|it| format!("{it:.3}")))
    }),
    ("words", |row| standing::of_move(row).join("; ")),
    ("rest", |row| optional(row.facts.rest)),
    ("only", |row| optional(row.facts.only)),
    ("found", |row| optional(row.facts.found)),
    ("mate_at_most", |row| row.verdict.mate_at_most.to_string()),
    ("played_mate_at_most", |row| {
        row.verdict.played_mate_at_most.to_string()
    }),
];

fn san(step: Option<&WrittenMove>) -> String {
    optional(step.map(|it| &it.san))
}

fn outlook(row: &Row, of: fn(Outlook) -> f64) -> String {
    optional(row.verdict.outlook.map(of))
}

fn chance(row: &Row, of: fn(Chances) -> f64) -> String {
    optional(row.facts.chances.map(of))
}

/// A property of our own search's opinion beside an engine.
fn own<T: ToString>(row: &Row, of: fn(&Opinion) -> Option<T>) -> String {
    optional(row.own.as_deref().and_then(of))
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
        let file = WholeFile::claim(&folder.path().join("page"), Existing::Refuse);
        let mut page = Page::new(file.unwrap());
        // A game with more positions than fit on a page is shown if it comes first.
        page.add(game(1, MOST_ON_PAGE + 1));
        assert_eq!((page.games.len(), page.left_out), (1, 0));
        page.add(game(2, 1));
        page.add(game(3, 0));
        assert_eq!((page.games.len(), page.left_out), (1, 2), "no gaps");
    }
}
