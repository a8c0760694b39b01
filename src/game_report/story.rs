//! Says in two or three sentences what decided a game: when it turned, what was missed, and how sure that is.
//!
//! No sentence claims more than its evidence. If the chance of a mark is known the sentence has a word (*surely*)
//! and the chance; if not, it names the judge.

use super::labels::{self, Standing};
use super::marks::{self, Judgement};
use super::moments::Moment;
use super::record::{Game, Row};
use super::reply;
use super::summary::Told;
use super::turn::{BETTER, WELL_AHEAD, decisive, last_open, marked, points_of, turning, winner};

/// Longest mate that a player may be expected to see, in moves.
const SHORT: u32 = 3;

/// The sentences about a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Story {
    /// The turn, and how sure it is.
    pub(super) turn: String,
    /// What was missed there.
    pub(super) missed: Option<String>,
    /// Whether that is the answer to a puzzle.
    pub(super) is_puzzle: bool,
    /// What was missed before: the loser's last mate and largest chance, or else the winner's largest chance.
    pub(super) before: Option<String>,
}

impl Story {
    /// The story of a game, as told by `judge`; `None` if too little is known.
    pub(super) fn of(told: &Told<'_>, judge: &str) -> Option<Story> {
        let game = told.game;
        let known = game.rows.iter();
        let known = known.filter(|row| row.verdict.points().is_some());
        if 2 * known.count() < game.rows.len() || game.rows.len() < 2 {
            return None;
        }
        let Some(winner_is_black) = winner(game) else {
            return Some(drawn(told, judge));
        };
        let (winner, loser) = match winner_is_black {
            true => ("Black", "White"),
            false => ("White", "Black"),
        };
        let Some(turn) = last_open(game, winner_is_black) else {
            let turn = format!("{winner} was well ahead from the first position on.");
            return Some(Story::of_turn(turn));
        };
        if turn + 1 == game.rows.len() {
            let last = &game.rows[turn];
            let value = last.verdict.value_and_error();
            let stands = Standing::of(last).map(|it| format!(": {}", it.words()));
            let stands = stands.unwrap_or_default();
            let ended = game.info.tag("Termination").unwrap_or_default();
            // A word of its own: some servers write the winner's name, too.
            let mut words = ended.split(|c: char| !c.is_alphabetic());
            let is_by_time = words.any(|it| it.eq_ignore_ascii_case("time"));
            let turn = match is_by_time {
                true => format!("{winner} won on time: the position at the end"),
                false => format!(
                    "The position does not tell why {winner} won, by resignation or on time perhaps: at the end it"
                ),
            };
            return Some(Story {
                before: missed_before(game, game.rows.len(), !winner_is_black),
                ..Story::of_turn(format!(
                    "{turn} is worth {value} for White, by {judge}{stands}."
                ))
            });
        }
        let mistakes = turning(game, winner_is_black, turn);
        let turned = decisive(&mistakes, winner_is_black);
        let until = turned.map_or(turn + 1, |it| it.0.ply);
        let before = missed_before(game, until, !winner_is_black);
        let Some((row, mark)) = turned else {
            let turn = format!(
                "No single move decided it: {winner} came to win little by little, and was well ahead from move {} on, by {judge}.",
                game.rows[turn + 1].number
            );
            return Some(Story {
                before,
                ..Story::of_turn(turn)
            });
        };
        // The winner may have given some of it back, until the loser erred once more.
        let after = game.after(row);
        let after = after.and_then(|it| points_of(it, winner_is_black));
        let is_ahead = after >= Some(WELL_AHEAD);
        let again = mistakes.last();
        let again = again.filter(|it| is_ahead && it.0.ply == turn && turn > row.ply);
        let end = match again {
            Some((again, mark)) => {
                let (name, word) = (again.move_text(), mark.told());
                format!("{winner} gave some of it back, until {name}, {word}, settled it")
            }
            None => format!("{loser} did not recover"),
        };
        Some(Story {
            before,
            ..Story::turned_with(told, row, mark, judge, &end)
        })
    }

    /// A story with the turn alone.
    fn of_turn(turn: String) -> Story {
        Story {
            turn,
            ..Story::default()
        }
    }

