//! `cassius lab fit-levels`: a scale of `UCI_Elo` on which the distances between levels are true.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::{Result, ensure};
use clap::Args;

use super::{OPENING_NODES, Playing, play_all};
use crate::experiment::Findings;
use crate::outcome::Table;
use crate::results::ResultArgs;
use crate::selfplay::opening::of_game;
use crate::selfplay::player::{duel, opening};
use crate::statistics::Estimate;
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::strength::{Level, searcher};
use cassius::output::flaws::Flaws;
use cassius::random::mix;

/// Largest value of an opening for either side, in centipawns.
const FAIR: i16 = 100;

/// Games to measure the levels by, and files for the result.
#[derive(Clone, Debug, Args)]
pub struct LevelsOptions {
    /// How many games, which jobs, which seed.
    #[command(flatten)]
    pub playing: Playing,
    /// Files for the result, or none.
    #[command(flatten)]
    pub result: ResultArgs,
}

/// Elo difference that corresponds to a score, by the definition of Elo.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Elo on the old scale of the levels whose true Elo is `marks`, by linear interpolation. `true_elo` is the measured
/// Elo of each mark; the first and the last segment are extended beyond their ends.
fn on_old_scale(marks: &[f64], true_elo: &[f64]) -> Vec<f64> {
    let old = |wanted: f64| {
        let above = true_elo.iter().position(|&it| it >= wanted);
        let high = above.unwrap_or(true_elo.len() - 1).max(1);
        let part = (wanted - true_elo[high - 1]) / (true_elo[high] - true_elo[high - 1]);
        marks[high - 1] + part * (marks[high] - marks[high - 1])
    };
    marks.iter().map(|&it| old(it)).collect()
}

/// The marks of the program's scale, with their Elo.
fn marks() -> Vec<(f64, Level)> {
    let marks = Level::marks();
    marks.map(|(elo, level)| (elo.into(), level)).collect()
}

/// Plays matches between neighbouring levels, reports their distances, and writes the scale on which these are true.
/// The weakest level keeps its Elo.
pub fn fit_levels(
    options: &LevelsOptions,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws> {
    let files = options.result.claim([])?;
    let marks = marks();
    let mut findings = Findings::default();
    let headings =
        "weaker | stronger | games | score of the stronger, percent:1 | ±:1 | Elo:0 | asked for:0";
    let mut table = Table::new("distances", "Distances between levels", headings);
    let mut true_elo = vec![marks[0].0];
    for (number, pair) in (0..).zip(marks.windows(2)) {
        let [(low_elo, low), (high_elo, high)] = [pair[0], pair[1]];
        let games = findings.keep(match_between(&options.playing, mix(number), [high, low])?);
        let score = Estimate::of(games);
        ensure!(
            0.5 < score.value && score.value < 1.0,
            "level {high_elo} scores {:.3} against {low_elo}: too near, or too far, to measure their distance; play more games",
            score.value
        );
        let distance = elo(score.value);
        table.row([
            low_elo.into(),
            high_elo.into(),
            options.playing.games.into(),
            (100.0 * score.value).into(),
            (100.0 * score.half_width).into(),
            distance.into(),
            (high_elo - low_elo).into(),
        ]);
        true_elo.push(true_elo[true_elo.len() - 1] + distance);
    }
    let old: Vec<f64> = marks.iter().map(|mark| mark.0).collect();
    let fitted = old.iter().zip(on_old_scale(&old, &true_elo));
    let fitted: Vec<(f64, Level)> = fitted.map(|(&elo, was)| (elo, Level::at(was))).collect();
    let headings = "Elo | nodes | careless, percent:1 | slack, centipawns:1";
    let mut scale = Table::new("scale", "The scale on which they are true", headings);
    for (elo, level) in &fitted {
        scale.row([
            (*elo).into(),
            level.nodes.into(),
            level.careless.into(),
            level.slack.into(),
        ]);
    }
    findings.tables = vec![table, scale];
    findings.seed = Some(options.playing.seed);
    let names = ["fit-levels", "Distances between the levels of UCI_Elo", ""];
    files.report(Some(&source_of(&fitted)), names, findings, out, err)
}

/// Points of the first level against the second, game by game: each opening twice, with colours reversed.
fn match_between(
    playing: &Playing,
    salt: u64,
    levels: [Level; 2],
) -> Result<Vec<Result<f64, Fault>>> {
    let seed = playing.seed ^ salt;
    Ok(play_all(playing, |search, number| {
        let root = opening(search, of_game(seed, number / 2), FAIR, OPENING_NODES)?;
        let salt = mix(seed ^ mix(number));
        let limited = |level| Guarded::new("limited strength", move || searcher(level, salt));
        let mut sides = levels.map(limited);
        duel(root, &mut sides, number % 2 == 0, u64::MAX)
    })?)
}

/// The source file of the program's scale.
fn source_of(marks: &[(f64, Level)]) -> String {
    let mut text = String::from(
        "//! The measured points of the scale of `UCI_Elo`, weakest first. Written by `cassius lab fit-levels`.

use super::scale::{Level, mark};

#[rustfmt::skip]
",
    );
    let count = marks.len();
    let _ = writeln!(text, "pub(super) static MARKS: [(u16, Level); {count}] = [");
    for (elo, level) in marks {
        let (nodes, careless, slack) = (level.nodes, level.careless, level.slack);
        let mark = format!("mark({elo:.0}, {nodes}, {careless:.2}, {slack:.1})");
        let _ = writeln!(text, "    {mark},");
    }
    text + "];\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_what_is_written() {
        let program = include_str!("../../../src/engine/strength/marks.rs");
        assert_eq!(source_of(&marks()), program);
    }

    #[test]
    fn a_scale_that_is_true_stays_and_one_too_wide_is_drawn_together() {
        let marks = [1_200.0, 1_400.0, 1_800.0];
        assert_eq!(on_old_scale(&marks, &marks), marks);
        // Each step was half as long again as it should be.
        let old = on_old_scale(&marks, &[1_200.0, 1_500.0, 2_100.0]);
        assert_eq!(old[0], 1_200.0);
        let near = (old[1] - 1_333.3).abs() < 0.1 && (old[2] - 1_600.0).abs() < 0.1;
        assert!(near, "{old:?}");
        // The last segment is extended beyond its end if the last step is too short.
        let old = on_old_scale(&marks, &[1_200.0, 1_400.0, 1_700.0]);
        assert_eq!(old[2], 1_800.0 + 400.0 / 3.0);
    }
}
