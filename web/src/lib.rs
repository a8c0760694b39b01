//! Cassius for WebAssembly: runs lines of UCI, and calls of the library as JSON, one after the other on one thread.
//!
//! [`desk`] receives both and sends the answers. `calls` has the calls by kind, `kept` the state between calls, and
//! `open_tree` a tree to be unfolded and grown. `abi` ties the crate to JavaScript; all else is compiled and tested
//! natively too. `package/cassius.d.ts` declares the calls and their answers.

#[cfg(target_arch = "wasm32")]
mod abi;
mod calls;
pub mod desk;
pub mod failure;
mod kept;
mod open_tree;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
