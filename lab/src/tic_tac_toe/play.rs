//! The paper's games: static values, search depths, choice of moves.
//!
//! Every row of three that only one side has marked counts for that side: 10 for one mark, 100 for two, 1000 for three;
//! an empty row counts 1 for X. X tries to make the sum large, O small. Three in a row end the game, in the search as
//! on the board. Of equally good moves the first is played, cells counted from the top left. With this rule the games
//! have all moves that the paper prints, and the scores of its table 3.

use cassius::conspiracy::Kind;
use cassius::conspiracy::definition::Tree;
use cassius::game::{self, Game as _, Side};
use cassius::games::tic_tac_toe::{Cell, TicTacToe};
use cassius::profile::{self, Question};

/// Number of depths, from 2 on.
pub(super) const DEPTHS: usize = 5;
/// Score of three marks in a row.
const WON: i32 = 1_000;
/// X's moves in a game that fills the board.
pub(super) const MOVES: usize = 5;

/// Values of finished games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wins {
    /// The sum over the rows, as at every other leaf.
    ByRows,
    /// 1000 or -1000 if it is won, whatever the other rows.
    Flat,
}

/// A game from the empty board to its end.
#[derive(Clone, Debug)]
pub struct Game {
    /// Search depths of X and O.
    pub depths: (usize, usize),
    /// The positions, the empty board first.
    pub positions: Vec<TicTacToe>,
    /// The moves.
    pub moves: Vec<Cell>,
}

/// All pairs of depths: X's and O's, or the player's and its opponent's.
pub(super) fn pairs() -> impl Iterator<Item = (usize, usize)> {
    let depths = || (2..).take(DEPTHS);
    depths().flat_map(move |x| depths().map(move |o| (x, o)))
}

/// All games; X at depth 2 against O at 2 to 6 first.
pub fn all() -> Vec<Game> {
    pairs().map(|(x, o)| Game::play(x, o)).collect()
}

impl Game {
    /// Plays a game between these search depths.
    pub fn play(x: usize, o: usize) -> Game {
        let mut game = Game {
            depths: (x, o),
            positions: vec![TicTacToe::new()],
            moves: Vec::new(),
        };
        let mut position = TicTacToe::new();
        while let Some(m) = best_move(&position, if kind(&position) == Kind::Max { x } else { o }) {
            position.play(m);
            game.moves.push(m);
            game.positions.push(position);
        }
        game
    }

    /// The score before the last move, for the paper's table 3.
    pub fn final_score(&self) -> i32 {
        let before = self.positions.len().saturating_sub(2);
        self.positions.get(before).map_or(0, TicTacToe::row_score)
    }
}

fn kind(position: &TicTacToe) -> Kind {
    match position.side_to_move() {
        Side::First => Kind::Max,
        Side::Second => Kind::Min,
    }
}

/// The tree of all moves down to `plies` plies, with a root of this kind; `end` makes its leaves.
pub fn whole_tree<G: game::Game>(
    position: &G,
    plies: usize,
    kind: Kind,
    end: &impl Fn(&G) -> Tree,
) -> Tree {
    let moves = position.legal_moves();
    if plies == 0 || moves.is_empty() {
        return end(position);
    }
    let children = moves.into_iter().map(|m| position.after(m));
    let children = children.map(|child| whole_tree(&child, plies - 1, kind.other(), end));
    Tree::Interior(kind, children.collect())
}

/// The tree of a player's search; ends of the game are leaves, not terminals.
pub fn tree(position: &TicTacToe, plies: usize, wins: Wins) -> Tree {
    whole_tree(position, plies, kind(position), &|end| {
        let is_won = !end.has_legal_move() && end.terminal_value().is_loss();
        Tree::Leaf(match kind(end) {
            Kind::Max if is_won && wins == Wins::Flat => -WON,
            Kind::Min if is_won && wins == Wins::Flat => WON,
            _ => end.row_score(),
        })
    })
}

/// The trees at X's moves, game by game. `played` is 0 for the position before the move, 1 for the position after it.
/// Each tree is `less` plies shallower than X's search.
pub(super) fn trees(games: &[&Game], played: usize, less: usize, wins: Wins) -> Vec<Tree> {
    let of_game = |game: &&Game| {
        let (depth, positions) = (game.depths.0 - less, &game.positions);
        let trees = (0..MOVES).map(|number| tree(&positions[2 * number + played], depth, wins));
        trees.collect::<Vec<_>>()
    };
    games.iter().flat_map(of_game).collect()
}

/// `MaxCN` and `MinCN` of a position by the definition, in the tree of `plies` plies.
pub(super) fn extremes(position: &TicTacToe, plies: usize) -> [Option<u32>; 2] {
    let tree = tree(position, plies, Wins::ByRows);
    let profile = profile::of_tree(&&tree, &Question::default());
    [profile.max_cn, profile.min_cn]
}

/// The first of the best moves.
pub(super) fn best_move(position: &TicTacToe, depth: usize) -> Option<Cell> {
    let value = |m: Cell| tree(&position.after(m), depth - 1, Wins::ByRows).value();
    let moves = position.legal_moves().into_iter().map(|m| (value(m), m));
    let better = |a: (i32, Cell), b: (i32, Cell)| match kind(position) {
        Kind::Max if b.0 > a.0 => b,
        Kind::Min if b.0 < a.0 => b,
        _ => a,
    };
    moves.reduce(better).map(|(_, m)| m)
}
