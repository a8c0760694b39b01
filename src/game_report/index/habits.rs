//! A player's habits over the games of a folder: rates of marked moves, with intervals.
//!
//! Memory holds a few sums for each player, not the games. Intervals are Wilson's at 95 %, for an effective number of moves:
//! moves of one game are not independent, so their number is divided by the design effect.

use std::collections::HashMap;

use super::super::move_marks;
use super::super::phase::Phase;
use super::super::record::{Game, Row};
use super::super::standing::{self, Band, Standing};
use super::LONGEST;
use crate::web::{escape, thousands};

/// Most players in the page's list.
const MOST_PLAYERS: usize = 50;
/// Half-width of a 95 % interval, in standard errors.
const WIDTH: f64 = 1.96;
/// Half-width of a sufficient interval, as a part of the rate.
const SURE_ENOUGH: f64 = 0.25;
/// Limits between the classes of time left on the clock, in seconds.
const CLOCKS: [f64; 2] = [60.0, 300.0];

/// Names of the classes in which marked moves are counted.
const NAMES: [&str; 11] = [
    "all moves",
    "opening",
    "middlegame",
    "endgame",
    "under a minute left",
    "one to five minutes left",
    "over five minutes left",
    "won game given away",
    "only move missed",
    "missed tactic",
    "other",
];
/// Places in [`NAMES`] of the first class of phases, of clocks, and of kinds.
const PHASES: usize = 1;
const TIMES: usize = 4;
const KINDS: usize = 7;

/// Marked moves among moves, over games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Rate {
    games: f64,
    marked: f64,
    moves: f64,
    /// Sums over the games of squares and products.
    marked_squared: f64,
    product: f64,
    moves_squared: f64,
}

impl Rate {
    /// Adds a game.
    fn add(&mut self, [marked, moves]: [f64; 2]) {
        if moves > 0.0 {
            self.games += 1.0;
            self.marked += marked;
            self.moves += moves;
            self.marked_squared += marked * marked;
            self.product += marked * moves;
            self.moves_squared += moves * moves;
        }
    }

    /// The rate: marked moves divided by all moves.
    fn value(&self) -> f64 {
        self.marked / self.moves.max(1.0)
    }

    /// Design effect: the variance of the rate over games, divided by that of independent moves; at least 1.
    fn effect(&self) -> f64 {
        let (rate, games) = (self.value(), self.games);
        let alike = rate * (1.0 - rate) * self.moves;
        if games < 2.0 || alike <= 0.0 {
            return 1.0;
        }
        let squares =
            self.marked_squared - 2.0 * rate * self.product + rate * rate * self.moves_squared;
        (squares * games / (games - 1.0) / alike).max(1.0)
    }

    /// The 95 % interval of the rate.
    fn interval(&self) -> [f64; 2] {
        let moves = (self.moves / self.effect()).max(1.0);
        let (rate, z2) = (self.value(), WIDTH * WIDTH / moves);
        let middle = (rate + z2 / 2.0) / (1.0 + z2);
        let half = WIDTH * (rate * (1.0 - rate) / moves + z2 / moves / 4.0).sqrt() / (1.0 + z2);
        [(middle - half).max(0.0), (middle + half).min(1.0)]
    }

    /// Games, these included, after which the interval is likely to be sufficient; `None` without marked moves.
    fn games_wanted(&self) -> Option<f64> {
        let rate = self.value();
        let moves_a_game = self.moves / self.games.max(1.0);
        let wanted = (WIDTH / SURE_ENOUGH).powi(2) * (1.0 - rate) / rate * self.effect();
        (self.marked > 0.0).then(|| (wanted / moves_a_game).ceil())
    }
}

/// A player's sums, by [`NAMES`].
#[derive(Clone, PartialEq, Debug, Default)]
struct Tally {
    games: usize,
    rates: [Rate; NAMES.len()],
}

/// The habits of all players of a folder.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Habits {
    players: HashMap<String, Tally>,
    /// The player shown first.
    chosen: Option<String>,
}

impl Habits {
    /// Habits without games; `chosen` is shown first.
    pub(super) fn new(chosen: Option<&str>) -> Habits {
        Habits {
            players: HashMap::new(),
            chosen: chosen.map(named),
        }
    }

