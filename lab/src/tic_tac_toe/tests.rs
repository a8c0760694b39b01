use super::play::Game;
use super::*;
use cassius::games::tic_tac_toe::TicTacToe;

fn cells(game: &Game) -> Vec<u8> {
    game.moves.iter().map(|m| m.0).collect()
}

/// "For each row": the examples of section 3.1.
#[test]
fn rows_score_as_the_paper_says() {
    let score = |cells: &[u8]| TicTacToe::after_cells(cells).unwrap().row_score();
    assert_eq!(score(&[]), 8);
    // Four rows through the centre, four empty.
    assert_eq!(score(&[4]), 44);
    // X 4 and 5, O 0: the middle row has two X, one row has both.
    assert_eq!(score(&[4, 0, 5]), 100 + 10 + 10 + 10 - 10 - 10 + 1);
    assert_eq!(score(&[0, 3, 1, 4, 2]), 1000 - 100 + 10 + 1);
}

/// The moves that the paper tells of two games (section 3.1); and all games are draws, as it says.
#[test]
fn the_paper_s_games_are_played() {
    let game = Game::play(2, 3);
    // Middle, upper left, upper middle, lower middle, lower left.
    assert_eq!(cells(&game)[..5], [4, 0, 1, 7, 6]);
    assert_eq!(cells(&Game::play(5, 4))[..3], [4, 0, 1]);
    for game in play::all() {
        assert_eq!(game.moves.len(), 9);
        assert_eq!(game.positions[9].row_score(), 0);
        assert_eq!(cells(&game), cells(&Game::play(game.depths.0, 2)));
    }
}

#[test]
fn table_3_comes_out() {
    for game in play::all() {
        let printed = FINAL_SCORES[game.depths.0 - 2];
        assert_eq!(game.final_score(), printed, "{:?}", game.depths);
    }
}

/// The paper's own rules at the position after the move: the sum over all children.
#[test]
fn the_numbers_at_depth_2_come_out() {
    let game = Game::play(2, 2);
    for (number, max_cn) in MAX_CN[0].into_iter().enumerate() {
        let [largest, _] = play::extremes(&game.positions[2 * number + 1], 1);
        assert_eq!(largest, Some(max_cn));
    }
}

/// A figure quoted on the page of results.
#[test]
fn half_of_table_2_is_nothing() {
    let zeros = MIN_CN.iter().flatten().filter(|&&number| number == 0);
    assert_eq!(zeros.count(), 13);
    assert!(MAX_CN.iter().all(|row| row[3..] == [2, 1]));
}
