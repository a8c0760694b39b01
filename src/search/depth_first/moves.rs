//! The move loop: the table move, captures, killers and countermove, quiet moves by history, losing captures. Each has its
//! price, and is pruned if that meets the demand.
//!
//! Under these headings stand what other engines have under the same names: late-move reductions, futility pruning,
//! late-move pruning and pruning by exchange. All of them are prices here, so that a larger demand undoes each.

use std::collections::VecDeque;

use super::certificates::Certificate;
use super::constants::{PAWN, WHOLE_SHARE};
use super::worker::{NodeContext, Query, Worker};
use crate::game::{Evaluator, Game, Moves};
use crate::search::Cost;
use crate::search::events::{Event, LeftOut, Pruning, Watcher};
use crate::search::kit::history::HISTORY_LIMIT;
use crate::search::kit::ordering::{ByHistory, Picker};
use crate::value::Value;

/// The order of moves: by history, captures too.
type Order<'a> = ByHistory<'a, false, true>;

/// A move about to be searched or pruned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) m: M,
    /// Number of moves before it, pruned ones included.
    pub(super) number: usize,
    /// Whether it is a capture that loses material by exchange.
    losing: bool,
    /// Whether it gives check.
    checks: bool,
    /// Whether it puts off a draw by rule.
    averts_draw: bool,
    /// Singular extension, in sixteenths of a unit; 0 unless it is the only supporter.
    singular_extension: i32,
}

/// The prices of a move, in sixteenths: what is taken off the demand on the child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Price {
    /// Price of the full search, without surcharges: for a move that answered the question in the reduced search.
    pub(super) full: i32,
    /// Price of the reduced search, with surcharges, which comes first.
    pub(super) reduced: i32,
}

/// The children to search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Children {
    /// All of them; the first has this extension, in sixteenths of a unit.
    All { singular_extension: i32 },
    /// All but the known supporter, to look for a second.
    Others,
}

/// The moves of a position in the order of search.
pub(super) struct MoveLoop<M> {
    children: Children,
    picker: Picker<M>,
    /// Moves so far, pruned ones included.
    pub(super) considered: Moves<M>,
    /// The move whose child's table entry is being prefetched while the move before is searched.
    prefetched: Option<M>,
    /// Whether the remaining quiet moves are pruned unpriced, as one that is no killer or countermove was pruned for its
    /// price. Most of them have a worse history.
    prunes_quiet: bool,
    /// Moves that other threads are searching: deferred to the end, in order.
    deferred: VecDeque<(Candidate<M>, Price)>,
}

impl<M: Copy + Eq> MoveLoop<M> {
    pub(super) fn new(children: Children, table_move: Option<M>) -> MoveLoop<M> {
        MoveLoop {
            children,
            picker: Picker::new(table_move, true),
            considered: Moves::new(),
            prefetched: table_move,
            prunes_quiet: false,
            deferred: VecDeque::new(),
        }
    }

