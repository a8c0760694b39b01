//! The clock, repetition and a choice of root moves.

use super::*;

#[test]
fn the_clock_ends_the_attack() {
    // Mate in two moves, three plies: the hundredth ply may still be the mate.
    let fen = |clock| format!("k7/8/2K5/8/8/8/7Q/8 w - - {clock} 90");
    for form in FORMS {
        for clock in 0..=100 {
            let (report, _) = mate(settings(form), &fen(clock), 2);
            let found = report.value.mate_in_moves();
            let expected = (clock <= 97).then_some(2);
            assert_eq!(found, expected, "{form:?} {clock}");
        }
    }
}

#[test]
fn what_a_fresh_clock_proved_is_not_believed_with_a_late_one() {
    let mut search = chess_search(settings(Form::DepthFirst));
    for (clock, expected) in [(0, Some(2)), (98, None), (0, Some(2)), (97, Some(2))] {
        let root = Root::new(position(&format!("k7/8/2K5/8/8/8/7Q/8 w - - {clock} 90")));
        let report = search.search(&root, &Limits::nodes(20_000), &mut Unobserved);
        assert_eq!(report.value.mate_in_moves(), expected, "{clock}");
    }
}

#[test]
fn positions_that_stood_twice_in_the_game_are_drawn() {
    // The quiet move that prepares mate leads to a position that stood before in the game: once, then twice.
    let fen = "k7/8/2K5/8/8/8/7Q/8 w - - 10 90";
    let mut search = chess_search(settings(Form::DepthFirst));
    let mut root = Root::new(position(fen));
    let plain = search.search(&root, &Limits::nodes(20_000), &mut Unobserved);
    assert_eq!(plain.value.mate_in_moves(), Some(2));
    let key = root.position.after(plain.pv[0]).key();
    root.history.push(key);
    let once = search.search(&root, &Limits::nodes(20_000), &mut Unobserved);
    assert_eq!(once.value, plain.value, "the second time is no draw");
    root.history.push(key);
    let report = search.search(&root, &Limits::nodes(20_000), &mut Unobserved);
    assert_ne!(report.pv[0], plain.pv[0]);
    root.history.clear();
    let again = search.search(&root, &Limits::nodes(20_000), &mut Unobserved);
    assert_eq!(again.value, plain.value);
}

#[test]
fn a_position_of_the_game_may_stand_on_the_way_to_mate() {
    let mut root = Root::new(position("k7/7R/2K5/8/8/8/8/8 w - - 0 1"));
    for m in ["c6b6", "a8b8", "b6c6", "b8a8"] {
        root.play(notation::parse_uci(&root.position, m).unwrap());
    }
    for form in FORMS {
        let mut search = chess_search(settings(form));
        let limits = Limits {
            mate: Some(2),
            ..Limits::nodes(20_000)
        };
        let report = search.search(&root, &limits, &mut Unobserved);
        assert_eq!(report.value.mate_in_moves(), Some(2));
    }
}

#[test]
fn a_chosen_root_move_says_nothing_of_the_others() {
    let mut search = chess_search(settings(Form::DepthFirst));
    let root = Root::new(position("6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1"));
    let mut limits = Limits::nodes(3_000);
    limits.search_moves = vec![notation::parse_uci(&root.position, "a1a2").unwrap()];
    let report = search.search(&root, &limits, &mut Unobserved);
    assert!(!report.value.is_decided());
    assert_eq!(report.best_move(), Some(limits.search_moves[0]));
    let all = search.search(&root, &Limits::nodes(3_000), &mut Unobserved);
    assert_eq!(all.value.mate_in_moves(), Some(1));
}

#[test]
fn a_choice_of_root_moves_binds_the_root_alone() {
    // The queen's move loses two moves: both sides go back, and mate comes from the root's own position.
    let root = Root::new(position("8/8/8/5Q2/1p6/8/4K2k/8 w - - 0 1"));
    let chosen = notation::parse_uci(&root.position, "f5f1").unwrap();
    let mut search = chess_search(settings(Form::DepthFirst));
    let limits = Limits {
        search_moves: vec![chosen],
        mate: Some(6),
        ..Limits::nodes(50_000)
    };
    let report = search.search(&root, &limits, &mut Unobserved);
    assert_eq!(report.value.mate_in_moves(), Some(5));
    assert_eq!(report.best_move(), Some(chosen));
}
