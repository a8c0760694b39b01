//! `cassius lab reversals`: watches searches, and has some of their answers asked again.
//!
//! Answers are drawn kind by kind, so that rare ones are among them; each stands for as many as its weight says.
//! What a search asks again by itself would be no fair sample: moves that it never looks at again are never seen.

use std::collections::BTreeMap;
use std::io::Write;

use super::record::{Count, Header, Kind, Said, Sample, Search};
use crate::engine::fault::Guarded;
use crate::engine::memory;
use crate::engine::settings::{ChessSearcher, ChessWatchable, EngineSettings};
use crate::engine::spec::SearchSpec;
use crate::game::{Game, Root};
use crate::games::chess::notation::to_fen;
use crate::games::chess::{Evaluation, Position};
use crate::games::random::Random;
use crate::lab::drawn::{self, Draw, Drawn, DrawnError};
use crate::search::watching::{Asked, Watcher};
use crate::search::{Limits, Unobserved};
use crate::suite::command::Flaws;
use crate::version;

/// The version of the files written.
const FORMAT: u32 = 1;

/// The judge visits so many nodes at least.
const LEAST_FOR_JUDGE: u64 = 2_000;

/// Whose answers to sample, and who asks again.
#[derive(Clone, Debug)]
pub struct ReversalOptions {
    /// Which positions, and where the searches go.
    pub draw: Draw,
    /// The search that is watched.
    pub search: SearchSpec,
    /// The search that asks again.
    pub judge: SearchSpec,
    /// Memory of either, in MiB.
    pub hash_megabytes: usize,
    /// Nodes of a search that is watched.
    pub nodes: u64,
    /// The judge visits so many times the nodes of the answer.
    pub times: u64,
    /// Answers of a search that are asked again.
    pub samples: usize,
}

/// Watches searches of the positions that the file does not have yet. What a search fails at is named in `err`.
pub fn sample(options: &ReversalOptions, err: &mut dyn Write) -> Result<Flaws, DrawnError> {
    let settings = |search: &SearchSpec| {
        let mut settings = search.settings(Evaluation::default(), options.hash_megabytes);
        // Of several threads only one is watched, and no run is like another.
        settings.search.threads.count = 1;
        settings
    };
    let (watched, judge) = (settings(&options.search), settings(&options.judge));
    let draw = &options.draw;
    memory::ensure([watched.megabytes(), judge.megabytes()], draw.jobs)?;
    if watched.watchable().is_none() {
        return Err(DrawnError::Unwatchable(options.search.to_string()));
    }
    let header = Header {
        reversals: FORMAT,
        version: version::FULL.to_owned(),
        search: options.search.to_string(),
        judge: options.judge.to_string(),
        network: watched.network_checksum().map(str::to_owned),
        judge_network: judge.network_checksum().map(str::to_owned),
        hash: options.hash_megabytes,
        nodes: options.nodes,
        times: options.times,
        samples: options.samples,
        every: draw.every,
        seed: draw.seed,
        shard: draw.shard,
    };
    drawn::work_on(
        draw,
        &header,
        Random::bits,
        || Sampler::new(options, &watched, &judge),
        Sampler::work,
        err,
    )
}

/// Watches one search after the other, each from an empty table.
struct Sampler<'a> {
    options: &'a ReversalOptions,
    watched: Guarded<Option<ChessWatchable>>,
    judge: Guarded<ChessSearcher>,
}

impl<'a> Sampler<'a> {
    fn new(
        options: &'a ReversalOptions,
        watched: &EngineSettings,
        judge: &EngineSettings,
    ) -> Sampler<'a> {
        let settings = watched.clone();
        let name = watched.search.algorithm.name();
        Sampler {
            options,
            watched: Guarded::new(name, move || settings.watchable()),
            judge: judge.guarded(),
        }
    }

    /// Watches the search of a position; the seed is that of the choice of answers.
    fn work(&mut self, drawn: &Drawn<u64>) -> Result<Search, String> {
        let mut collector = Collector::new(drawn.more);
        let nodes = self.watch(&drawn.position, &mut collector)?;
        let (counts, chosen) = collector.choose(self.options.samples);
        let mut samples = Vec::new();
        for (chosen, weight) in chosen {
            samples.push(self.ask_again(&chosen, weight, &counts)?);
        }
        Ok(Search {
            game: drawn.game,
            ply: drawn.ply,
            fen: to_fen(&drawn.position),
            nodes,
            counts,
            samples,
        })
    }

    /// The nodes of a search that tells `collector` what it asks.
    fn watch(&mut self, position: &Position, collector: &mut Collector) -> Result<u64, String> {
        let root = Root::new(position.clone());
        let limits = Limits::nodes(self.options.nodes);
        let nodes = self.watched.search(position, |watched| {
            let watched = watched.as_mut()?;
            watched.clear();
            let report = watched.search_watched(&root, &limits, &mut Unobserved, Some(collector));
            Some(report.nodes)
        });
        match nodes {
            Ok(nodes) => Ok(nodes.unwrap_or(0)),
            Err(fault) => Err(fault.to_string()),
        }
    }

    /// Has the judge answer a question again.
    fn ask_again(
        &mut self,
        asked: &Asked<Position>,
        weight: f64,
        counts: &[Count],
    ) -> Result<Sample, String> {
        let kind = Kind::of(asked);
        let spent = match kind.answer {
            Said::Unseen => usual_nodes(kind, counts),
            Said::Holds | Said::Fails => asked.nodes,
        };
        let judge_nodes = spent
            .saturating_mul(self.options.times)
            .max(LEAST_FOR_JUDGE);
        let root = Root::new(asked.child.clone());
        let value = match asked.child.outcome() {
            Some(value) => value,
            None => {
                let report = self.judge.search(&asked.child, |judge| {
                    judge.clear();
                    judge.search(&root, &Limits::nodes(judge_nodes), &mut Unobserved)
                });
                report.map_err(|fault| fault.to_string())?.value
            }
        };
        Ok(Sample {
            kind,
            fen: to_fen(&asked.child),
            plies: asked.ply,
            theta: asked.theta.get(),
            nodes: asked.nodes,
            judge_nodes,
            value: value.from_child().get(),
            weight,
        })
    }
}

