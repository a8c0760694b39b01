//! Runs a suite: every position by every search in turn; results are passed on as they arrive.

use std::collections::BTreeSet;

use anyhow::Result;

use super::epd::Record;
use super::player::{Contestant, Player};
use super::results::Entry;
use crate::engine::limit::Limit;
use crate::games::chess::notation::to_fen;
use crate::workers;

/// A run to be made.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a> {
    /// The positions with their numbers in the files, from 1.
    pub records: &'a [(usize, Record)],
    /// The searches and engines, in the order in which they get each position.
    pub contestants: &'a [Contestant],
    /// The limit of each search.
    pub limit: Limit,
    /// Number of positions searched at a time.
    pub jobs: usize,
}

/// Runs the plan, except for the pairs of position number and search in `done`, and passes on each entry as soon as it
/// is known. Within a position the searches take turns, so that drifts (heat, other programs) affect all alike.
pub(crate) fn run(
    plan: Plan<'_>,
    done: &BTreeSet<(usize, String)>,
    tell: impl FnMut(Entry) -> Result<()>,
) -> Result<()> {
    let players = || {
        let contestants = plan.contestants.iter();
        let players = contestants.map(|contestant| (contestant.player)());
        players.collect::<Result<Vec<Box<dyn Player>>>>()
    };
    workers::share(
        plan.records.iter(),
        plan.jobs,
        players,
        |players, (number, record), hand_over| {
            for (contestant, player) in plan.contestants.iter().zip(players) {
                if done.contains(&(*number, contestant.name.clone())) {
                    continue;
                }
                let entry = Entry {
                    position: *number,
                    id: record.id.clone(),
                    fen: to_fen(&record.position),
                    goal: record.goal(),
                    search: contestant.name.clone(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fault::tests::{FATAL, treacherous};
    use crate::engine::settings::EngineSettings;
    use crate::search::registry::Algorithm;
    use crate::suite::epd;

    /// Records that include the fatal position, numbered from 1.
    fn records() -> Vec<(usize, Record)> {
        let lines = [
            "6k1/5ppp/8/8/8/8/8/KR6 w - - bm Rb8#; id \"first\";".to_owned(),
            format!("{} bm e4; id \"fatal\";", FATAL.trim_end_matches(" 0 1")),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"last\";".to_owned(),
        ];
        let records = lines.iter().map(|line| epd::parse_line(line, "").unwrap());
        (1..).zip(records).collect()
    }

    #[test]
    fn a_panic_costs_one_position_and_one_search() {
        let records = records();
        let treacherous = treacherous(Algorithm::AlphaBeta);
        let contestants = [
            Contestant::search("treacherous".to_owned(), treacherous),
            Contestant::search("sound".to_owned(), EngineSettings::default()),
        ];
        for jobs in [1, 2] {
            let plan = Plan {
                records: &records,
                contestants: &contestants,
                limit: Limit::of_analysis(Some(3_000), None),
                jobs,
            };
            let mut entries = Vec::new();
            let ran = run(plan, &BTreeSet::new(), |entry| {
                entries.push(entry);
                Ok(())
            });
            assert!(ran.is_ok());
            assert_eq!(entries.len(), 6);
            for entry in entries {
                let failure = entry.outcome.failure;
                let is_fatal = entry.id == "fatal" && entry.search == "treacherous";
                assert_eq!(failure.is_some(), is_fatal, "{} {failure:?}", entry.id);
                assert!(failure.is_none_or(|it| it.contains(FATAL) && it.contains("report")));
                assert_ne!(entry.outcome.best_move.is_some(), is_fatal);
            }
        }
    }
}
