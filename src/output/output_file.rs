//! Files that commands write: the treatment of existing files, and the state after a killed run or on a full disk.
//!
//! One rule holds for every file of every command. An existing file is left alone and named in an error, unless the
//! user asks to overwrite it (`--overwrite`) or to continue it (`--resume`). An empty file counts as none, since
//! nothing is lost with it. Symbolic links are followed. Pipes, terminals and devices are written to as they are.
//!
//! There are two kinds of files. `GrowingFile` grows line by line and is locked while a run writes to it: a killed run
//! leaves whole lines and at most a part of one, which is cut off when the next run continues. [`WholeFile`] is
//! replaced as a whole: readers see the old file or the new one.
//!
//! `distinct` checks that each file has one use in a run, `parts` has the temporary files of whole files.

mod distinct;
mod parts;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::Args;
use thiserror::Error;

pub use distinct::check_distinct;
pub use parts::sweep;

/// Links followed before a path counts as circular, as in Linux.
const MOST_LINKS: usize = 40;
/// Bytes read at a time when searching for the end of the last whole line.
const CHUNK: u64 = 1 << 16;
/// Longest wait for the reader of a pipe.
const PATIENCE: Duration = Duration::from_secs(10);

/// Treatment of an existing file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Leave it alone and fail.
    #[default]
    Refuse,
    /// Write it anew.
    Overwrite,
    /// Continue it. Only for files that grow; others refuse.
    Resume,
}

/// The option for existing files.
#[derive(Clone, Copy, Debug, Args)]
pub struct OverwriteArgs {
    /// Replace files that already exist; without it they are left alone
    #[arg(long)]
    pub overwrite: bool,
}

impl OverwriteArgs {
    /// Treatment of existing files.
    pub fn existing(self) -> Existing {
        self.or_resume(false)
    }

    /// Treatment of existing files by a command that can resume.
    pub fn or_resume(self, resume: bool) -> Existing {
        match (resume, self.overwrite) {
            (true, _) => Existing::Resume,
            (false, true) => Existing::Overwrite,
            (false, false) => Existing::Refuse,
        }
    }
}

/// The error for a file that cannot be written.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
pub struct OutputError {
    pub path: PathBuf,
    /// The reason.
    pub reason: Refusal,
}

/// The reason why a file cannot be written.
#[derive(Debug, Error)]
pub enum Refusal {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("already exists; use --overwrite to replace it")]
    Exists,
    /// The file exists, and could be continued.
    #[error("already exists; continue it with --resume, or replace it with --overwrite")]
    Resumable,
    #[error("its folder does not exist; make that first")]
    NoFolder,
    /// Something else stands where a folder is needed.
    #[error("is not a folder")]
    NotAFolder,
    #[error("another run is writing to it; wait until that ends, or choose another file")]
    InUse,
    /// The file cannot be continued.
    #[error(
        "was not written by this command, so it cannot be continued; choose another file, or replace it with --overwrite"
    )]
    Foreign,
    /// The file has another use in this run, by this path if that is another one.
    #[error("is given twice{}; choose a different file for each output", also(.0.as_deref()))]
    Twice(Option<PathBuf>),
    #[error("is a folder; give the name of a file, which may be in it")]
    Folder,
    #[error("no program reads from this pipe; start one that does first, or choose a file")]
    NoReader,
}

impl Refusal {
    /// The error for a file, for this reason.
    pub fn of(self, path: &Path) -> OutputError {
        OutputError {
            path: path.to_owned(),
            reason: self,
        }
    }
}

/// The other path of a file, as words.
fn also(path: Option<&Path>) -> String {
    path.map_or_else(String::new, |it| format!(", also as {}", it.display()))
}

/// Adds the file's name to an error of the system; a path that is not found lacks its folder.
fn at(path: &Path) -> impl Fn(io::Error) -> OutputError + '_ {
    move |reason| match reason.kind() {
        io::ErrorKind::NotFound => Refusal::NoFolder.of(path),
        io::ErrorKind::IsADirectory => Refusal::Folder.of(path),
        _ => Refusal::Io(reason).of(path),
    }
}

/// The regular file that a path leads to, existing or not; links are followed. `None` for a stream: a pipe, a terminal or
/// another device, or a file already open in some process, such as `/dev/stdout`.
pub(crate) fn regular_file(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => return Ok(None),
        _ => {}
    }
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = folder(&path).to_owned();
        // A file there is open in some process: it must not be replaced.
        if fs::canonicalize(&folder).is_ok_and(|it| it.starts_with("/proc")) {
            return Ok(None);
        }
        match fs::symlink_metadata(&path) {
            Ok(there) if there.is_symlink() => path = folder.join(fs::read_link(&path)?),
            _ => return Ok(Some(path)),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether a regular file has content.
fn has_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| there.len() > 0)
}

