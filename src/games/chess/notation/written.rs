//! Moves as people and programs write them: standard algebraic notation, and its variants.
//!
//! A word is a move if it fits exactly one legal move. Captures may lack the `x` and other moves have one, promotions
//! may be in either case, castling may have zeros, dashes may be of any kind, and glyphs may be joined to the move.

use shakmaty::{File, Rank, Role, Square};

use crate::game::Game as _;
use crate::games::chess::position::castling_targets;
use crate::games::chess::{Move, Position};
use crate::lines::is_invisible;

/// Verdicts and marks of check after a move, the longest first, so that none is taken for the end of a longer one.
const VERDICTS: [&str; 12] = [
    "+/-", "-/+", "+/=", "=/+", "+-", "-+", "+=", "=+", "+", "#", "=", "~",
];

/// Words after a move for its manner of capture, check or mate.
const MANNERS: [&str; 5] = ["e.p.", "ep.", "ep", "ch", "mate"];

/// Letters of remarks that may follow a move without a blank: a novelty, a diagram, an editor's remark.
pub(crate) const REMARKS: [&str; 4] = ["TN", "RR", "N", "D"];

/// A move as written in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Written {
    pattern: Pattern,
    /// The pattern if the word's last letters are a remark: `e4N`.
    without_remark: Option<Pattern>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Pattern {
    /// A pass.
    Pass,
    /// Castling towards the a-file, or else the h-file.
    Castle { queen_side: bool },
    /// Any other move, and castling written as a move of the king to its target or to the rook.
    Piece {
        /// `None` if only the squares are given: `g1f3`.
        role: Option<Role>,
        from: (Option<File>, Option<Rank>),
        to: (File, Option<Rank>),
        promotion: Option<Role>,
    },
}

impl Written {
    /// Reads a word without a move number; `None` if it cannot be a move in any position.
    pub(crate) fn read(word: &str) -> Option<Written> {
        let plain = plain(word);
        let bare = without_verdict(&plain);
        let remark = REMARKS.iter().find_map(|it| bare.strip_suffix(it));
        let without_remark = remark.and_then(|it| Pattern::read(without_verdict(it)));
        let pattern = Pattern::read(bare).or_else(|| without_remark.clone())?;
        Some(Written {
            pattern,
            without_remark,
        })
    }

    /// Whether it is a pass.
    pub(crate) fn is_pass(&self) -> bool {
        self.pattern == Pattern::Pass
    }

    /// The only legal move that fits; the error distinguishes none from several. Passes fit none.
    pub(crate) fn in_position(&self, position: &Position) -> Result<Move, Misfit> {
        let moves = position.legal_moves();
        let mut misfit = Misfit::Illegal;
        for pattern in [&self.pattern].into_iter().chain(&self.without_remark) {
            for fits in [Pattern::fits, Pattern::castles_by_squares] {
                let mut fitting = moves.iter().filter(|&&m| fits(pattern, m));
                match (fitting.next(), fitting.next()) {
                    (Some(&m), None) => return Ok(m),
                    (Some(_), Some(_)) => misfit = Misfit::Ambiguous,
                    (None, _) => {}
                }
            }
        }
        Err(misfit)
    }
}

/// The reason why a word is no move in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Misfit {
    /// No legal move fits.
    Illegal,
    /// Several legal moves fit.
    Ambiguous,
}

/// A word in standard letters: letters for drawings of pieces, one kind of dash, nothing invisible.
pub(crate) fn plain(word: &str) -> String {
    let visible = word.chars().filter(|&c| !is_invisible(c));
    let plain = visible.filter_map(|c| match c {
        '\u{2010}'..='\u{2015}' | '−' | '﹘' | '﹣' | '－' => Some('-'),
        '×' | '✕' => Some('x'),
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        '♙' | '♟' => None,
        other => Some(other),
    });
    plain.collect()
}

/// Strips a move number: `12.Nf3`, `12...Nf3` and `12Nf3` become `Nf3`; `0-0`, `00` and the null move `0000` are kept.
pub fn without_number(word: &str) -> &str {
    // Castling and null moves in zeros.
    if word.starts_with("00") {
        return word;
    }
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dotless = rest.trim_start_matches(['.', '…']);
    let has_dots = dotless.len() < rest.len();
    if has_dots
        || rest.is_empty()
        || rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@')
    {
        dotless
    } else {
        word
    }
}

