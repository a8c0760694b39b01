//! Says what the best reply to a bad move does: mates, draws and how, or wins which pieces.
//!
//! Material is named only where the values agree that it is won, and where the line ends in quiet.

use super::record::{Game, Row};
use super::standing::{BETTER, WINNING, points};
use crate::game::Game as _;
use crate::games::chess::Position;
use crate::games::chess::line::moves_of;
use crate::games::chess::material::{KINDS, PAWN, men};
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

/// The best reply to the move played, with its number, and what it does: `12... Nxc4 wins a bishop`, `31. Qh5+ leads to
/// perpetual check`; `None` if there is no reply, or it neither mates nor draws nor wins material.
pub(super) fn best_reply(game: &Game, row: &Row) -> Option<String> {
    let after = game.after(row)?;
    let reply = after.numbered(&after.verdict.best.as_ref()?.san);
    let mate = after.verdict.mate();
    if let Some(mate) = mate.filter(|it| (it.moves > 0) == row.black) {
        return Some(match mate.count() {
            Count { moves: 1, .. } => format!("{reply} is mate"),
            count => format!("{reply} mates in {count}"),
        });
    }
    if let Some(draw) = drawn_by(game, after) {
        return Some(format!("{reply} leads to {draw}"));
    }
    let played = row.played.as_ref()?.san.as_str();
    let line = moves_of(&after.verdict.line);
    let by_move = lost(row, std::iter::once(played).chain(line))?;
    // The move is to blame only if the better line loses at most a third as much.
    let by_better = lost(row, moves_of(&row.verdict.line))?;
    let [first, last] = by_move.map(|it| worth(&it));
    // Pieces count as won only if the mover wins back at most a third of their worth.
    let is_kept = 3 * last >= 2 * first && 3 * worth(&by_better[1]) <= first;
    let is_told = is_kept && agrees(row, after, first);
    let won = won(&by_move[0]).filter(|_| is_told)?;
    Some(format!("{reply} wins {won}"))
}

/// Whether the values agree that the reply wins material of this worth, in pawns: the side that replies stands better
/// then, and has gained half of that worth or is winning.
fn agrees(row: &Row, after: &Row, worth: i32) -> bool {
    let value = |at: &Row| at.verdict.value_for(!row.black);
    let (Some(before), Some(now)) = (value(row), value(after)) else {
        return false;
    };
    let gained = i32::from(now.get()) - i32::from(before.get());
    let points = points(after, &after.verdict, !row.black);
    let is_gain = 2 * gained >= PAWN * worth || points >= Some(WINNING);
    points >= Some(BETTER) && is_gain
}

/// Name of the draw with which the line of a position worth nothing ends; `None` if it ends in mid-game.
fn drawn_by(game: &Game, row: &Row) -> Option<&'static str> {
    if row.verdict.cp != Some(0) {
        return None;
    }
    let mut position = parse_chess960_fen(&row.fen).ok()?;
    let past = &game.rows[..row.ply.min(game.rows.len())];
    let past = past.iter().rev();
    let past = past.map_while(|it| Some(parse_chess960_fen(&it.fen).ok()?.key()));
    // Since the last capture or move of a pawn.
    let mut keys: Vec<u64> = past.take(position.reversible_plies()).collect();
    keys.reverse();
    let mut checks = Vec::new();
    for san in moves_of(&row.verdict.line) {
        keys.push(position.key());
        position.play(parse_san(&position, san).ok()?);
        checks.push(position.in_check());
    }
    if !position.has_legal_move() {
        return (!position.in_check()).then_some("stalemate");
    }
    let plies = keys.iter().rev().position(|&it| it == position.key())?;
    // Every second move of the circle gives check, for as far as it lies on the line.
    let circle = &checks[checks.len().saturating_sub(plies + 1)..];
    let is_perpetual = |first: usize| circle.iter().skip(first).step_by(2).all(|&it| it);
    Some(
        match circle.len() > 1 && (is_perpetual(0) || is_perpetual(1)) {
            true => "perpetual check",
            false => "a repetition",
        },
    )
}

