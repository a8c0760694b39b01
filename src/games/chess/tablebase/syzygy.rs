//! Syzygy tables in files.

use anyhow::{Context as _, Result, ensure};
use shakmaty::Chess;
use shakmaty_syzygy::{AmbiguousWdl, Tablebase as SyzygyFiles, Wdl};

use super::{Tablebase, TablebaseResult};
use crate::games::chess::{Move, Position};

/// Syzygy tables, read from files on demand.
struct Syzygy {
    files: SyzygyFiles<Chess>,
}

impl Tablebase for Syzygy {
    fn max_pieces(&self) -> usize {
        self.files.max_pieces()
    }

    fn verdict(&self, position: &Position) -> Option<TablebaseResult> {
        let chess = position.to_shakmaty();
        let wdl = self.files.probe_wdl_after_zeroing(&chess).ok()?;
        Some(match wdl {
            Wdl::Loss => TablebaseResult::Loss,
            Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => TablebaseResult::Draw,
            Wdl::Win => TablebaseResult::Win,
        })
    }

    fn verdict_now(&self, position: &Position) -> Option<TablebaseResult> {
        let Ok(wdl) = self.files.probe_wdl(&position.to_shakmaty()) else {
            return self.verdict(position);
        };
        Some(match wdl {
            AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => TablebaseResult::Loss,
            AmbiguousWdl::BlessedLoss | AmbiguousWdl::Draw | AmbiguousWdl::CursedWin => {
                TablebaseResult::Draw
            }
            AmbiguousWdl::MaybeWin | AmbiguousWdl::Win => TablebaseResult::Win,
        })
    }

    fn best_move(&self, position: &Position) -> Option<Move> {
        let (m, _) = self.files.best_move(&position.to_shakmaty()).ok()??;
        Some(Move::from_shakmaty(m))
    }
}

/// Opens the tables in the folders of `path`; returns the number of files, too.
pub(super) fn open(path: &str) -> Result<(Box<dyn Tablebase>, usize)> {
    let mut files = SyzygyFiles::new();
    let mut count = 0;
    for folder in std::env::split_paths(path).filter(|it| !it.as_os_str().is_empty()) {
        let entries = std::fs::read_dir(&folder)
            .with_context(|| format!("'{}' cannot be read", folder.display()))?;
        // What is no table or a damaged one is left out.
        let added = entries
            .flatten()
            .filter(|it| files.add_file(it.path()).is_ok());
        count += added.count();
    }
    ensure!(count > 0, "there are no Syzygy tables in '{path}'");
    Ok((Box::new(Syzygy { files }), count))
}
