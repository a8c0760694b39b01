//! Games of a search against itself: what evaluations are learnt from.
//!
//! [`run`] fills a folder with shards: files of so many games each. Every game has a number, and depends
//! on that, the seed, the search and its nodes only, so a shard can be made by any process on any machine,
//! and made again. A shard appears when it is complete; a run that is killed loses the shards under
//! way, and another one goes on behind those that are there.
//!
//! [`folder`] says what lies in such a folder, [`player`] plays one game, `opening` begins it, [`record`] writes it.

pub mod folder;
pub(super) mod opening;
pub mod player;
pub mod record;
pub mod run;
