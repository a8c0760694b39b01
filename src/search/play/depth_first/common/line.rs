//! Principal variations, read back from the table.

use super::certificates::Open;
use super::worker::MAX_PLY;
use crate::game::Game;
use crate::search::mates::mate_line;
use crate::value::Value;

/// The line that begins with a root move worth `value`: moves that hold it for either side, and where the
/// game is decided those that prove it, down to the end.
pub(super) fn principal_variation<G: Game>(
    table: Open<'_>,
    root: &G,
    first: G::Move,
    value: Value,
) -> Vec<G::Move> {
    let mut line = vec![first];
    if value.is_decided() {
        mate_line::complete(root, value, &mut line, &|position| {
            table.probe(position.key())?.proven()
        });
        return line;
    }
    let mut keys = vec![root.key()];
    let mut position = root.after(first);
    while line.len() < MAX_PLY && !keys.contains(&position.key()) && position.outcome().is_none() {
        keys.push(position.key());
        let Some(m) = reply(table, &position) else {
            break;
        };
        line.push(m);
        position.play(m);
    }
    line
}

/// The move with which the side to move holds what its position is worth at the least.
///
/// Of a position that failed the last question about it the table remembers only which of the failing
/// moves came nearest, and that may be one that loses a piece: all failed, by how much nobody asked.
/// But the other question about the root's value, a few centipawns away, did hold here, and the table
/// knows the child that held it: the one that is worth no more than that to the opponent. Without such
/// a child the table's move will have to do.
fn reply<G: Game>(table: Open<'_>, position: &G) -> Option<G::Move> {
    let entry = table.probe(position.key())?;
    let table_move = position.move_from_code(entry.code);
    let held = entry.lower.value;
    let supports = |&m: &G::Move| {
        let child = table.probe(position.after(m).key())?;
        (child.upper.value.from_child() >= held).then_some(child.upper.cost)
    };
    let moves = position.legal_moves();
    let others = moves.into_iter().filter_map(|m| Some((supports(&m)?, m)));
    table_move
        .filter(|m| supports(m).is_some())
        .or_else(|| others.max_by_key(|&(cost, _)| cost).map(|(_, m)| m))
        .or(table_move)
}
