//! Reads games of a PGN file one after the other, without those that an earlier run has done.

use anyhow::{Error, Result, ensure};

use super::gathering::{Gathering, different, identity, played};
use super::run::Job;
use crate::games::chess::notation::to_uci;
use crate::games::chess::pgn::GamesFile;
use crate::output::shard::Shard;

/// The games of a file, read one at a time. Of those that an earlier run has done only digests are kept.
pub(super) struct Feed {
    games: GamesFile,
    /// The part of the games to analyse; `None` for all.
    shard: Option<Shard>,
    /// Results of an earlier run.
    known: Gathering,
    /// Games read so far.
    read: usize,
    /// End of the last game, in bytes.
    end: u64,
}

impl Feed {
    /// Reads the games of a file, or a part of them, without those that are done in `known`.
    pub(super) fn new(games: GamesFile, shard: Option<Shard>, known: Gathering) -> Feed {
        Feed {
            games,
            shard,
            known,
            read: 0,
            end: 0,
        }
    }

    fn read(&mut self) -> Result<Option<Job>> {
        loop {
            let Some(pgn) = self.games.next().transpose()? else {
                self.check_end()?;
                return Ok(None);
            };
            // Games are counted from 1.
            let index = pgn.number.saturating_sub(1);
            let is_other_part = self.shard.is_some_and(|shard| !shard.has(index));
            let begin = std::mem::replace(&mut self.end, pgn.layout.end);
            let job = Job {
                bytes: self.end - begin,
                ..Job::new(pgn)
            };
            // Done games are checked even if they belong to other parts: all must be of this file.
            if !self.knows(&job)? && !is_other_part {
                return Ok(Some(job));
            }
        }
    }

    /// Whether a game is done. A game of which a part is done must be the same, too.
    fn knows(&mut self, job: &Job) -> Result<bool> {
        let info = &job.info;
        let moves = job.pgn.moves.iter().map(|&m| to_uci(m, info.chess960));
        self.read = info.game;
        if let Some(&known) = self.known.done.get(&info.game) {
            ensure!(known == identity(info, moves), self.different());
            return Ok(true);
        }
        if let Some(known) = self.known.open.get(&info.game) {
            let is_same = moves.zip(played(&known.rows)).all(|(new, old)| new == old);
            ensure!(known.info == *info && is_same, self.different());
        }
        Ok(false)
    }

    /// Checks at the end of the file that the earlier run has no game beyond it.
    fn check_end(&self) -> Result<()> {
        let mut known = self.known.done.keys().chain(self.known.open.keys());
        ensure!(known.all(|&it| it <= self.read), self.different());
        Ok(())
    }

    fn different(&self) -> Error {
        different(&self.known.path, "list of games")
    }
}

impl Iterator for Feed {
    type Item = Result<Job>;

    fn next(&mut self) -> Option<Result<Job>> {
        self.read().transpose()
    }
}
