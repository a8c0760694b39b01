//! The boundary to JavaScript: exported and imported functions. `package/cassius.js` is the other side.
//!
//! Texts cross in one buffer each way. No function returns a result of a search: a search may be suspended, and its
//! caller then continues without the result.
#![allow(
    unsafe_code,
    reason = "names without mangling, and functions of another language"
)]

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use cassius::platform::{self, Host};

use crate::desk::{Desk, Said};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since an arbitrary origin.
    safe fn now() -> f64;
    /// Whether JavaScript should read messages now.
    safe fn is_due() -> bool;
    /// Suspends the search until JavaScript has read its messages.
    safe fn rest();
    /// Passes a text to JavaScript: a line of UCI (0), an answer (1), bytes for the next answer (2), the message of a
    /// panic (3).
    safe fn say(kind: u32, text: *const u8, bytes: usize);
}

/// Bytes for the stack of a search suspended by Asyncify.
const ASIDE: usize = 1 << 20;

thread_local! {
    static DESK: OnceCell<Desk> = const { OnceCell::new() };
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn tell(said: Said<'_>) {
    let (kind, bytes) = match said {
        Said::Line(text) => (0, text.as_bytes()),
        Said::Answer(text) => (1, text.as_bytes()),
        Said::Bytes(bytes) => (2, bytes),
    };
    say(kind, bytes.as_ptr(), bytes.len());
}

fn with_desk<R>(work: impl FnOnce(&Desk) -> R) -> R {
    let desk = DESK.with(|desk| desk.get_or_init(|| Desk::new(Arc::new(tell))).clone());
    work(&desk)
}

/// Initialises; call it first. Returns the memory for the stack of a search suspended by Asyncify; [`aside`] is its size.
#[unsafe(no_mangle)]
extern "C" fn start() -> *const u8 {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        say(3, text.as_ptr(), text.len());
    }));
    platform::lend(Host {
        now: || Duration::from_secs_f64(now().max(0.0) / 1_000.0),
        give_way: || {
            if is_due() {
                rest();
            }
            with_desk(Desk::is_to_end)
        },
    });
    Box::leak(vec![0_u64; ASIDE / 8].into_boxed_slice())
        .as_ptr()
        .cast()
}

/// Size, in bytes, of the memory that [`start`] returns.
#[unsafe(no_mangle)]
extern "C" fn aside() -> usize {
    ASIDE
}

/// Returns a buffer of this many bytes for the next text from JavaScript.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(bytes, 0);
        input.as_mut_ptr()
    })
}

/// Receives the text in the buffer: a line of UCI (0), a call (1), bytes for the next call (2), or the end of UCI
/// lines (3).
#[unsafe(no_mangle)]
extern "C" fn hear(kind: u32) {
    let input = INPUT.take();
    with_desk(|desk| match kind {
        0 => desk.hear_line(&String::from_utf8_lossy(&input)),
        1 => desk.hear_call(&String::from_utf8_lossy(&input)),
        2 => desk.take_bytes(input),
        _ => desk.end_of_lines(),
    });
}

/// Runs the first waiting search or call.
#[unsafe(no_mangle)]
extern "C" fn work() {
    with_desk(|desk| desk.work());
}

/// Whether a search or call waits.
#[unsafe(no_mangle)]
extern "C" fn waits() -> bool {
    with_desk(Desk::waits)
}

/// Whether the UCI session has ended.
#[unsafe(no_mangle)]
extern "C" fn is_over() -> bool {
    with_desk(Desk::is_over)
}
