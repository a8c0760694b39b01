//! Whole sets of squares moved at once.

use shakmaty::{Bitboard, Color, File, Square};

const NOT_A: u64 = !Bitboard::from_file(File::A).0;
const NOT_H: u64 = !Bitboard::from_file(File::H).0;

/// One rank ahead, as `color` sees it.
#[inline]
pub(super) const fn up(color: Color, squares: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(squares.0 << 8),
        Color::Black => Bitboard(squares.0 >> 8),
    }
}

/// One file to the left and one to the right.
#[inline]
pub(super) const fn sides(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & NOT_A) >> 1 | (squares.0 & NOT_H) << 1)
}

/// What pawns of `color` on these squares attack.
#[inline]
pub(super) const fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    sides(up(color, pawns))
}

/// All squares ahead on the same files, the squares themselves not included.
#[inline]
pub(super) const fn ahead(color: Color, squares: Bitboard) -> Bitboard {
    let mut b = squares.0;
    match color {
        Color::White => {
            b <<= 8;
            b |= b << 8;
            b |= b << 16;
            b |= b << 32;
        }
        Color::Black => {
            b >>= 8;
            b |= b >> 8;
            b |= b >> 16;
            b |= b >> 32;
        }
    }
    Bitboard(b)
}

/// The whole files of these squares.
#[inline]
pub(super) fn files(squares: Bitboard) -> Bitboard {
    squares | ahead(Color::White, squares) | ahead(Color::Black, squares)
}

/// The rank of a square as `color` counts it, from 0 (its own first rank) to 7.
#[inline]
pub(super) fn rank(color: Color, square: Square) -> usize {
    color.relative_rank(square.rank()).to_usize()
}

/// Files from a square to the nearer edge, 0 to 3.
#[inline]
pub(super) fn edge_distance(square: Square) -> usize {
    let file = square.file().to_usize();
    file.min(7 - file)
}
