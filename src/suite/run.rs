//! Running a suite: every position to every search in turn, the results as they come.

use std::collections::BTreeSet;
use std::io;

use thiserror::Error;

use super::epd::Record;
use super::player::{Column, Player};
use super::process::EngineError;
use super::results::Entry;
use crate::engine::limit::Limit;
use crate::games::chess::notation::to_fen;
use crate::report::output_file::OutputError;
use crate::workers;

/// What is to be run.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The positions with their numbers in the files, from 1.
    pub records: &'a [(usize, Record)],
    /// Who gets each of them, in this order.
    pub columns: &'a [Column],
    /// What ends each search.
    pub limit: Limit,
    /// How many positions are worked on at a time.
    pub jobs: usize,
}

/// Why a run ended before its end.
#[derive(Debug, Error)]
pub enum RunError {
    /// A player that will not play on.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// The output, or a thread.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Runs what is planned, but for the pairs of position number and search in `done`, and hands over
/// each entry as soon as it is known. Within a position the searches take turns, so that whatever
/// drifts meanwhile (heat, other programs) hits all of them alike.
pub fn run(
    plan: Plan<'_>,
    done: &BTreeSet<(usize, String)>,
    tell: impl FnMut(Entry) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let players = || {
        let columns = plan.columns.iter();
        let players = columns.map(Column::player);
        Ok(players.collect::<Result<Vec<Box<dyn Player>>, EngineError>>()?)
    };
    workers::share(
        plan.records.iter(),
        plan.jobs,
        players,
        |players, (number, record), hand_over| {
            for (column, player) in plan.columns.iter().zip(players) {
                if done.contains(&(*number, column.name().to_owned())) {
                    continue;
                }
                let entry = Entry {
                    position: *number,
                    id: record.id.clone(),
                    fen: to_fen(&record.position),
                    goal: record.goal(),
                    search: column.name().to_owned(),
                    outcome: player.solve(record, &plan.limit)?,
                };
                if !hand_over(entry) {
                    break;
                }
            }
            Ok(())
        },
        tell,
    )
}