/// Strips marks, verdicts and punctuation after a move.
pub(crate) fn without_verdict(word: &str) -> &str {
    let is_end = |c: char| "!?$".contains(c) || !(c.is_ascii() || c.is_alphanumeric());
    let mut word = word.split(is_end).next().unwrap_or_default();
    loop {
        let marks = VERDICTS.iter().chain(&MANNERS);
        let shorter = marks.into_iter().find_map(|it| word.strip_suffix(it));
        let shorter = shorter.or_else(|| word.strip_suffix([',', ';', ':', '.', '\'', '"']));
        match shorter {
            Some(shorter) if !shorter.is_empty() => word = shorter,
            _ => return word,
        }
    }
}

impl Pattern {
    fn read(word: &str) -> Option<Pattern> {
        match word.to_ascii_uppercase().replace('O', "0").as_str() {
            "--" | "Z0" | "@@@@" | "0000" => return Some(Pattern::Pass),
            "0-0" | "00" => return Some(Pattern::Castle { queen_side: false }),
            "0-0-0" | "000" => return Some(Pattern::Castle { queen_side: true }),
            _ if word.starts_with('(') => return None,
            _ => {}
        }
        // Captures need no sign, long notation has a dash, and books write `a8(Q)` or `a8/Q`.
        let letters = word.chars().filter(|c| !"x:-=()/".contains(*c));
        let letters: Vec<char> = letters.collect();
        let (role, squares) = match letters.split_first() {
            Some((&first, rest)) if first.is_ascii_uppercase() => {
                (Some(Role::from_char(first)?), rest)
            }
            _ => (None, letters.as_slice()),
        };
        let (promotion, squares) = match squares.split_last() {
            Some((&last, rest)) if rest.len() >= 2 => match Role::from_char(last) {
                Some(role) if rest[rest.len() - 1].is_ascii_digit() => (Some(role), rest),
                _ => (None, squares),
            },
            _ => (None, squares),
        };
        let file = |c: char| File::from_char(c);
        let rank = |c: char| Rank::from_char(c);
        let (from, to) = match *squares {
            [to_file, to_rank] if to_rank.is_ascii_digit() => {
                ((None, None), (file(to_file)?, Some(rank(to_rank)?)))
            }
            // A pawn capture by its files alone: `exd`.
            [from, to] if role.is_none() && file(from)?.distance(file(to)?) == 1 => {
                ((Some(file(from)?), None), (file(to)?, None))
            }
            [from, to_file, to_rank] => {
                let from = match file(from) {
                    Some(from) => (Some(from), None),
                    None => (None, Some(rank(from)?)),
                };
                (from, (file(to_file)?, Some(rank(to_rank)?)))
            }
            [from_file, from_rank, to_file, to_rank] => (
                (Some(file(from_file)?), Some(rank(from_rank)?)),
                (file(to_file)?, Some(rank(to_rank)?)),
            ),
            _ => return None,
        };
        let role = match from {
            (Some(_), Some(_)) => role,
            _ => Some(role.unwrap_or(Role::Pawn)),
        };
        Some(Pattern::Piece {
            role,
            from,
            to,
            promotion,
        })
    }

    fn fits(&self, m: Move) -> bool {
        match self {
            Pattern::Pass => false,
            Pattern::Castle { queen_side } => {
                m.is_castle() && (m.to().file() < m.from().file()) == *queen_side
            }
            Pattern::Piece {
                role, promotion, ..
            } => {
                !m.is_castle()
                    && role.is_none_or(|role| role == m.role())
                    && *promotion == m.promotion()
                    && self.has_squares(m.from(), m.to())
            }
        }
    }

    /// Whether the two squares are the king's and its target or the rook's, as UCI writes castling.
    fn castles_by_squares(&self, m: Move) -> bool {
        let Pattern::Piece { role, from, .. } = self else {
            return false;
        };
        m.is_castle()
            && role.is_none_or(|role| role == Role::King)
            && matches!(from, (Some(_), Some(_)))
            && (self.has_squares(m.from(), m.to())
                || self.has_squares(m.from(), castling_targets(m.from(), m.to())[0]))
    }

