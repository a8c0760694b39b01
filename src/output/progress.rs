//! A progress bar with an estimate of the time left, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Items done and to do, on standard error. Where that is no terminal nothing is shown. No colors
/// are used, so there is nothing for `NO_COLOR` to turn off.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Nothing of `items` is done yet.
    pub fn new(items: u64) -> Progress {
        let template = "{wide_bar} {pos}/{len}  {elapsed} gone, {eta} to go  {msg}";
        Progress::styled(ProgressBar::new(items), template)
    }

    /// Nothing is done yet of an input of so many bytes; `None`: nobody knows how many.
    pub(crate) fn of_bytes(bytes: Option<u64>) -> Progress {
        let (bar, template) = match bytes {
            Some(bytes) => (
                ProgressBar::new(bytes),
                "{wide_bar} {percent}%  {elapsed} gone, {eta} to go  {msg}",
            ),
            None => (ProgressBar::new_spinner(), "{elapsed} gone  {msg}"),
        };
        Progress::styled(bar, template)
    }

    fn styled(bar: ProgressBar, template: &str) -> Progress {
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.enable_steady_tick(Duration::from_millis(500));
        Progress { bar }
    }

    /// One more item is done; `message` stands beside the bar.
    pub fn advance(&self, message: String) {
        self.bar.set_message(message);
        self.bar.inc(1);
    }

    /// So many items, or bytes, are done.
    pub fn reach(&self, items: u64) {
        self.bar.set_position(items);
    }

    /// As much is done, `message` stands beside the bar.
    pub(crate) fn reach_with(&self, items: u64, message: String) {
        self.bar.set_message(message);
        self.reach(items);
    }

    /// Writes something while the bar is out of the way.
    pub fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    /// Takes the bar off the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