    /// Adds a game to the sums of both players. Players without a name are left out.
    pub(super) fn add(&mut self, game: &Game) {
        for (tag, is_black) in [("White", false), ("Black", true)] {
            if let Some(name) = game.info.tag(tag) {
                let tally = self.players.entry(named(name)).or_default();
                tally.games += 1;
                for (rate, counts) in tally.rates.iter_mut().zip(counts(game, is_black)) {
                    rate.add(counts);
                }
            }
        }
    }

    /// Whether the chosen player has no games.
    pub(super) fn misses_chosen(&self) -> bool {
        let chosen = self.chosen.as_ref();
        chosen.is_some_and(|it| !self.players.contains_key(it))
    }

    /// The section of the page; empty without players, or if nobody has two games and no player was chosen.
    pub(super) fn section(&self) -> String {
        let mut players: Vec<(&String, &Tally)> = self.players.iter().collect();
        let is_chosen = |name: &str| self.chosen.as_deref() == Some(name);
        players.sort_by_key(|&(name, it)| (!is_chosen(name), std::cmp::Reverse(it.games), name));
        players.truncate(MOST_PLAYERS);
        let Some((_, first)) = players.first() else {
            return String::new();
        };
        if first.games < 2 && self.chosen.is_none() {
            return String::new();
        }
        let (mut options, mut tables) = (String::new(), String::new());
        for (place, (name, tally)) in players.iter().enumerate() {
            let (name, count) = (escape(name), games(tally.games as f64));
            options += &format!("<option>{name} ({count})</option>");
            tables += &table(&name, &count, tally, place == 0);
        }
        let open = if self.chosen.is_some() { " open" } else { "" };
        format!(
            "<details class=\"habits\"{open}><summary>A player's habits</summary>\
             <label class=\"player\" hidden>Player <select>{options}</select></label>{tables}\
             <p>How often a move is marked. In 95 of 100 cases the true rate lies between <em>from</em> and <em>to</em>; \
             where two intervals overlap, the difference may be chance. <em>Surer with</em>: games it takes, these included, until the interval reaches no \
             farther than a quarter of the rate either way. Kinds add up to all moves: a <em>won game given away</em> was decisive before the move and is not after it; \
             then <em>only move missed</em>; a <em>missed tactic</em> is a better move that takes, gives check or promotes.</p></details>"
        )
    }
}

/// A player's name without surrounding blanks, cut to [`LONGEST`].
fn named(name: &str) -> String {
    name.trim().chars().take(LONGEST).collect()
}

/// A number of games, in words.
fn games(count: f64) -> String {
    let number = thousands(count as u64);
    let word = if count == 1.0 { "game" } else { "games" };
    format!("{number} {word}")
}

/// Marked moves and moves of a side in a game, by [`NAMES`].
fn counts(game: &Game, is_black: bool) -> [[f64; 2]; NAMES.len()] {
    let mut counts = [[0.0; 2]; NAMES.len()];
    for row in &game.rows {
        if row.black != is_black || row.facts.forced || row.facts.cost.is_none() {
            continue;
        }
        let is_marked = move_marks::of(row).is_some();
        let phase = row.facts.phase.map(|it| match it {
            Phase::Opening => PHASES,
            Phase::Middlegame => PHASES + 1,
            Phase::Endgame => PHASES + 2,
        });
        let left = row.facts.clock_s;
        let time = left.map(|left| TIMES + CLOCKS.iter().filter(|&&it| left >= it).count());
        for class in [Some(0), phase, time].into_iter().flatten() {
            counts[class][1] += 1.0;
            counts[class][0] += f64::from(is_marked);
        }
        counts[KINDS..].iter_mut().for_each(|it| it[1] += 1.0);
        if is_marked {
            counts[kind(row, game.after(row))][0] += 1.0;
        }
    }
    counts
}

/// The kind of a marked move, as a place in [`NAMES`]; `after` is the position it led to.
fn kind(row: &Row, after: Option<&Row>) -> usize {
    let winning =
        |it: &Row| Standing::of(it).is_some_and(|it| it.is_for(row.black, Band::Decisive));
    let better = row.better().map_or("", |it| it.san.as_str());
    if winning(row) && !after.is_some_and(winning) {
        KINDS
    } else if standing::only(row).is_some() {
        KINDS + 1
    } else if better.contains(['x', '+', '#', '=']) {
        KINDS + 2
    } else {
        KINDS + 3
    }
}

