//! Boards as SVG: squares, pieces, arrows for moves. A square is one unit wide.
//!
//! `board.js` redraws boards in the same way.

use std::fmt::Write as _;

/// The field of a FEN with the pieces.
pub(crate) fn pieces(fen: &str) -> &str {
    fen.split_whitespace().next().unwrap_or_default()
}

/// Board with an arrow for the move played and one for the better move, both in UCI notation.
pub(crate) fn draw(fen: &str, played: Option<&str>, best: Option<&str>) -> String {
    with_arrows(fen, &[(played, "played"), (best, "best")])
}

/// Board with arrows for moves in UCI notation, each with a CSS class.
pub(crate) fn with_arrows(fen: &str, arrows: &[(Option<&str>, &str)]) -> String {
    let side = if fen.split_whitespace().nth(1) == Some("b") {
        "Black"
    } else {
        "White"
    };
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 8 8\" role=\"img\" aria-label=\"{side} to move: {0}\"><use href=\"#squares\"/><g class=\"men\">",
        pieces(fen)
    );
    for (row, rank) in pieces(fen).split('/').enumerate() {
        let mut file = 0;
        for c in rank.chars() {
            if let Some(empty) = c.to_digit(10) {
                file += empty;
                continue;
            }
            let color = if c.is_ascii_uppercase() { 'w' } else { 'b' };
            let _ = write!(
                svg,
                "<use href=\"#{}\" class=\"{color}\" x=\"{file}\" y=\"{row}\" width=\"1\" height=\"1\"/>",
                c.to_ascii_lowercase()
            );
            file += 1;
        }
    }
    svg += "</g>";
    for &(m, class) in arrows {
        svg.extend(m.and_then(|m| arrow(m, class)));
    }
    svg + "</svg>"
}

/// An arrow from square to square.
fn arrow(m: &str, class: &str) -> Option<String> {
    let (from, to) = (center(m.get(..2)?)?, center(m.get(2..4)?)?);
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
