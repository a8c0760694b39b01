//! Boards as SVG: squares, pieces, arrows for moves. A square is one unit wide.
//!
//! `board.js` redraws boards in the same way.

use std::fmt::Write as _;

/// The field of a FEN with the pieces.
pub(crate) fn pieces(fen: &str) -> &str {
    fen.split_whitespace().next().unwrap_or_default()
}

/// Board as White sees it, with an arrow for the move played and one for the better move, both in UCI notation.
pub(crate) fn draw(fen: &str, played: Option<&str>, best: Option<&str>) -> String {
    with_arrows(fen, &[(played, "played"), (best, "best")])
}

/// Board as the side to move sees it, with the same arrows.
pub(crate) fn draw_for_mover(fen: &str, played: Option<&str>, best: Option<&str>) -> String {
    seen(
        fen,
        &[(played, "played"), (best, "best")],
        is_black_to_move(fen),
    )
}

/// Board as White sees it, with arrows for moves in UCI notation, each with a CSS class.
pub(crate) fn with_arrows(fen: &str, arrows: &[(Option<&str>, &str)]) -> String {
    seen(fen, arrows, false)
}

fn is_black_to_move(fen: &str) -> bool {
    fen.split_whitespace().nth(1) == Some("b")
}

/// Board as White sees it or, `turned`, as Black does.
fn seen(fen: &str, arrows: &[(Option<&str>, &str)], turned: bool) -> String {
    let side = match is_black_to_move(fen) {
        true => "Black",
        false => "White",
    };
    let squares = if turned { "turned" } else { "squares" };
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 8 8\" role=\"img\" aria-label=\"{side} to move: {0}\"><use href=\"#{squares}\"/><g class=\"men\">",
        pieces(fen)
    );
    for (row, rank) in (0..).zip(pieces(fen).split('/')) {
        let mut file = 0;
        for c in rank.chars() {
            if let Some(empty) = c.to_digit(10) {
                file += empty;
                continue;
            }
            let color = if c.is_ascii_uppercase() { 'w' } else { 'b' };
            let [x, y] =
                [file, row].map(|it: u32| if turned { 7_u32.saturating_sub(it) } else { it });
            let _ = write!(
                svg,
                "<use href=\"#{}\" class=\"{color}\" x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\"/>",
                c.to_ascii_lowercase()
            );
            file += 1;
        }
    }
    svg += "</g>";
    for &(m, class) in arrows {
        svg.extend(m.and_then(|m| arrow(m, class, turned)));
    }
    svg + "</svg>"
}

/// An arrow from square to square.
fn arrow(m: &str, class: &str, turned: bool) -> Option<String> {
    let place = |square: &str| {
        let (x, y) = center(square)?;
        Some(if turned { (8.0 - x, 8.0 - y) } else { (x, y) })
    };
    let (from, to) = (place(m.get(..2)?)?, place(m.get(2..4)?)?);
    Some(format!(
        "<path class=\"{class}\" d=\"M{} {}L{} {}\"/>",
        from.0, from.1, to.0, to.1
    ))
}

/// Centre of a square.
fn center(square: &str) -> Option<(f64, f64)> {
    let &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] = square.as_bytes() else {
        return None;
    };
    Some((f64::from(file - b'a') + 0.5, f64::from(b'8' - rank) + 0.5))
}
