//! Everything of the evaluation that is a number to be tuned.
//!
//! [`Parameters`] is generic over what it holds for each number: its [`Score`], or its [`Term`], the
//! number's own place. So one code both sums up a position and says which parameters
//! it used and how often (see `tally.rs`); the tuner cannot disagree with the evaluation.

use super::score::Score;

/// The place of a parameter among all of them, from 0 to [`COUNT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term(u16);

impl Term {
    /// As an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident: $len:literal,)+) => {
        /// All parameters by name. Squares are numbered from the own side, files folded: four to a rank,
        /// from the edge to the centre. Ranks too are counted from the own side, from 0.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Parameters<W> {
            $($(#[doc = $doc])+ pub $name: [W; $len],)+
        }

        /// How many parameters there are.
        pub const COUNT: usize = 0 $(+ $len)+;

        impl<W> Parameters<W> {
            /// All of them in order: name, meaning, values.
            pub fn groups(&self) -> Vec<(&'static str, &'static str, &[W])> {
                vec![$((stringify!($name), concat!($($doc, "\n"),+), &self.$name[..]),)+]
            }

            /// All of them by name, to be changed.
            pub fn groups_mut(&mut self) -> Vec<(&'static str, &mut [W])> {
                vec![$((stringify!($name), &mut self.$name[..]),)+]
            }
        }

        impl Parameters<Term> {
            const fn numbered() -> Parameters<Term> {
                let mut next = 0;
                Parameters {
                    $($name: {
                        let mut terms = [Term(0); $len];
                        let mut i = 0;
                        while i < $len {
                            terms[i] = Term(next);
                            next += 1;
                            i += 1;
                        }
                        terms
                    },)+
                }
            }
        }
    };
}

parameters! {
    /// Pawn, knight, bishop, rook, queen.
    material: 5,
    /// A pawn by its square.
    pawn_square: 32,
    /// A knight by its square.
    knight_square: 32,
    /// A bishop by its square.
    bishop_square: 32,
    /// A rook by its square.
    rook_square: 32,
    /// A queen by its square.
    queen_square: 32,
    /// A king by its square.
    king_square: 32,
    /// Having the move.
    tempo: 1,

    /// A knight by the number of squares it can go to.
    knight_mobility: 9,
    /// A bishop by the number of squares it can go to.
    bishop_mobility: 14,
    /// A rook by the number of squares it can go to.
    rook_mobility: 15,
    /// A queen by the number of squares it can go to.
    queen_mobility: 28,
    /// Two bishops or more.
    bishop_pair: 1,
    /// Each own pawn on squares of a bishop's color.
    bishop_pawn: 1,
    /// Knight, bishop on a square no enemy pawn can ever attack, beyond the middle, guarded by a pawn.
    outpost: 2,
    /// A rook on a file without own pawns, without any pawns.
    rook_file: 2,

    /// A pawn without own pawns on the files beside it.
    isolated: 1,
    /// A pawn that cannot be guarded by pawns and cannot safely go on.
    backward: 1,
    /// Either of these with no enemy pawn in front of it.
    weak_unopposed: 1,
    /// A pawn with another own pawn in front of it.
    doubled: 1,
    /// A pawn guarded by a pawn, by rank.
    guarded: 8,
    /// A pawn with another right beside it, by rank.
    phalanx: 8,
    /// A passed pawn, by rank.
    passed: 8,
    /// A passed pawn that something stands in front of, by rank.
    passed_blocked: 8,
    /// A passed pawn whose next step is safe, by rank.
    passed_safe: 8,
    /// A passed pawn with nothing in its way and no square of it attacked, by rank.
    passed_free: 8,
    /// A passed pawn for each step of the own king to the square in front, by rank.
    passed_own_king: 8,
    /// A passed pawn for each step of the enemy king to the square in front, by rank.
    passed_enemy_king: 8,
    /// An own rook behind a passed pawn, an enemy one.
    passed_rook_behind: 2,
    /// A passed pawn the enemy, who has no pieces left, cannot catch.
    passed_unstoppable: 1,

    /// The nearest own pawn ahead on each of the three files about the king, by rank; 0: none.
    king_shelter: 8,
    /// The nearest enemy pawn ahead on each of these files, by rank; 0: none.
    king_storm: 8,
    /// The same where an own pawn stands right in its way.
    king_storm_blocked: 8,
    /// The danger an own king is in, by points.
    king_danger: 40,

    /// Our pawns attacking a knight, bishop, rook, queen.
    threat_by_pawn: 4,
    /// Our minor pieces attacking a pawn, knight, bishop, rook, queen that no pawn guards.
    threat_by_minor: 5,
    /// Our rooks attacking a pawn, knight, bishop, rook, queen that no pawn guards.
    threat_by_rook: 5,
    /// Our king attacking something unguarded.
    threat_by_king: 1,
    /// An enemy piece or pawn that is attacked and not guarded at all.
    hanging: 1,
    /// A safe pawn move that would attack a piece.
    threat_by_push: 1,
}

/// The place of each parameter.
pub static TERMS: Parameters<Term> = Parameters::numbered();

impl Parameters<Score> {
    /// The source text of `weights.rs` with these numbers.
    pub fn to_source(&self) -> String {
        let mut text = String::from(
            "//! The numbers of the evaluation. Written by `cassius lab tune`; see docs/evaluation.md.\n\n\
             use super::parameters::Parameters;\nuse super::score::Score;\n\n\
             /// Middlegame and endgame value in centipawns.\n\
             const fn s(middlegame: i16, endgame: i16) -> Score {\n    Score::new(middlegame, endgame)\n}\n\n\
             /// The numbers Cassius plays with.\n#[rustfmt::skip]\npub static WEIGHTS: Parameters<Score> = Parameters {\n",
        );
        for (name, _, values) in self.groups() {
            text.push_str(&format!("    {name}: ["));
            for (i, value) in values.iter().enumerate() {
                if values.len() > 8 && i % 8 == 0 {
                    text.push_str("\n        ");
                } else if i > 0 {
                    text.push(' ');
                }
                let (middlegame, endgame) = (value.middlegame(), value.endgame());
                text.push_str(&format!("s({middlegame}, {endgame}),"));
            }
            text.push_str(if values.len() > 8 {
                "\n    ],\n"
            } else {
                "],\n"
            });
        }
        text.push_str("};\n");
        text
    }
}
