//! Start, end and `bestmove` of a session's searches.

use std::sync::Arc;

use super::Session;
use super::input::Event;
use super::waiting::SaidSince;
use crate::engine::settings::ChessSearcher;
use crate::game::Game;
use crate::games::chess::notation;
use crate::platform::Instant;
use crate::uci::command::Go;
use crate::uci::job::{BestMove, Control, Job};
use crate::uci::plan::{Hold, SearchPlan};

/// State of a session's search.
pub(super) enum SessionPhase {
    Idle,
    /// A search runs; its answer waits for the command `hold`, if any.
    Searching {
        control: Arc<Control>,
        hold: Option<Hold>,
    },
    /// A search has ended before its `stop` or ponder hit; its move is held back.
    Holding {
        answer: BestMove,
        hold: Hold,
    },
}

impl Session {
    /// Begins a search. `received` is the time of `go`; `said` has the commands that came while `go` was queued.
    pub(super) fn go(&mut self, go: &Go, received: Instant, said: SaidSince) {
        let plan = SearchPlan::new(go, &self.root, &self.settings, said.ponder_hit);
        for note in &plan.notes {
            self.output.message(note);
        }
        let stopped = said.stop || (self.input_ended && plan.hold.is_some());
        let hold = plan.hold.filter(|_| !stopped);
        if self.root.position.legal_moves().is_empty() {
            let mated = self.root.position.in_check();
            let score = if mated { "mate 0" } else { "cp 0" };
            self.output.line(&format!("info depth 0 score {score}"));
            return self.answer(BestMove::default(), hold);
        }
        let pondering = hold == Some(Hold::PonderHit);
        let control = Arc::new(Control::new((!pondering).then_some(received)));
        if stopped {
            control.stop();
        }
        self.phase = SessionPhase::Searching {
            control: Arc::clone(&control),
            hold,
        };
        let purpose = plan.purpose;
        if purpose != self.purpose {
            // Frees the other searcher first: both together would exceed the memory limit.
            self.searcher = None;
            self.purpose = purpose;
        }
        let searcher = self.searcher.take();
        let job = Job {
            name: purpose.name(&self.settings),
            searcher: searcher.unwrap_or_else(|| purpose.searcher(&self.settings)),
            root: self.root.clone(),
            plan,
            control,
            start: received,
            output: Arc::clone(&self.output),
        };
        let fallback = job.any_move();
        let events = self.events.clone();
        let begun = (self.starter)(Box::new(move || {
            let (searcher, answer) = job.run();
            // Sending fails only after the session has ended, when nobody waits for the answer.
            let _ = events.send(Event::Finished(searcher, answer));
        }));
        if let Err(error) = begun {
            self.output.message(&format!(
                "cannot start a thread for the search, so the move is arbitrary: {error}; \
                 end other programs to free threads"
            ));
            self.answer(fallback, None);
        }
    }

    /// Handles the end of a search.
    pub(super) fn finish(&mut self, searcher: Option<ChessSearcher>, answer: BestMove) {
        self.searcher = searcher;
        let hold = match &self.phase {
            SessionPhase::Searching { hold, .. } => *hold,
            _ => None,
        };
        self.answer(answer, hold);
    }

    /// Prints `bestmove`, or holds it back for `hold`.
    fn answer(&mut self, answer: BestMove, hold: Option<Hold>) {
        if let Some(hold) = hold {
            self.phase = SessionPhase::Holding { answer, hold };
            return;
        }
        self.phase = SessionPhase::Idle;
        let write = |m| notation::to_uci(m, self.settings.chess960);
        let best = answer.best.map_or_else(|| "(none)".to_owned(), write);
        let line = match answer.ponder {
            Some(reply) => format!("bestmove {best} ponder {}", write(reply)),
            None => format!("bestmove {best}"),
        };
        self.output.line(&line);
    }

    /// Handles `stop`: ends the search, or prints the move held back.
    pub(super) fn stop(&mut self) {
        match &mut self.phase {
            SessionPhase::Idle => {}
            SessionPhase::Searching { control, hold } => {
                *hold = None;
                control.stop();
            }
            &mut SessionPhase::Holding { answer, .. } => self.answer(answer, None),
        }
    }

    /// Handles `ponderhit`: starts the clock, or prints the move held back.
    pub(super) fn ponder_hit(&mut self, now: Instant) {
        match &mut self.phase {
            SessionPhase::Searching { control, hold } if *hold == Some(Hold::PonderHit) => {
                *hold = None;
                control.start_clock(now);
            }
            &mut SessionPhase::Holding {
                answer,
                hold: Hold::PonderHit,
            } => self.answer(answer, None),
            _ => {}
        }
    }
}
