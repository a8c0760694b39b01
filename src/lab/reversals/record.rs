//! What was seen of a search, as a line of JSON.

use serde::{Deserialize, Serialize};

use crate::lab::drawn;
use crate::search::watching::{Answer, Asked, MoveKind};
use crate::suite::results::Shard;

/// The first line of a file: what its searches depend on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of this format.
    pub reversals: u32,
    /// The version and commit of Cassius.
    pub version: String,
    /// The search that is watched, as a command line names it.
    pub search: String,
    /// The search that asks again.
    pub judge: String,
    /// The network that the search evaluates with, by its checksum; none if it evaluates otherwise.
    pub network: Option<String>,
    /// The network that the judge evaluates with, likewise; none in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_network: Option<String>,
    /// Memory of either search, in MiB.
    pub hash: usize,
    /// Nodes of a search that is watched.
    pub nodes: u64,
    /// The judge visits so many times the nodes of the answer.
    pub times: u64,
    /// Answers of a search that are asked again.
    pub samples: usize,
    /// Plies of a game between two positions.
    pub every: usize,
    /// Seed of the choice of positions and answers.
    pub seed: u64,
    /// Which part of the positions was searched; none for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// A search that was watched.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Search {
    /// The number of the game among those given, from 0.
    pub game: u64,
    /// The number of the move, from 0.
    pub ply: usize,
    /// The position.
    pub fen: String,
    /// Nodes of the whole search.
    pub nodes: u64,
    /// All that it asked, by the kind of question and answer.
    pub counts: Vec<Count>,
    /// Some of its answers, asked again.
    pub samples: Vec<Sample>,
}

impl drawn::Heading for Header {
    fn seed(&self) -> u64 {
        self.seed
    }

    fn search(&self) -> String {
        let network = |it: &Option<String>| it.clone().unwrap_or_else(|| "none".to_owned());
        format!(
            "{}, network {}, {} nodes, hash {} MiB, judge {}, network {}, {} times the nodes, {} answers, cassius {}",
            self.search,
            network(&self.network),
            self.nodes,
            self.hash,
            self.judge,
            network(&self.judge_network),
            self.times,
            self.samples,
            self.version
        )
    }
}

impl drawn::Line for Search {
    fn place(&self) -> (u64, usize) {
        (self.game, self.ply)
    }

    fn fen(&self) -> &str {
        &self.fen
    }
}

/// Answers of one kind, all of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Count {
    /// Which kind.
    #[serde(flatten)]
    pub kind: Kind,
    /// How many there are.
    pub asked: u64,
    /// Nodes they took together. A node below several questions counts for each of them.
    pub nodes: u64,
}

/// An answer that was asked again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// Which kind.
    #[serde(flatten)]
    pub kind: Kind,
    /// The position after the move.
    pub fen: String,
    /// Plies from the root to it.
    pub plies: usize,
    /// What the move must be worth at least, for the side that makes it, as
    /// [`Value::get`](crate::value::Value::get) encodes it.
    pub theta: i16,
    /// Nodes that the answer took.
    pub nodes: u64,
    /// Nodes that the judge was given.
    pub judge_nodes: u64,
    /// What the judge says that the move is worth, for the side that makes it.
    pub value: i16,
    /// How many answers of the search it stands for.
    pub weight: f64,
}

impl Sample {
    /// Whether the judge gives the other answer.
    pub fn is_overturned(&self) -> bool {
        (self.value >= self.theta) != (self.kind.answer == Said::Holds)
    }
}

/// A kind of question, with its answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Kind {
    /// The class of the move.
    pub class: Class,
    /// What was demanded of the node.
    pub demand: Band,
    /// The answer.
    pub answer: Said,
}

impl Kind {
    /// The kind of what was asked.
    pub fn of<G>(asked: &Asked<G>) -> Kind {
        Kind {
            class: Class::of(&asked.kind),
            demand: Band::of(asked.demand),
            answer: Said::from(asked.answer),
        }
    }
}

