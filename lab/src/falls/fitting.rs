//! `cassius lab judge-falls`: where verdicts fell, and how often likely places name it.
//!
//! A logistic model gives each place that the look names the chance that the verdict falls there. Each game is held back
//! once: the model has learnt from the games of the other parts only.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::record::{Candidate, Header, Place, Verdict};
use crate::experiment::Findings;
use crate::outcome::{Cell, Input, Table};
use crate::outlook::fit::{Observation, dot, fit};
use crate::results::ResultFiles;
use cassius::outlook::model::probability;
use cassius::output::flaws::Flaws;
use cassius::output::json_lines::{name_torn, read_lines};
use cassius::output::output_file::OverwriteArgs;

/// Names that are told of a verdict.
const NAMES: usize = 3;
/// Parts of the games, each held back once.
const PARTS: u64 = 10;
/// Observations that say of each weight that it is 0.
const RIDGE: f64 = 3.0;
/// Terms of the model.
const TERMS: usize = 16;

/// Recorded verdicts.
#[derive(Clone, Debug, Args)]
pub struct JudgeOptions {
    /// Files of `cassius lab falls`
    #[arg(required = true, value_name = "FILE")]
    pub verdicts: Vec<PathBuf>,
    /// Write the outcome as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Whether an existing file is replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

/// Ways to name places, the model first.
const WAYS: [&str; 5] = [
    "the likeliest by the model",
    "the second moves with the smallest gaps",
    "the root's second move, the reply's second and third",
    "the root's second to fourth move",
    "where the last reports left the line",
];

/// A verdict, and where it fell.
struct Outcome {
    verdict: Verdict,
    fall: Option<Place>,
}

/// Tells where the verdicts of these files fell; reports to `out`. `err` gets the names of files that are cut short.
pub fn judge(options: &JudgeOptions, out: &mut dyn Write, err: &mut dyn Write) -> Result<Flaws> {
    let outputs = [None, options.json.as_deref()];
    let existing = options.overwrite.existing();
    let files = ResultFiles::claim(&options.verdicts, outputs, existing)?;
    let (outcomes, inputs) = read(&options.verdicts)?;
    let malformed = name_torn(&options.verdicts, err)?;
    let fallen = outcomes.iter().filter(|it| it.fall.is_some()).count();
    ensure!(
        fallen > 1,
        "too few verdicts fall here to learn where; record more of them"
    );
    let mut hits = [0_usize; WAYS.len()];
    let mut forecasts = Vec::new();
    for part in 0..PARTS {
        let is_held_back = |it: &&Outcome| it.verdict.game % PARTS == part;
        let (held_back, learnt): (Vec<_>, Vec<_>) = outcomes.iter().partition(is_held_back);
        let weights = learn(&learnt);
        for Outcome { verdict, fall } in held_back {
            let chances = chances(&weights, verdict);
            for (candidate, chance) in verdict.candidates.iter().zip(&chances) {
                let is_place = fall.as_ref() == Some(&candidate.place);
                forecasts.push((*chance, f64::from(u8::from(is_place))));
            }
            let Some(place) = fall else { continue };
            for (hits, names) in hits.iter_mut().zip(names(verdict, &chances)) {
                *hits += usize::from(names.contains(&place));
            }
        }
    }
    let mut findings = Findings::tables(vec![
        where_it_fell(&outcomes),
        named(&hits, fallen),
        calibration(forecasts),
    ]);
    findings.inputs = inputs;
    findings.setting("verdicts", outcomes.len().to_string());
    findings.setting("of these fell", fallen.to_string());
    let names = [
        "judge-falls",
        "Where verdicts fall, and how often that was foretold",
        "",
    ];
    let flaws = files.report(None, names, findings, out, err)?;
    Ok(Flaws { malformed, ..flaws })
}

fn read(paths: &[PathBuf]) -> Result<(Vec<Outcome>, Vec<Input>)> {
    let (mut outcomes, mut inputs) = (Vec::new(), Vec::new());
    for path in paths {
        let before = outcomes.len();
        let mut lines = read_lines(path)?;
        lines.parse_next::<Header>()?;
        while let Some((_, verdict)) = lines.parse_next::<Verdict>()? {
            let fall = verdict.fall();
            outcomes.push(Outcome { verdict, fall });
        }
        inputs.push(Input::new(path, outcomes.len() - before));
    }
    Ok((outcomes, inputs))
}

/// Centipawns by which another move falls short of the verdict's line, for the side that makes it.
fn gap(verdict: &Verdict, place: &Place, value: i16) -> f64 {
    let value_of_root = f64::from(verdict.value);
    let of_line = match place.ply % 2 {
        0 => value_of_root,
        _ => -value_of_root,
    };
    of_line - f64::from(value)
}

/// The terms of a place; the first is 1.
fn terms(verdict: &Verdict, candidate: &Candidate) -> [f64; TERMS] {
    let mut terms = [0.0; TERMS];
    terms[0] = 1.0;
    let place = &candidate.place;
    if let Some((rank, value)) = candidate.other {
        let gap = gap(verdict, place, value);
        terms[1 + rank.min(NAMES - 1)] = 1.0;
        terms[4] = (-gap.max(0.0) / 25.0).exp();
        terms[5] = (-gap.max(0.0) / 80.0).exp();
        terms[6] = (-gap).clamp(0.0, 500.0) / 100.0;
    }
    if let Some(term) = terms[7..12].get_mut(place.ply) {
        *term = 1.0;
    }
    if let Some(reported) = candidate.reported {
        let change = f64::from(reported.value) - f64::from(verdict.value);
        terms[12] = 1.0;
        terms[13] = reported.part;
        terms[14] = (-change.abs() / 30.0).exp();
        terms[15] = f64::from(reported.times.min(5));
    }
    terms
}

/// Learns the weights of the terms.
fn learn(outcomes: &[&Outcome]) -> [f64; TERMS] {
    let observation = |it: &Outcome, candidate: &Candidate| {
        let is_place = it.fall.as_ref() == Some(&candidate.place);
        Observation::new(
            terms(&it.verdict, candidate),
            f64::from(u8::from(is_place)),
            1.0,
        )
    };
    let of = |it: &&Outcome| -> Vec<_> {
        let candidates = it.verdict.candidates.iter();
        candidates
            .map(|candidate| observation(it, candidate))
            .collect()
    };
    let observations: Vec<_> = outcomes.iter().flat_map(of).collect();
    fit(&observations, RIDGE)
}

/// The chances that the verdict falls at its candidates.
fn chances(weights: &[f64; TERMS], verdict: &Verdict) -> Vec<f64> {
    let chance = |candidate| probability(dot(weights, &terms(verdict, candidate)));
    verdict.candidates.iter().map(chance).collect()
}

/// The names of a verdict in each way.
fn names<'v>(verdict: &'v Verdict, chances: &[f64]) -> [Vec<&'v Place>; WAYS.len()] {
    let all = || verdict.candidates.iter();
    let least = |rated: Vec<(f64, &'v Place)>| -> Vec<&'v Place> {
        let mut rated = rated;
        rated.sort_by(|a, b| a.0.total_cmp(&b.0));
        rated.into_iter().take(NAMES).map(|it| it.1).collect()
    };
    let of_ranks = |wanted: &[(usize, usize)]| -> Vec<&'v Place> {
        let is_wanted = |it: &&Candidate| {
            let rank = it.other.map(|other| other.0);
            rank.is_some_and(|rank| wanted.contains(&(it.place.ply, rank)))
        };
        all().filter(is_wanted).map(|it| &it.place).collect()
    };
    let likely = all().zip(chances).map(|(it, chance)| (-chance, &it.place));
    let second = all().filter_map(|it| {
        let (rank, value) = it.other?;
        (rank == 0).then(|| (gap(verdict, &it.place, value), &it.place))
    });
    let reported = all().filter_map(|it| Some((-it.reported?.part, &it.place)));
    [
        least(likely.collect()),
        least(second.collect()),
        of_ranks(&[(0, 0), (1, 0), (1, 1)]),
        of_ranks(&[(0, 0), (0, 1), (0, 2)]),
        least(reported.collect()),
    ]
}

