//! `cassius lab reversal-model`: what tells which answers are overturned.
//!
//! Models that know more and more about an answer state the probability that it is overturned. Each learns from four fifths
//! of the games and speaks of the others, in turn, so that every answer is foretold by a model that has not seen its game.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use thiserror::Error;

use super::rates::{RESAMPLES, RatesOptions, deviation};
use super::record::{Band, Class, Header, Said, Sample, Search};
use crate::engine::settings::EngineSettings;
use crate::engine::spec::{SearchSpec, SpecError};
use crate::game::Evaluator;
use crate::games::chess::notation::{FenError, parse_fen};
use crate::games::chess::{Evaluation, Position};
use crate::games::random::Random;
use crate::lab::drawn::{self, PartsError};
use crate::lab::outcome::{Column, Outcome, Table};
use crate::lab::outlook::fit::{Observation, fit};
use crate::lab::outlook::judging::{Forecast, class, judge, reliability};
use crate::outlook::model::Link;
use crate::report::output_file::{self, OutputError};
use crate::report::provenance::Provenance;
use crate::value::{Value, Window};
use crate::version;

/// Parts of the games; each is held back once.
const FOLDS: u64 = 5;

/// So many observations draw each weight to 0, in the mean weight of an answer.
const RIDGE: f64 = 1.0;

/// Width of the error, in centipawns, where the evaluation does not know its own.
const USUAL_WIDTH: f32 = 60.0;

/// A margin farther than so many widths says no more.
const FARTHEST: f64 = 8.0;

/// Why there is no model.
#[derive(Debug, Error)]
pub enum ModelError {
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Samples that cannot be read or put together.
    #[error(transparent)]
    Parts(#[from] PartsError),
    /// Too little to learn from, or nothing to foretell.
    #[error(
        "the files hold {0} games with answers, and at least {FOLDS} are needed; run `cassius lab reversals` on more"
    )]
    TooFew(usize),
    /// A search that this program does not know.
    #[error("the search '{search}' of the files: {reason}")]
    Search {
        /// As the files name it.
        search: String,
        /// What is wrong with it.
        reason: SpecError,
    },
    /// Another network.
    #[error("the answers were sampled with the network {found}, and this program has {present}")]
    Network {
        /// The files'.
        found: String,
        /// This program's.
        present: String,
    },
    /// A position that is none.
    #[error("position '{fen}' of game {game}: {reason}")]
    Position {
        /// The position.
        fen: String,
        /// The number of its game.
        game: u64,
        /// What is wrong.
        reason: FenError,
    },
    /// Standard output.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Learns, foretells and tells `out`.
pub fn tell(options: &RatesOptions, out: &mut dyn Write) -> Result<(), ModelError> {
    let start = Instant::now();
    let inputs = options.samples.iter().map(PathBuf::as_path);
    output_file::check_distinct(inputs, [options.json.as_deref()])?;
    let parts = drawn::read::<Header, Search>(&options.samples)?;
    let Some(header) = parts.header else {
        return Err(ModelError::TooFew(0));
    };
    let settings = settings_of(&header)?;
    let answers = answers_of(&parts.lines, &settings)?;
    let games: BTreeSet<u64> = answers.iter().map(|it| it.game).collect();
    if games.len() < FOLDS as usize {
        return Err(ModelError::TooFew(games.len()));
    }
    let outcome = Outcome {
        experiment: "reversal-model".to_owned(),
        title: format!("{}: what tells which answers are overturned", header.search),
        about: format!(
            "Answers of searches of {} nodes, asked again with {} times the nodes by {}. Models that know more and more state the \
             probability that an answer is overturned. Each answer is foretold by a model that has not seen its game.",
            header.nodes, header.times, header.judge
        ),
        cassius: version::NUMBER.to_owned(),
        provenance: Provenance::here(options.command.clone()),
        seconds: start.elapsed().as_secs_f64().round(),
        seed: Some(options.seed),
        inputs: parts.inputs,
        settings: vec![
            ("sampled by".to_owned(), header.version),
            ("answers".to_owned(), answers.len().to_string()),
            ("games".to_owned(), games.len().to_string()),
        ],
        tables: SAID
            .iter()
            .flat_map(|&said| tables(&answers, said, options.seed))
            .collect(),
        notes: NOTES.map(str::to_owned).to_vec(),
    };
    options.write(&outcome, out)
}