/// A file that grows by whole lines, locked against other runs.
#[derive(Debug)]
pub(crate) struct GrowingFile {
    pub(super) path: PathBuf,
    file: File,
    /// Bytes in whole lines; `None` for a pipe or a device.
    whole: Option<u64>,
    /// Whether bytes to be cut off may follow the whole lines: a part of a line, or contents to be overwritten.
    is_torn: bool,
    /// Whether an earlier run has begun it, and this one continues it: perhaps from a part of the first line.
    is_begun: bool,
}

impl GrowingFile {
    /// Opens a file for writing and locks it.
    ///
    /// A file to be continued must begin with `signature`, or, if it has no whole line, with a part of it; without a
    /// signature it cannot be continued. The file is not changed before the first [`push`](Self::push).
    pub(crate) fn open(
        path: &Path,
        existing: Existing,
        signature: Option<&str>,
    ) -> Result<GrowingFile, OutputError> {
        let Some(target) = regular_file(path).map_err(at(path))? else {
            return Ok(GrowingFile {
                path: path.to_owned(),
                file: open_stream(path, PATIENCE)?,
                whole: None,
                is_torn: false,
                is_begun: false,
            });
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&target).map_err(at(path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Refusal::InUse.of(path)),
            // Some network file systems have no locks: writing without is better than failing.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(at(path)(error)),
        }
        let mut opened = GrowingFile {
            path: path.to_owned(),
            file,
            whole: Some(0),
            is_torn: true,
            is_begun: false,
        };
        opened.prepare(existing, signature)?;
        Ok(opened)
    }

    /// Opens a file that cannot be continued. It is not changed before the first [`push`](Self::push).
    pub(crate) fn create(path: &Path, existing: Existing) -> Result<GrowingFile, OutputError> {
        GrowingFile::open(path, existing, None)
    }

    /// Examines the file, and decides whether it may be written.
    fn prepare(&mut self, existing: Existing, signature: Option<&str>) -> Result<(), OutputError> {
        let path = &self.path;
        let length = self.file.metadata().map_err(at(path))?.len();
        if length == 0 || existing == Existing::Overwrite {
            return Ok(());
        }
        let signature = match (signature, existing) {
            (None, _) => return Err(Refusal::Exists.of(path)),
            (Some(signature), Existing::Resume) => signature.as_bytes(),
            (Some(_), _) => return Err(Refusal::Resumable.of(path)),
        };
        let whole = end_of_lines(&mut self.file, length).map_err(at(path))?;
        let mut start = vec![0; signature.len().min(length as usize)];
        self.file.rewind().map_err(at(path))?;
        self.file.read_exact(&mut start).map_err(at(path))?;
        let enough = whole == 0 || start.len() == signature.len();
        if !enough || !signature.starts_with(&start) {
            return Err(Refusal::Foreign.of(path));
        }
        self.whole = Some(whole);
        self.is_torn = whole < length;
        self.is_begun = true;
        Ok(())
    }

    /// Whether an earlier run has begun the file that this one continues. It may hold no whole line.
    pub(crate) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Whether the file holds no whole line, so that there is nothing to continue.
    pub(crate) fn is_empty(&self) -> bool {
        self.whole.is_none_or(|whole| whole == 0)
    }

    /// The whole lines of the file, old and new.
    pub(crate) fn reader(&mut self) -> Result<impl Read + '_, OutputError> {
        self.file.rewind().map_err(at(&self.path))?;
        Ok((&self.file).take(self.whole.unwrap_or(0)))
    }

    /// Appends one or more lines, each with its line end. On an error the file is left as it was.
    pub(crate) fn push(&mut self, lines: &[u8]) -> Result<(), OutputError> {
        let pushed = self.try_push(lines);
        if pushed.is_err()
            && let Some(whole) = self.whole
        {
            // If even this fails, the next run repairs the file.
            self.is_torn = self.file.set_len(whole).is_err();
        }
        pushed.map_err(at(&self.path))
    }

    /// Waits until the file's contents are on the disk, as far as the system tells.
    pub(crate) fn sync(&self) {
        if self.whole.is_some() {
            // Some file systems cannot, and what cannot be written fails elsewhere.
            let _ = self.file.sync_data();
        }
    }

    fn try_push(&mut self, lines: &[u8]) -> io::Result<()> {
        let Some(whole) = &mut self.whole else {
            return self.file.write_all(lines);
        };
        if self.is_torn {
            self.file.set_len(*whole)?;
            self.is_torn = false;
        }
        self.file.seek(SeekFrom::Start(*whole))?;
        self.file.write_all(lines)?;
        *whole += lines.len() as u64;
        Ok(())
    }
}

