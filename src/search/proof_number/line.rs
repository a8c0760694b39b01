//! Follows proofs to the win.
//!
//! The table is too small to hold every proof, so parts of one may be gone when it is followed. These are proven again
//! on the spot, within the plies proven before; most of the subtree is still known. This is a search like any other,
//! counted and limited. Without a complete line the mate is not claimed.

use std::collections::HashMap;

use super::node::DepthFirst;
use super::numbers::{Numbers, Proof};
use super::question::{Horizon, ProofQuery};
use super::table::ProofTable;
use super::worker::{ProofContext, Worker, kind_of};
use crate::conspiracy::Kind;
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Stopped;

/// Limit on wins kept beside the table: far more than a line has, in little memory.
const MOST_WINS: usize = 1 << 14;

/// Result of following a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ProofLine<M> {
    /// A complete line to the win: the attacker's shortest proven way against the longest defence.
    Whole(Vec<M>),
    /// The line up to where a limit was reached, and the plies within which the win is proven.
    Part(Vec<M>, u16),
    /// There is no such win: a table entry used on the way is wrong for the clock of the position met.
    Refuted,
}

/// The reason why a proof was not followed to its end.
enum Lost {
    /// A limit was reached.
    Stopped,
    /// The proof does not hold.
    Refuted,
}

impl From<Stopped> for Lost {
    fn from(_: Stopped) -> Lost {
        Lost::Stopped
    }
}

/// A position on the line, the move from it, and the plies within which the attacker wins from it.
struct ProofStep<G: Game> {
    position: G,
    m: G::Move,
    promise: u16,
}

/// Follows a proof.
pub(super) struct ProofFollower<'w, 'a, G: Game, E> {
    worker: &'w mut Worker<'a, G, E>,
    table: &'w ProofTable,
    question: ProofQuery,
    /// By key, the plies within which positions met are won; kept here since the table may lose them.
    wins: HashMap<u64, u16>,
}

impl<'w, 'a, G: Game, E: Evaluator<G>> ProofFollower<'w, 'a, G, E> {
    /// A follower of the proof that answered `question`.
    pub(super) fn new(
        worker: &'w mut Worker<'a, G, E>,
        table: &'w ProofTable,
        question: ProofQuery,
    ) -> Self {
        ProofFollower {
            worker,
            table,
            question,
            wins: HashMap::new(),
        }
    }

    /// The line from `root`, won within `plies`; its proof rests on the wins `children`. Walks down until the line is
    /// as long as promised; shorter wins found on the way are passed up to the root.
    pub(super) fn line(
        &mut self,
        root: &G,
        mut plies: u16,
        children: &[(G::Move, u16)],
    ) -> ProofLine<G::Move> {
        self.note_children(root, children);
        loop {
            let mut steps = Vec::new();
            let path = self.worker.path.len();
            let walked = self.walk(root, plies, &mut steps);
            self.worker.path.truncate(path);
            let line = || steps.iter().map(|step| step.m).collect();
            match walked {
                Ok(true) => return ProofLine::Whole(line()),
                Ok(false) => {}
                Err(Lost::Stopped) => return ProofLine::Part(line(), plies),
                Err(Lost::Refuted) => return ProofLine::Refuted,
            }
            // Some win on the way was nearer than promised: the next walk takes another way, or promises fewer plies.
            let Some(of_root) = self.pass_up(&steps) else {
                return ProofLine::Part(line(), plies);
            };
            plies = plies.min(of_root);
        }
    }

    /// Walks down the proof once; returns whether the line is as long as promised.
    fn walk(&mut self, root: &G, plies: u16, steps: &mut Vec<ProofStep<G>>) -> Result<bool, Lost> {
        let mut position = root.clone();
        let mut promise = plies;
        while promise > 0 {
            let key = position.key();
            if steps.iter().any(|step| step.position.key() == key) {
                return Ok(false);
            }
            let (rest, m) = self.step(&position, steps.len(), promise)?;
            let child = position.after(m);
            self.worker.path.push(key);
            steps.push(ProofStep {
                position,
                m,
                promise,
            });
            position = child;
            promise = rest;
            if promise > 0 {
                self.worker.visit()?;
            }
        }
        Ok(steps.len() == usize::from(plies))
    }

    /// The next move of the proof from a position won within `promise` plies, and the plies left after it.
    fn step(&mut self, position: &G, ply: usize, promise: u16) -> Result<(u16, G::Move), Lost> {
        let known = |follower: &mut Self| {
            let best = follower.best_child(position, ply);
            best.filter(|&(rest, _)| rest < promise)
        };
        if let Some(best) = known(self) {
            return Ok(best);
        }
        // Within a horizon a repetition is searched like any other position, so results are facts. Keys are those of
        // the answered question, as they depend on its horizon.
        let question = ProofQuery {
            strict: true,
            ..self.question
        };
        let place = ProofContext {
            ply,
            ..ProofContext::root(Horizon::plies(promise))
        };
        let mut form = DepthFirst::new(self.worker, self.table, question);
        let finding = form.answer(position, place)?;
        let children = form.winning_children;
        if finding.numbers.is_disproven() && finding.everywhere {
            return Err(Lost::Refuted);
        }
        self.note_children(position, &children);
        // If nothing is known even now, the way is too long for the search.
        known(self).ok_or(Lost::Stopped)
    }