const NOTES: [&str; 4] = [
    "The Brier score is the mean square of the error of the probability stated: less is better. \"Taken away\" is the part of the \
     constant's score that a model takes away. ± is a standard error, from resamples of whole games.",
    "Margin: how far the quiescence value of the position after the move is from θ, on the side of the answer; below 0 where it says \
     otherwise. Its own width: the width of the error that the network foretells of that position.",
    "Each answer counts for as many as it stands for.",
    "A tenth of the answers is a tenth of those asked again, not of those they stand for.",
];

/// The settings of the search that was watched, by which positions are judged.
fn settings_of(header: &Header) -> Result<EngineSettings, ModelError> {
    let spec: SearchSpec = header.search.parse().map_err(|reason| ModelError::Search {
        search: header.search.clone(),
        reason,
    })?;
    let settings = spec.settings(Evaluation::default(), header.hash);
    let name = |network: Option<&str>| network.unwrap_or("none").to_owned();
    let (found, present) = (
        name(header.network.as_deref()),
        name(settings.network_checksum()),
    );
    if found == present {
        Ok(settings)
    } else {
        Err(ModelError::Network { found, present })
    }
}

/// An answer with what may tell whether it is overturned.
struct Answer {
    game: u64,
    said: Said,
    knowledge: Knowledge,
    overturned: bool,
    weight: f64,
}

/// Numbers that models are made of.
const NUMBERS: usize = 18;

/// These numbers; the first is 1.
type Knowledge = [f64; NUMBERS];

/// Which band the demand is in, but for the first.
const DEMAND: Range<usize> = 1..5;
/// Which class the move is of, but for the first.
const CLASS: Range<usize> = 5..11;
/// The margin in usual widths; the same where it is below 0.
const MARGIN: Range<usize> = 11..13;
/// The margin in its own width; the same where it is below 0; the logarithm of the width.
const OWN_MARGIN: Range<usize> = 13..16;
/// The logarithm of the nodes that the answer took; plies from the root, in tens.
const EFFORT: Range<usize> = 16..18;

/// What a model knows: a name, and which numbers.
type Model = (&'static str, &'static [Range<usize>]);

/// From nothing to everything.
const MODELS: [Model; 8] = [
    ("nothing", &[]),
    ("the demand", &[DEMAND]),
    ("the class of the move", &[CLASS]),
    ("demand and class", &[DEMAND, CLASS]),
    ("the margin", &[MARGIN]),
    ("the margin in its own width", &[OWN_MARGIN]),
    ("demand, class and margin", &[DEMAND, CLASS, MARGIN]),
    (
        "all, nodes and plies too",
        &[DEMAND, CLASS, MARGIN, OWN_MARGIN, EFFORT],
    ),
];

/// Answers, and their names in titles and tables.
const SAID: [(Said, &str, &str); 3] = [
    (Said::Holds, "holds", "good enough"),
    (Said::Fails, "fails", "not good enough"),
    (Said::Unseen, "unseen", "pruned"),
];

fn answers_of(searches: &[Search], settings: &EngineSettings) -> Result<Vec<Answer>, ModelError> {
    let mut evaluator = settings.evaluator();
    let mut answers = Vec::new();
    for search in searches {
        for sample in &search.samples {
            let position = parse_fen(&sample.fen).map_err(|reason| ModelError::Position {
                fen: sample.fen.clone(),
                game: search.game,
                reason,
            })?;
            answers.push(Answer {
                game: search.game,
                said: sample.kind.answer,
                knowledge: knowledge(sample, &position, &mut evaluator),
                overturned: sample.is_overturned(),
                weight: sample.weight,
            });
        }
    }
    Ok(answers)
}

