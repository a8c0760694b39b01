//! What must hold of the evaluation whatever its numbers are.

use std::convert::Infallible;

use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position as _, Setup};

use super::parameters::COUNT;
use super::*;
use crate::game::{Evaluator, Game, Root, Visits};
use crate::games::chess::quiescence::MOST_POSITIONS;
use crate::games::chess::{Quiescence, notation};
use crate::search::alpha_beta::{AlphaBeta, Settings};
use crate::search::{Limits, Searcher, Unobserved};
use crate::value::Window;

fn position(fen: &str) -> Position {
    notation::parse_fen(fen).expect("a position")
}

fn value(fen: &str) -> i32 {
    Positional::default().value(&position(fen))
}

/// The position after so many random moves from the initial one.
fn random_position(choices: &[u16]) -> Position {
    let mut position = Position::initial();
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(choice) % moves.len()]);
    }
    position
}

fn setup(position: &Position) -> Setup {
    position.to_shakmaty().to_setup(EnPassantMode::Legal)
}

fn from_setup(setup: Setup) -> Position {
    let chess = Chess::from_setup(setup, CastlingMode::Standard).expect("a legal position");
    Position::from_shakmaty(&chess)
}

/// Colors exchanged, ranks turned round.
fn colors_exchanged(position: &Position) -> Position {
    let mut mirrored = setup(position);
    mirrored.mirror();
    from_setup(mirrored)
}

/// Left and right exchanged, without castling rights.
fn sides_exchanged(position: &Position) -> Position {
    let mut flipped = setup(position);
    flipped.castling_rights = Bitboard::EMPTY;
    flipped.board.flip_horizontal();
    flipped.ep_square = flipped.ep_square.map(shakmaty::Square::flip_horizontal);
    from_setup(flipped)
}

/// Counts positions.
struct Visited(u32);

impl Visits for Visited {
    type Stop = Infallible;

    fn visit(&mut self) -> Result<(), Infallible> {
        self.0 += 1;
        Ok(())
    }
}

proptest! {
    #[test]
    fn the_evaluation_is_sound(choices in prop::collection::vec(any::<u16>(), 0..200)) {
        let position = random_position(&choices);
        let fen = notation::to_fen(&position);
        let mut evaluation = Positional::default();
        let value = evaluation.value(&position);

        // Remembering changes nothing.
        prop_assert_eq!(evaluation.value(&position), value, "{}", &fen);
        // Nobody stands better for being White, or for a side of the board.
        prop_assert_eq!(evaluation.value(&colors_exchanged(&position)), value, "{}", &fen);
        prop_assert_eq!(evaluation.value(&sides_exchanged(&position)), value, "{}", &fen);
        prop_assert!(!Value::centipawns(value).is_decided());

        // What the position carries along is what it would be from scratch.
        let again = notation::parse_fen(&fen).expect("own FEN");
        prop_assert_eq!(position.piece_square(), again.piece_square(), "{}", &fen);
        prop_assert_eq!(position.phase(), again.phase(), "{}", &fen);
        prop_assert_eq!(Positional::default().value(&again), value, "{}", &fen);

        // The tuner sees the same.
        if let Some(trace) = Trace::new(&position) {
            let white = position.turn().fold_wb(value, -value);
            let sum = weighted(&trace);
            // Three divisions round: places, the rest, and the scale of an ending.
            prop_assert!((sum - f64::from(white)).abs() < 3.0, "{}: {} {}", &fen, sum, white);
        }

        // Bounds hold.
        if let Some(range) = Positional::range(&position) {
            prop_assert!(range.contains(&value), "{}", &fen);
        }
        for m in position.captures() {
            let after = -evaluation.value(&position.after(m));
            if let Some(most) = Positional::most_after(&position, m) {
                prop_assert!(after <= most, "{} {:?}: {} {}", &fen, m, after, most);
            }
        }
    }

    #[test]
    fn quiescence_keeps_its_promises(choices in prop::collection::vec(any::<u16>(), 0..200), at in -900i16..900) {
        let position = random_position(&choices);
        let fen = notation::to_fen(&position);
        let mut quiescence = Quiescence::positional();
        let mut visited = Visited(0);
        let Ok(exact) = quiescence.evaluate(&position, Window::FULL, &mut visited);
        // Where captures go on for so long, what is beyond has its static value, and which that is depends on the window.
        prop_assume!(visited.0 < MOST_POSITIONS);
        for at in [exact, exact.next_up(), Value::from_raw(at)] {
            let value = quiescence.value(&position, Window::at_least(at));
            prop_assert_eq!(value >= at, exact >= at, "{} at {}: {} {}", &fen, at, exact, value);
            prop_assert!(value == exact || (value < exact) == (value >= at), "{} at {}: {} {}", &fen, at, exact, value);
        }
        if position.has_legal_move() && !position.in_check() && !position.is_drawn_by_rule() {
            prop_assert!(exact >= quiescence.static_value(&position), "{}: it can stand pat", &fen);
        }
    }
}

#[test]
fn no_capture_wins_behind_a_draw_by_rule() {
    // A check, the only answer, and a capture that mates.
    for (clock, is_won) in [(90, true), (98, false)] {
        let position = position(&format!("k6r/p7/1P6/8/8/3B4/8/K6R w - - {clock} 120"));
        let value = Quiescence::tactical().value(&position, Window::FULL);
        assert_eq!(value.is_win(), is_won, "{value}");
    }
}

