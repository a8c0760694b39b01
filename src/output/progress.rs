//! A progress bar with an estimate of the time left, on a terminal only.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar of items on standard error; shows nothing unless that is a terminal. It has no colours, so `NO_COLOR`
/// does not matter.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for `items` items, none done.
    pub fn new(items: u64) -> Progress {
        let template = "{wide_bar} {pos}/{len}  {elapsed} gone, {eta} to go  {msg}";
        Progress::styled(ProgressBar::new(items), template)
    }

    /// A bar for an input of `bytes` bytes; `None` if unknown.
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

    /// Adds a finished item; `message` stands beside the bar.
    pub fn advance(&self, message: String) {
        self.bar.set_message(message);
        self.bar.inc(1);
    }

    /// Sets the number of finished items or bytes.
    pub fn reach(&self, items: u64) {
        self.bar.set_position(items);
    }

    /// Sets the number of finished items or bytes, and the message beside the bar.
    pub(crate) fn reach_with(&self, items: u64, message: String) {
        self.bar.set_message(message);
        self.reach(items);
    }

    /// Runs `write` while the bar is hidden.
    pub fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    /// Says on a terminal that a page can be opened.
    pub(crate) fn report_page(&self, page: &Path, err: &mut dyn Write) -> io::Result<()> {
        if self.bar.is_hidden() {
            return Ok(());
        }
        writeln!(err, "{}: written; open it in a browser", page.display())
    }

    /// Removes the bar from the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