/// Pieces of each kind that the mover loses by a line, less those that the opponent loses: before the first quiet move
/// after a loss, and before the last quiet move up to the horizon, or the first one after the captures there. A quiet move
/// neither captures nor gives check nor answers one. `None` if the line does not end with a quiet move, or a pawn
/// promotes: then material does not show what was lost.
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
        let is_quiet = !san.contains(['x', '+', '#']) && !position.in_check();
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
    use crate::game_report::fixtures::{info, row};

    /// Text about the move `played`, by the better line and the line that answers the move. The reply gains `gained`
    /// centipawns.
    fn told_at(gained: i32, fen: &str, played: &str, better: &str, reply: &str) -> Option<String> {
        let is_black = fen.contains(" b ");
        let ply = usize::from(is_black);
        let mut before = row(ply, Some(played), "", 0);
        fen.clone_into(&mut before.fen);
        better.clone_into(&mut before.verdict.line);
        let first = moves_of(reply).next().unwrap();
        let for_white = if is_black { gained } else { -gained };
        let mut after = row(ply + 1, None, first, for_white);
        reply.clone_into(&mut after.verdict.line);
        told_of(before, after)
    }

    fn told_of(before: Row, after: Row) -> Option<String> {
        let mut rows: Vec<Row> = (0..before.ply)
            .map(|ply| row(ply, Some("a"), "", 0))
            .collect();
        let ply = before.ply;
        rows.extend([before, after]);
        let game = Game {
            info: info(1),
            rows,
        };
        super::best_reply(&game, &game.rows[ply])
    }

    fn told(fen: &str, played: &str, better: &str, reply: &str) -> Option<String> {
        told_at(300, fen, played, better, reply)
    }

    #[test]
    fn material_is_told_only_where_the_value_agrees() {
        let fen = "6k1/5ppp/1n6/8/2B5/3P4/5PPP/6K1 w - - 0 1";
        let better = "1. Bb3 Nd5 2. g3 Kf8";
        let at = |gained: i32, reply: &str| told_at(gained, fen, "d4", better, reply);
        let reply = "1... Nxc4 2. g3 Kf8";
        assert_eq!(at(150, reply).unwrap(), "1... Nxc4 wins a bishop");
        // A piece is worth more than that, or is given back for a draw, or does not even make Black better.
        for gained in [149, 60, 0, -35] {
            assert_eq!(at(gained, reply), None, "{gained}");
        }
        // The line ends in mid-exchange: with a check, or the answer to one.
        assert_eq!(at(300, "1... Nxc4 2. Kf1 Nd2+"), None);
        assert_eq!(at(300, "1... Nxc4 2. Kf1 Nd2+ 3. Ke2"), None);
    }

    #[test]
    fn draws_have_their_names() {
        let drawn = |fen: &str, reply: &str| {
            let before = row(1, Some("Ra2"), "", 0);
            let mut after = row(2, None, moves_of(reply).next().unwrap(), 0);
            fen.clone_into(&mut after.fen);
            reply.clone_into(&mut after.verdict.line);
            told_of(before, after)
        };
        let fen = "6k1/6p1/8/7Q/8/8/r4PP1/6K1 w - - 0 2";
        let perpetual = drawn(fen, "2. Qe8+ Kh7 3. Qh5+ Kg8");
        assert_eq!(perpetual.unwrap(), "2. Qe8+ leads to perpetual check");
        let repeated = drawn(fen, "2. Kf1 Rb2 3. Kg1 Ra2");
        assert_eq!(repeated.unwrap(), "2. Kf1 leads to a repetition");
        let stalemate = drawn("7k/8/8/5Q2/8/8/8/K7 w - - 0 2", "2. Qf7");
        assert_eq!(stalemate.unwrap(), "2. Qf7 leads to stalemate");
        assert_eq!(drawn(fen, "2. Qe8+ Kh7"), None, "a line that goes on");
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
        let told = |before: &Row, after: &Row| told_of(before.clone(), after.clone());
        assert_eq!(told(&before, &after).unwrap(), "2. Qh8# is mate");
        after.verdict.mate = Some(3);
        assert_eq!(told(&before, &after).unwrap(), "2. Qh8# mates in 3");
        // A mate by the mover is not one by the reply.
        before.black = false;
        assert_eq!(told(&before, &after), None);
    }
}