/// The table of a player with this name and so many games.
fn table(name: &str, count: &str, tally: &Tally, is_shown: bool) -> String {
    let hidden = if is_shown { "" } else { " hidden" };
    let mut html = format!(
        "<table{hidden}><caption>{name}, {count}</caption><thead><tr><td></td><th scope=\"col\">marked</th><th scope=\"col\">of</th><th scope=\"col\">rate</th><th scope=\"col\">from</th><th scope=\"col\">to</th><th scope=\"col\">surer with</th></tr></thead><tbody>"
    );
    let percent = |it: f64| format!("{:.1} %", 100.0 * it);
    for (name, rate) in NAMES.iter().zip(&tally.rates).filter(|it| it.1.moves > 0.0) {
        let [from, to] = rate.interval().map(percent);
        let wanted = match rate.games_wanted() {
            Some(wanted) if wanted <= rate.games => "sure enough".to_owned(),
            Some(wanted) => games(wanted),
            None => "–".to_owned(),
        };
        html += &format!(
            "<tr><th scope=\"row\">{name}</th><td>{}</td><td>{}</td><td>{}</td><td>{from}</td><td>{to}</td><td>{wanted}</td></tr>",
            rate.marked,
            thousands(rate.moves as u64),
            percent(rate.value()),
        );
    }
    html + "</tbody></table>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures;

    fn rate(games: &[[f64; 2]]) -> Rate {
        let mut rate = Rate::default();
        games.iter().for_each(|&it| rate.add(it));
        rate
    }

    #[test]
    fn an_interval_narrows_with_games_and_widens_if_they_differ() {
        let [from, to] = rate(&[[3.0, 40.0]; 25]).interval();
        // Wilson's interval for 75 marked moves of 1,000.
        let is_wilson = (from - 0.0603).abs() < 5e-4 && (to - 0.0930).abs() < 5e-4;
        assert!(is_wilson, "{from} {to}");
        let mixed = rate(&[[0.0, 40.0], [6.0, 40.0]].repeat(12));
        let [low, high] = mixed.interval();
        assert!(high - low > to - from, "{low} {high}");
        let [from, to] = rate(&[[0.0, 40.0]]).interval();
        assert_eq!(from, 0.0);
        assert!(to > 0.05, "of too little nothing is sure");
    }

    #[test]
    fn more_games_are_wanted_where_marks_are_rare() {
        let often = rate(&[[4.0, 40.0]; 20]).games_wanted().unwrap();
        let seldom = rate(&[[1.0, 40.0]; 20]).games_wanted().unwrap();
        assert!(seldom > often && often > 1.0, "{seldom} {often}");
        // That number of games is sufficient.
        let all = rate(&vec![[4.0, 40.0]; often as usize]);
        let [from, to] = all.interval();
        assert!((to - from) / 2.0 < 1.1 * SURE_ENOUGH * all.value());
        assert_eq!(rate(&[[0.0, 40.0]]).games_wanted(), None);
    }

    #[test]
    fn a_player_s_marks_are_told_by_phase_and_kind() {
        // White was winning, and is not after the second move; Black gives a rook away.
        let mut game = fixtures::game(&[0, 0, 700, 0, 0]);
        game.info.tags = fixtures::tags(&[("White", "A <b>"), ("Black", "B")]);
        for row in &mut game.rows {
            row.facts.phase = Some(Phase::Endgame);
        }
        let mut habits = Habits::new(Some(" B "));
        habits.add(&game);
        habits.add(&game);
        let white = &habits.players["A <b>"];
        let marked = [KINDS, PHASES + 2].map(|class| white.rates[class].marked);
        assert_eq!((white.games, marked), (2, [2.0; 2]));
        assert_eq!(white.rates[TIMES].moves, 0.0, "no clock");
        let section = habits.section();
        let options = "<option>B (2 games)</option><option>A &lt;b&gt;";
        assert!(section.contains(options), "{section}");
        assert_eq!(section.matches("<table hidden>").count(), 1);
        assert!(!habits.misses_chosen() && Habits::new(Some("C")).misses_chosen());
    }
}
