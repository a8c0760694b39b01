//! Games the searches can play.

pub mod chess;