    /// The plies left after the best move, by the children's current proofs, and that move.
    fn best_child(&mut self, position: &G, ply: usize) -> Option<(u16, G::Move)> {
        let moves = self.worker.moves(position, ply).into_iter();
        let kind = kind_of(position, self.question);
        let mut won = |m| Some((self.win(&position.after(m))?, m));
        match kind {
            Kind::Max => moves.filter_map(won).min_by_key(|&(plies, _)| plies),
            Kind::Min => {
                let all: Option<Vec<(u16, G::Move)>> = moves.map(&mut won).collect();
                all?.into_iter().rev().max_by_key(|&(plies, _)| plies)
            }
        }
    }

    /// Plies within which the attacker is proven to win.
    fn win(&mut self, position: &G) -> Option<u16> {
        let key = self.worker.key(position, self.question);
        let noted = self.wins.get(&key).copied();
        let known = self.worker.win(self.table, position, self.question);
        let plies = noted.into_iter().chain(known).min()?;
        self.note(key, plies);
        Some(plies)
    }

    fn note_children(&mut self, position: &G, children: &[(G::Move, u16)]) {
        for &(m, plies) in children {
            let key = self.worker.key(&position.after(m), self.question);
            self.note(key, plies);
        }
    }

    fn note(&mut self, key: u64, plies: u16) {
        if self.wins.len() < MOST_WINS || self.wins.contains_key(&key) {
            let known = self.wins.entry(key).or_insert(plies);
            *known = plies.min(*known);
        }
    }

    /// Updates the positions of a walk from their children, bottom up; returns the plies within which the root is then
    /// won.
    fn pass_up(&mut self, steps: &[ProofStep<G>]) -> Option<u16> {
        let mut of_root = None;
        for (ply, step) in steps.iter().enumerate().rev() {
            let (rest, _) = self.best_child(&step.position, ply)?;
            let plies = rest + 1;
            if plies < step.promise {
                let key = self.worker.key_at(ply, &step.position, self.question);
                self.note(key, plies);
                let numbers = Numbers::PROVEN;
                let known = Proof { numbers, plies };
                self.table.store(key, Horizon::UNLIMITED, known, 1);
            }
            of_root = Some(plies);
        }
        of_root
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{OutcomesOnly, Root, Side};
    use crate::games::chess::{Move, Position, notation};
    use crate::search::kit::team::Team;
    use crate::search::proof_number::Settings;
    use crate::search::{Limits, Unobserved};

    const SMOTHERED: &str = "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1";

    /// Follows a win of White, taken as proven within `plies`; also returns the nodes searched, at most `nodes`.
    fn followed(fen: &str, plies: u16, table: &ProofTable, nodes: u64) -> (ProofLine<Move>, u64) {
        let root: Root<Position> = Root::new(notation::parse_fen(fen).unwrap());
        let (limits, settings) = (Limits::nodes(nodes), Settings::default());
        let (mut team, mut nobody) = (Team::alone(OutcomesOnly), Unobserved);
        let task = team.task::<Position, _>(&limits, &mut nobody);
        let mut worker = Worker::new(&settings, &root, task);
        let mut follower = ProofFollower::new(&mut worker, table, question());
        let line = follower.line(&root.position, plies, &[]);
        assert_eq!(worker.path.len(), 0);
        (line, worker.nodes())
    }

    fn question() -> ProofQuery {
        ProofQuery {
            attacker: Side::First,
            horizon: Horizon::UNLIMITED,
            strict: false,
        }
    }

    #[test]
    fn what_the_table_has_forgotten_is_proven_again() {
        // A table of four entries, empty at first.
        let (line, nodes) = followed(SMOTHERED, 7, &ProofTable::new(0), 100_000);
        let ProofLine::Whole(line) = line else {
            panic!("{line:?}");
        };
        let words: Vec<String> = line.iter().map(|&m| notation::to_uci(m, false)).collect();
        assert_eq!(words.join(" "), "g5f7 h8g8 f7h6 g8h8 c4g8 a8g8 h6f7");
        assert!(nodes > line.len() as u64, "what is searched is counted");
    }

    #[test]
    fn a_line_is_no_longer_than_the_proof_turns_out_to_be() {
        let fen = "k7/8/2K5/8/8/8/7Q/8 w - - 0 1";
        let (line, _) = followed(fen, 9, &ProofTable::new(1), 100_000);
        let ProofLine::Whole(line) = line else {
            panic!("{line:?}");
        };
        let mut end: Position = notation::parse_fen(fen).unwrap();
        line.iter().for_each(|&m| end.play(m));
        assert!(line.len() <= 9 && end.in_check() && !end.has_legal_move());
    }

    #[test]
    fn the_limits_are_kept() {
        let (_, needed) = followed(SMOTHERED, 7, &ProofTable::new(0), u64::MAX);
        for most in [0, 1, 10, needed - 1] {
            let (line, nodes) = followed(SMOTHERED, 7, &ProofTable::new(0), most);
            assert!(matches!(line, ProofLine::Part(_, 7)), "{most}: {line:?}");
            assert!(nodes <= most, "{nodes} of {most}");
        }
    }

    #[test]
    fn what_does_not_hold_is_not_shown() {
        // The table says, wrongly, that every move wins in two more plies.
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let root: Position = notation::parse_fen(fen).unwrap();
        let table = ProofTable::new(1);
        for m in root.legal_moves() {
            let key = root.after(m).key() ^ question().salt();
            let numbers = Numbers::PROVEN;
            let known = Proof { numbers, plies: 2 };
            table.store(key, Horizon::UNLIMITED, known, 5);
        }
        assert_eq!(followed(fen, 3, &table, 100_000).0, ProofLine::Refuted);
    }
}