/// Opens a pipe or a device. A pipe without a reader is given up after this time.
fn open_stream(path: &Path, patience: Duration) -> Result<File, OutputError> {
    let (sender, opened) = mpsc::channel();
    let name = path.to_owned();
    // Opening a pipe waits for its reader. That wait cannot be ended, so it is left to a thread.
    thread::spawn(move || {
        // Appends, so as not to overwrite a file to which standard output was redirected.
        let file = OpenOptions::new().append(true).open(name);
        // Nobody hears of it any more if it took too long.
        let _ = sender.send(file);
    });
    match opened.recv_timeout(patience) {
        Ok(file) => file.map_err(at(path)),
        Err(_) => Err(Refusal::NoReader.of(path)),
    }
}

/// The end of the last whole line, in bytes.
fn end_of_lines(file: &mut File, length: u64) -> io::Result<u64> {
    let mut end = length;
    while end > 0 {
        let begin = end.saturating_sub(CHUNK);
        let mut chunk = vec![0; (end - begin) as usize];
        file.seek(SeekFrom::Start(begin))?;
        file.read_exact(&mut chunk)?;
        if let Some(last) = chunk.iter().rposition(|&byte| byte == b'\n') {
            return Ok(begin + last as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

/// A file that is written as a whole, once or repeatedly.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    place: Destination,
    existing: Existing,
}

/// The place of a [`WholeFile`].
#[derive(Debug)]
enum Destination {
    /// An open pipe or device, to which repeated contents are appended.
    Stream(File),
    /// A regular file, existing or not.
    Regular(PathBuf),
}

impl WholeFile {
    /// Checks that the file can be written, so that an error comes now and not after hours. Changes nothing, but removes
    /// temporary files that killed runs have left.
    pub fn claim(path: &Path, existing: Existing) -> Result<WholeFile, OutputError> {
        let claimed = WholeFile::open(path, existing)?;
        if let Destination::Regular(target) = &claimed.place {
            let name = target.file_name().unwrap_or_default();
            sweep(folder(target), |it| *it == *name.to_string_lossy());
            // Removed when dropped.
            parts::temporary(target).map_err(at(path))?;
        }
        Ok(claimed)
    }

    fn open(path: &Path, existing: Existing) -> Result<WholeFile, OutputError> {
        let place = match regular_file(path).map_err(at(path))? {
            None => Destination::Stream(open_stream(path, PATIENCE)?),
            Some(target) if existing != Existing::Overwrite && has_content(&target) => {
                return Err(Refusal::Exists.of(path));
            }
            Some(target) => Destination::Regular(target),
        };
        Ok(WholeFile {
            path: path.to_owned(),
            place,
            existing,
        })
    }

    /// Whether it is a pipe or a device, to which repeated contents are appended.
    pub(crate) fn is_stream(&self) -> bool {
        matches!(self.place, Destination::Stream(_))
    }

    /// Writes the whole file. On an error the old contents stay, and nothing else is left.
    pub fn write(&mut self, contents: &[u8]) -> Result<(), OutputError> {
        let target = match &mut self.place {
            Destination::Stream(file) => return file.write_all(contents).map_err(at(&self.path)),
            Destination::Regular(target) => target,
        };
        let mut temporary = parts::temporary(target).map_err(at(&self.path))?;
        temporary.write_all(contents).map_err(at(&self.path))?;
        // Another process may have written the file since the claim.
        if self.existing != Existing::Overwrite && has_content(target) {
            return Err(Refusal::Exists.of(&self.path));
        }
        let put = temporary.persist(target);
        put.map_err(|error| at(&self.path)(error.error))?;
        // From now on the file is this run's.
        self.existing = Existing::Overwrite;
        Ok(())
    }
}

/// Writes a whole file.
pub fn write(path: &Path, existing: Existing, contents: &[u8]) -> Result<(), OutputError> {
    WholeFile::open(path, existing)?.write(contents)
}

#[cfg(test)]
mod tests;
