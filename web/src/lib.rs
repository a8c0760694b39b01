//! Cassius for WebAssembly: lines of UCI, and calls of the library as JSON, one after the other on one thread.
//!
//! [`desk`] receives both and sends the answers, `calls` has a file for each kind of call, `kept` the state between
//! calls, `open_tree` trees to be unfolded and grown. `abi` ties it to JavaScript; all else runs on any machine, and is
//! tested there. `package/cassius.d.ts` declares the calls and their answers.

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
