//! The paper's figures 2 and 3: MaxCN and MinCN at every move, X's and O's, of two games.
//!
//! The figures do not print the numbers. Some of these are in the prose and, for X's moves, in tables 1 and 2. Figure 4
//! shows the two games, which are replayed here as the prose describes them.

use super::play::{self, Game};
use super::printed;
use crate::outcome::{Cell, Plot, Table};
use cassius::profile::criticality::decreases_abruptly;

/// A figure: its number, the depths of X and O, and what is printed.
type Figure = (u8, usize, usize, [printed::Told; 9]);

const FIGURES: [Figure; 2] = [(2, 2, 3, printed::FIGURE_2), (3, 5, 4, printed::FIGURE_3)];

/// The tables of both figures.
pub(super) fn tables() -> Vec<Table> {
    FIGURES.map(table).into()
}

fn table((number, x, o, printed): Figure) -> Table {
    let headings = "move | by | MaxCN | MinCN | critical by the rule";
    let title = format!("MaxCN and MinCN by the definition, X at depth {x} against O at depth {o}");
    let mut table = Table::new(&format!("khalid-{number}"), title, headings);
    let game = Game::play(x, o);
    let depth = |ply: usize| [x, o][ply % 2];
    let numbers: Vec<[Option<u32>; 2]> = (0..game.moves.len())
        .map(|ply| play::extremes(&game.positions[ply], depth(ply)))
        .collect();
    for (ply, [max_cn, min_cn]) in numbers.iter().enumerate() {
        let before = ply.checked_sub(2).map(|it| numbers[it]);
        let falls = |which: usize| {
            let numbers = before.and_then(|it| it[which]).zip(numbers[ply][which]);
            numbers.is_some_and(|(before, now)| decreases_abruptly(before, now))
        };
        let marks = match (falls(0), falls(1)) {
            (true, true) => "MaxCN, MinCN",
            (true, false) => "MaxCN",
            (false, true) => "MinCN",
            (false, false) => "-",
        };
        table.row([
            (ply + 1).into(),
            if ply % 2 == 0 { "X" } else { "O" }.into(),
            (*max_cn).into(),
            (*min_cn).into(),
            marks.into(),
        ]);
    }
    let rows = printed.iter().map(|told| told.map(Cell::from).to_vec());
    let drawn = ["MaxCN", "MinCN", "paper MaxCN", "paper MinCN"];
    table
        .beside(
            "Khalid et al., tables 1 and 2 for X, section 3.1 for O",
            "paper MaxCN | paper MinCN",
            rows,
        )
        .plotted(Plot::new("move", drawn, "conspiracy number").log_y())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abrupt_fall_is_by_more_than_what_is_left() {
        // From the paper: O's MaxCN from 22 to 8 and MinCN from 4 to 1 fall abruptly, X's MaxCN from 8 to 6 does not.
        assert!(decreases_abruptly(22, 8) && decreases_abruptly(4, 1));
        assert!(
            !decreases_abruptly(8, 6) && !decreases_abruptly(4, 2) && !decreases_abruptly(1, 5)
        );
    }

    #[test]
    fn both_games_have_nine_moves_and_what_the_tables_print_for_x() {
        for (table, (_, depth, ..)) in tables().iter().zip(FIGURES) {
            assert_eq!(table.rows.len(), 9);
            for (number, row) in table.rows.iter().step_by(2).enumerate() {
                let printed = [&printed::MAX_CN, &printed::MIN_CN];
                let printed = printed.map(|it| Cell::from(it[depth - 2][number]));
                assert_eq!(row[5..], printed);
            }
        }
    }
}
