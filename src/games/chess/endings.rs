//! Endings in which material misleads: mates that need a plan, and advantages that do not win.

use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use super::Position;
use super::material::{PAWN, material};

/// Most material of an ending, by [`Position::phase`].
const PHASE: u32 = 10;

/// The scale that leaves a value as it is, in the units of [`scale`].
const FULL_SCALE: i32 = 64;

/// Bonus for a certain mate, in centipawns.
const KNOWN_WIN: i32 = 1_000;

/// Adjusts a value for the side to move, in centipawns, for known endings: a bare king that can be mated, or material
/// that does not win.
pub(super) fn adjusted_for_endings(position: &Position, value: i32) -> i32 {
    if !is_near(position) {
        return value;
    }
    let of_white = |value: i32| position.turn().fold_wb(value, -value);
    if let Some(mate) = drive_to_mate(position) {
        return of_white(mate);
    }
    // Only the chances of the side that is ahead are scaled.
    let strong = Color::from_white(of_white(value) > 0);
    value * scale(position, strong) / FULL_SCALE
}

/// Whether [`adjusted_for_endings`] may change the value of a position.
pub(super) fn is_known_ending(position: &Position) -> bool {
    let is_scaled = |strong| scale(position, strong) != FULL_SCALE;
    is_near(position)
        && (drive_to_mate(position).is_some() || Color::ALL.into_iter().any(is_scaled))
}

/// Whether few enough pieces are left for the rules on endings.
#[inline]
fn is_near(position: &Position) -> bool {
    position.phase() <= PHASE
}

/// White's value, in centipawns, where a bare king can be mated by pieces; `None` elsewhere.
fn drive_to_mate(position: &Position) -> Option<i32> {
    let strong = Color::ALL
        .into_iter()
        .find(|&color| position.by_color(!color).count() == 1)?;
    let (own, bare) = (position.king_of(strong), position.king_of(!strong));
    let towards = match mating_material(position, strong)? {
        Mate::BishopAndKnight(corners) => {
            let corner = corners.map(|corner| bare.distance(corner) as i32);
            60 * (7 - corner[0].min(corner[1]))
        }
        Mate::Anywhere => 20 * remoteness(bare),
    };
    let near = 10 * (7 - own.distance(bare) as i32);
    // Material alone: an evaluation of the pieces' squares would only blur the gradient.
    let material = position.material().abs();
    let value = material + KNOWN_WIN + towards + near + 5 * remoteness(bare);
    Some(strong.fold_wb(value, -value))
}

/// Where a bare king can be mated.
enum Mate {
    /// At any edge.
    Anywhere,
    /// In one of the two corners the bishop reaches.
    BishopAndKnight([Square; 2]),
}

/// The mate that `strong` has against a bare king, if its pieces suffice.
fn mating_material(position: &Position, strong: Color) -> Option<Mate> {
    let pieces = |role| position.by_piece(strong, role);
    if (pieces(Role::Queen) | pieces(Role::Rook)).any() {
        return Some(Mate::Anywhere);
    }
    let (bishops, knights) = (pieces(Role::Bishop), pieces(Role::Knight));
    if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any() {
        return Some(Mate::Anywhere);
    }
    let bishop = bishops.first()?;
    if pieces(Role::Pawn).any() || knights.is_empty() {
        return None;
    }
    Some(Mate::BishopAndKnight(if bishop.is_light() {
        [Square::A8, Square::H1]
    } else {
        [Square::A1, Square::H8]
    }))
}

/// Manhattan distance from the nearest of the four central squares, 0 to 6: most in the corners.
fn remoteness(square: Square) -> i32 {
    let (file, rank) = (square.file().to_u32() as i32, square.rank().to_u32() as i32);
    ((2 * file - 7).abs() + (2 * rank - 7).abs()) / 2 - 1
}

/// The part of its advantage that `strong` can be expected to keep, in 64ths.
fn scale(position: &Position, strong: Color) -> i32 {
    let weak = !strong;
    let pawns = position.by_piece(strong, Role::Pawn);
    let own = pieces_worth(position, strong);
    let surplus = own - pieces_worth(position, weak);
    if pawns.is_empty() {
        return pawnless(position, strong, own, surplus);
    }
    if is_wrong_rook_pawn(position, strong, pawns) {
        return 0;
    }
    let minors = position.by_role(Role::Knight) | position.by_role(Role::Bishop);
    if pawns.count() == 1
        && own <= material(Role::Bishop)
        && (minors & position.by_color(weak)).any()
    {
        // The weak side may give a minor piece for the last pawn.
        return 32;
    }
    if has_opposite_bishops(position) {
        let bishops_alone = own == material(Role::Bishop) && surplus == 0;
        return if bishops_alone {
            (16 + 6 * pawns.count() as i32).min(44)
        } else {
            54
        };
    }
    FULL_SCALE
}

