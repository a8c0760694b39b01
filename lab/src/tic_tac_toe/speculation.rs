//! Speculative play in the paper's own game, played exhaustively: does it pay to leave minimax at critical positions?
//!
//! The paper does not define speculative play. It says when: at critical positions, where MaxCN or MinCN has fallen
//! abruptly since the player's last move. And it names opponent-model search (H. Iida et al., "Potential applications
//! of opponent-model search", ICCA Journal 16(4), 1993): the opponent is expected to play not the best move but the
//! choice of his own shallower search.

use std::collections::HashMap;

use super::book::{Book, Numbers, for_side, starts};
use super::play::{DEPTHS, pairs};
use crate::outcome::Table;
use cassius::game::{Game as _, Side};
use cassius::games::tic_tac_toe::{Cell, TicTacToe};
use cassius::profile::criticality::Turn;

/// Condition for leaving minimax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum When {
    Never,
    /// Ours: the player stands worse, and the score is no harder to raise than to lower.
    Support,
    MaxCn,
    MinCn,
    EitherCn,
    /// A critical position in which the player stands worse.
    EitherCnBehind,
    Always,
}

/// Model of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Model {
    /// Searches to this depth.
    Depth(usize),
    /// Searches to any depth up to this, all equally likely.
    UpTo(usize),
}

/// The player's knowledge of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Knows {
    Depth,
    Nothing,
}

const VERSIONS: [(&str, When, Knows); 12] = [
    ("plain", When::Never, Knows::Depth),
    ("MaxCN, known opponent", When::MaxCn, Knows::Depth),
    ("MinCN, known opponent", When::MinCn, Knows::Depth),
    ("either, known opponent", When::EitherCn, Knows::Depth),
    (
        "either and worse, known opponent",
        When::EitherCnBehind,
        Knows::Depth,
    ),
    ("support, known opponent", When::Support, Knows::Depth),
    ("every move, known opponent", When::Always, Knows::Depth),
    ("MaxCN, unknown opponent", When::MaxCn, Knows::Nothing),
    ("MinCN, unknown opponent", When::MinCn, Knows::Nothing),
    ("either, unknown opponent", When::EitherCn, Knows::Nothing),
    ("support, unknown opponent", When::Support, Knows::Nothing),
    ("every move, unknown opponent", When::Always, Knows::Nothing),
];

impl When {
    fn is_now(self, numbers: Numbers, turn: Turn) -> bool {
        match self {
            When::Never => false,
            When::Support => numbers.score < 0 && numbers.is_no_harder_to_raise,
            When::MaxCn => turn.down_tactic,
            When::MinCn => turn.up_tactic,
            When::EitherCn => turn.critical,
            When::EitherCnBehind => turn.critical && numbers.score < 0,
            When::Always => true,
        }
    }
}

/// A player, speculating or not.
#[derive(Clone, Copy)]
struct Player {
    side: Side,
    depth: usize,
    when: When,
    model: Model,
}

/// The player's result, and his choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Played {
    /// Depths of the player and of the opponent.
    depths: (usize, usize),
    /// Half points.
    pub(super) points: i32,
    moves: u32,
    speculations: u32,
    other_moves: u32,
}

/// The book, and the moves of opponent-model search.
#[derive(Default)]
pub(super) struct Speculator {
    book: Book,
    moves: HashMap<(TicTacToe, usize, Model), Option<Cell>>,
}