    /// The story of a game that turned with a move, without what was before.
    fn turned_with(told: &Told<'_>, row: &Row, mark: Judgement, judge: &str, end: &str) -> Story {
        let moment = told.moments.iter().find(|it| it.row.ply == row.ply);
        let reply = told.game.after(row).and_then(|it| reply::told(row, it));
        // The reply may be the answer to a puzzle.
        let opening = match reply.filter(|_| !told.is_puzzle(row.ply + 1)) {
            Some(reply) => format!("{reply}. The"),
            None => "the".to_owned(),
        };
        Story {
            turn: format!(
                "{}: {opening} value for White went from {} to {}, and {end}.",
                subject(row, mark, judge),
                row.verdict.value(),
                told.game.value_after(row)
            ),
            missed: missed(moment, row),
            is_puzzle: moment.is_some_and(Moment::is_puzzle),
            before: None,
        }
    }
}

/// The story of a game without a winner.
fn drawn(told: &Told<'_>, judge: &str) -> Story {
    let mut rows = told.game.rows.iter();
    let Some((row, mark)) = costliest(marked(rows.clone())) else {
        let turn = match rows.any(|row| row.facts.chances.is_some()) {
            true => "No move of either side is more likely than not a mistake.".to_owned(),
            false => format!("Neither side made a mistake, by {judge}."),
        };
        return Story::of_turn(turn);
    };
    let was_ahead = points_of(row, row.black) >= Some(WELL_AHEAD);
    let end = if was_ahead {
        "a large advantage was gone"
    } else {
        "it was the largest swing of the game"
    };
    Story::turned_with(told, row, mark, judge, end)
}

/// A move with its mark, as the beginning of a sentence: `19. Rad1 was surely a blunder (93 % sure)`.
fn subject(row: &Row, mark: Judgement, judge: &str) -> String {
    let chance = row.facts.chances.map(|it| mark.grade.chance(&it));
    match (mark.words(), chance) {
        (Some(words), Some(chance)) => {
            let sure = 100.0 * chance;
            format!("{} was {words} ({sure:.0} % sure)", row.move_text())
        }
        _ => format!("{} was {}, by {judge}", row.move_text(), mark.grade.name()),
    }
}

/// Says what was missed: the moves that hold, or the best one.
fn missed(moment: Option<&Moment<'_>>, row: &Row) -> Option<String> {
    let solutions = match moment {
        Some(moment) => moment.solutions(),
        None => row.better().into_iter().collect(),
    };
    let names: Vec<&str> = solutions.iter().map(|it| it.san.as_str()).collect();
    let (last, others) = names.split_last()?;
    let names = match others {
        [] => (*last).to_owned(),
        _ => format!("{} or {last}", others.join(", ")),
    };
    let value = row.verdict.value();
    Some(format!("Better was {} ({value}).", row.numbered(&names)))
}

/// Says what was missed before ply `until`: the loser's last mate and largest chance; if neither, the winner's chance.
fn missed_before(game: &Game, until: usize, loser_is_black: bool) -> Option<String> {
    let mate = missed_mate(game, until, loser_is_black);
    let chance = let_go(game, until, Some(loser_is_black));
    match [mate, chance] {
        [None, None] => let_go(game, until, None),
        told => Some(told.into_iter().flatten().collect::<Vec<_>>().join(" ")),
    }
}

/// Says which move of a side before ply `until` was the last to miss a mate: a short one, or one that a mark is for.
fn missed_mate(game: &Game, until: usize, is_black: bool) -> Option<String> {
    let rows = game.rows.iter().take_while(|row| row.ply < until);
    let missed = rows.filter(|row| row.black == is_black);
    let missed = missed.filter_map(|row| Some((row, labels::missed_mate(row)?)));
    let missed = missed.filter(|(row, mate)| mate.moves <= SHORT || marks::of(row).is_some());
    let (row, mate) = missed.last()?;
    Some(format!(
        "Earlier {} missed mate in {mate}.",
        row.move_text()
    ))
}

