//! Helpers that groups of tests share: a folder for each test, runs of the binary in it, collections of positions.

pub(crate) mod browser;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use cassius::engine::settings::{ChessSearcher, EngineSettings};
use cassius::games::chess::Evaluation;
use cassius::search::registry::Settings;
use serde_json::Value;

/// Separates tests that measure time from tests that keep all processors busy.
static PROCESSORS: RwLock<()> = RwLock::new(());

/// Lock for a test that measures time: others may measure too, but none keeps all processors busy.
pub(crate) fn timed() -> RwLockReadGuard<'static, ()> {
    PROCESSORS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Lock for a test that keeps all processors busy: no other measures time or does the same.
pub(crate) fn busy() -> RwLockWriteGuard<'static, ()> {
    PROCESSORS.write().unwrap_or_else(PoisonError::into_inner)
}

/// The engine's searcher. The library has it compiled: a search by itself would be compiled with the tests again.
pub(crate) fn searcher(search: Settings, evaluation: Evaluation) -> ChessSearcher {
    let settings = EngineSettings {
        search,
        evaluation,
        ..EngineSettings::default()
    };
    settings.searcher()
}

/// A file of the collection of test positions that lives beside the repository (`../shared`, or
/// where `CASSIUS_SHARED` says), or `None`, with a message, if there is no such file.
#[allow(clippy::print_stderr)]
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("CASSIUS_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let file = folder.join(path);
    if file.is_file() {
        Some(file)
    } else {
        eprintln!("skipped: no {}", file.display());
        None
    }
}

/// The binary, which logs nothing.
pub(crate) fn cassius() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cassius"));
    command.env_remove("RUST_LOG");
    command
}

/// The binary, with the words of `line`, split as by a shell, as arguments.
pub(crate) fn command(line: &str) -> Command {
    let mut command = cassius();
    command.args(shlex::split(line).expect("closed quotes"));
    command
}

/// Runs [`command`] to its end.
pub(crate) fn said(line: &str) -> Said {
    Said::by(&mut command(line))
}

/// How a run of the binary ended, and what it said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Said {
            code: output.status.code(),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }
}

impl Said {
    /// Runs a command to its end.
    pub(crate) fn by(command: &mut Command) -> Said {
        Said::from(command.output().expect("a run"))
    }

    /// Runs a command to its end with `input` on its standard input.
    pub(crate) fn by_with_input(command: &mut Command, input: &str) -> Said {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        writer.write_all(input.as_bytes()).expect("room in it");
        drop(writer);
        Said::by(command.stdin(reader))
    }

    /// Returns `self`; fails unless the exit code is `code`.
    pub(crate) fn ended(self, code: i32) -> Said {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Returns `self`; fails if the exit code is 0.
    pub(crate) fn failed(self) -> Said {
        assert_ne!(self.code, Some(0), "{self:?}");
        self
    }

    /// Returns `self`; fails unless standard output contains `part`.
    #[track_caller]
    pub(crate) fn prints(self, part: &str) -> Said {
        assert!(self.out.contains(part), "no '{part}' in {self:?}");
        self
    }

    /// Returns `self`; fails unless standard error contains `part`.
    #[track_caller]
    pub(crate) fn tells(self, part: &str) -> Said {
        assert!(self.err.contains(part), "no '{part}' in {self:?}");
        self
    }

    /// Fails unless standard error ends with `part`.
    #[track_caller]
    pub(crate) fn tells_at_the_end(&self, part: &str) {
        let is_there = self.err.ends_with(part);
        assert!(is_there, "no '{part}' at the end of {self:?}");
    }

    /// Standard output of a command that succeeded, as JSON.
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.ended(0).out).expect("JSON")
    }

    /// Returns `self`; fails if anything is on standard output.
    pub(crate) fn prints_nothing(self) -> Said {
        assert_eq!(self.out, "", "{self:?}");
        self
    }

    /// Returns `self`; fails if anything is on standard error.
    pub(crate) fn tells_nothing(self) -> Said {
        assert_eq!(self.err, "", "{self:?}");
        self
    }
}

/// A text, or several lines, in which a test expects something.
pub(crate) trait Has {
    /// Fails unless it contains `part`.
    #[track_caller]
    fn has(&self, part: &str);

    /// Fails unless it contains all `parts`.
    #[track_caller]
    fn has_all<const N: usize>(&self, parts: [&str; N]) {
        for part in parts {
            self.has(part);
        }
    }
}

impl Has for str {
    fn has(&self, part: &str) {
        assert!(self.contains(part), "no '{part}' in {self}");
    }
}

impl Has for [String] {
    fn has(&self, part: &str) {
        let is_there = self.iter().any(|line| line.contains(part));
        assert!(is_there, "no '{part}' in {self:#?}");
    }
}

/// A folder of a test's own, empty at first.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Makes the folder; no two tests may use the same name.
    pub(crate) fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn join(&self, file: impl AsRef<Path>) -> PathBuf {
        self.0.join(file)
    }

    pub(crate) fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.join(file), text).expect("writable");
    }

    pub(crate) fn bytes(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    pub(crate) fn read(&self, file: &str) -> String {
        String::from_utf8(self.bytes(file)).expect("UTF-8")
    }

    /// The names of the files in it, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|it| it.into_string().expect("text")).collect();
        names.sort();
        names
    }

    /// The values of a file of JSON lines.
    pub(crate) fn values(&self, file: &str) -> Vec<Value> {
        let value = |line: &str| serde_json::from_str(line).expect("JSON");
        self.read(file).lines().map(value).collect()
    }

    /// The values of a file of JSON lines without what differs from run to run: times and provenance.
    pub(crate) fn timeless(&self, file: &str) -> Vec<Value> {
        let mut values = self.values(file);
        for value in &mut values {
            let fields = value.as_object_mut().expect("an object");
            for field in ["ms", "command", "commit", "date", "machine"] {
                fields.remove(field);
            }
            for part in ["own", "solution"] {
                if let Some(part) = fields.get_mut(part).and_then(Value::as_object_mut) {
                    part.remove("ms");
                }
            }
        }
        values
    }

    /// Writes a UCI engine, a shell script that runs `on_go` at each `go`; `$position` is the last `position`
    /// command. It values one move; if told to value more it writes that into the file `refused` and ends.
    #[cfg(unix)]
    pub(crate) fn put_engine(&self, file: &str, on_go: &str) {
        use std::os::unix::fs::PermissionsExt;
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
             uci) echo id name Fake; echo option name MultiPV type spin default 1 min 1 max 1; echo uciok;;\n\
             *\" MultiPV value \"[2-9]*) echo \"$line\" >> refused; exit 8;;\n\
             isready) echo readyok;;\n\
             position*) position=\"$line\";;\n\
             go*) {on_go};;\n\
             quit) exit 0;;\nesac; done\n"
        );
        self.write(file, script);
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.join(file), executable).expect("executable");
    }

    /// [`command`] with this working directory.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = command(line);
        command.current_dir(&self.0);
        command
    }

    /// Runs [`command`] to its end in this working directory.
    pub(crate) fn run(&self, line: &str) -> Said {
        Said::by(&mut self.command(line))
    }
}
