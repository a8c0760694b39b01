//! Tests of several searches: promises of those that play, and minimax as the reference of all.

pub(in crate::search) mod playing;
pub(in crate::search) mod references;