/// What a move that is looked at and not good enough takes on average, where as much is demanded.
fn usual_nodes(kind: Kind, counts: &[Count]) -> u64 {
    let alike = |it: &&Count| it.kind.demand == kind.demand && it.kind.answer == Said::Fails;
    let sum = |of: fn(&Count) -> u64| counts.iter().filter(alike).map(of).sum::<u64>();
    sum(|it| it.nodes) / sum(|it| it.asked).max(1)
}

/// Counts what is asked, and keeps one answer of each kind: any of them is as likely.
struct Collector {
    random: Random,
    kinds: BTreeMap<Kind, Kept>,
}

/// Answers of one kind.
struct Kept {
    asked: u64,
    nodes: u64,
    one: Asked<Position>,
}

impl Collector {
    fn new(seed: u64) -> Collector {
        Collector {
            random: Random::new(seed),
            kinds: BTreeMap::new(),
        }
    }

    /// How many answers there are of each kind, and one of each of so many kinds, with its weight.
    fn choose(mut self, samples: usize) -> (Vec<Count>, Vec<(Asked<Position>, f64)>) {
        let counts = self.kinds.iter().map(|(&kind, kept)| Count {
            kind,
            asked: kept.asked,
            nodes: kept.nodes,
        });
        let counts: Vec<Count> = counts.collect();
        let mut kept: Vec<Kept> = self.kinds.into_values().collect();
        let part = kept.len() as f64 / samples.min(kept.len()).max(1) as f64;
        self.random.shuffle(&mut kept);
        kept.truncate(samples);
        let weighted = |kept: Kept| (kept.one, kept.asked as f64 * part);
        (counts, kept.into_iter().map(weighted).collect())
    }
}

impl Watcher<Position> for Collector {
    fn asked(&mut self, asked: Asked<Position>) {
        // A win or a loss asked for is answered by proof.
        if asked.theta.is_decided() {
            return;
        }
        let kind = Kind::of(&asked);
        let Some(kept) = self.kinds.get_mut(&kind) else {
            let nodes = asked.nodes;
            let kept = Kept {
                asked: 1,
                nodes,
                one: asked,
            };
            self.kinds.insert(kind, kept);
            return;
        };
        kept.asked += 1;
        kept.nodes += asked.nodes;
        if self.random.below(kept.asked as usize) == 0 {
            kept.one = asked;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::watching::{Answer, MoveKind};
    use crate::value::Value;

    fn asked(number: usize, nodes: u64) -> Asked<Position> {
        Asked {
            child: Position::initial(),
            ply: 3,
            theta: Value::DRAW,
            demand: 40,
            kind: MoveKind {
                number,
                quiet: true,
                checks: false,
                losing: false,
            },
            answer: Answer::Fails,
            nodes,
        }
    }

    #[test]
    fn every_answer_of_a_kind_is_as_likely_to_be_kept() {
        let mut kept = [0; 4];
        for seed in 0..4_000 {
            let mut collector = Collector::new(seed);
            for nodes in 0..4 {
                collector.asked(asked(5, nodes));
            }
            let (counts, chosen) = collector.choose(1);
            assert_eq!((counts[0].asked, counts[0].nodes), (4, 6));
            let [(one, weight)] = &chosen[..] else {
                panic!("{chosen:?}");
            };
            assert_eq!(*weight, 4.0);
            kept[one.nodes as usize] += 1;
        }
        assert!(kept.iter().all(|it| (850..1_150).contains(it)), "{kept:?}");
    }

    #[test]
    fn what_is_not_drawn_is_stood_for_by_what_is() {
        let mut collector = Collector::new(1);
        for number in [0, 2, 2, 6, 20] {
            collector.asked(asked(number, 10));
        }
        let (counts, chosen) = collector.choose(2);
        assert_eq!(counts.len(), 4);
        assert_eq!(chosen.len(), 2);
        assert!(chosen.iter().all(|(_, weight)| [2.0, 4.0].contains(weight)));
        assert_eq!(usual_nodes(counts[0].kind, &counts), 10);
    }
}
