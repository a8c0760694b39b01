//! A puzzle as a line of EPD.
//!
//! `bm` has the moves that solve it, `id` the game and the move's number, `hmvc` and `fmvn` the move counters, `ce` the
//! value in centipawns or `dm` the mate, `pv` the line. `c0` has the grade, `c1` the best of the other moves, with its
//! value and the solution's in points, `c2` the result of alpha-beta.

use super::finding::Puzzle;
use crate::games::chess::line::moves_of;
use crate::lines::printable;
use crate::wdl;

/// The puzzle as a line, with its line end.
pub(super) fn line(puzzle: &Puzzle) -> String {
    let mut fields = puzzle.fen.split(' ');
    let mut position: Vec<&str> = fields.by_ref().take(4).collect();
    let halfmoves = fields.next().unwrap_or("0");
    let line: Vec<&str> = moves_of(&puzzle.line.san).collect();
    let value = puzzle.values[0];
    let value = match value.mate_in_moves() {
        Some(moves) => format!("dm {moves}"),
        None => format!("ce {}", value.get()),
    };
    let operations = [
        format!("bm {}", names(puzzle, " ")),
        value,
        format!("fmvn {}", puzzle.number),
        format!("hmvc {halfmoves}"),
        format!("id \"{}\"", text(&id(puzzle))),
        format!("pv {}", line.join(" ")),
        format!("c0 \"grade {}\"", puzzle.grade),
        format!("c1 \"{}\"", text(&second(puzzle))),
        format!("c2 \"{}\"", alpha_beta(puzzle)),
    ];
    let operations = operations.map(|it| it + ";").join(" ");
    position.push(&operations);
    position.join(" ") + "\n"
}

/// The moves that solve it, in SAN, with `between` between them.
pub(super) fn names(puzzle: &Puzzle, between: &str) -> String {
    let names: Vec<&str> = puzzle.solutions.iter().map(|it| it.san.as_str()).collect();
    names.join(between)
}

/// Game and move: `game 3, move 24 of Black, A - B`.
pub(super) fn id(puzzle: &Puzzle) -> String {
    let side = if puzzle.black { "Black" } else { "White" };
    format!(
        "game {}, move {} of {side}, {}",
        puzzle.game, puzzle.number, puzzle.players
    )
}

/// The best of the other moves, the values of both in points, and how sure it is that no other solves it.
pub(super) fn second(puzzle: &Puzzle) -> String {
    let [best, second] = puzzle.values.map(wdl::points);
    let sure = puzzle
        .sure
        .map(|it| format!("; surely no other ({:.0} %)", 100.0 * it));
    format!(
        "best of the others {}: {second:.2} points against {best:.2}{}",
        puzzle.second.san,
        sure.unwrap_or_default()
    )
}

/// The result of alpha-beta.
pub(super) fn alpha_beta(puzzle: &Puzzle) -> String {
    match puzzle.alpha_beta {
        None => "alpha-beta misses it".to_owned(),
        Some(part) => format!("alpha-beta has it after {:.0} % of the nodes", 100.0 * part),
    }
}

/// A text that can be quoted, on one line.
fn text(text: &str) -> String {
    printable(&text.replace('"', "'"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::games::chess::line::{WrittenLine, WrittenMove};
    use crate::suite::epd;
    use crate::value::Value;

    pub(crate) fn puzzle() -> Puzzle {
        let step = |san: &str, uci: &str| WrittenMove {
            san: san.to_owned(),
            uci: uci.to_owned(),
        };
        Puzzle {
            game: 3,
            players: "\"A\" <b>; - B".to_owned(),
            fen: "6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 4 30".to_owned(),
            number: 30,
            black: false,
            solutions: vec![step("Rb8#", "b1b8")],
            legal: vec!["b1b8".to_owned(), "g1f1".to_owned()],
            line: WrittenLine {
                san: "30. Rb8#".to_owned(),
                uci: vec!["b1b8".to_owned()],
            },
            boards: vec!["1R4k1/5ppp/8/8/8/8/5PPP/6K1".to_owned()],
            values: [Value::win_in(1), Value::centipawns(100)],
            second: step("Kf1", "g1f1"),
            sure: Some(0.97),
            grade: 7,
            alpha_beta: None,
        }
    }

    #[test]
    fn a_suite_can_read_it() {
        let line = line(&puzzle());
        assert!(
            line.contains("c0 \"grade 7\"; c1 \"best of the others Kf1: 0."),
            "{line}"
        );
        let record = epd::parse_line(line.trim_end(), "x").unwrap();
        assert_eq!(record.goal(), "bm Rb8#; dm 1");
        assert_eq!(record.id, "game 3, move 30 of White, 'A' <b>; - B");
    }
}
