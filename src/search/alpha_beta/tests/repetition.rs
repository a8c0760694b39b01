//! A value that rests on a repetition holds on its path alone.

use super::*;
use crate::games::chess::line::tests::play;

/// Four positions in a circle, without exit; each looks good for the side to move.
#[derive(Clone)]
struct Circle(u16);

impl Game for Circle {
    type Move = u16;

    fn key(&self) -> u64 {
        // The table distinguishes keys by their high bits.
        (u64::from(self.0) + 1) << 60
    }

    fn side_to_move(&self) -> Side {
        Side::First
    }

    fn legal_moves(&self) -> Moves<u16> {
        Moves::from_iter([1])
    }

    fn play(&mut self, m: u16) {
        self.0 = (self.0 + m) % 4;
    }

    fn terminal_value(&self) -> Value {
        Value::DRAW
    }

    fn reversible_plies(&self) -> usize {
        100
    }

    fn move_code(m: u16) -> u16 {
        m
    }
}

#[derive(Clone)]
struct Pawn;

impl Evaluator<Circle> for Pawn {
    fn static_value(&mut self, _position: &Circle) -> Value {
        Value::centipawns(100)
    }
}

#[test]
fn a_repetition_on_the_path_leaves_no_value_in_the_table() {
    for settings in [Settings::full(), Settings::plain()] {
        let mut search = alpha_beta(settings, Pawn);
        let root = Root::new(Circle(0));
        let report = search.search(&root, &Limits::iterations(3), &mut Unobserved);
        assert_eq!(report.value, Value::centipawns(-100));
        let report = search.search(&root, &Limits::iterations(6), &mut Unobserved);
        assert_eq!((report.value, report.pv.len()), (Value::DRAW, 4));
        for position in 1..4 {
            let entry = search.table.open().probe(Circle(position).key()).unwrap();
            assert_eq!(entry, Entry::without_value(1, Value::centipawns(100)));
        }
    }
}

#[test]
fn a_repetition_of_the_game_is_a_draw() {
    // Being a queen up, White must not step for the third time into a position; the second time is no draw yet.
    let mut root = chess("7k/8/8/8/8/8/Q7/K7 w - - 0 1");
    let shuffle = "a2c2 h8g7 c2a2 g7h8";
    play(&mut root, shuffle);
    let again = notation::parse_uci(&root.position, "a2c2").unwrap();
    let limits = Limits {
        search_moves: vec![again],
        ..Limits::iterations(4)
    };
    let mut searches = [full(), plain()];
    for search in &mut searches {
        let once = search.search(&root, &limits, &mut Unobserved);
        assert!(once.value > Value::centipawns(500), "{}", once.value);
    }
    play(&mut root, shuffle);
    for search in &mut searches {
        let report = search.search(&root, &limits, &mut Unobserved);
        assert_eq!(report.value, Value::DRAW);
        assert_eq!(report.pv, [again], "nothing follows a draw");
    }
}

#[test]
fn a_repetition_of_one_game_is_forgotten_in_the_next() {
    // Back on a2 the queen lets the king bring about the position the game began with for the third time.
    let mut root = chess("7k/8/8/8/8/8/Q7/K7 w - - 0 1");
    play(&mut root, "a2c2 h8g7 c2a2 g7h8 a2c2 h8g7");
    let back = notation::parse_uci(&root.position, "c2a2").unwrap();
    let limits = Limits {
        search_moves: vec![back],
        ..Limits::iterations(4)
    };
    for mut search in [full(), plain()] {
        let report = search.search(&root, &limits, &mut Unobserved);
        assert_eq!(report.value, Value::DRAW);
        let fresh = Root::new(root.position.clone());
        let report = search.search(&fresh, &limits, &mut Unobserved);
        assert!(report.value > Value::DRAW, "{}", report.value);
    }
}