/// Says which marked move before ply `until` cost the most to a side that was well ahead: to this side, or to either.
fn let_go(game: &Game, until: usize, is_black: Option<bool>) -> Option<String> {
    let rows = game.rows.iter().take_while(|row| row.ply < until);
    let sides = rows
        .clone()
        .filter(|row| is_black.is_none_or(|it| it == row.black));
    let (row, mark) = costliest(marked(sides).filter(|it| falls_below(WELL_AHEAD, it)))?;
    // The opponent may have let the gift go, before the game turned.
    let later = rows.filter(|it| it.ply > row.ply && it.black != row.black);
    let given_back = costliest(marked(later)).filter(|it| falls_below(BETTER, it));
    let given_back = given_back.map_or_else(String::new, |(row, mark)| {
        let (opponent, name) = (row.mover(), row.move_text());
        format!("; {opponent} gave that back with {name}, {}", mark.told())
    });
    Some(format!(
        "Earlier {} was well ahead ({}) and let it go with {}, {}{given_back}.",
        row.mover(),
        row.verdict.value(),
        row.move_text(),
        mark.told()
    ))
}

/// The marked move that costs the most.
fn costliest<'g>(
    marked: impl Iterator<Item = (&'g Row, Judgement)>,
) -> Option<(&'g Row, Judgement)> {
    marked.max_by(|a, b| a.1.cost.total_cmp(&b.1.cost))
}