fn knowledge(
    sample: &Sample,
    position: &Position,
    evaluator: &mut impl Evaluator<Position>,
) -> Knowledge {
    let mut knowledge = [0.0; NUMBERS];
    knowledge[0] = 1.0;
    let demand = Band::ALL.iter().position(|it| *it == sample.kind.demand);
    let class = Class::ALL.iter().position(|it| *it == sample.kind.class);
    // The first of each is what the others are compared with.
    for (numbers, place) in [(DEMAND, demand), (CLASS, class)] {
        if let Some(place @ 1..) = place {
            knowledge[numbers.start + place - 1] = 1.0;
        }
    }
    let value = evaluator.value(position, Window::FULL).from_child();
    let surplus = f64::from(value.get()) - f64::from(Value::from_raw(sample.theta).get());
    let margin = match sample.kind.answer {
        Said::Holds => surplus,
        Said::Fails | Said::Unseen => -surplus,
    };
    let width = f64::from(evaluator.width(position).unwrap_or(USUAL_WIDTH));
    let usual = f64::from(USUAL_WIDTH);
    let counted = |margin: f64| margin.clamp(-FARTHEST, FARTHEST);
    let (margin, own) = (counted(margin / usual), counted(margin / width));
    knowledge[MARGIN].copy_from_slice(&[margin, margin.min(0.0)]);
    knowledge[OWN_MARGIN].copy_from_slice(&[own, own.min(0.0), (width / usual).ln()]);
    let effort = (1.0 + sample.nodes as f64).ln();
    knowledge[EFFORT].copy_from_slice(&[effort, sample.plies as f64 / 10.0]);
    knowledge
}

/// What a model says of all answers, in their order: each by what it has learnt from the other games.
fn forecasts(answers: &[&Answer], (_, knows): Model) -> Vec<Forecast> {
    let all: f64 = answers.iter().map(|it| it.weight).sum();
    let mean = all / answers.len().max(1) as f64;
    let terms = |answer: &Answer| {
        let mut terms = [0.0; NUMBERS];
        terms[0] = 1.0;
        for range in knows {
            terms[range.clone()].copy_from_slice(&answer.knowledge[range.clone()]);
        }
        terms
    };
    let learn = |fold: u64| {
        let others = answers.iter().filter(|it| it.game % FOLDS != fold);
        let observations: Vec<_> = others
            .map(|it| Observation {
                terms: terms(it),
                outcome: f64::from(u8::from(it.overturned)),
                weight: it.weight / mean,
            })
            .collect();
        fit(Link::Odds, &observations, RIDGE)
    };
    let weights: Vec<Knowledge> = (0..FOLDS).map(learn).collect();
    let forecast = |it: &&Answer| {
        let weights = &weights[(it.game % FOLDS) as usize];
        let sum: f64 = weights.iter().zip(terms(it)).map(|(w, t)| w * t).sum();
        Forecast {
            stated: Link::Odds.prediction(sum),
            came: it.overturned,
            weight: it.weight,
        }
    };
    answers.iter().map(forecast).collect()
}

/// How much each model knows of one kind of answer, and how true the last one is.
fn tables(answers: &[Answer], (said, id, name): (Said, &str, &str), seed: u64) -> Vec<Table> {
    let answers: Vec<&Answer> = answers.iter().filter(|it| it.said == said).collect();
    let columns = [
        Column::new("what the model knows"),
        Column::decimals("Brier score", 5),
        Column::decimals("taken away, percent", 1),
        Column::decimals("±", 1),
        Column::decimals("calibration error", 4),
    ];
    let all = MODELS.map(|model| forecasts(&answers, model));
    let overturned = class(&all[0]).map_or(f64::NAN, |it| 100.0 * it.came);
    let title = format!(
        "\"{name}\": {} answers, of which {overturned:.1} percent are overturned",
        answers.len()
    );
    let mut scores = Table::new(&format!("reversal-model-{id}"), title, columns);
    for ((model, _), forecasts) in MODELS.iter().zip(&all) {
        let (gain, error) = taken_away(&answers, &all[0], forecasts, seed);
        let judgement = judge(forecasts.clone());
        scores.row([
            (*model).into(),
            judgement.brier.into(),
            gain.into(),
            error.into(),
            judgement.calibration_error.into(),
        ]);
    }
    let id = format!("reversal-reliability-{id}");
    let title =
        format!("\"{name}\": tenths of the answers by the probability that the last model states");
    let [.., last] = all;
    vec![scores, reliability(&id, title, last)]
}

