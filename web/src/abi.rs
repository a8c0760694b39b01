//! The boundary to JavaScript: what it calls, and what it lends. `package/cassius.js` is the other side.
//!
//! Texts cross in one buffer each way. No function returns anything that a search decides: a search may be put aside in the
//! middle, and whoever called it goes on without its result.
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
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// Lets JavaScript do other work, if it is time.
    safe fn rest();
    /// Takes a text: a line of UCI (0), an answer (1), bytes that belong to the next answer (2), what a panic says (3).
    safe fn say(kind: u32, text: *const u8, bytes: usize);
}

/// Bytes for the stack of a search that is put aside.
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

/// To be called first; gives the memory where JavaScript lays a search aside, and how much that is.
#[unsafe(no_mangle)]
extern "C" fn start() -> *const u8 {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        say(3, text.as_ptr(), text.len());
    }));
    platform::lend(Host {
        now: || Duration::from_secs_f64(now().max(0.0) / 1_000.0),
        give_way: || {
            rest();
            with_desk(Desk::is_to_end)
        },
    });
    Box::leak(vec![0_u64; ASIDE / 8].into_boxed_slice())
        .as_ptr()
        .cast()
}

/// How many bytes there are for that.
#[unsafe(no_mangle)]
extern "C" fn aside() -> usize {
    ASIDE
}

/// Where JavaScript writes so many bytes of what it says next.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(bytes, 0);
        input.as_mut_ptr()
    })
}

/// Hears what was written there: a line of UCI (0), a call (1), bytes that belong to the next call (2);
/// or that no line will come any more (3).
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

/// Carries out what waits first: a search, or a call.
#[unsafe(no_mangle)]
extern "C" fn work() {
    with_desk(|desk| desk.work());
}

/// Whether something waits to be carried out.
#[unsafe(no_mangle)]
extern "C" fn waits() -> bool {
    with_desk(Desk::waits)
}

/// Whether the conversation in UCI is over.
#[unsafe(no_mangle)]
extern "C" fn is_over() -> bool {
    with_desk(Desk::is_over)
}
