//! `cassius lab fit-chances`: the chances of a win, a draw and a loss by value, from games.

use std::io::Write;

use anyhow::{Result, ensure};
use clap::Args;

use super::{OPENING_NODES, Playing, play_all};
use crate::experiment::Findings;
use crate::outcome::{Cell, Table};
use crate::outlook::fit::{Observation, fit};
use crate::outlook::judging::{Forecast, judge, reliability};
use crate::results::ResultArgs;
use crate::selfplay::opening::of_game;
use crate::selfplay::player::{choice, opening, play_on};
use crate::selfplay::record::{GameRecord, of_white};
use cassius::game::Game as _;
use cassius::outlook::model::probability;
use cassius::output::flaws::Flaws;

/// Largest value of an opening for either side, in centipawns.
const FAIR: i16 = 150;
/// Absolute value from which a position does not count, in centipawns: games are adjudicated by values not much larger.
const DECIDED: i16 = 1_000;
/// Centipawns in a unit of the regression.
const UNIT: f64 = 100.0;

/// Games to fit the chances to, and files for the result.
#[derive(Clone, Debug, Args)]
pub struct ChancesOptions {
    /// How many games, which jobs, which seed.
    #[command(flatten)]
    pub playing: Playing,
    /// Positions to visit for each move
    #[arg(long, value_name = "N", default_value_t = 2_500, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Files for the result, or none.
    #[command(flatten)]
    pub result: ResultArgs,
}

/// A position of a game: the value for a side, and that side's points.
#[derive(Clone, Copy)]
struct Seen {
    value: f64,
    points: f64,
    /// Weight: those of a game's positions add up to 1, so that all games count alike.
    weight: f64,
}

/// The model of `cassius::wdl`: the value at which every second game is won, and the centipawns ahead and behind that change the
/// odds of a win by the factor e.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Chances {
    even: f64,
    ahead: f64,
    behind: f64,
}

impl Chances {
    /// The maximum-likelihood numbers.
    fn fitted(seen: &[Seen]) -> Chances {
        let observation = |it: &Seen| {
            let (ahead, behind) = (it.value.max(0.0) / UNIT, it.value.min(0.0) / UNIT);
            Observation::new([1.0, ahead, behind], it.points == 1.0, it.weight)
        };
        let observations: Vec<Observation<3>> = seen.iter().map(observation).collect();
        let [constant, ahead, behind] = fit(&observations, 0.0);
        Chances {
            even: -constant / ahead * UNIT,
            ahead: UNIT / ahead,
            behind: UNIT / behind,
        }
    }

    /// The probability of a win.
    fn win(self, value: f64) -> f64 {
        let scale = if value < 0.0 { self.behind } else { self.ahead };
        probability(value / scale - self.even / self.ahead)
    }

    /// Forecasts of a win, and of a draw, at each position.
    fn forecasts(self, seen: &[Seen]) -> [Vec<Forecast>; 2] {
        let forecasts = |points: f64, stated: &dyn Fn(f64) -> f64| {
            let all = seen.iter();
            all.map(|it| Forecast::new(stated(it.value), it.points == points, it.weight))
                .collect()
        };
        let draw = |value| 1.0 - self.win(value) - self.win(-value);
        [
            forecasts(1.0, &|value| self.win(value)),
            forecasts(0.5, &draw),
        ]
    }
}

/// The undecided positions of a game, from the view of either side.
fn seen_in(game: &GameRecord) -> Vec<Seen> {
    let mut position = game.start.clone();
    let mut seen = Vec::new();
    for &(m, value) in &game.moves {
        let value = of_white(&position, value);
        if value.get().abs() < DECIDED {
            seen.push(f64::from(value.get()));
        }
        position.play(m);
    }
    let (points, weight) = (game.result.points(), 0.5 / seen.len() as f64);
    let views = |value: f64| [(value, points), (-value, 1.0 - points)];
    let seen = seen.into_iter().flat_map(views);
    seen.map(|(value, points)| Seen {
        value,
        points,
        weight,
    })
    .collect()
}