#[test]
fn the_tuner_scales_by_who_is_ahead_before_scaling() {
    // Two knights are ahead and cannot win: nothing is left of it, not even for the tuner.
    let position = position("5N2/8/2k5/p3K3/5N2/2b5/8/8 w - - 0 96");
    assert_eq!(Positional::default().value(&position), 0);
    assert_eq!(Trace::new(&position).map(|trace| trace.scale), Some(0));
}

/// White's value as the tuner computes it.
fn weighted(trace: &Trace) -> f64 {
    let weights: Vec<Score> = WEIGHTS
        .groups()
        .into_iter()
        .flat_map(|(_, _, weights)| weights.iter().copied())
        .collect();
    let share = f64::from(trace.phase) / f64::from(phase::FULL);
    let sum: f64 = trace
        .counts
        .iter()
        .map(|&(term, count)| {
            let weight = weights[usize::from(term)];
            let tapered = share * f64::from(weight.middlegame())
                + (1.0 - share) * f64::from(weight.endgame());
            tapered * f64::from(count)
        })
        .sum();
    sum * f64::from(trace.scale) / f64::from(FULL_SCALE)
}

#[test]
fn every_parameter_has_a_place_of_its_own() {
    let mut seen = [false; COUNT];
    for (name, meaning, terms) in parameters::TERMS.groups() {
        assert!(!meaning.trim().is_empty(), "{name}");
        for term in terms {
            assert!(!std::mem::replace(&mut seen[term.index()], true), "{name}");
        }
    }
    assert!(seen.into_iter().all(|seen| seen));
}

#[test]
fn the_source_of_the_weights_is_what_they_print() {
    assert_eq!(WEIGHTS.to_source(), include_str!("weights.rs"));
}

#[test]
fn material_that_cannot_win_is_worth_little() {
    for fen in [
        "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",    // a knight
        "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1",   // two knights
        "8/8/4k1b1/8/8/3RK3/8/8 w - - 0 1",  // rook against bishop
        "8/8/4k1r1/8/8/2BRK3/8/8 w - - 0 1", // rook and bishop against rook
        "8/8/8/8/8/p2k4/8/KB6 b - - 0 1",    // a bishop cannot win
        "k7/8/8/PK6/8/8/3B4/8 w - - 0 1",    // the wrong bishop
        "8/8/8/8/8/1kp5/8/1K1N4 w - - 0 1",  // a knight for the last pawn
    ] {
        let value = value(fen);
        assert!(value.abs() <= 60, "{fen}: {value}");
    }
    let right = value("k7/8/8/PK6/8/8/2B5/8 w - - 0 1");
    assert!(right > 300, "the right bishop: {right}");
}

#[test]
fn opposite_bishops_draw() {
    let same = value("8/4kb2/4p3/3p4/3P1P2/4P1P1/4BK2/8 w - - 0 1");
    let opposite = value("8/4k1b1/4p3/3p4/3P1P2/4P1P1/4BK2/8 w - - 0 1");
    assert!(opposite * 3 < same * 2, "{opposite} {same}");
}

#[test]
fn a_bare_king_is_driven_where_it_is_mated() {
    // Towards the edge, and towards the own king.
    let centre = value("8/8/8/3k4/8/8/8/K6R w - - 0 1");
    let edge = value("3k4/8/8/8/8/8/8/K6R w - - 0 1");
    let close = value("3k4/8/3K4/8/8/8/8/7R w - - 0 1");
    assert!(centre < edge && edge < close, "{centre} {edge} {close}");
    assert!(centre > 1_000);
    // With bishop and knight, to a corner of the bishop's color.
    let light_bishop = |king: &str| value(&format!("{king} w - - 0 1"));
    let wrong = light_bishop("k7/8/8/3KN3/8/8/8/1B6");
    let right = light_bishop("7k/8/8/3KN3/8/8/8/1B6");
    let (wrong, right) = (wrong.min(right), wrong.max(right));
    assert!(right - wrong >= 300, "{wrong} {right}");
    assert!(wrong > 1_000);
}

/// Lets alpha-beta play both sides; returns whether White mates within the fifty-move rule.
fn mates(fen: &str, nodes: u64) -> bool {
    let mut search = AlphaBeta::new(Settings::full(), Quiescence::positional());
    let mut root = Root::new(position(fen));
    while root.position.outcome().is_none() {
        let report = search.search(&root, &Limits::nodes(nodes), &mut Unobserved);
        let Some(m) = report.best_move() else { break };
        root.play(m);
    }
    root.position.in_check()
        && !root.position.has_legal_move()
        && root.position.turn() == Color::Black
}

#[test]
fn elementary_mates_are_found_over_the_board() {
    assert!(mates("8/8/8/3k4/8/8/8/K5Q1 w - - 0 1", 3_000));
    assert!(mates("8/8/8/3k4/8/8/8/K6R w - - 0 1", 3_000));
    assert!(mates("8/8/8/3k4/8/8/8/K4BB1 w - - 0 1", 3_000));
    // Bishop and knight take long: now and then one limit in a dozen runs into the fifty-move rule.
    let limits = [16_000, 20_000, 24_000];
    let won = limits.map(|nodes| mates("8/8/8/3k4/8/8/8/K4BN1 w - - 0 1", nodes));
    assert!(won.iter().filter(|&&won| won).count() >= 2, "{won:?}");
}
