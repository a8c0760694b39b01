//! Running a suite: every position to every search in turn, the results as they come.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use thiserror::Error;

use super::epd::Record;
use super::player::{Column, Player};
use super::process::EngineError;
use super::results::{Entry, Limit};
use crate::games::chess::notation::to_fen;

/// Stack of a thread that searches: searches recurse, and lines get long.
const STACK_BYTES: usize = 64 << 20;

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
    /// What to do with an entry could not be done, or a thread not be had.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Runs what is planned, but for the pairs of position number and search in `done`, and hands over
/// each entry as soon as it is known. Within a position the searches take turns, so that whatever
/// drifts meanwhile (heat, other programs) hits all of them alike.
pub fn run(
    plan: Plan<'_>,
    done: &BTreeSet<(usize, String)>,
    mut tell: impl FnMut(Entry) -> io::Result<()>,
) -> Result<(), RunError> {
    let next = AtomicUsize::new(0);
    let enough = AtomicBool::new(false);
    let mut outcome = Ok(());
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..plan.jobs.max(1) {
            let (sender, next, enough) = (sender.clone(), &next, &enough);
            let spawned =
                thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        if let Err(error) = work(plan, done, next, enough, &sender) {
                            // The receiver is gone only if the run has failed already.
                            let _ = sender.send(Err(error));
                        }
                    });
            if let Err(error) = spawned {
                outcome = Err(error.into());
            }
        }
        drop(sender);
        for entry in receiver {
            let told = entry
                .map_err(RunError::from)
                .and_then(|entry| Ok(tell(entry)?));
            if told.is_err() && outcome.is_ok() {
                outcome = told;
            }
            if outcome.is_err() {
                enough.store(true, Ordering::Relaxed);
            }
        }
    });
    outcome
}

/// Takes one position after another until there are no more, or it is enough.
fn work(
    plan: Plan<'_>,
    done: &BTreeSet<(usize, String)>,
    next: &AtomicUsize,
    enough: &AtomicBool,
    sender: &Sender<Result<Entry, EngineError>>,
) -> Result<(), EngineError> {
    let mut players = plan
        .columns
        .iter()
        .map(Column::player)
        .collect::<Result<Vec<Box<dyn Player>>, EngineError>>()?;
    while let Some((number, record)) = plan.records.get(next.fetch_add(1, Ordering::Relaxed)) {
        for (column, player) in plan.columns.iter().zip(&mut players) {
            if done.contains(&(*number, column.name().to_owned())) {
                continue;
            }
            if enough.load(Ordering::Relaxed) {
                return Ok(());
            }
            let entry = Entry {
                position: *number,
                id: record.id.clone(),
                fen: to_fen(&record.position),
                goal: record.goal(),
                search: column.name().to_owned(),
                outcome: player.solve(record, &plan.limit)?,
            };
            if sender.send(Ok(entry)).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}
