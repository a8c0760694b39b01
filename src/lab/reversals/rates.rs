//! `cassius lab reversal-rates`: tables of what was sampled.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use thiserror::Error;

use super::record::{Band, Class, Header, Kind, Said, Sample, Search};
use crate::games::random::Random;
use crate::lab::drawn::{self, PartsError};
use crate::lab::outcome::{Cell, Column, Outcome, Table};
use crate::lab::text;
use crate::report::output_file::{self, Existing, OutputError};
use crate::report::provenance::Provenance;
use crate::value::Value;
use crate::version;
use crate::wdl::points;

/// Resamples of whole games that standard errors come from.
pub(super) const RESAMPLES: usize = 200;

/// Why there are no tables.
#[derive(Debug, Error)]
pub enum RatesError {
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Samples that cannot be read or put together.
    #[error(transparent)]
    Parts(#[from] PartsError),
    /// Nothing to tell of.
    #[error("the files hold no search; run `cassius lab reversals` first")]
    Nothing,
    /// Standard output.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What to make tables of, and where they go.
#[derive(Clone, Debug)]
pub struct RatesOptions {
    /// Files of `cassius lab reversals`.
    pub samples: Vec<PathBuf>,
    /// Seed of the resamples.
    pub seed: u64,
    /// Where the tables go, as JSON.
    pub json: Option<PathBuf>,
    /// What becomes of a file that is there already.
    pub existing: Existing,
    /// The command line, to be recorded.
    pub command: String,
}

impl RatesOptions {
    /// Writes what came of it to the file, if one is wanted, and to `out`.
    pub(super) fn write<E: From<OutputError> + From<io::Error>>(
        &self,
        outcome: &Outcome,
        out: &mut dyn Write,
    ) -> Result<(), E> {
        if let Some(path) = &self.json {
            output_file::write(path, self.existing, &outcome.to_json()?)?;
        }
        Ok(write!(out, "{}", text::outcome(outcome))?)
    }
}

/// Makes tables and tells `out`.
pub fn tell(options: &RatesOptions, out: &mut dyn Write) -> Result<(), RatesError> {
    let start = Instant::now();
    let inputs = options.samples.iter().map(PathBuf::as_path);
    output_file::check_distinct(inputs, [options.json.as_deref()])?;
    let parts = drawn::read::<Header, Search>(&options.samples)?;
    let searches = parts.lines;
    let Some(header) = parts.header.filter(|_| !searches.is_empty()) else {
        return Err(RatesError::Nothing);
    };
    let rates = Rates::new(&searches, options.seed);
    let outcome = Outcome {
        experiment: "reversal-rates".to_owned(),
        title: format!(
            "{}: where its nodes go, and which answers are overturned",
            header.search
        ),
        about: format!(
            "Searches of {} nodes, from empty tables. Some answers of each were asked again with {} times the nodes, \
             from an empty table, by {}. An answer is overturned if the judge gives the other one.",
            header.nodes, header.times, header.judge
        ),
        cassius: version::NUMBER.to_owned(),
        provenance: Provenance::here(options.command.clone()),
        seconds: start.elapsed().as_secs_f64().round(),
        seed: Some(options.seed),
        inputs: parts.inputs,
        settings: vec![
            ("sampled by".to_owned(), header.version),
            ("answers asked again".to_owned(), rates.answers.to_string()),
        ],
        tables: rates.tables(),
        notes: vec![
            "A node below several questions counts for each of them.".to_owned(),
            format!("± is a standard error, from {RESAMPLES} resamples of whole games."),
        ],
    };
    options.write(&outcome, out)
}

/// Sums over searches, by kind.
type Sums = BTreeMap<Kind, Sum>;

/// What is known of answers of one kind.
#[derive(Clone, Copy, Default, Debug)]
struct Sum {
    asked: f64,
    nodes: f64,
    /// Weights of the answers asked again, of those overturned, and by how much these were wrong, in expected points.
    weight: f64,
    overturned: f64,
    loss: f64,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.asked += other.asked;
        self.nodes += other.nodes;
        self.weight += other.weight;
        self.overturned += other.overturned;
        self.loss += other.loss;
    }

    /// The part of the answers that is overturned.
    fn rate(&self) -> f64 {
        self.overturned / self.weight
    }
}

/// The sums of all games, and of resamples of them.
struct Rates {
    answers: usize,
    all: Sums,
    resamples: Vec<Sums>,
}

/// Which kinds a figure is about.
type Which<'a> = &'a dyn Fn(&Kind) -> bool;

impl Rates {
    fn new(searches: &[Search], seed: u64) -> Rates {
        let mut games: BTreeMap<u64, Sums> = BTreeMap::new();
        for search in searches {
            let sums = games.entry(search.game).or_default();
            for count in &search.counts {
                let sum = sums.entry(count.kind).or_default();
                sum.asked += count.asked as f64;
                sum.nodes += count.nodes as f64;
            }
            for sample in &search.samples {
                let sum = sums.entry(sample.kind).or_default();
                sum.weight += sample.weight;
                if sample.is_overturned() {
                    sum.overturned += sample.weight;
                    sum.loss += sample.weight * loss(sample);
                }
            }
        }
        let games: Vec<Sums> = games.into_values().collect();
        let mut random = Random::new(seed);
        let resample = |_| {
            let drawn = (0..games.len()).map(|_| &games[random.below(games.len())]);
            total(drawn)
        };
        // One game tells nothing of how much games differ.
        let resamples = if games.len() < 2 { 0 } else { RESAMPLES };
        Rates {
            answers: searches.iter().map(|it| it.samples.len()).sum(),
            all: total(&games),
            resamples: (0..resamples).map(resample).collect(),
        }
    }

