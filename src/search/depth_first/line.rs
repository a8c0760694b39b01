//! Reads principal variations from the table.

use super::certificates::Open;
use crate::game::Game;
use crate::search::kit::mate_line;
use crate::value::Value;

/// Most positions on a path, the root included: far beyond what the highest demand reaches by ordinary plies.
pub(super) const MAX_PLY: usize = 200;

/// The ply at which every position is a leaf.
pub(in crate::search) const LAST_PLY: usize = MAX_PLY - 1;

/// The line that begins with a root move of this `value`: moves that hold it for either side, and in decided games
/// those that prove it, to the end.
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
    while line.len() < MAX_PLY && !keys.contains(&position.key()) {
        let known = position.outcome();
        if let Some(end) = known.or_else(|| table.probe(position.key())?.proven()) {
            // The root's value is no mate, so the losing side had a better move: the line ends before its last one.
            let blunder = usize::from(end.is_win()) + 2 * usize::from(end.is_loss());
            line.truncate(line.len().saturating_sub(blunder).max(1));
            break;
        }
        keys.push(position.key());
        let Some(m) = reply(table, &position) else {
            break;
        };
        line.push(m);
        position.play(m);
    }
    line
}

/// The move by which the side to move holds the lower bound on its position.
///
/// For a position that failed its last question the table has only the failing move that came nearest, which may lose a
/// piece: by how much it failed was not asked. But the other question about the root's value, a few centipawns away,
/// held here, and the table has the child that held it: its upper bound supports this position's lower bound. Without
/// such a child the table move is taken.
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