    /// The candidate for the next move; the flags are those of [`Candidate`].
    #[inline]
    fn candidate(&mut self, m: M, checks: bool, averts_draw: bool) -> Candidate<M> {
        let number = self.considered.len();
        self.considered.push(m);
        let singular_extension = match self.children {
            Children::All { singular_extension } if number == 0 => singular_extension,
            _ => 0,
        };
        Candidate {
            m,
            number,
            losing: self.picker.gives_losing_captures(),
            checks,
            averts_draw,
            singular_extension,
        }
    }
}

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// The next move to be searched, and its price. A move pruned before it limits the cost of `answer` by its own; quiet
    /// moves pruned behind that one are taken to cost no less. The value stays.
    #[inline]
    pub(super) fn next_move(
        &mut self,
        position: &G,
        query: &Query<G::Move>,
        moves: &mut MoveLoop<G::Move>,
        gives_check: impl Fn(G::Move, bool) -> bool,
        answer: &mut Certificate,
    ) -> Option<(Candidate<G::Move>, Price)> {
        let NodeContext { ply, previous, .. } = query.node;
        loop {
            // Killers, countermove, history and continuation history.
            let order = Order {
                history: self.history,
                refuters: self.history.refuters(self.killers[ply], previous),
                previous,
            };
            let Some(m) = moves.picker.next(position, &order) else {
                // Other threads have answered the deferred moves, or need help.
                return moves.deferred.pop_front();
            };
            if moves.children == Children::Others && Some(m) == query.table_move {
                continue;
            }
            let checks = gives_check(m, moves.considered.is_empty());
            let averts_draw = query.near_rule_draw && position.is_irreversible(m);
            let candidate = moves.candidate(m, checks, averts_draw);
            if moves.prunes_quiet && !checks && !averts_draw && position.is_quiet(m) {
                self.emit_left_out(&candidate, Pruning::Behind);
                continue;
            }
            let mut price = self.price(position, query, &candidate);
            let mut pruned = self.pruned(position, query, &candidate, &price, answer.value);
            if pruned.is_none() && Self::is_losing_quiet(position, query, &candidate) {
                price.reduced += self.constants.losing_quiet;
                pruned = self.pruned(position, query, &candidate, &price, answer.value);
            }
            if let Some(cost) = pruned {
                answer.cost = answer.cost.min(cost);
                if position.is_quiet(m) {
                    moves.picker.stop_ordering();
                    moves.prunes_quiet = !order.refuters.contain(G::move_code(m));
                }
                self.emit_left_out(&candidate, Pruning::Price(cost.get().into()));
                continue;
            }
            if moves.prefetched != Some(m) {
                self.prefetch_child(position, Some(m));
            }
            moves.prefetched = moves.picker.peek();
            self.prefetch_child(position, moves.prefetched);
            let demand = query.demand - price.reduced;
            if candidate.number > 0 && self.is_searched_elsewhere(position, m, query.theta, demand)
            {
                moves.deferred.push_back((candidate, price));
                continue;
            }
            return Some((candidate, price));
        }
    }

    /// Emits a pruned move, and the reason.
    #[inline]
    fn emit_left_out(&mut self, candidate: &Candidate<G::Move>, why: Pruning) {
        let (m, number) = (candidate.m, candidate.number + 1);
        self.watcher
            .emit(|| Event::LeftOut(LeftOut { m, number, why }));
    }

    /// Prefetches the table entry of the child after `m`, which is likely to be searched soon.
    #[inline]
    pub(super) fn prefetch_child(&self, position: &G, m: Option<G::Move>) {
        if let Some(m) = m {
            self.table.prefetch(position.likely_key_after(m));
        }
    }

    /// Prices a move. Forcing moves are cheap, so that lines of them are searched deep. After the first move, quiet
    /// moves that come late or have a bad record are dear, as are losing captures; in endgames also quiet or losing
    /// checks. A move that puts off a draw by rule is never late: it may be the only one that does not draw. In
    /// check no move has a surcharge.
    fn price(&self, position: &G, query: &Query<G::Move>, candidate: &Candidate<G::Move>) -> Price {
        let (constants, m, checks) = (self.constants, candidate.m, candidate.checks);
        let quiet = position.is_quiet(m);
        let loses_by_checking =
            checks && !query.in_check && !position.exchange_gains(m, Value::DRAW);

        // Check extensions.
        let mut full = constants.ply;
        if query.in_check {
            full = constants.evasion;
        } else if checks && !loses_by_checking {
            full -= constants.check;
        }

        // Singular extension.
        full -= candidate.singular_extension;

        // Late-move reductions, as surcharges.
        let mut reduced = full;
        if candidate.number > 0 && !query.in_check && !candidate.averts_draw {
            if checks {
                if query.endgame && quiet {
                    let lateness = self.lateness(position, query, candidate);
                    reduced += lateness.max(0) * constants.late_check / WHOLE_SHARE;
                }
                if query.endgame && loses_by_checking {
                    reduced += constants.losing_check;
                }
            } else if quiet {
                reduced += self.lateness(position, query, candidate);
                if query.not_improving {
                    reduced += constants.stale;
                    if query.endgame {
                        reduced += constants.stale_endgame;
                    }
                }
                if query.table_move_captures {
                    reduced += constants.after_capture;
                }
            } else if candidate.losing {
                reduced += constants.losing;
            }
        }
        Price {
            full,
            reduced: reduced.max(full),
        }
    }

    /// Surcharge of a quiet move by its number, the demand and its record, in history and continuation histories;
    /// negative if the record outweighs the rest.
    fn lateness(
        &self,
        position: &G,
        query: &Query<G::Move>,
        candidate: &Candidate<G::Move>,
    ) -> i32 {
        let slot = position.history_slot(candidate.m);
        let record = self.history.of_quiet(slot, query.node.previous);
        self.constants.lateness(candidate.number, query.demand)
            - record * self.constants.record / HISTORY_LIMIT
    }

    /// Whether a late quiet move loses material by exchange, and so pays `losing_quiet`. Not part of `price`, since
    /// static exchange evaluation takes time and most late moves are pruned without it.
    fn is_losing_quiet(
        position: &G,
        query: &Query<G::Move>,
        candidate: &Candidate<G::Move>,
    ) -> bool {
        candidate.number > 0
            && !query.in_check
            && !candidate.checks
            && !candidate.averts_draw
            && position.is_quiet(candidate.m)
            && !position.exchange_gains(candidate.m, Value::DRAW)
    }

    /// The price at which a quiet move or a losing capture is pruned; `None` if it must be searched.
    ///
    /// It is the move's own price, adjusted by constants and by how far the static value falls short of the question;
    /// for a quiet move at least `Constants::unseen_floor`. The first move is never pruned, nor any while all before it
    /// lose: a proof of a loss must search every move. Nor is one that puts off a draw by rule.
    ///
    /// A reason to prune a quiet move must hold for later ones too: they may be pruned without being priced.
    fn pruned(
        &self,
        position: &G,
        query: &Query<G::Move>,
        candidate: &Candidate<G::Move>,
        price: &Price,
        best: Value,
    ) -> Option<Cost> {
        let constants = self.constants;
        let has_non_losing_move = best > -Value::INFINITY && !best.is_loss();
        let quiet = position.is_quiet(candidate.m);
        let is_exempt = query.in_check || candidate.checks || candidate.averts_draw;
        if !has_non_losing_move || is_exempt || !(quiet || candidate.losing) {
            return None;
        }

        // Futility pruning.
        let gap = (i32::from(query.theta.get()) - i32::from(query.static_value.get())).max(0);
        let mut cost = price.reduced + gap * constants.unseen_gap / PAWN;
        if quiet {
            // Late-move pruning.
            let not_improving_endgame = query.not_improving && query.endgame;
            cost += constants.unseen;
            if not_improving_endgame {
                cost += constants.unseen_stale;
            }
            cost = cost.max(constants.unseen_floor(candidate.number, not_improving_endgame));
        } else {
            // Pruning by static exchange evaluation (SEE).
            cost += constants.unseen_losing;
        }
        (cost >= query.demand && !query.theta.is_decided()).then(|| Cost::sixteenths(cost))
    }
}