impl Speculator {
    /// The first of the best moves against such an opponent.
    pub(super) fn best_against(
        &mut self,
        position: &TicTacToe,
        depth: usize,
        model: Model,
    ) -> Option<Cell> {
        let key = (*position, depth, model);
        if let Some(&known) = self.moves.get(&key) {
            return known;
        }
        let mut best: Option<(f64, Cell)> = None;
        let side = position.side_to_move();
        for m in position.legal_moves() {
            let score = self.score_against(&position.after(m), depth - 1, side, model);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, m));
            }
        }
        let m = best.map(|(_, m)| m);
        self.moves.insert(key, m);
        m
    }

    /// Expected score of `side` in a position, searched `plies` plies, against such an opponent.
    fn score_against(
        &mut self,
        position: &TicTacToe,
        plies: usize,
        side: Side,
        model: Model,
    ) -> f64 {
        let moves = position.legal_moves();
        if plies == 0 || moves.is_empty() {
            return f64::from(for_side(side, position.row_score()));
        }
        if position.side_to_move() == side {
            let children = moves.into_iter().map(|m| position.after(m));
            let scores = children.map(|it| self.score_against(&it, plies - 1, side, model));
            return scores.fold(f64::NEG_INFINITY, f64::max);
        }
        let depths = match model {
            Model::Depth(depth) => depth..=depth,
            Model::UpTo(depth) => 1..=depth,
        };
        let count = depths.clone().count() as f64;
        let scores = depths.filter_map(|depth| {
            let m = self.book.best_move(position, depth)?;
            Some(self.score_against(&position.after(m), plies - 1, side, model))
        });
        scores.sum::<f64>() / count
    }

    fn play(&mut self, start: &TicTacToe, player: Player, opponent: usize) -> Played {
        let mut position = *start;
        let mut played = Played {
            depths: (player.depth, opponent),
            ..Played::default()
        };
        let mut last = None;
        loop {
            let is_ours = position.side_to_move() == player.side;
            let depth = if is_ours { player.depth } else { opponent };
            let Some(plain) = self.book.best_move(&position, depth) else {
                break;
            };
            let mut m = plain;
            if is_ours {
                let numbers = self.book.numbers(&position, depth);
                let turn =
                    last.map_or_else(Turn::default, |last| Turn::between(last, numbers.extremes));
                last = Some(numbers.extremes);
                played.moves += 1;
                if player.when.is_now(numbers, turn) {
                    played.speculations += 1;
                    m = self
                        .best_against(&position, depth, player.model)
                        .unwrap_or(plain);
                    played.other_moves += u32::from(m != plain);
                }
            }
            position.play(m);
        }
        let is_ours = position.side_to_move() == player.side;
        played.points = match position.terminal_value().is_loss() {
            false => 1,
            true if is_ours => 0,
            true => 2,
        };
        played
    }
}

/// Tables: games of all versions at all depths, those against a shallower opponent, half points by depths.
pub(super) fn tables() -> Vec<Table> {
    let mut speculator = Speculator::default();
    let starts = starts();
    let mut played: Vec<Vec<Played>> = Vec::new();
    for (_, when, knows) in VERSIONS {
        let mut games = Vec::new();
        for (depth, opponent) in pairs() {
            let model = match knows {
                Knows::Depth => Model::Depth(opponent),
                Knows::Nothing => Model::UpTo(depth),
            };
            for side in [Side::First, Side::Second] {
                let player = Player {
                    side,
                    depth,
                    when,
                    model,
                };
                let play = |it| speculator.play(it, player, opponent);
                games.extend(starts.iter().map(play));
            }
        }
        played.push(games);
    }
    let all = table("all", "Speculative play, all depths", &played, |_, _| true);
    let title = "Speculative play against opponents who look less deep";
    let deeper = table("deeper", title, &played, |depth, opponent| depth > opponent);
    vec![all, deeper, by_depths(&played)]
}

fn table(id: &str, title: &str, played: &[Vec<Played>], is_in: fn(usize, usize) -> bool) -> Table {
    let headings = "version | games | won | drawn | lost | speculations, % of moves:2 | other moves, %:2 | \
         half points gained in 100 games:2 | games better | games worse | half points for 100 other moves:1";
    let mut table = Table::new(id, title, headings);
    let plain = &played[0];
    for ((name, _, _), games) in VERSIONS.iter().zip(played) {
        let mut pairs: Vec<_> = games.iter().zip(plain).collect();
        pairs.retain(|(it, _)| is_in(it.depths.0, it.depths.1));
        let count = |points| pairs.iter().filter(|(it, _)| it.points == points).count();
        let sum =
            |of: fn(&Played) -> u32| -> f64 { pairs.iter().map(|(it, _)| f64::from(of(it))).sum() };
        let gains = || pairs.iter().map(|(it, plain)| it.points - plain.points);
        let gained = f64::from(gains().sum::<i32>());
        let moves = sum(|it| it.moves);
        let others = sum(|it| it.other_moves);
        table.row([
            (*name).into(),
            pairs.len().into(),
            count(2).into(),
            count(1).into(),
            count(0).into(),
            (100.0 * sum(|it| it.speculations) / moves).into(),
            (100.0 * others / moves).into(),
            (100.0 * gained / pairs.len() as f64).into(),
            gains().filter(|&gain| gain > 0).count().into(),
            gains().filter(|&gain| gain < 0).count().into(),
            (100.0 * gained / others).into(),
        ]);
    }
    table
}