/// The part of the constant's Brier score that a model takes away, in percent, and its standard error.
fn taken_away(
    answers: &[&Answer],
    constant: &[Forecast],
    model: &[Forecast],
    seed: u64,
) -> (f64, Option<f64>) {
    let square = |it: &Forecast| it.weight * (it.stated - f64::from(u8::from(it.came))).powi(2);
    let mut games: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
    for ((answer, constant), model) in answers.iter().zip(constant).zip(model) {
        let sums = games.entry(answer.game).or_default();
        sums[0] += square(constant);
        sums[1] += square(model);
    }
    let games: Vec<[f64; 2]> = games.into_values().collect();
    let part = |games: &mut dyn Iterator<Item = &[f64; 2]>| {
        let [constant, model] = games.fold([0.0; 2], |sum, it| [sum[0] + it[0], sum[1] + it[1]]);
        100.0 * (1.0 - model / constant)
    };
    let mut random = Random::new(seed);
    let resamples = (0..RESAMPLES)
        .map(|_| part(&mut (0..games.len()).map(|_| &games[random.below(games.len())])));
    let error = deviation(resamples);
    (part(&mut games.iter()), error.is_finite().then_some(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::Quiescence;
    use crate::lab::reversals::record::Kind;
    use crate::search::watching::{Answer as Told, Asked, MoveKind};

    /// An answer about a move after which White is to move, and Black is a queen ahead.
    fn sample(theta: Value, answer: Told) -> Sample {
        let position = parse_fen("3qk3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let kind = Kind::of(&Asked {
            child: position,
            ply: 20,
            theta,
            demand: 100,
            kind: MoveKind {
                number: 3,
                quiet: true,
                checks: false,
                losing: false,
            },
            answer,
            nodes: 0,
        });
        Sample {
            kind,
            fen: "3qk3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(),
            plies: 20,
            theta: theta.get(),
            nodes: 0,
            judge_nodes: 2_000,
            value: 0,
            weight: 1.0,
        }
    }

    #[test]
    fn a_margin_is_on_the_side_of_the_answer() {
        let known = |theta, answer| {
            let sample = sample(theta, answer);
            let position = parse_fen(&sample.fen).unwrap();
            knowledge(&sample, &position, &mut Quiescence::tactical())
        };
        let level = Value::DRAW;
        let holds = known(level, Told::Holds);
        assert!(holds[MARGIN.start] > 7.0 && holds[MARGIN.start + 1] == 0.0);
        assert_eq!(
            holds[MARGIN],
            holds[OWN_MARGIN][..2],
            "it has no width of its own"
        );
        let fails = known(level, Told::Fails);
        assert_eq!(fails[MARGIN.start], -holds[MARGIN.start]);
        assert_eq!(fails[MARGIN], [fails[MARGIN.start]; 2]);
        assert_eq!(fails[MARGIN], known(level, Told::Unseen)[MARGIN]);
        // The demand is the fourth of its bands, an early quiet move the fourth class.
        assert_eq!(holds[DEMAND], [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(holds[CLASS], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(holds[EFFORT], [0.0, 2.0]);
    }

    #[test]
    fn what_tells_takes_away_what_can_be_known_and_the_rest_takes_nothing() {
        let mut random = Random::new(3);
        let answers: Vec<Answer> = (0..3_000)
            .map(|number| {
                let mut knowledge = [0.0; NUMBERS];
                knowledge[0] = 1.0;
                knowledge[DEMAND.start + random.below(4)] = 1.0;
                knowledge[MARGIN.start] = random.below(9) as f64 - 4.0;
                let chance = Link::Odds.prediction(-2.0 * knowledge[MARGIN.start]);
                Answer {
                    game: number % 50,
                    said: Said::Fails,
                    knowledge,
                    overturned: (random.below(1_000) as f64) < 1_000.0 * chance,
                    weight: 1.0 + random.below(3) as f64,
                }
            })
            .collect();
        let answers: Vec<&Answer> = answers.iter().collect();
        let [nothing, demand, .., margin, _, _, all] = MODELS.map(|it| forecasts(&answers, it));
        let part = |model: &[Forecast]| taken_away(&answers, &nothing, model, 1);
        let (gain, error) = part(&demand);
        assert!(gain.abs() < 1.0 && error.is_some(), "{gain}");
        for model in [margin, all] {
            assert!(part(&model).0 > 60.0, "{:?}", part(&model));
            assert!(judge(model).calibration_error < 0.03);
        }
    }
}
