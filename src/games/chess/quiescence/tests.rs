//! Properties of quiescence with any evaluation.

use proptest::prelude::*;

use super::*;
use crate::games::chess::line::tests::random_game;
use crate::games::chess::notation;

/// Counts nodes.
struct Visited(u32);

impl Visits for Visited {
    type Stop = std::convert::Infallible;

    fn visit(&mut self) -> Result<(), Self::Stop> {
        self.0 += 1;
        Ok(())
    }
}

proptest! {
    #[test]
    fn quiescence_keeps_its_promises(choices in prop::collection::vec(any::<u16>(), 0..200), at in -900i16..900) {
        let position = random_game(&choices).pop().unwrap();
        let fen = notation::to_fen(&position);
        for evaluation in Evaluation::ALL {
            let mut quiescence = Quiescence::new(evaluation);
            let mut visited = Visited(0);
            let Ok(evaluated) = quiescence.evaluate(&position, Window::FULL, &mut visited);
            let exact = evaluated.value;
            // At the bound captures end in a static value, and the window decides where.
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
}

#[test]
fn no_capture_wins_behind_a_draw_by_rule() {
    // A check, the only evasion, and a capture that mates.
    for (clock, is_won) in [(90, true), (98, false)] {
        let fen = format!("k6r/p7/1P6/8/8/3B4/8/K6R w - - {clock} 120");
        let position = notation::parse_fen(&fen).unwrap();
        let value = Quiescence::tactical().value(&position, Window::FULL);
        assert_eq!(value.is_win(), is_won, "{value}");
    }
}
