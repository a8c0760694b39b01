//! Work shared out among threads with stacks deep enough for searches.

use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use crate::platform;

/// Stack of a thread that searches: searches recurse, and lines get long.
const STACK_BYTES: usize = 64 << 20;
/// Most results that may wait for the calling thread.
const MOST_UNREPORTED: usize = 64;

/// A thread that can search, yet to be spawned.
pub fn thread() -> thread::Builder {
    thread::Builder::new().stack_size(STACK_BYTES)
}

/// Works on the items with `jobs` threads; a free thread takes the next item. Each thread has its own state from
/// `prepare`. `work` reports any number of results for an item; `report` receives each in the calling thread as it
/// arrives. The first error ends the run: reporting a result then returns `false`, by which `work` knows that it must
/// stop, and `report` receives no more. A panic ends it too, and propagates to the caller.
pub fn share<T, S, R: Send, E: Send + From<io::Error>>(
    items: impl Iterator<Item = T> + Send,
    jobs: usize,
    prepare: impl Fn() -> Result<S, E> + Sync,
    work: impl Fn(&mut S, T, &mut dyn FnMut(R) -> bool) -> Result<(), E> + Sync,
    mut report: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    if !platform::HAS_THREADS {
        return do_alone(items, prepare, work, report);
    }
    let items = Mutex::new(items);
    let enough = AtomicBool::new(false);
    let mut outcome = Ok(());
    thread::scope(|scope| {
        // If `report` is slower than the threads, they wait: results must not pile up.
        let (sender, receiver) = mpsc::sync_channel(MOST_UNREPORTED);
        let mut threads = Vec::new();
        for _ in 0..jobs.max(1) {
            let (sender, items, enough) = (sender.clone(), &items, &enough);
            let (prepare, work) = (&prepare, &work);
            let run = move || {
                // A panic of one thread ends the work of all.
                let _alarm = OnDrop(|| {
                    if thread::panicking() {
                        enough.store(true, Ordering::Relaxed);
                    }
                });
                let mut hand_over =
                    |result: R| sender.send(Ok(result)).is_ok() && !enough.load(Ordering::Relaxed);
                let mut work_off = || {
                    let mut state = prepare()?;
                    while !enough.load(Ordering::Relaxed) {
                        let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some(item) = next else { break };
                        work(&mut state, item, &mut hand_over)?;
                    }
                    Ok(())
                };
                if let Err(error) = work_off() {
                    // The receiver is gone only if everything has failed already.
                    let _ = sender.send(Err(error));
                }
            };
            match thread().spawn_scoped(scope, run) {
                Ok(thread) => threads.push(thread),
                Err(error) => outcome = Err(error.into()),
            }
        }
        drop(sender);
        for result in receiver {
            // Results after an error are dropped: they may depend on one that `report` could not take.
            if outcome.is_ok() {
                outcome = result.and_then(&mut report);
            }
            if outcome.is_err() {
                enough.store(true, Ordering::Relaxed);
            }
        }
        for thread in threads {
            // Propagates the panic itself: the scope would replace its message.
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    outcome
}

/// Does the work of [`share`] on the caller's thread.
fn do_alone<T, S, R, E>(
    items: impl Iterator<Item = T>,
    prepare: impl Fn() -> Result<S, E>,
    work: impl Fn(&mut S, T, &mut dyn FnMut(R) -> bool) -> Result<(), E>,
    mut report: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let mut state = prepare()?;
    for item in items {
        let mut reported = Ok(());
        let worked = work(&mut state, item, &mut |result| {
            if reported.is_ok() {
                reported = report(result);
            }
            reported.is_ok()
        });
        reported.and(worked)?;
    }
    Ok(())
}

/// Calls a function when it is dropped, during a panic too.
pub(crate) struct OnDrop<F: FnMut()>(pub(crate) F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0();
    }
}

/// One result for each item, in the order of the items; `done` is called after each, as they come.
pub fn map<T: Sync, S, R: Send>(
    items: &[T],
    jobs: usize,
    prepare: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
    mut done: impl FnMut(&T),
) -> io::Result<Vec<R>> {
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    share(
        items.iter().enumerate(),
        jobs,
        || Ok::<S, io::Error>(prepare()),
        |state, (number, item), hand_over| {
            hand_over((number, work(state, item)));
            Ok(())
        },
        |(number, result)| {
            results[number] = Some(result);
            done(&items[number]);
            Ok(())
        },
    )?;
    Ok(results.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..200).collect();
        let mut calls = 0;
        let squares = map(&items, 3, || (), |(), &n| n * n, |_| calls += 1).unwrap();
        assert_eq!(squares, items.iter().map(|n| n * n).collect::<Vec<_>>());
        assert_eq!(calls, 200);
    }

    #[test]
    fn an_error_ends_everything() {
        let items: Vec<u32> = (0..1_000).collect();
        let failing = |limit: u32, jobs: Option<usize>| {
            let mut reported = 0;
            let work = |(): &mut (), &item: &u32, hand_over: &mut dyn FnMut(u32) -> bool| {
                if item == 7 {
                    return Err(io::Error::other("seven"));
                }
                hand_over(item);
                Ok(())
            };
            let report = |_| {
                reported += 1;
                assert!(
                    reported <= limit.saturating_add(1),
                    "reported after an error"
                );
                if reported > limit {
                    Err(io::Error::other("enough"))
                } else {
                    Ok(())
                }
            };
            let outcome = match jobs {
                Some(jobs) => share(items.iter(), jobs, || Ok(()), work, report),
                None => do_alone(items.iter(), || Ok(()), work, report),
            };
            outcome.unwrap_err().to_string()
        };
        for jobs in [Some(2), None] {
            assert_eq!(failing(u32::MAX, jobs), "seven");
            assert_eq!(failing(0, jobs), "enough");
        }
    }

    #[test]
    fn all_is_done_without_threads_too() {
        let mut reported = Vec::new();
        let work = |sum: &mut u32, n: u32, hand_over: &mut dyn FnMut(u32) -> bool| {
            *sum += n;
            assert!(hand_over(n) && hand_over(*sum));
            Ok(())
        };
        let outcome: io::Result<()> = do_alone(
            1..4,
            || Ok(0),
            work,
            |result| {
                reported.push(result);
                Ok(())
            },
        );
        assert!(outcome.is_ok());
        assert_eq!(reported, [1, 1, 2, 3, 3, 6]);
    }

    #[test]
    fn a_panic_ends_everything_and_goes_on_in_the_caller() {
        let items: Vec<u32> = (0..1_000_000).collect();
        let done = AtomicUsize::new(0);
        let work = |(): &mut (), &n: &u32| {
            assert!(n != 7, "seven");
            done.fetch_add(1, Ordering::Relaxed);
            thread::yield_now();
        };
        let run = || map(&items, 2, || (), work, |_| ());
        let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"seven"));
        assert!(done.into_inner() < items.len() - 1);
    }
}
