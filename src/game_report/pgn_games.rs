//! Reads games of a PGN file one after the other, without those that an earlier run has done.

use std::path::{Path, PathBuf};

use anyhow::{Error, Result};

use super::gathering::{Gathering, identity, played};
use super::resume::different;
use super::run::Job;
use crate::games::chess::notation::to_uci;
use crate::games::chess::pgn::GamesFile;
use crate::suite::results::Shard;

/// The games of a file, read one at a time. Of those that an earlier run has done only digests are kept.
pub(super) struct Feed {
    games: GamesFile,
    /// The part of the games to analyse; `None` for all.
    shard: Option<Shard>,
    /// Results of an earlier run.
    past: Option<Past>,
}

/// Games that an earlier run has done, and a check that they are these games.
struct Past {
    /// Its file.
    path: PathBuf,
    known: Gathering,
    /// Games read so far.
    games: usize,
}

impl Feed {
    /// Reads the games of a file, or a part of them.
    pub(super) fn new(games: GamesFile, shard: Option<Shard>) -> Feed {
        Feed {
            games,
            shard,
            past: None,
        }
    }

    /// Leaves out games that are done in `known`, which was read from the file at `path`.
    pub(super) fn leave_out(&mut self, path: &Path, known: Gathering) {
        self.past = Some(Past {
            path: path.to_owned(),
            known,
            games: 0,
        });
    }

    fn read(&mut self) -> Result<Option<Job>> {
        loop {
            let Some((pgn, bytes)) = self.games.next().transpose()? else {
                if let Some(past) = &self.past {
                    past.check_end()?;
                }
                return Ok(None);
            };
            // Games are counted from 1.
            let index = pgn.number.saturating_sub(1);
            let is_other_part = self.shard.is_some_and(|shard| !shard.has(index));
            let mut job = Job {
                bytes,
                ..Job::new(pgn)
            };
            // Done games are checked even if they belong to other parts: all must be of this file.
            let is_known = match &mut self.past {
                Some(past) => past.knows(&mut job)?,
                None => false,
            };
            if !is_known && !is_other_part {
                return Ok(Some(job));
            }
        }
    }
}

impl Past {
    /// Whether a game is done; if a part of it is, the job takes note of that part.
    fn knows(&mut self, job: &mut Job) -> Result<bool> {
        let info = &job.info;
        let moves = job.pgn.moves.iter().map(|&m| to_uci(m, info.chess960));
        self.games = info.game;
        if let Some(&known) = self.known.done.get(&info.game) {
            return if known == identity(info, moves) {
                Ok(true)
            } else {
                Err(self.different())
            };
        }
        if let Some(known) = self.known.open.get(&info.game) {
            let is_same = moves.zip(played(&known.rows)).all(|(new, old)| new == old);
            if known.info != *info || !is_same {
                return Err(self.different());
            }
            job.told = known.rows.len();
            job.is_new = false;
        }
        Ok(false)
    }

    /// Checks at the end of the file that the earlier run has no game beyond it.
    fn check_end(&self) -> Result<()> {
        let last = [self.known.done.keys().max(), self.known.open.keys().max()];
        if last.into_iter().flatten().any(|&last| last > self.games) {
            return Err(self.different());
        }
        Ok(())
    }

    fn different(&self) -> Error {
        different(&self.path, "list of games")
    }
}

impl Iterator for Feed {
    type Item = Result<Job>;

    fn next(&mut self) -> Option<Result<Job>> {
        self.read().transpose()
    }
}