/// A table of falls by the plies before the place.
fn where_it_fell(outcomes: &[Outcome]) -> Table {
    let mut plies: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
    for Outcome { verdict, fall } in outcomes {
        if let Some(place) = fall {
            let is_named = verdict.candidates.iter().any(|it| it.place == *place);
            let counts = plies.entry(place.ply).or_default();
            counts[0] += 1;
            counts[1] += usize::from(is_named);
        }
    }
    let title = "Plies of the line before the place of a fall";
    let mut table = Table::new("places", title, "plies | falls | looked at");
    for (ply, counts) in plies {
        table.named_row(ply, counts);
    }
    table
}

/// A table of the falls whose place was one of three names.
fn named(hits: &[usize], fallen: usize) -> Table {
    let title = "Falls whose place is one of three names";
    let mut table = Table::new("names", title, "three names | hits | share, %:1 | error:1");
    for (way, &hits) in WAYS.iter().zip(hits) {
        let share = hits as f64 / fallen as f64;
        let error = (share * (1.0 - share) / fallen as f64).sqrt();
        let share = [share, error].map(|it| Cell::from(100.0 * it));
        table.named_row(*way, [Cell::from(hits)].into_iter().chain(share));
    }
    table
}

/// A table of stated chances by size, and how often it came so.
fn calibration(mut forecasts: Vec<(f64, f64)>) -> Table {
    const EDGES: [f64; 6] = [0.0, 0.005, 0.01, 0.02, 0.05, 0.1];
    forecasts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let title = "Chances of places, stated and come true, in percent";
    let mut table = Table::new("chances", title, "from, %:1 | places | stated:2 | came:2");
    for (index, &from) in EDGES.iter().enumerate() {
        let to = EDGES.get(index + 1).copied().unwrap_or(f64::INFINITY);
        let part: Vec<_> = forecasts
            .iter()
            .filter(|it| (from..to).contains(&it.0))
            .collect();
        let count = part.len().max(1) as f64;
        let mean = |of: fn(&&(f64, f64)) -> f64| 100.0 * part.iter().map(of).sum::<f64>() / count;
        let cells = [mean(|it| it.0), mean(|it| it.1)].map(Cell::from);
        table.named_row(
            100.0 * from,
            [Cell::from(part.len())].into_iter().chain(cells),
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::falls::record::{Longer, Reported};

    fn place(ply: usize, m: &str) -> Place {
        let m = Some(m.to_owned());
        Place { ply, m }
    }

    fn candidate(ply: usize, m: &str, other: Option<(usize, i16)>, part: Option<f64>) -> Candidate {
        Candidate {
            place: place(ply, m),
            other,
            reported: part.map(|part| Reported {
                part,
                value: 10,
                times: 1,
            }),
        }
    }

    /// White is 30 centipawns ahead, by its own count.
    fn verdict(game: u64, fell_at: Option<&str>) -> Verdict {
        let line = |text: &str| text.split(' ').map(str::to_owned).collect();
        let longer = match fell_at {
            Some(m) => (-200, format!("e2e4 {m}")),
            None => (30, "e2e4 e7e5".to_owned()),
        };
        Verdict {
            game,
            ply: 20,
            fen: String::new(),
            value: 30,
            line: line("e2e4 e7e5 g1f3"),
            candidates: vec![
                candidate(0, "d2d4", Some((0, 20)), None),
                candidate(0, "c2c4", Some((1, -60)), None),
                candidate(1, "c7c5", Some((0, -35)), Some(0.9)),
                candidate(1, "e7e6", Some((1, -90)), None),
                candidate(2, "d2d4", Some((0, -100)), None),
                candidate(2, "b1c3", None, Some(0.3)),
            ],
            look: 0,
            longer: Longer {
                value: longer.0,
                line: line(&longer.1),
            },
            kept: None,
        }
    }

    #[test]
    fn gaps_are_the_movers() {
        let of = |ply, value| gap(&verdict(0, None), &place(ply, "a1a2"), value);
        assert_eq!([of(0, 20), of(1, -35), of(2, 50)], [10.0, 5.0, -20.0]);
    }

    #[test]
    fn names_are_given_in_each_way() {
        let verdict = verdict(0, None);
        let told = names(&verdict, &[0.1, 0.0, 0.3, 0.2, 0.0, 0.05]).map(|names| {
            let name = |it: &&Place| format!("{}{}", it.ply, it.m.as_deref().unwrap());
            names.iter().map(name).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(
            told,
            [
                "1c7c5 1e7e6 0d2d4",
                "1c7c5 0d2d4 2d2d4",
                "0d2d4 1c7c5 1e7e6",
                "0d2d4 0c2c4",
                "1c7c5 2b1c3"
            ]
        );
    }

    #[test]
    fn where_verdicts_fall_is_learnt() {
        let outcomes: Vec<Outcome> = (0..300)
            .map(|game| {
                let verdict = verdict(game, (game % 10 == 0).then_some("c7c5"));
                let fall = verdict.fall();
                Outcome { verdict, fall }
            })
            .collect();
        let weights = learn(&outcomes.iter().collect::<Vec<_>>());
        let chances = chances(&weights, &outcomes[0].verdict);
        assert!((chances[2] - 0.1).abs() < 0.03, "{chances:?}");
        let others = chances.iter().enumerate().filter(|it| it.0 != 2);
        assert!(others.into_iter().all(|it| *it.1 < 0.03), "{chances:?}");
    }
}
