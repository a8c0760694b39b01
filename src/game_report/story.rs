//! Says in two or three sentences what decided a game: when it turned, what was missed, and how sure that is.
//!
//! No sentence claims more than its evidence. If the chance of a mark is known the sentence has a word (*surely*)
//! and the chance; if not, it names the judge.

use super::moments::Moment;
use super::move_marks::{self, Judgement};
use super::record::{Game, Row};
use super::reply;
use super::standing::{self, BETTER, Band, Standing};
use super::summary::GameDigest;
use super::termination;
use super::turn::{WELL_AHEAD, decisive, last_open, marked, points_of, turning, winner};
use super::verdict::PositionVerdict;

/// Longest mate that a player may be expected to see, in moves.
const SHORT: u32 = 3;
/// Positions after a move that must agree that an advantage is gone.
const SOON: usize = 4;

/// The sentences about a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GameStory {
    /// The turn, and how sure it is.
    pub(super) turn: String,
    /// What was missed there.
    pub(super) missed: Option<String>,
    /// Whether that is the answer to a puzzle.
    pub(super) is_puzzle: bool,
    /// What was missed before: the loser's last mate and largest chance, or else the winner's largest chance.
    pub(super) before: Option<String>,
}

impl GameStory {
    /// The story of a game, as told by `judge`; `None` if too little is known.
    pub(super) fn of(digest: &GameDigest<'_>, judge: &str) -> Option<GameStory> {
        let game = digest.game;
        let known = game.rows.iter();
        let known = known.filter(|row| row.verdict.points().is_some());
        if 2 * known.count() < game.rows.len() || game.rows.len() < 2 {
            return None;
        }
        let Some(winner_is_black) = winner(game) else {
            return Some(drawn(digest, judge));
        };
        let (winner, loser) = match winner_is_black {
            true => ("Black", "White"),
            false => ("White", "Black"),
        };
        let Some(turn) = last_open(game, winner_is_black) else {
            let turn = format!("{winner} was well ahead from the first position on.");
            return Some(GameStory::of_turn(turn));
        };
        if turn + 1 == game.rows.len() {
            let last = &game.rows[turn];
            let stands = stands(last, judge);
            let turn = match termination::is_on_time(&game.info, winner_is_black) {
                true => format!("{winner} won on time: the position at the end"),
                false => format!(
                    "The position does not tell why {winner} won, by resignation or on time perhaps: at the end it"
                ),
            };
            return Some(GameStory {
                before: missed_before(game, game.rows.len(), !winner_is_black),
                ..GameStory::of_turn(format!("{turn} is {stands}."))
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
            return Some(GameStory {
                before,
                ..GameStory::of_turn(turn)
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
                let (name, word) = (again.move_text(), mark.in_words());
                format!("{winner} gave some of it back, until {name}, {word}, settled it")
            }
            None => format!("{loser} did not recover"),
        };
        Some(GameStory {
            before,
            ..GameStory::turned_with(digest, row, mark, judge, &end)
        })
    }

    /// A story with the turn alone.
    fn of_turn(turn: String) -> GameStory {
        GameStory {
            turn,
            ..GameStory::default()
        }
    }

    /// The story of a game that turned with a move, without what was before.
    fn turned_with(
        digest: &GameDigest<'_>,
        row: &Row,
        mark: Judgement,
        judge: &str,
        end: &str,
    ) -> GameStory {
        let moment = digest.moments.iter().find(|it| it.row.ply == row.ply);
        let reply = reply::best_reply(digest.game, row);
        // The reply may be the answer to a puzzle.
        let opening = match reply.filter(|_| !digest.is_puzzle(row.ply + 1)) {
            Some(reply) => format!("{reply}. The"),
            None => "the".to_owned(),
        };
        GameStory {
            turn: format!(
                "{}: {opening} {}, and {end}.",
                subject(row, mark, judge),
                swing(&row.verdict, &digest.game.verdict_after(row))
            ),
            missed: missed(moment, row),
            is_puzzle: moment.is_some_and(Moment::is_puzzle),
            before: None,
        }
    }
}

/// The story of a game without a winner.
fn drawn(digest: &GameDigest<'_>, judge: &str) -> GameStory {
    let game = digest.game;
    let mut rows = game.rows.iter();
    let gift = given_by_draw(game, judge);
    let Some((row, mark)) = costliest(marked(game, rows.clone())) else {
        let turn = gift.unwrap_or_else(|| match rows.any(|row| row.facts.chances.is_some()) {
            true => "No move of either side is more likely than not a mistake.".to_owned(),
            false => format!("Neither side made a mistake, by {judge}."),
        });
        return GameStory::of_turn(turn);
    };
    let was_ahead = points_of(row, row.black) >= Some(WELL_AHEAD);
    let after = game.after(row).and_then(|it| points_of(it, row.black));
    let end = if was_ahead && after.is_none_or(|it| it < BETTER) {
        "a large advantage was gone"
    } else {
        "it was the largest swing of the game"
    };
    let story = GameStory::turned_with(digest, row, mark, judge, end);
    let turn = match gift {
        Some(gift) => format!("{gift} {}", story.turn),
        None => story.turn,
    };
    GameStory { turn, ..story }
}

/// Says that a draw gave away what a side had at the end; `None` if the game was no draw, or neither side was well ahead.
fn given_by_draw(game: &Game, judge: &str) -> Option<String> {
    let last = game.rows.last()?;
    let is_ahead = |is_black| points_of(last, is_black) >= Some(WELL_AHEAD);
    if game.info.result != "1/2-1/2" || !(is_ahead(false) || is_ahead(true)) {
        return None;
    }
    let is_won = |it: Standing| it.band == Band::Decisive;
    let what = match Standing::of(last).is_some_and(is_won) {
        true => "a won position",
        false => "a large advantage",
    };
    let stands = stands(last, judge);
    Some(format!(
        "The draw gave {what} away: the position at the end is {stands}."
    ))
}

/// Words for the value of a position, and for who stands how: `worth +0.50 for White, by Cassius (level)`.
fn stands(row: &Row, judge: &str) -> String {
    if row.verdict.is_far() {
        return format!("{}, by {judge}", row.verdict.in_words());
    }
    let words = Standing::of(row).map(|it| format!(" ({})", it.words()));
    let value = row.value_and_error(&row.verdict);
    format!(
        "worth {value} for White, by {judge}{}",
        words.unwrap_or_default()
    )
}

/// How the value changed: `value for White went from +0.35 to -2.00`.
fn swing(before: &PositionVerdict, after: &PositionVerdict) -> String {
    let what = match before.is_far() || after.is_far() {
        true => "position",
        false => "value for White",
    };
    format!(
        "{what} went from {} to {}",
        before.in_words(),
        after.in_words()
    )
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
    let value = row.verdict.in_words();
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
    let missed = missed.filter_map(|row| Some((row, standing::missed_mate(row)?)));
    let missed = missed.filter(|(row, mate)| mate.moves <= SHORT || move_marks::of(row).is_some());
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
    let gifts = marked(game, sides).filter(|it| falls_below(WELL_AHEAD, it));
    let (row, mark) = costliest(gifts.filter(|it| is_gone(game, it.0)))?;
    // The opponent may have let the gift go, before the game turned.
    let later = rows.filter(|it| it.ply > row.ply && it.black != row.black);
    let given_back = costliest(marked(game, later));
    let given_back = given_back.filter(|it| falls_below(BETTER, it) && is_called_better(it.0));
    let given_back = given_back.map_or_else(String::new, |(row, mark)| {
        let (opponent, name) = (row.mover(), row.move_text());
        format!(
            "; {opponent} gave that back with {name}, {}",
            mark.in_words()
        )
    });
    Some(format!(
        "Earlier {} was well ahead ({}) and let it go with {}, {}{given_back}.",
        row.mover(),
        row.verdict.in_words(),
        row.move_text(),
        mark.in_words()
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

/// Whether the words of the table call the mover better, or winning: with few pieces left a value is worth less than its
/// points say.
fn is_called_better(row: &Row) -> bool {
    let bands = [Band::Better, Band::Decisive];
    Standing::of(row).is_some_and(|it| bands.iter().any(|&band| it.is_for(row.black, band)))
}

/// Whether the mover was no longer well ahead after a move: in the next positions, until the opponent erred.
fn is_gone(game: &Game, row: &Row) -> bool {
    let next = game.rows.iter().skip(row.ply + 1).take(SOON);
    let erred = |it: &Row| it.black != row.black && move_marks::of(it).is_some();
    let mut has_erred = false;
    let mut next = next.take_while(|it| !std::mem::replace(&mut has_erred, erred(it)));
    next.all(|it| points_of(it, row.black).is_none_or(|it| it < WELL_AHEAD))
}

#[cfg(test)]
mod tests;