/// Whether the mover had at least so many points and has fewer after a move.
fn falls_below(least: f64, (row, mark): &(&Row, Judgement)) -> bool {
    points_of(row, row.black).is_some_and(|it| it >= least && it - mark.cost < least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::chances::Chances;
    use crate::game_report::fixtures::{game, tags};

    fn story(game: &Game) -> Story {
        Story::of(&Told::of(game), "the engine").unwrap()
    }

    fn won(values: &[i32], result: &str) -> Game {
        let mut game = game(values);
        game.info.result = result.to_owned();
        game
    }

    /// The turn of a game, and what was before.
    fn told(result: &str, values: &[i32]) -> (String, String) {
        let story = story(&won(values, result));
        (story.turn, story.before.unwrap_or_default())
    }

    #[test]
    fn the_loser_s_costliest_mistake_since_the_winner_was_behind() {
        // White errs, Black errs more, White errs twice, more the second time, and once more in a lost position.
        let values = [0, -100, 100, 100, 100, -60, -60, -300, -300, -900, -900];
        let (turn, before) = told("0-1", &values);
        let expected = "4. a was a blunder, by the engine: the value for White went from -0.60 to -3.00, and White did not recover.";
        assert_eq!((turn.as_str(), before.as_str()), (expected, ""));
        // Black errs by five pawns, White gives them back at once, and Black errs by less, for good.
        let values = [0, 0, 0, 0, 0, 0, 500, 0, 0, 0, 250, 300, 900];
        let (turn, before) = told("1-0", &values);
        assert!(turn.starts_with("5... a was"), "{turn}");
        let expected = "let it go with 4. a, a blunder.";
        assert!(before.ends_with(expected), "{before}");
        // Black errs, White gives most of it back, and Black errs again.
        let (turn, _) = told("1-0", &[0, 0, 600, 100, 600, 900]);
        let expected = "1... a was a blunder, by the engine: the value for White went from +0.00 to +6.00, \
            and White gave some of it back, until 2... a, a blunder, settled it.";
        assert_eq!(turn, expected);
        // White errs, which turns the game; Black is well ahead then, lets it go, and wins all the same.
        let (turn, before) = told("0-1", &[0, 0, -100, -100, -100, -300, -100, -100, -900]);
        assert!(turn.starts_with("3. a was"), "{turn}");
        assert_eq!(before, "", "it was not before the turn");
    }

    #[test]
    fn a_win_that_was_let_go_is_told() {
        // Black was well ahead, gave it away, and lost.
        let (_, before) = told("1-0", &[0, 0, 0, -500, 0, 0, 0, 0, 400, 900]);
        let expected = "Earlier Black was well ahead (-5.00) and let it go with 2... a, a blunder.";
        assert_eq!(before, expected);
        // White lets a win go, Black is winning then and lets that go; later White errs for good.
        let (_, before) = told("0-1", &[400, 400, 400, -400, 0, 0, 0, -400, -400]);
        let expected =
            "let it go with 2. a, a blunder; Black gave that back with 2... a, a blunder.";
        assert!(before.ends_with(expected), "{before}");
        // The loser's chance rather than the winner's: Black lets a win go, White lets more go, and Black errs for good.
        let values = [0, 0, 0, -400, -100, -100, 900, 0, 0, 400, 900, 900];
        let (_, before) = told("1-0", &values);
        let expected = "Earlier Black was well ahead";
        assert!(before.starts_with(expected), "{before}");
    }

    #[test]
    fn what_its_chance_does_not_carry_is_not_claimed() {
        let mut game = won(&[0, 0, 300, 300, 300], "1-0");
        let chances = |dubious, mistake, blunder| Chances {
            dubious,
            mistake,
            blunder,
        };
        for row in &mut game.rows {
            row.facts.chances = Some(chances(0.1, 0.05, 0.0));
        }
        // By its cost Black's move turned the game, but a stronger judge is not likely to say so.
        let untold = story(&game).turn;
        assert!(untold.starts_with("No single move decided it"), "{untold}");
        // The loser is Black, whose moves are at plies 1 and 3.
        game.rows[1].facts.chances = Some(chances(0.9, 0.7, 0.3));
        game.rows[1].facts.cost = Some(0.2);
        let told = story(&game).turn;
        let expected = "1... a was probably a mistake (70 % sure)";
        assert!(told.starts_with(expected), "{told}");
    }

    #[test]
    fn a_mate_that_the_loser_missed_is_told_if_it_is_short() {
        // White is well ahead, misses a mate, lets the advantage go, and loses.
        let mut game = won(&[400, 400, 400, 400, 400, 0, 0, -900, -900], "0-1");
        game.rows[2].verdict.mate = Some(3);
        game.rows[2].verdict.played_cp = Some(400);
        let told = story(&game).before.unwrap();
        let chance = told.strip_prefix("Earlier 2. a missed mate in 3. ");
        let chance = chance.unwrap();
        let expected = "Earlier White was well ahead";
        assert!(chance.starts_with(expected), "{chance}");
        // Nobody is to blame for another way to win.
        game.rows[2].verdict.mate = Some(4);
        assert_eq!(story(&game).before.unwrap(), chance);
    }

    #[test]
    fn draws_and_what_the_board_does_not_tell() {
        let (quiet, _) = told("1/2-1/2", &[0, 10, 0, 10, 0]);
        assert_eq!(quiet, "Neither side made a mistake, by the engine.");
        let (saved, _) = told("1/2-1/2", &[400, 400, 400, 0, 0, 0]);
        let [start, end] = ["2. a was a blunder", "and a large advantage was gone."];
        assert!(saved.starts_with(start) && saved.ends_with(end), "{saved}");
        let (on_time, _) = told("0-1", &[0, 0, 50, 50]);
        assert!(on_time.contains("does not tell why Black won"), "{on_time}");
        let mut flagged = won(&[0, 0, 50, 50], "0-1");
        flagged.info.tags = tags(&[("Termination", "Time forfeit")]);
        assert_eq!(
            story(&flagged).turn,
            "Black won on time: the position at the end is worth +0.50 for White, by the engine: level."
        );
        flagged.info.tags = tags(&[("Termination", "Timeless won by resignation")]);
        assert_eq!(story(&flagged).turn, on_time);
        assert_eq!(Story::of(&Told::of(&game(&[0])), "x"), None);
        let (ahead, _) = told("1-0", &[900, 900, 900]);
        assert_eq!(ahead, "White was well ahead from the first position on.");
    }

    #[test]
    fn what_was_missed_has_its_value() {
        let missed = |values: &[i32]| story(&won(values, "0-1")).missed;
        let own = missed(&[0, 0, 0, 0, -400, -400]);
        assert_eq!(own, None, "the move to -4.00 was Black's own");
        assert_eq!(missed(&[0, 0, -400, -400, -400]), None);
        let better = missed(&[0, 0, 0, -400, -400]);
        assert_eq!(better.as_deref(), Some("Better was 2. b (+0.00)."));
    }
}
