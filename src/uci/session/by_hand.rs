//! Commands for people at a terminal: board, evaluation, help.

use super::Session;
use crate::engine::fault::{guard, searching};
use crate::game::{Evaluator, Game};
use crate::games::chess::material::PAWN;
use crate::games::chess::notation;
use crate::value::Window;

/// Text of `help`.
pub(super) const HELP: &str = "\
Cassius speaks UCI. Commands, one a line:
  uci                             who this is, and its options
  setoption name NAME value VALUE set an option
  ucinewgame                      clear the memory of earlier searches
  position startpos|fen FEN [moves M...]
  go [depth|nodes|movetime|mate N] [wtime|btime|winc|binc MS] [movestogo N]
     [searchmoves M...] [infinite] [ponder]
  stop, ponderhit, isready, debug on|off, quit
By hand: d (show the position), eval (what it is worth, and how far that may be wrong), help.
docs/uci.md explains the info strings.";

impl Session {
    /// Shows the position as a diagram, FEN and key.
    pub(super) fn show_board(&self) {
        let position = &self.root.position;
        let (fen, key) = (notation::to_fen(position), position.key());
        self.output.line(&notation::diagram(position));
        self.output.line(&format!("fen {fen}"));
        self.output.line(&format!("key {key:016x}"));
    }

    /// Shows the position's static value, its value after captures, and the error to expect.
    pub(super) fn show_evaluation(&self) {
        let position = &self.root.position;
        let evaluate = || {
            if let Some(outcome) = position.outcome() {
                return format!("the game is over here: {outcome}");
            }
            let mut evaluator = self.settings.engine.evaluator();
            let still = evaluator.static_value(position);
            let quiet = evaluator.value(position, Window::FULL);
            let give_or_take = evaluator.give_or_take(position);
            let give_or_take = give_or_take.map_or_else(String::new, |centipawns| {
                let pawns = f64::from(centipawns) / f64::from(PAWN);
                format!(", give or take {pawns:.2}")
            });
            format!(
                "static value {still}, after captures {quiet}{give_or_take}, for the side to move"
            )
        };
        match guard(|| searching("evaluation", position), evaluate) {
            Ok(text) => self.output.line(&text),
            Err(fault) => self.output.message(&fault.to_string()),
        }
    }
}
