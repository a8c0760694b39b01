//! Games of a search against itself, for learning evaluations.
//!
//! [`run`] fills a folder with shards: files with a fixed number of games. A game depends only on its number and the
//! folder's recipe ([`folder::Recipe`]), so any process on any machine can make a shard, or make it again. A shard
//! appears when it is complete; a killed run loses the shards under way, and the next run makes those that are missing.
//!
//! [`folder`] handles the files of such a folder, [`player`] plays one game, `opening` begins it, [`record`] writes it.
//! [`relabel`] fills a folder with new values for another one's positions.

pub mod folder;
pub(crate) mod opening;
pub mod player;
pub mod record;
pub mod relabel;
pub mod run;