    fn tables(&self) -> Vec<Table> {
        vec![self.by_class(), self.by_demand(), self.by_both()]
    }

    fn by_class(&self) -> Table {
        let mut table = Table::new("reversals-class", "By class of move", columns("moves"));
        for class in Class::ALL {
            let row = self.row(class.name().to_owned(), &|kind| kind.class == class);
            table.row(row);
        }
        table.row(self.row("all".to_owned(), &|_| true));
        table
    }

    fn by_demand(&self) -> Table {
        let title = "By what is demanded of the node, in plies";
        let mut table = Table::new("reversals-demand", title, columns("demand"));
        for band in Band::ALL {
            table.row(self.row(band.name(), &|kind| kind.demand == band));
        }
        table
    }

    /// Of answers "not good enough", the percentage overturned, by class and demand.
    fn by_both(&self) -> Table {
        let columns = [Column::new("moves")]
            .into_iter()
            .chain(Band::ALL.map(|band| Column::decimals(band.name(), 1)));
        let title =
            "Percentage overturned of moves not good enough, seen or not, by class and demand";
        let mut table = Table::new("reversals-both", title, columns);
        for class in Class::ALL {
            let mut row = vec![Cell::from(class.name())];
            for band in Band::ALL {
                let sum = sum_of(&self.all, &|kind| {
                    kind.class == class && kind.demand == band && kind.answer != Said::Holds
                });
                row.push(Cell::from(100.0 * sum.rate()));
            }
            table.row(row);
        }
        table
    }

