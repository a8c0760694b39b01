//! Says what the best reply to a bad move does: mates, or wins which pieces.

use super::record::Row;
use crate::game::Game as _;
use crate::games::chess::Position;
use crate::games::chess::line::moves_of;
use crate::games::chess::material::{KINDS, men};
use crate::games::chess::notation::{parse_chess960_fen, parse_san};
use crate::value::Count;

/// Plies from the position before the move within which captures count.
const HORIZON: usize = 7;
/// Names of the kinds of pieces, and their worth in pawns.
const NAMES: [(&str, i32); KINDS] = [
    ("queen", 9),
    ("rook", 5),
    ("bishop", 3),
    ("knight", 3),
    ("pawn", 1),
];
/// Most pieces that are named one by one.
const MOST_NAMED: i32 = 3;

/// The best reply to the move played, with its number, and what it does: `12... Nxc4 wins a bishop`; `None` if there is
/// no reply, or it neither mates nor wins material.
pub(super) fn told(row: &Row, after: &Row) -> Option<String> {
    let reply = after.numbered(&after.verdict.best.as_ref()?.san);
    let mate = after.verdict.mate();
    if let Some(mate) = mate.filter(|it| (it.moves > 0) == row.black) {
        return Some(match mate.count() {
            Count { moves: 1, .. } => format!("{reply} is mate"),
            count => format!("{reply} mates in {count}"),
        });
    }
    let played = row.played.as_ref()?.san.as_str();
    let line = moves_of(&after.verdict.line);
    let by_move = lost(row, std::iter::once(played).chain(line))?;
    // The move is to blame only if the better line loses at most a third as much.
    let by_better = lost(row, moves_of(&row.verdict.line))?;
    let [first, last] = by_move.map(|it| worth(&it));
    // Pieces count as won only if the mover wins back at most a third of their worth.
    let is_kept = 3 * last >= 2 * first && 3 * worth(&by_better[1]) <= first;
    let won = won(&by_move[0]).filter(|_| is_kept)?;
    Some(format!("{reply} wins {won}"))
}

/// Pieces of each kind that the mover loses by a line, less those that the opponent loses: before the first quiet move
/// after a loss, and before the last quiet move up to the horizon, or the first one after the captures there. `None` if
/// the line ends with a capture, or a pawn promotes: then material does not show what was lost.
fn lost<'l>(row: &Row, line: impl Iterator<Item = &'l str>) -> Option<[[i32; KINDS]; 2]> {
    let start = parse_chess960_fen(&row.fen).ok()?;
    let count = |position: &Position| -> [i32; KINDS] {
        let [own, theirs] = [row.black, !row.black].map(|is_black| men(position, is_black));
        std::array::from_fn(|kind| own[kind] - theirs[kind])
    };
    let before = count(&start);
    let lost = |now: [i32; KINDS]| std::array::from_fn(|kind| before[kind] - now[kind]);
    let (mut position, mut first, mut settled) = (start, None, None);
    for (ply, san) in line.enumerate() {
        if ply > HORIZON && settled.is_some() {
            break;
        }
        if san.contains('=') {
            return None;
        }
        let is_quiet = !san.contains('x');
        settled = (ply > 1 && is_quiet).then(|| lost(count(&position)));
        first = first.or(settled.filter(|it| worth(it) > 0));
        position.play(parse_san(&position, san).ok()?);
    }
    let settled = settled?;
    Some([first.unwrap_or(settled), settled])
}

/// Worth of pieces lost, in pawns, less that of pieces won.
fn worth(lost: &[i32; KINDS]) -> i32 {
    lost.iter()
        .zip(NAMES)
        .map(|(count, (_, worth))| count * worth)
        .sum()
}

