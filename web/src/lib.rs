//! Cassius for WebAssembly: lines of UCI, and calls of the library as JSON, one after the other on one thread.
//!
//! [`desk`] hears both and says what comes of them, `calls` has a file for each kind of call, `kept` what is kept from one to
//! the next. `abi` ties it to JavaScript; everything else is the same on any machine, and tested there.
//! `package/cassius.d.ts` declares the calls and their answers.

#[cfg(target_arch = "wasm32")]
mod abi;
mod calls;
pub mod desk;
pub mod failure;
mod kept;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