/// Half points gained at critical positions, by both depths.
fn by_depths(played: &[Vec<Played>]) -> Table {
    let depths = || (2..).take(DEPTHS);
    let opponents: Vec<String> = depths().map(|it| format!("opponent {it}:2")).collect();
    let headings = format!("depth | {}", opponents.join(" | "));
    let title =
        "Half points gained in 100 games at critical positions (either number, known opponent)";
    let mut table = Table::new("by-depths", title, &headings);
    let is_it = |it: &(_, When, Knows)| (it.1, it.2) == (When::EitherCn, Knows::Depth);
    let version = VERSIONS.iter().position(is_it);
    let games = version.and_then(|at| played.get(at));
    for depth in depths() {
        let mut row = vec![depth.into()];
        for opponent in depths() {
            let pairs = games.into_iter().flatten().zip(&played[0]);
            let pairs = pairs.filter(|(it, _)| it.depths == (depth, opponent));
            let gains: Vec<i32> = pairs.map(|(a, b)| a.points - b.points).collect();
            let sum = f64::from(gains.iter().sum::<i32>());
            row.push((100.0 * sum / gains.len() as f64).into());
        }
        table.row(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponent_model_search_sets_traps_that_minimax_does_not() {
        let mut speculator = Speculator::default();
        let model = Model::Depth(1);
        let mut traps = 0;
        for start in starts() {
            let side = start.side_to_move();
            let plain = speculator.book.best_move(&start, 6).unwrap();
            let other = speculator.best_against(&start, 6, model).unwrap();
            let mut score = |m| speculator.score_against(&start.after(m), 5, side, model);
            let (plain, other) = (score(plain), score(other));
            assert!(other >= plain, "{start:?}");
            traps += usize::from(other > plain);
        }
        assert!(traps > 0);
    }

    #[test]
    fn an_opponent_who_sees_as_much_is_played_as_by_minimax() {
        let mut speculator = Speculator::default();
        // Both see to the end of the game.
        for start in starts().iter().skip(10).step_by(7) {
            let model = Model::Depth(9);
            let best = speculator.best_against(start, 9, model).unwrap();
            let plain = speculator.book.best_move(start, 9).unwrap();
            let worth = |m: Cell, it: &mut Speculator| -it.book.outcome(&start.after(m));
            assert_eq!(worth(best, &mut speculator), worth(plain, &mut speculator));
        }
    }

    #[test]
    fn who_never_speculates_plays_the_papers_games() {
        let mut speculator = Speculator::default();
        for depth in 2..7 {
            let player = Player {
                side: Side::First,
                depth,
                when: When::Never,
                model: Model::Depth(2),
            };
            let played = speculator.play(&TicTacToe::new(), player, 2);
            assert_eq!((played.points, played.moves), (1, 5));
            assert_eq!(played.speculations, 0);
        }
    }

    #[test]
    fn each_rule_asks_for_what_it_names() {
        let numbers = |score, is_no_harder_to_raise| Numbers {
            score,
            extremes: Default::default(),
            is_no_harder_to_raise,
        };
        let fallen = Turn {
            up_tactic: true,
            critical: true,
            ..Turn::default()
        };
        let asked = |when: When, score| when.is_now(numbers(score, true), fallen);
        assert!(asked(When::MinCn, 10) && !asked(When::MaxCn, 10));
        assert!(asked(When::EitherCn, 10) && !asked(When::EitherCnBehind, 10));
        assert!(asked(When::EitherCnBehind, -10));
        assert!(asked(When::Support, -10) && !asked(When::Support, 0));
        assert!(!When::Support.is_now(numbers(-10, false), fallen));
        assert!(asked(When::Always, 10) && !asked(When::Never, -10));
    }
}