/// Plays the games, fits the chances to half of them and judges them by the other half; writes a fit to all of them.
pub fn fit_chances(
    options: &ChancesOptions,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws> {
    let files = options.result.claim([])?;
    let (nodes, seed) = (options.nodes, options.playing.seed);
    let games = play_all(&options.playing, |search, number| {
        let root = opening(search, of_game(seed, number), FAIR, OPENING_NODES)?;
        play_on(root, |root| choice(search, root, nodes))
    })?;
    let mut findings = Findings::default();
    let games = findings.keep(games);
    let halves = [0, 1].map(|half| {
        let games = games.iter().skip(half).step_by(2);
        games.flat_map(seen_in).collect::<Vec<Seen>>()
    });
    let [learnt, held_back] = &halves;
    let ends = |seen: &[Seen]| {
        seen.iter().any(|it| it.points == 1.0) && seen.iter().any(|it| it.points < 1.0)
    };
    ensure!(
        ends(learnt) && ends(held_back),
        "each half of the {} games needs wins and others; play more, see --games",
        games.len()
    );
    let fitted = Chances::fitted(learnt);
    let [wins, draws] = fitted.forecasts(held_back);
    let headings = "chance of | calibration error:3 | Brier:4";
    let title = "How true the chances are, games that they were not fitted to";
    let mut table = Table::new("calibration", title, headings);
    for (name, forecasts) in [("a win", &wins), ("a draw", &draws)] {
        let judgement = judge(forecasts.clone());
        table.named_row(name, [judgement.calibration_error, judgement.brier]);
    }
    let source = Chances::fitted(&halves.concat());
    let numbers = [source.even, source.ahead, source.behind].map(f64::round);
    let headings = "every second game is won at, centipawns | odds grow by e in, centipawns | \
        behind, fall by e in, centipawns";
    let mut model = Table::new("model", "The numbers, of all games", headings);
    model.row(numbers.map(Cell::from));
    let wins = reliability("wins", "Chances of a win".to_owned(), wins);
    findings.tables = vec![model, table, wins];
    findings.seed = Some(options.playing.seed);
    findings.setting("games", games.len().to_string());
    findings.setting("positions visited for a move", nodes.to_string());
    let title = "Chances of a win, a draw and a loss by value";
    let names = ["fit-chances", title, ""];
    files.report(Some(&source_of(numbers)), names, findings, out, err)
}

/// The source file of `cassius::wdl` with these numbers.
fn source_of([even, ahead, behind]: [f64; 3]) -> String {
    format!(
        "//! The numbers of the chances of winning. Written by `cassius lab fit-chances`.

/// Value at which every second game is won, in centipawns.
pub(super) const A: f64 = {even:.1};
/// Centipawns ahead that multiply the odds of a win by e.
pub(super) const B: f64 = {ahead:.1};
/// Centipawns behind that divide these odds by e.
pub(super) const C: f64 = {behind:.1};
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius::random::Random;

    #[test]
    fn the_numbers_that_made_the_games_are_found_again() {
        let truth = Chances {
            even: 120.0,
            ahead: 90.0,
            behind: 60.0,
        };
        let mut random = Random::new(4);
        let mut seen = Vec::new();
        for _ in 0..20_000 {
            let value = random.below(1_201) as f64 - 600.0;
            let chance = random.below(1 << 20) as f64 / f64::from(1 << 20);
            let points = if chance < truth.win(value) {
                1.0
            } else if chance < 1.0 - truth.win(-value) {
                0.5
            } else {
                0.0
            };
            for (value, points) in [(value, points), (-value, 1.0 - points)] {
                seen.push(Seen {
                    value,
                    points,
                    weight: 1.0,
                });
            }
        }
        let fitted = Chances::fitted(&seen);
        assert!((fitted.even - truth.even).abs() < 4.0, "{fitted:?}");
        assert!((fitted.ahead - truth.ahead).abs() < 4.0, "{fitted:?}");
        assert!((fitted.behind - truth.behind).abs() < 4.0, "{fitted:?}");
        for forecasts in fitted.forecasts(&seen) {
            assert!(judge(forecasts).calibration_error < 0.02);
        }
    }
}