    /// The figures of some kinds, below [`columns`].
    fn row(&self, name: String, which: Which<'_>) -> Vec<Cell> {
        let said = |said: Said| move |kind: &Kind| which(kind) && kind.answer == said;
        let of = |said_so: Said| sum_of(&self.all, &said(said_so));
        let [holds, fails, unseen] = [Said::Holds, Said::Fails, Said::Unseen].map(of);
        let everything = sum_of(&self.all, &|_| true);
        let asked = holds.asked + fails.asked + unseen.asked;
        let nodes = holds.nodes + fails.nodes;
        let missed = |sums: &Sums| {
            let wrong = sum_of(sums, &|kind| which(kind) && kind.answer != Said::Holds);
            let spent = sum_of(sums, which).nodes;
            (1e6 * wrong.overturned / spent, 1e6 * wrong.loss / spent)
        };
        let error = |of: &dyn Fn(&Sums) -> f64| deviation(self.resamples.iter().map(of));
        let rate = |said_so: Said| {
            let sum = of(said_so);
            let which = said(said_so);
            let error = error(&|sums| 100.0 * sum_of(sums, &which).rate());
            [Cell::from(100.0 * sum.rate()), Cell::from(error)]
        };
        let mut row = vec![
            name.into(),
            Cell::from(100.0 * asked / everything.asked),
            Cell::from(100.0 * nodes / everything.nodes),
            Cell::from(100.0 * holds.asked / asked),
            Cell::from(100.0 * unseen.asked / asked),
        ];
        row.extend(
            [Said::Holds, Said::Fails, Said::Unseen]
                .into_iter()
                .flat_map(rate),
        );
        row.push(Cell::from(missed(&self.all).0));
        row.push(Cell::from(error(&|sums| missed(sums).0)));
        row.push(Cell::from(missed(&self.all).1));
        row
    }
}

/// By how much an answer that is overturned was wrong, in expected points.
fn loss(sample: &Sample) -> f64 {
    let [theta, value] = [sample.theta, sample.value].map(|it| points(Value::from_raw(it)));
    (theta - value).abs()
}

fn total<'s>(games: impl IntoIterator<Item = &'s Sums>) -> Sums {
    let mut all = Sums::new();
    for (kind, sum) in games.into_iter().flatten() {
        all.entry(*kind).or_default().add(*sum);
    }
    all
}

fn sum_of(sums: &Sums, which: Which<'_>) -> Sum {
    let mut all = Sum::default();
    for (_, sum) in sums.iter().filter(|(kind, _)| which(kind)) {
        all.add(*sum);
    }
    all
}

/// The standard deviation of numbers, of which those that are none are left out; no number if fewer than two are left.
pub(super) fn deviation(numbers: impl Iterator<Item = f64>) -> f64 {
    let numbers: Vec<f64> = numbers.filter(|it| it.is_finite()).collect();
    if numbers.len() < 2 {
        return f64::NAN;
    }
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares = numbers.iter().map(|it| (it - mean).powi(2)).sum::<f64>();
    (squares / (count - 1.0)).sqrt()
}

fn columns(what: &str) -> Vec<Column> {
    vec![
        Column::new(what),
        Column::decimals("% of answers", 1),
        Column::decimals("% of nodes", 1),
        Column::decimals("good enough, %", 1),
        Column::decimals("unseen, %", 1),
        Column::decimals("good: overturned, %", 1),
        Column::decimals("± good", 1),
        Column::decimals("not good: overturned, %", 1),
        Column::decimals("± not good", 1),
        Column::decimals("unseen: overturned, %", 1),
        Column::decimals("± unseen", 1),
        Column::decimals("good moves missed per million nodes", 0),
        Column::decimals("± missed", 0),
        Column::decimals("points missed per million nodes", 1),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(game: u64, value: i16) -> Search {
        let kind = |answer| Kind {
            class: Class::LateQuiet,
            demand: Band::ALL[1],
            answer,
        };
        let count = |answer, asked, nodes| super::super::record::Count {
            kind: kind(answer),
            asked,
            nodes,
        };
        Search {
            game,
            ply: 20,
            fen: String::new(),
            nodes: 1_000,
            counts: vec![count(Said::Fails, 8, 400), count(Said::Unseen, 32, 0)],
            samples: vec![Sample {
                kind: kind(Said::Unseen),
                fen: String::new(),
                plies: 3,
                theta: 0,
                nodes: 0,
                judge_nodes: 800,
                value,
                weight: 64.0,
            }],
        }
    }

    #[test]
    fn what_is_overturned_is_counted_by_weight() {
        let rates = Rates::new(&[search(0, 10), search(1, -10)], 1);
        let row = rates.row(String::new(), &|kind| kind.class == Class::LateQuiet);
        let number = |column: usize| match row[column] {
            Cell::Real(number) => Some(number),
            _ => None,
        };
        // Four answers in five are unseen, half of those asked again are overturned.
        assert_eq!(number(4), Some(80.0));
        assert_eq!(number(9), Some(50.0));
        // 64 of them in 800 nodes.
        assert_eq!(number(11), Some(80_000.0));
        // Games differ, so the figure has an error; of what was never asked again nothing is known.
        assert!(number(10) > Some(10.0));
        assert_eq!(number(7), None);
    }
}
