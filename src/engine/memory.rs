//! Memory of searches: valid sizes, and a check that the machine has enough.
//!
//! A searcher allocates its memory unchecked; a failure would end the program. So call [`ensure`] before building
//! searchers, for all that live at the same time.

use std::fmt;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use thiserror::Error;

use crate::platform;

/// Sizes in MiB that a search's tree or table can have.
pub(crate) const HASH_MEGABYTES: RangeInclusive<usize> = 1..=65_536;

const MEGABYTE: usize = 1 << 20;
/// Addresses, in MiB, that a thread takes for its stack and for small allocations; it uses few of them.
const OF_A_THREAD: usize = if platform::HAS_THREADS { 128 } else { 0 };

/// Reads the size of a tree or table, in MiB, as a command line gives it.
pub fn parse_hash(text: &str) -> Result<usize, String> {
    let size = text.parse().ok();
    size.filter(|size| HASH_MEGABYTES.contains(size))
        .ok_or_else(|| {
            let (least, most) = HASH_MEGABYTES.into_inner();
            format!("expected a whole number of MiB from {least} to {most}")
        })
}

/// Error: the machine has not enough memory for these searches.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct NotEnoughMemory {
    /// Their total need, in MiB.
    pub needed: usize,
    /// Number of searches.
    pub searches: usize,
    /// The machine's memory, if known.
    pub machine: Option<MachineMemory>,
}

/// The memory of a machine, in MiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MachineMemory {
    pub total: usize,
    /// Memory available without swapping.
    pub available: usize,
}

impl fmt::Display for NotEnoughMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let needed = self.needed;
        write!(
            f,
            "this machine does not have the {needed} MiB of memory that "
        )?;
        match self.searches {
            1 => f.write_str("the search needs")?,
            many => write!(f, "{many} searches at a time need")?,
        }
        if let Some(MachineMemory { total, available }) = self.machine {
            write!(f, " (it has {total} MiB, {available} MiB of them free)")?;
        }
        Ok(())
    }
}

/// Checks that the machine has memory for `jobs` sets of searches, which are to be started; `each` lists the needs of one
/// set, in MiB.
pub fn ensure(each: impl IntoIterator<Item = usize>, jobs: usize) -> Result<(), NotEnoughMemory> {
    // For one thread only: where addresses are not limited, memory is what is scarce.
    check(each, jobs, OF_A_THREAD)
}

/// Checks that the machine has memory for searches whose threads run already; `each` lists their needs, in MiB.
pub(crate) fn ensure_for_running(
    each: impl IntoIterator<Item = usize>,
) -> Result<(), NotEnoughMemory> {
    check(each, 1, 0)
}

/// Checks that the machine has memory for `jobs` sets of searches with these needs, and `more` MiB of addresses.
fn check(
    each: impl IntoIterator<Item = usize>,
    jobs: usize,
    more: usize,
) -> Result<(), NotEnoughMemory> {
    let each: Vec<usize> = each.into_iter().collect();
    let sum = each.iter().copied().fold(0, usize::saturating_add);
    let needed = sum.saturating_mul(jobs);
    let machine = machine();
    let is_too_much = machine.is_some_and(|machine| needed > machine.total);
    if is_too_much || !is_granted(needed.saturating_add(more)) {
        return Err(NotEnoughMemory {
            needed,
            searches: each.len().saturating_mul(jobs),
            machine,
        });
    }
    Ok(())
}

/// Whether the system grants an allocation of this many MiB now.
fn is_granted(megabytes: usize) -> bool {
    let bytes = megabytes.checked_mul(MEGABYTE);
    bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// The machine's memory within the limit of its container, on Linux; `None` elsewhere.
fn machine() -> Option<MachineMemory> {
    let machine = read_meminfo(&fs::read_to_string("/proc/meminfo").ok()?)?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limit = container_limit(&groups, |path| fs::read_to_string(path).ok());
    Some(machine.within(limit))
}

impl MachineMemory {
    /// The memory that a limit in MiB leaves.
    fn within(self, limit: Option<usize>) -> MachineMemory {
        let limit = limit.unwrap_or(usize::MAX);
        MachineMemory {
            total: self.total.min(limit),
            available: self.available.min(limit),
        }
    }
}

/// The least limit, in MiB, of the control groups that this process belongs to: `groups` is the text of
/// `/proc/self/cgroup`, and `read` gives the text of a file. `None` if there is no limit.
fn container_limit(groups: &str, read: impl Fn(&Path) -> Option<String>) -> Option<usize> {
    let of_group = |line: &str| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        // Version 2 has one tree for all, version 1 one for each controller.
        let (top, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => return None,
        };
        // The groups above limit it too. A container may see its own as the top.
        let above = Path::new(group).ancestors();
        let folders = above.map(|it| Path::new(top).join(it.strip_prefix("/").unwrap_or(it)));
        let limits = folders.filter_map(|folder| {
            let bytes: usize = read(&folder.join(file))?.trim().parse().ok()?;
            Some(bytes / MEGABYTE)
        });
        limits.min()
    };
    groups.lines().filter_map(of_group).min()
}

