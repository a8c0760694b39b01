//! `cassius lab judge-falls`: where verdicts fell, and how often likely places name it.
//!
//! A logistic model gives each place that the look names the chance that the verdict falls there. Each game is held back
//! once: the model has learnt from the games of the other parts only.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::record::{self, NamedPlace, Place, Verdict};
use crate::experiment::Findings;
use crate::outcome::{Cell, Table};
use crate::outlook::fit::{Observation, dot, fit};
use crate::outlook::judging::{Forecast, reliability};
use crate::results::ResultFiles;
use cassius::outlook::model::probability;
use cassius::output::flaws::Flaws;
use cassius::output::json_lines::name_torn;
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

/// Tells where the verdicts of these files fell; reports to `out`. `err` gets the names of files that are cut short.
pub fn judge(options: &JudgeOptions, out: &mut dyn Write, err: &mut dyn Write) -> Result<Flaws> {
    let outputs = [None, options.json.as_deref()];
    let existing = options.overwrite.existing();
    let files = ResultFiles::claim(&options.verdicts, outputs, existing)?;
    let (verdicts, inputs) = record::read(&options.verdicts)?;
    let malformed = name_torn(&options.verdicts, err)?;
    let fallen = verdicts.iter().filter(|it| it.fall().is_some()).count();
    ensure!(
        fallen > 1,
        "too few verdicts fall here to learn where; record more of them"
    );
    let mut hits = [0_usize; WAYS.len()];
    let mut forecasts = Vec::new();
    for part in 0..PARTS {
        let is_held_back = |it: &&Verdict| it.game % PARTS == part;
        let (held_back, learnt): (Vec<_>, Vec<_>) = verdicts.iter().partition(is_held_back);
        let weights = learn(&learnt);
        for verdict in held_back {
            let (fall, chances) = (verdict.fall(), chances(&weights, verdict));
            for (named, &chance) in verdict.places.iter().zip(&chances) {
                let is_place = fall.as_ref() == Some(&named.place);
                forecasts.push(Forecast::new(chance, is_place, 1.0));
            }
            let Some(place) = fall else { continue };
            for (hits, names) in hits.iter_mut().zip(names(verdict, &chances)) {
                *hits += usize::from(names.contains(&&place));
            }
        }
    }
    let title = "Chances of places, stated and come true, by tenths".to_owned();
    let mut findings = Findings::tables(vec![
        where_they_fell(&verdicts),
        hits_by_names(&hits, fallen),
        reliability("chances", title, forecasts),
    ]);
    findings.inputs = inputs;
    findings.setting("verdicts", verdicts.len().to_string());
    findings.setting("of these fell", fallen.to_string());
    let names = [
        "judge-falls",
        "Where verdicts fall, and how often that was foretold",
        "",
    ];
    let flaws = files.report(None, names, findings, out, err)?;
    Ok(Flaws { malformed, ..flaws })
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
fn terms(verdict: &Verdict, named: &NamedPlace) -> [f64; TERMS] {
    let mut terms = [0.0; TERMS];
    terms[0] = 1.0;
    let place = &named.place;
    if let Some((rank, value)) = named.other {
        let gap = gap(verdict, place, value);
        terms[1 + rank.min(NAMES - 1)] = 1.0;
        terms[4] = (-gap.max(0.0) / 25.0).exp();
        terms[5] = (-gap.max(0.0) / 80.0).exp();
        terms[6] = (-gap).clamp(0.0, 500.0) / 100.0;
    }
    if let Some(term) = terms[7..12].get_mut(place.ply) {
        *term = 1.0;
    }
    if let Some(reported) = named.reported {
        let change = f64::from(reported.value) - f64::from(verdict.value);
        terms[12] = 1.0;
        terms[13] = reported.part;
        terms[14] = (-change.abs() / 30.0).exp();
        terms[15] = f64::from(reported.times.min(5));
    }
    terms
}

/// Learns the weights of the terms.
fn learn(verdicts: &[&Verdict]) -> [f64; TERMS] {
    let mut observations = Vec::new();
    for verdict in verdicts {
        let fall = verdict.fall();
        observations.extend(verdict.places.iter().map(|named| {
            let is_place = fall.as_ref() == Some(&named.place);
            Observation::new(terms(verdict, named), u8::from(is_place), 1.0)
        }));
    }
    fit(&observations, RIDGE)
}

/// The chances that the verdict falls at its places.
fn chances(weights: &[f64; TERMS], verdict: &Verdict) -> Vec<f64> {
    let chance = |named| probability(dot(weights, &terms(verdict, named)));
    verdict.places.iter().map(chance).collect()
}

/// The names of a verdict in each way.
fn names<'v>(verdict: &'v Verdict, chances: &[f64]) -> [Vec<&'v Place>; WAYS.len()] {
    let all = || verdict.places.iter();
    let least = |rated: Vec<(f64, &'v Place)>| -> Vec<&'v Place> {
        let mut rated = rated;
        rated.sort_by(|a, b| a.0.total_cmp(&b.0));
        rated.into_iter().take(NAMES).map(|it| it.1).collect()
    };
    let of_ranks = |wanted: &[(usize, usize)]| -> Vec<&'v Place> {
        let is_wanted = |it: &&NamedPlace| {
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
fn where_they_fell(verdicts: &[Verdict]) -> Table {
    let mut plies: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
    for verdict in verdicts {
        if let Some(place) = verdict.fall() {
            let is_named = verdict.places.iter().any(|it| it.place == place);
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
fn hits_by_names(hits: &[usize], fallen: usize) -> Table {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::falls::record::{Longer, Reported};

    fn place(ply: usize, m: &str) -> Place {
        let m = Some(m.to_owned());
        Place { ply, m }
    }

    fn named(ply: usize, m: &str, other: Option<(usize, i16)>, part: Option<f64>) -> NamedPlace {
        NamedPlace {
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
            places: vec![
                named(0, "d2d4", Some((0, 20)), None),
                named(0, "c2c4", Some((1, -60)), None),
                named(1, "c7c5", Some((0, -35)), Some(0.9)),
                named(1, "e7e6", Some((1, -90)), None),
                named(2, "d2d4", Some((0, -100)), None),
                named(2, "b1c3", None, Some(0.3)),
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
        let fell_at = |game: u64| game.is_multiple_of(10).then_some("c7c5");
        let verdicts: Vec<Verdict> = (0..300).map(|game| verdict(game, fell_at(game))).collect();
        let weights = learn(&verdicts.iter().collect::<Vec<_>>());
        let chances = chances(&weights, &verdicts[0]);
        assert!((chances[2] - 0.1).abs() < 0.03, "{chances:?}");
        let others = chances.iter().enumerate().filter(|it| it.0 != 2);
        assert!(others.into_iter().all(|it| *it.1 < 0.03), "{chances:?}");
    }
}
