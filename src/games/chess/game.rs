//! Chess as a [`Game`] for the searches.

use shakmaty::{Color, Role};

use super::checks::Checks;
use super::endings::is_known_ending;
use super::material::{PAWN, material};
use super::{Move, Position, zobrist};
use crate::game::{Game, Moves, PARTS, Side};
use crate::value::Value;

/// Plies without capture or pawn move after which the game is drawn.
const FIFTY_MOVES: usize = 100;

/// Most material of an endgame, by [`Position::phase`]: two rooks and two minor pieces a side.
const ENDGAME: u32 = 12;

/// Plies before the draw by the fifty-move rule within which null moves are not tried.
const PASSING_NEAR_RULE_DRAW: usize = 8;

impl Game for Position {
    type Move = Move;

    /// Indexed by color and kind of the moving piece, and its target.
    const HISTORY_SLOTS: usize = 2 * 6 * 64;

    #[inline]
    fn key(&self) -> u64 {
        self.zobrist_key()
    }

    /// Wrong for castling, and for moves that change castling rights or allow an en passant capture.
    #[inline]
    fn likely_key_after(&self, m: Move) -> u64 {
        let (us, role) = (self.turn, m.role());
        let mut key = self.key() ^ zobrist::turn() ^ zobrist::piece(us, role, m.from());
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square);
        }
        if let Some(victim) = m.capture() {
            key ^= zobrist::piece(!us, victim, m.victim_square());
        }
        key ^ zobrist::piece(us, m.promotion().unwrap_or(role), m.to())
    }

    fn side_to_move(&self) -> Side {
        self.turn().fold_wb(Side::First, Side::Second)
    }

    #[inline]
    fn legal_moves(&self) -> Moves<Move> {
        self.all_moves()
    }

    #[inline]
    fn add_captures(&self, moves: &mut Moves<Move>) {
        self.add_capture_moves(moves);
    }

    #[inline]
    fn add_quiets(&self, moves: &mut Moves<Move>) {
        self.add_quiet_moves(moves);
    }

    #[inline]
    fn has_legal_move(&self) -> bool {
        self.any_legal_move()
    }

    #[inline]
    fn play(&mut self, m: Move) {
        self.play_legal(m);
    }

    fn terminal_value(&self) -> Value {
        if self.in_check() {
            Value::LOSS
        } else {
            Value::DRAW
        }
    }

    #[inline]
    fn is_drawn_by_rule(&self) -> bool {
        self.plies_to_rule_draw() == 0 || self.is_insufficient_material()
    }

    fn can_win(&self, side: Side) -> bool {
        let color = match side {
            Side::First => Color::White,
            Side::Second => Color::Black,
        };
        self.by_color(color).more_than_one()
    }

    #[inline]
    fn plies_to_rule_draw(&self) -> usize {
        FIFTY_MOVES.saturating_sub(self.reversible_plies())
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.halfmoves())
    }

    #[inline]
    fn is_irreversible(&self, m: Move) -> bool {
        m.is_capture() || m.role() == Role::Pawn
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// `None` in check; with at most one piece besides king and pawns, where zugzwang is frequent; and near the draw by
    /// the fifty-move rule, which a null move would put off, as it counts as irreversible.
    #[inline]
    fn pass(&self) -> Option<Position> {
        let own = self.by_color(self.turn());
        let pieces = own & !self.by_role(Role::Pawn) & !self.by_role(Role::King);
        // A lone piece is often obliged to move and give up what it guards.
        let may_pass = !self.in_check()
            && pieces.more_than_one()
            && self.plies_to_rule_draw() > PASSING_NEAR_RULE_DRAW;
        may_pass.then(|| self.passed())
    }

    #[inline]
    fn is_endgame(&self) -> bool {
        self.phase() <= ENDGAME
    }

    #[inline]
    fn is_quiet(&self, m: Move) -> bool {
        m.is_quiet()
    }

    #[inline]
    fn gives_check(&self, m: Move) -> bool {
        self.is_checking(m)
    }

    #[inline]
    fn check_test(&self) -> impl Fn(Move) -> bool {
        let checks = Checks::new(self);
        move |m| checks.given_by(self, m)
    }

    #[inline]
    fn may_win(&self, m: Move) -> bool {
        self.is_checking(m)
    }

    #[inline]
    fn exchange_gains(&self, m: Move, threshold: Value) -> bool {
        self.exchange_reaches(m, i32::from(threshold.get()))
    }

    /// Most valuable victim first, least valuable attacker among equals.
    #[inline]
    fn capture_order(&self, m: Move) -> i32 {
        let gain = m.capture().map_or(0, material) + m.promotion().map_or(0, material);
        gain - m.role() as i32 * PAWN / 10
    }

    /// Advice for beginners: forward and towards the centre, pieces out, king into safety.
    fn preference(&self, m: Move) -> i32 {
        if m.is_castle() {
            return 60;
        }
        let placement = |role: Role, square: shakmaty::Square| {
            let rank = square.rank();
            let rank = self.turn().fold_wb(rank, rank.flip_vertical()) as i32;
            let file = square.file() as i32;
            let centre = 6 - (2 * file - 7).abs().max((2 * rank - 7).abs());
            match role {
                Role::Pawn if (2..=5).contains(&file) => 2 * rank + 4 * centre,
                Role::Pawn => 2 * rank,
                Role::Knight => 8 * centre,
                Role::Bishop => 5 * centre,
                Role::Rook => 20 * i32::from(rank == 6),
                Role::Queen => 2 * centre,
                Role::King if self.by_piece(!self.turn(), Role::Queen).any() => {
                    -12 * rank - 4 * centre
                }
                Role::King => 4 * centre,
            }
        };
        placement(m.promotion().unwrap_or(m.role()), m.to()) - placement(m.role(), m.from())
    }

    #[inline]
    fn history_slot(&self, m: Move) -> usize {
        let side = if self.turn() == Color::White { 0 } else { 6 };
        (side + m.role_index()) * 64 + m.to() as usize
    }

    /// `None` in known endings: their values follow rules of their own, and where nobody can make progress, lines go
    /// round in circles and corrections would add up.
    #[inline]
    fn part_keys(&self) -> Option<[u64; PARTS]> {
        (!is_known_ending(self)).then_some(self.part_keys)
    }

    #[inline]
    fn move_code(m: Move) -> u16 {
        m.code()
    }

    fn move_from_code(&self, code: u16) -> Option<Move> {
        self.decode(code)
    }
}