/// Names of the pieces that the opponent wins: `a rook for a bishop`; `None` if they are worth less than a pawn.
fn won(lost: &[i32; KINDS]) -> Option<String> {
    if worth(lost) < 1 {
        return None;
    }
    let mut lost = *lost;
    // A bishop for a knight is an even trade, which is not named.
    let [_, _, bishops, knights, _] = lost;
    let exchanged = match bishops.signum() * knights.signum() {
        -1 => bishops.abs().min(knights.abs()) * bishops.signum(),
        _ => 0,
    };
    lost[2] -= exchanged;
    lost[3] += exchanged;
    let named = |sign: i32| {
        let counts = lost.iter().map(|it| (sign * it).max(0));
        let all: i32 = counts.clone().sum();
        let names: Vec<String> = counts
            .zip(NAMES)
            .filter(|it| it.0 > 0)
            .map(|(count, (name, _))| match count {
                1 => format!("a {name}"),
                2 => format!("two {name}s"),
                _ => format!("three {name}s"),
            })
            .collect();
        (all <= MOST_NAMED).then(|| names.join(" and "))
    };
    Some(match (named(1), named(-1)) {
        (Some(won), Some(given)) if given.is_empty() => won,
        (Some(won), Some(given)) => format!("{won} for {given}"),
        _ => "material".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::row;

    /// Text about the move `played`, by the better line and the line that answers the move.
    fn told(fen: &str, played: &str, better: &str, reply: &str) -> Option<String> {
        let is_black = usize::from(fen.contains(" b "));
        let mut before = row(is_black, Some(played), "", 0);
        fen.clone_into(&mut before.fen);
        better.clone_into(&mut before.verdict.line);
        let first = moves_of(reply).next().unwrap();
        let mut after = row(is_black + 1, None, first, 0);
        reply.clone_into(&mut after.verdict.line);
        super::told(&before, &after)
    }

    #[test]
    fn a_reply_wins_what_is_not_won_back() {
        // After 1. d4 the bishop on c4 has lost its guard.
        let fen = "6k1/5ppp/1n6/8/2B5/3P4/5PPP/6K1 w - - 0 1";
        let better = "1. Bb3 Nd5 2. g3 Kf8";
        let won = told(fen, "d4", better, "1... Nxc4 2. g3 Kf8");
        assert_eq!(won.unwrap(), "1... Nxc4 wins a bishop");
        // Where the captures do not end, or the better line loses as much, nothing is told.
        assert_eq!(told(fen, "d4", better, "1... Nxc4"), None);
        let as_bad = "1. g3 Nxc4 2. h3 Kf8";
        assert_eq!(told(fen, "d4", as_bad, "1... Nxc4 2. g3 Kf8"), None);
        // Nor where the line ends with the piece won back, or a pawn promotes.
        let won_back = "1... Nxc4 2. Kf1 Nd2+ 3. Ke2 g5 4. Kxd2";
        assert_eq!(told(fen, "d4", better, won_back), None);
        // Captures that go on at the horizon count.
        let long = "1... Nxc4 2. g4 Kf8 3. g5 Ke8 4. g6 hxg6 5. Kf1";
        let won = told(fen, "d4", better, long);
        assert_eq!(won.unwrap(), "1... Nxc4 wins a bishop");
        // The better line loses a pawn.
        let fen = "6k1/5ppp/1n6/8/P1B5/3P4/5PPP/6K1 w - - 0 1";
        let better = "1. Kf1 Nxa4 2. Ke2 Kf8";
        let won = told(fen, "d4", better, "1... Nxc4 2. g3 Kf8");
        assert_eq!(won.unwrap(), "1... Nxc4 wins a bishop");
        let fen = "6k1/5ppp/8/8/8/3R4/p4PPP/6K1 w - - 0 1";
        let better = "1. Ra3 Kf8 2. Rxa2 Ke7 3. g3";
        assert_eq!(told(fen, "h3", better, "1... a1=Q+ 2. Kh2 Kf8"), None);
        // Black loses the pawn that is taken en passant.
        let fen = "4k3/2p5/8/3P4/8/8/8/4K3 b - - 0 1";
        let won = told(fen, "c5", "1... Kd7 2. Kd2 Kd6", "2. dxc6 Kd8 3. Kd2");
        assert_eq!(won.unwrap(), "2. dxc6 wins a pawn");
    }

    #[test]
    fn pieces_are_named_and_exchanges_are_none() {
        let told = |lost| won(&lost);
        assert_eq!(told([0, 1, -1, 0, 0]).unwrap(), "a rook for a bishop");
        assert_eq!(told([0, 0, 1, -1, 2]).unwrap(), "two pawns");
        assert_eq!(
            told([1, -1, 0, -1, 0]).unwrap(),
            "a queen for a rook and a knight"
        );
        assert_eq!(told([0, 0, 1, -1, 0]), None);
        assert_eq!(told([1, 0, 1, 1, 1]).unwrap(), "material");
    }

    #[test]
    fn mates_are_told() {
        let mut before = row(1, Some("b4"), "Kg8", 100);
        let mut after = row(2, None, "Qh8#", 0);
        (after.verdict.cp, after.verdict.mate) = (None, Some(1));
        assert_eq!(super::told(&before, &after).unwrap(), "2. Qh8# is mate");
        after.verdict.mate = Some(3);
        assert_eq!(super::told(&before, &after).unwrap(), "2. Qh8# mates in 3");
        // A mate by the mover is not one by the reply.
        before.black = false;
        assert_eq!(super::told(&before, &after), None);
    }
}
