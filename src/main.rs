//! The cassius binary.
fn main() {}