    fn has_squares(&self, origin: Square, target: Square) -> bool {
        let Pattern::Piece { from, to, .. } = self else {
            return false;
        };
        from.0.is_none_or(|file| file == origin.file())
            && from.1.is_none_or(|rank| rank == origin.rank())
            && to.0 == target.file()
            && to.1.is_none_or(|rank| rank == target.rank())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::notation::{Castling, parse_fen, read_fen, to_san};

    /// The move that a word means in a position, in standard notation.
    fn meant(fen: &str, word: &str) -> Result<String, Misfit> {
        let position = read_fen(fen, Castling::Chess960).unwrap().position;
        let written = Written::read(word).unwrap_or_else(|| panic!("{word} is no move"));
        let m = written.in_position(&position)?;
        Ok(to_san(&position, m))
    }

    #[test]
    fn what_fits_one_legal_move_is_read() {
        all_mean_the_first(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[
                "e4 e4! e4?! e4± e4N e4TN e4+/- e4$1 e2e4 e2-e4 e4, ♙e4 \u{200b}e4",
                "Nf3 Nxf3 Ng1f3 Ng1-f3 ♘f3 g1f3 Ngf3 N1f3 Nf3N Nf3RR Nf3= Nf3mate",
            ],
        );
        all_mean_the_first(
            "k7/6P1/8/2pP4/3n4/4P3/1K6/8 w - c6 0 1",
            &[
                "g8=Q g8Q g8q g8=q g7g8q g8(Q) g8/Q g8=Q+! g8=Q# g8Q++",
                "g8=N g8N g8n",
                "dxc6 dc6 dxc6e.p. dxc6ep d5c6 d5xc6 dxc dc dxc6ep. dxc6!? d:c6",
                "exd4 ed4 ed e3:d4 e3×d4 e3d4",
            ],
        );
        all_mean_the_first(
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            &[
                "O-O 0-0 o-o O–O 0‑0 O-O! e1g1 e1h1 Ke1g1 O-O+",
                "O-O-O 0-0-0 o-o-o O−O—O e1c1 e1a1 0-0-0?!",
                "Kf1 Kxf1 e1f1",
            ],
        );
        // In Chess960 the king's own step takes precedence over castling by its target.
        all_mean_the_first("4k3/8/8/8/8/8/8/5K1R w H - 0 1", &["Kg1 f1g1"]);
    }

    /// Checks that all words of each list mean the first, a move in standard notation, but for marks of check.
    fn all_mean_the_first(fen: &str, lists: &[&str]) {
        for list in lists {
            let (first, _) = list.split_once(' ').unwrap();
            for word in list.split(' ') {
                let found = meant(fen, word).map(|it| it.trim_end_matches(['+', '#']).to_owned());
                assert_eq!(found.as_deref(), Ok(first), "{word}");
            }
        }
    }

    #[test]
    fn what_fits_none_or_several_is_refused() {
        let knights = "4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1";
        assert_eq!(meant(knights, "Nb3"), Err(Misfit::Ambiguous));
        assert_eq!(meant(knights, "Nab3").as_deref(), Ok("Nab3"));
        assert_eq!(meant(knights, "Nd4"), Err(Misfit::Illegal));
        let pawns = "4k3/4P3/8/3p4/2p5/3P4/8/4K3 w - - 0 1";
        assert_eq!(
            meant(pawns, "e8"),
            Err(Misfit::Illegal),
            "a king stands there"
        );
        assert_eq!(
            meant("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8"),
            Err(Misfit::Illegal)
        );
        assert_eq!(meant(pawns, "O-O"), Err(Misfit::Illegal));
        assert_eq!(meant(pawns, "--"), Err(Misfit::Illegal));
        for word in [
            "", "e9", "i4", "Xe5", "Nxx9", "O-", "O-O-O-O", "-", "e", "Nf", "12", "KK",
        ] {
            assert_eq!(Written::read(word), None, "{word}");
        }
    }

    #[test]
    fn passes_are_told_from_moves() {
        for word in ["--", "Z0", "@@@@", "0000", "––"] {
            assert!(Written::read(word).is_some_and(|it| it.is_pass()), "{word}");
        }
    }

    /// Every legal move is read from all spellings of its notation.
    #[test]
    fn every_move_is_read_from_its_spellings() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let position = parse_fen(fen).unwrap();
            for &m in &position.legal_moves() {
                let san = to_san(&position, m);
                for word in [
                    san.clone(),
                    san.replace('x', ""),
                    format!("{san}N"),
                    format!("{san}±"),
                ] {
                    let written = Written::read(&word).expect(&word);
                    assert_eq!(written.in_position(&position), Ok(m), "{word}");
                }
            }
        }
    }
}
