//! A child process that does not outlive the program.
//!
//! On Unix it leads a process group of its own, so that whatever it starts ends with it. A keeper, a shell beside the program,
//! knows these groups and ends them when its input ends: when the program has ended, by whatever signal. Elsewhere a child must see
//! that its own input has ended.

use std::io;
use std::process::{self, ChildStdin, ChildStdout, Command};

#[cfg(not(unix))]
use self::others as system;
#[cfg(unix)]
use self::unix as system;

/// A running child process.
pub(super) struct Child(process::Child);

impl Child {
    /// Starts a command.
    pub(super) fn start(command: &mut Command) -> io::Result<Child> {
        system::start(command).map(Child)
    }

    /// Its input and output, once, if they are pipes.
    pub(super) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        Some((self.0.stdin.take()?, self.0.stdout.take()?))
    }

    /// Whether it has ended by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        system::has_ended(&mut self.0)
    }

    /// Ends it, with all that it has started.
    pub(super) fn kill(&mut self) {
        system::kill(&mut self.0);
    }
}

#[cfg(unix)]
mod unix {
    use std::io::{self, Write as _};
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, ChildStdin, Command, Stdio};
    use std::sync::{LazyLock, Mutex, PoisonError};

    /// Script of the keeper. It reads what to do with the group of which leader.
    const SCRIPT: &str = r#"
        while read -r what group; do
            case $what in
                keep) groups="$groups $group" ;;
                kill) kill -s KILL -- "-$group" ;;
                forget)
                    others=
                    for other in $groups; do
                        [ "$other" = "$group" ] || others="$others $other"
                    done
                    groups=$others
                    ;;
            esac
        done
        for group in $groups; do kill -s KILL -- "-$group"; done
    "#;

    /// Input of the keeper, which begins with the first child. Without one children must see that their input has ended.
    static KEEPER: LazyLock<Option<Mutex<ChildStdin>>> = LazyLock::new(|| {
        let mut shell = Command::new("/bin/sh");
        // A group of its own: what ends the program from a terminal must not end the keeper.
        shell.args(["-c", SCRIPT]).process_group(0).current_dir("/");
        shell.stdin(Stdio::piped());
        shell.stdout(Stdio::null()).stderr(Stdio::null());
        shell.spawn().ok()?.stdin.map(Mutex::new)
    });

    fn tell_keeper(what: &str, child: &Child) {
        if let Some(keeper) = &*KEEPER {
            let mut input = keeper.lock().unwrap_or_else(PoisonError::into_inner);
            let line = format!("{what} {}\n", child.id());
            // It may have been killed.
            let _ = input.write_all(line.as_bytes());
        }
    }

    pub(super) fn start(command: &mut Command) -> io::Result<Child> {
        let child = command.process_group(0).spawn()?;
        tell_keeper("keep", &child);
        Ok(child)
    }

    pub(super) fn has_ended(child: &mut Child) -> bool {
        let has_ended = !matches!(child.try_wait(), Ok(None));
        if has_ended {
            tell_keeper("forget", child);
        }
        has_ended
    }

    pub(super) fn kill(child: &mut Child) {
        tell_keeper("kill", child);
        let _ = child.kill();
        let _ = child.wait();
        tell_keeper("forget", child);
    }
}

#[cfg(not(unix))]
mod others {
    use std::io;
    use std::process::{Child, Command};

    pub(super) fn start(command: &mut Command) -> io::Result<Child> {
        command.spawn()
    }

    pub(super) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    pub(super) fn kill(child: &mut Child) {
        let _ = child.kill();
        let _ = child.wait();
    }
}