/// Classes of moves. A move is of the first class that fits it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// The first move of a node.
    First,
    /// A capture that loses material by exchange.
    LosingCapture,
    /// A check.
    Check,
    /// A capture or promotion.
    Capture,
    /// A quiet move, the fourth of the node at the latest.
    EarlyQuiet,
    /// A quiet move, the twelfth at the latest.
    LaterQuiet,
    /// A quiet move after that.
    LateQuiet,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 7] = [
        Class::First,
        Class::Capture,
        Class::Check,
        Class::EarlyQuiet,
        Class::LaterQuiet,
        Class::LateQuiet,
        Class::LosingCapture,
    ];

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Class::First => "first move",
            Class::LosingCapture => "losing capture",
            Class::Check => "check",
            Class::Capture => "capture",
            Class::EarlyQuiet => "quiet, 2nd to 4th",
            Class::LaterQuiet => "quiet, 5th to 12th",
            Class::LateQuiet => "quiet, later",
        }
    }

    fn of(kind: &MoveKind) -> Class {
        match kind {
            MoveKind { number: 0, .. } => Class::First,
            MoveKind { losing: true, .. } => Class::LosingCapture,
            MoveKind { checks: true, .. } => Class::Check,
            MoveKind { quiet: false, .. } => Class::Capture,
            MoveKind { number: 1..4, .. } => Class::EarlyQuiet,
            MoveKind { number: 4..12, .. } => Class::LaterQuiet,
            MoveKind { .. } => Class::LateQuiet,
        }
    }
}

/// Demands, in whole plies: from this one up to the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Band(u8);

impl Band {
    /// All of them, the last one without an end.
    pub const ALL: [Band; 5] = [Band(0), Band(2), Band(4), Band(6), Band(9)];

    /// In words.
    pub fn name(self) -> String {
        let next = Band::ALL.into_iter().find(|other| *other > self);
        match next {
            Some(Band(next)) => format!("{} to {}", self.0, next - 1),
            None => format!("{} or more", self.0),
        }
    }

    /// Of a demand in sixteenths of a ply.
    fn of(demand: i32) -> Band {
        let plies = demand / 16;
        let mut bands = Band::ALL.into_iter().rev();
        bands
            .find(|band| i32::from(band.0) <= plies)
            .unwrap_or(Band(0))
    }
}

/// An answer, for the record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// The move is good enough.
    Holds,
    /// It is not.
    Fails,
    /// It is not looked at.
    Unseen,
}

impl From<Answer> for Said {
    fn from(answer: Answer) -> Said {
        match answer {
            Answer::Holds => Said::Holds,
            Answer::Fails => Said::Fails,
            Answer::Unseen => Said::Unseen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_fall_into_bands_by_whole_plies() {
        let bands = [-5, 0, 31, 32, 95, 96, 143, 144, 2_000].map(Band::of);
        let firsts = bands.map(|Band(first)| first);
        assert_eq!(firsts, [0, 0, 0, 2, 4, 6, 6, 9, 9]);
        assert_eq!(Band(6).name(), "6 to 8");
        assert_eq!(Band(9).name(), "9 or more");
    }

    #[test]
    fn a_move_is_of_the_first_class_that_fits() {
        let quiet = MoveKind {
            number: 3,
            quiet: true,
            checks: false,
            losing: false,
        };
        let class = |kind| Class::of(&kind);
        assert_eq!(class(quiet), Class::EarlyQuiet);
        assert_eq!(class(MoveKind { number: 0, ..quiet }), Class::First);
        assert_eq!(
            class(MoveKind {
                number: 12,
                ..quiet
            }),
            Class::LateQuiet
        );
        let losing_check = MoveKind {
            quiet: false,
            checks: true,
            losing: true,
            ..quiet
        };
        assert_eq!(class(losing_check), Class::LosingCapture);
    }
}
