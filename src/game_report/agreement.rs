//! Mates that are proven at one position of a game, and so known at the positions beside it.

use super::judge::{JudgedPosition, first_of};
use super::verdict::PositionVerdict;
use crate::games::chess::Move;
use crate::games::chess::line::{WrittenLine, parsed};
use crate::value::{Mate, Value};

/// Makes the verdicts on successive positions agree about mates.
pub(super) fn agree(asked: &[JudgedPosition<'_>], verdicts: &mut [PositionVerdict]) {
    let places = 1..asked.len();
    for place in places
        .clone()
        .rev()
        .filter(|&it| follows(&asked[it - 1..=it]))
    {
        if let [before, after] = &mut verdicts[place - 1..=place] {
            learn_from_after(&asked[place - 1], before, after);
        }
    }
    for place in places.filter(|&it| follows(&asked[it - 1..=it])) {
        if let [before, after] = &mut verdicts[place - 1..=place] {
            learn_from_before(&asked[place - 1..=place], before, after);
        }
    }
}

/// Whether the second of two positions is judged by the same count of moves as the first: not where a draw that could
/// have been claimed was not.
fn follows(asked: &[JudgedPosition<'_>]) -> bool {
    let counts = asked.iter().map(|it| it.root.position.halfmoves());
    let counts: Vec<u16> = counts.collect();
    matches!(counts[..], [before, after] if after == 0 || after == before.saturating_add(1))
}

/// Whether a verdict prefers a move after which the opponent is proven to mate.
pub(super) fn is_refuted(
    asked: &JudgedPosition<'_>,
    verdict: &PositionVerdict,
    after: &PositionVerdict,
) -> bool {
    let loses = |it: Mate| (it.moves > 0) == asked.is_black();
    asked.is_best(verdict) && !verdict.is_proven() && after.mate().is_some_and(loses)
}

/// Takes over what the mate after the move played means for the move.
fn learn_from_after(
    asked: &JudgedPosition<'_>,
    verdict: &mut PositionVerdict,
    after: &PositionVerdict,
) {
    let is_known = asked.played.is_some() && verdict.failure.is_none();
    let Some(mate) = after.mate().filter(|_| is_known) else {
        return;
    };
    if asked.is_choice() && is_refuted(asked, verdict, after) {
        return;
    }
    let mate = mate.earlier(asked.is_black());
    let of_played = mate_verdict(mate);
    // A longer one than values can count stays as it is.
    let counted = of_played.value_for_white().and_then(Value::mate_in_moves);
    if counted == Some(mate.moves) && is_news(mate, verdict.of_played().mate()) {
        verdict.set_played(&of_played);
        asked.prefer_played(verdict, &asked.with_played(&after.line));
    }
}

/// Takes over what a mate means for the position after the best move, if that was played.
fn learn_from_before(
    asked: &[JudgedPosition<'_>],
    verdict: &PositionVerdict,
    after: &mut PositionVerdict,
) {
    let [asked, next] = asked else { return };
    let Some(mate) = verdict.mate().filter(|_| asked.is_best(verdict)) else {
        return;
    };
    let is_losers = (mate.moves > 0) == asked.is_black();
    let mut mate = mate.later(asked.is_black());
    // The loser may have had a move that holds out longer.
    mate.is_at_most |= is_losers;
    if next.is_over || after.failure.is_some() || mate.moves == 0 || !is_news(mate, after.mate()) {
        return;
    }
    let position = &next.root.position;
    let rest: Vec<Move> = parsed(&asked.root.position, &verdict.line);
    let rest = WrittenLine::new(position, rest.get(1..).unwrap_or_default());
    let best = first_of(&rest);
    let is_own = (mate.moves < 0) == next.is_black();
    if best.is_none() && is_own {
        return;
    }
    let best = best.or_else(|| after.best.clone());
    after.replace(mate_verdict(mate), best, rest.san);
    if next.is_best(after) {
        after.set_played(&mate_verdict(mate));
    }
}

/// Whether a mate says more than what is known: nothing, or a larger number of moves.
fn is_news(mate: Mate, known: Option<Mate>) -> bool {
    let Some(known) = known else { return true };
    let is_same_side = mate.moves.signum() == known.moves.signum();
    let rank = |it: Mate| (it.moves.abs(), it.is_at_most);
    is_same_side && rank(mate) < rank(known)
}

/// A verdict with a mate only.
fn mate_verdict(mate: Mate) -> PositionVerdict {
    PositionVerdict {
        mate_at_most: mate.is_at_most,
        ..PositionVerdict::worth(None, Some(mate.moves))
    }
}