/// The scale without pawns: less than a rook, or two knights, cannot win; a surplus of three pawns or less hardly does.
fn pawnless(position: &Position, strong: Color, own: i32, surplus: i32) -> i32 {
    let others = position.by_color(strong) & !position.by_role(Role::Knight);
    let only_two_knights = !others.more_than_one() && own <= 2 * material(Role::Knight);
    if own < material(Role::Rook) || only_two_knights {
        0
    } else if surplus <= 3 * PAWN {
        8
    } else {
        FULL_SCALE
    }
}

fn pieces_worth(position: &Position, color: Color) -> i32 {
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| material(role) * position.by_piece(color, role).count() as i32)
        .sum()
}

/// Whether each side has one bishop, of opposite colors.
fn has_opposite_bishops(position: &Position) -> bool {
    let of = |color| position.by_piece(color, Role::Bishop).single_square();
    let (white, black) = (of(Color::White), of(Color::Black));
    white
        .zip(black)
        .is_some_and(|(white, black)| white.is_light() != black.is_light())
}

/// Whether `strong` has only pawns on one edge file and bishops of the wrong color, with the enemy king at the corner.
fn is_wrong_rook_pawn(position: &Position, strong: Color, pawns: Bitboard) -> bool {
    let Some(file) = [File::A, File::H]
        .into_iter()
        .find(|&file| pawns.is_subset(Bitboard::from_file(file)))
    else {
        return false;
    };
    let corner = Square::from_coords(file, strong.fold_wb(Rank::Eighth, Rank::First));
    let bishops = position.by_piece(strong, Role::Bishop);
    let right_color = if corner.is_light() {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    };
    let others = position.by_color(strong) & !pawns & !bishops & !position.by_role(Role::King);
    others.is_empty()
        && (bishops & right_color).is_empty()
        && position.king_of(!strong).distance(corner) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::notation::parse_fen;

    /// Centipawns left of 400 for `strong`.
    fn left(fen: &str, strong: Color) -> i32 {
        let position = parse_fen(fen).unwrap();
        let sign = if position.turn() == strong { 1 } else { -1 };
        sign * adjusted_for_endings(&position, sign * 400)
    }

    #[test]
    fn material_that_cannot_win_is_worth_little() {
        for fen in [
            "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",    // a knight
            "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1",   // two knights
            "8/8/4k1b1/8/8/3RK3/8/8 w - - 0 1",  // rook against bishop
            "8/8/4k1r1/8/8/2BRK3/8/8 w - - 0 1", // rook and bishop against rook
            "8/8/8/8/8/p2k4/8/KB6 b - - 0 1",    // a bishop cannot win
            "k7/8/8/PK6/8/8/3B4/8 w - - 0 1",    // the wrong bishop
        ] {
            let value = left(fen, Color::White);
            assert!((0..=60).contains(&value), "{fen}: {value}");
            assert!(is_known_ending(&parse_fen(fen).unwrap()), "{fen}");
        }
        // A knight can be given for the last pawn.
        assert_eq!(left("8/8/8/8/8/1kp5/8/1K1N4 w - - 0 1", Color::Black), 200);
        // The right bishop.
        let right = "k7/8/8/PK6/8/8/2B5/8 w - - 0 1";
        assert_eq!(left(right, Color::White), 400);
    }

    #[test]
    fn opposite_bishops_draw() {
        let same = "8/4kb2/4p3/3p4/3P1P2/4P1P1/4BK2/8 w - - 0 1";
        let opposite = "8/4k1b1/4p3/3p4/3P1P2/4P1P1/4BK2/8 w - - 0 1";
        assert_eq!(left(same, Color::White), 400);
        assert!(!is_known_ending(&parse_fen(same).unwrap()));
        assert!(left(opposite, Color::White) * 3 < 400 * 2);
    }

    #[test]
    fn a_bare_king_is_driven_where_it_is_mated() {
        let value = |board: &str| left(&format!("{board} w - - 0 1"), Color::White);
        // Towards the edge, and towards the enemy king.
        let centre = value("8/8/8/3k4/8/8/8/K6R");
        let edge = value("3k4/8/8/8/8/8/8/K6R");
        let close = value("3k4/8/3K4/8/8/8/8/7R");
        assert!(centre < edge && edge < close, "{centre} {edge} {close}");
        assert!(centre > 1_000);
        // With bishop and knight, to a corner of the bishop's color.
        let wrong = value("k7/8/8/3KN3/8/8/8/1B6");
        let right = value("7k/8/8/3KN3/8/8/8/1B6");
        let (wrong, right) = (wrong.min(right), wrong.max(right));
        assert!(right - wrong >= 300, "{wrong} {right}");
        assert!(wrong > 1_000);
    }
}
