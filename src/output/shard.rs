//! Parts of a run, made on several machines and merged.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One part of a run that is made in several parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Number of the part, from 1.
    pub part: usize,
    /// Number of parts.
    pub parts: usize,
}

impl Shard {
    /// Whether the part has the item at this index, from 0. Neighbours go to different parts, since files are often
    /// sorted by difficulty.
    pub const fn has(self, index: usize) -> bool {
        index % self.parts == self.part - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        match numbers {
            Some((part, parts)) if (1..=parts).contains(&part) => Ok(Shard { part, parts }),
            _ => Err(format!("expected PART/PARTS, as in 1/4, found '{text}'")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_disjoint_and_complete() {
        let shards: Vec<Shard> = (1..=3)
            .map(|part| format!("{part}/3").parse().unwrap())
            .collect();
        for index in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(index)).count(), 1);
        }
        for bad in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