fn read_meminfo(text: &str) -> Option<MachineMemory> {
    let field = |name: &str| {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kilobytes: usize = rest.split_whitespace().next()?.parse().ok()?;
        Some(kilobytes / 1024)
    };
    Some(MachineMemory {
        total: field("MemTotal:")?,
        available: field("MemAvailable:")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes that no machine has, or that mean nothing: among them some that lose bits when they are made
    /// bytes.
    const ABSURD: [usize; 5] = [1 << 44, (1 << 44) + 1, 1 << 60, usize::MAX / 2, usize::MAX];

    #[test]
    fn what_the_machine_does_not_have_is_refused() {
        assert_eq!(ensure([1, 2], 3), Ok(()));
        assert_eq!(ensure([], 1), Ok(()));
        for size in ABSURD {
            for (each, jobs) in [(vec![size], 1), (vec![1, size], 7), (vec![64], size)] {
                let error = ensure(each.clone(), jobs).unwrap_err();
                assert!(error.needed >= size, "{each:?} {jobs}: {error}");
            }
        }
    }

    #[test]
    fn the_error_says_what_is_needed_and_what_there_is() {
        let mut error = NotEnoughMemory {
            needed: 65_538,
            searches: 1,
            machine: None,
        };
        assert_eq!(
            error.to_string(),
            "this machine does not have the 65538 MiB of memory that the search needs"
        );
        error.searches = 4;
        let meminfo = "MemTotal:       24684544 kB\nMemFree: 1 kB\nMemAvailable:   18750464 kB\n";
        error.machine = read_meminfo(meminfo);
        assert_eq!(
            error.to_string(),
            "this machine does not have the 65538 MiB of memory that 4 searches at a time need \
             (it has 24106 MiB, 18311 MiB of them free)"
        );
        for damaged in ["", "MemTotal: many kB", "MemTotal: 5 kB"] {
            assert_eq!(read_meminfo(damaged), None);
        }
    }

    #[test]
    fn the_least_limit_of_a_container_counts() {
        let files = |path: &Path| {
            let text = match path.to_str()? {
                "/sys/fs/cgroup/memory.max" => "1073741824\n",
                "/sys/fs/cgroup/a/memory.max" => "536870912\n",
                "/sys/fs/cgroup/a/b/memory.max" => "max\n",
                "/sys/fs/cgroup/memory/x/memory.limit_in_bytes" => "268435456\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes" => "9223372036854771712\n",
                _ => return None,
            };
            Some(text.to_owned())
        };
        for (groups, limit) in [
            ("0::/\n", Some(1024)),
            ("0::/a/b\n", Some(512)),
            ("0::/elsewhere\n", Some(1024)),
            ("9:name=systemd:/\n4:memory:/x\n1:cpu:/\n", Some(256)),
            ("4:memory:/x\n0::/a/b\n", Some(256)),
            ("3:cpuset:/\n", None),
            ("", None),
            ("nonsense\n:\n0:\n", None),
        ] {
            assert_eq!(container_limit(groups, files), limit, "{groups}");
        }
        let machine = MachineMemory {
            total: 1000,
            available: 300,
        };
        assert_eq!(machine.within(None), machine);
        let limited = machine.within(Some(400));
        assert_eq!((limited.total, limited.available), (400, 300));
        assert_eq!(machine.within(Some(200)).available, 200);
    }

    #[test]
    fn sizes_are_read_within_their_range() {
        assert_eq!(parse_hash("1"), Ok(1));
        assert_eq!(parse_hash("65536"), Ok(65_536));
        let numbers = [0, 65_537, 1 << 20, (1 << 44) + 1, u64::MAX];
        let texts = numbers.iter().map(u64::to_string);
        for text in texts.chain(["", "-1", "64M", "1e3"].map(str::to_owned)) {
            let error = parse_hash(&text).unwrap_err();
            assert!(error.contains("from 1 to 65536"), "{text}: {error}");
        }
    }
}
