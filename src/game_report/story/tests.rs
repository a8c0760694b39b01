use super::*;
use crate::game_report::chances::Chances;
use crate::game_report::fixtures::{game, tags};

fn story(game: &Game) -> GameStory {
    GameStory::of(&GameDigest::of(game), "the engine").unwrap()
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
    let expected = "let it go with 2. a, a blunder; Black gave that back with 2... a, a blunder.";
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
        "Black won on time: the position at the end is worth +0.50 for White, by the engine (level)."
    );
    flagged.info.tags = tags(&[("Termination", "Timeless won by resignation")]);
    assert_eq!(story(&flagged).turn, on_time);
    assert_eq!(GameStory::of(&GameDigest::of(&game(&[0])), "x"), None);
    let (ahead, _) = told("1-0", &[900, 900, 900]);
    assert_eq!(ahead, "White was well ahead from the first position on.");
}

#[test]
fn what_the_next_positions_deny_is_not_told() {
    // White errs by its own search, but stands as well two plies later though Black's move has no mark; the real
    // gift comes later.
    let values = [400, 400, 400, 0, 400, 400, 400, 100, 100, -900, -900];
    let mut game = won(&values, "0-1");
    game.rows[3].facts.cost = Some(0.0);
    let before = story(&game).before.unwrap();
    let expected = "Earlier White was well ahead (+4.00) and let it go with 4. a, a blunder.";
    assert_eq!(before, expected);
    // A mark that the next position's search does not bear out turns no game.
    let mut game = won(&[0, 0, 0, 300, 300], "0-1");
    game.rows[2].facts.cost = Some(0.3);
    game.rows[3].verdict.cp = Some(-10);
    game.rows[4].verdict.cp = Some(-300);
    let turn = story(&game).turn;
    assert!(!turn.starts_with("2. a"), "{turn}");
}

#[test]
fn a_draw_in_a_won_position_gives_it_away() {
    let (won, _) = told("1/2-1/2", &[500, 500, 500]);
    let expected = "The draw gave a won position away: the position at the end is worth +5.00 for White, by the engine (White winning).";
    assert_eq!(won, expected);
    let (ahead, _) = told("1/2-1/2", &[-300, -300]);
    assert!(ahead.contains("gave a large advantage away") && ahead.ends_with("(Black better)."));
    let (far, _) = told("1/2-1/2", &[-1_001, -1_001]);
    assert!(far.ends_with("the position at the end is winning for Black, by the engine."));
    // The largest mistake is told, too.
    let (both, _) = told("1/2-1/2", &[0, 0, 600, 600]);
    assert!(both.starts_with("The draw gave") && both.contains(" 1... a was a blunder"));
}

#[test]
fn values_beyond_ten_pawns_are_winning() {
    let (turn, _) = told("0-1", &[0, 0, 0, -1_200, -1_200]);
    assert!(
        turn.contains(": the position went from +0.00 to winning for Black, and "),
        "{turn}"
    );
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
