//! `profile`: by hand, how sure the position's value is.

use std::fmt;

use super::CommandError;
use super::words::{Words, quoted};

/// What `profile` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileRequest {
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Most time, in milliseconds.
    pub movetime: Option<u64>,
    /// The search, with options as on the command line: `best-first:Delta=1`.
    pub search: Option<String>,
}

/// Reads what follows the word `profile`.
pub(super) fn parse_profile(words: &mut Words<'_>) -> Result<ProfileRequest, CommandError> {
    let mut request = ProfileRequest::default();
    while let Some(word) = words.next() {
        match word {
            "nodes" => request.nodes = Some(number("nodes", words)?),
            "movetime" => request.movetime = Some(number("movetime", words)?),
            "search" => {
                let name = words.next().ok_or(CommandError::ProfileSearch)?;
                request.search = Some(name.to_owned());
            }
            _ => return Err(CommandError::Profile(word.to_owned())),
        }
    }
    Ok(request)
}

fn number(keyword: &'static str, words: &mut Words<'_>) -> Result<u64, CommandError> {
    let found = words.next().unwrap_or_default();
    let number = found.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| CommandError::ProfileNumber {
        keyword,
        found: quoted(found),
    })
}

impl fmt::Display for ProfileRequest {
    /// The command as one would type it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("profile")?;
        let numbers = [("nodes", self.nodes), ("movetime", self.movetime)];
        for (keyword, number) in numbers {
            if let Some(number) = number {
                write!(f, " {keyword} {number}")?;
            }
        }
        match &self.search {
            Some(search) => write!(f, " search {search}"),
            None => Ok(()),
        }
    }
}
