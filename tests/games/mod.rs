//! `cassius analyze GAMES.pgn` as its users see it.

mod annotated;
#[cfg(unix)]
mod engine;
mod files;
mod pages;
mod report;
mod resuming;

use serde_json::Value;

use crate::common::{Folder, Said};

/// Anderssen – Dufresne, Berlin 1852.
const GAME: &str = r#"[Event "Berlin"]
[White "Adolf Anderssen"]
[Black "Jean <b>Dufresne</b>"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 Bxb4 5. c3 Ba5 6. d4 exd4 7. O-O d3
8. Qb3 Qf6 9. e5 Qg6 10. Re1 Nge7 11. Ba3 b5 12. Qxb5 Rb8 13. Qa4 Bb6
14. Nbd2 Bb7 15. Ne4 Qf5 16. Bxd3 Qh5 17. Nf6+ gxf6 18. exf6 Rg8 19. Rad1 Qxf3
20. Rxe7+ Nxe7 21. Qxd7+ Kxd7 22. Bf5+ Ke8 23. Bd7+ Kf8 24. Bxe7# 1-0
"#;

const MALFORMED: &str = r#"
[White "No such move"]

1. e4 e5 2. Ke4 d5 *

[White "Chess960"]
[Variant "Chess960"]
[FEN "nrk1rbbq/pppppppp/8/8/8/8/PPPPPPPP/NRK1RBBQ w KQkq - 0 1"]

1. O-O-O O-O-O 2. e4 *
"#;

/// Options for all kinds of files about games except annotated games.
const FILES: &str = "--html g.html --json g.json --csv g.csv";

/// Beginning of a text, as a kill leaves it: some lines whole, and one cut short.
fn cut_short(text: &str, kept: usize) -> String {
    let lines: Vec<&str> = text.lines().take(kept).collect();
    lines.join("\n") + "\n{\"kind\":\"po"
}

impl Folder {
    /// Analyzes games with these options.
    fn analyze(&self, games: impl AsRef<[u8]>, options: &str) -> Said {
        self.write("games.pgn", games);
        self.run(&format!("analyze games.pgn --hash 8 {options}"))
    }

    /// The values of one kind in a file of JSON lines.
    fn lines(&self, file: &str, kind: &str) -> Vec<Value> {
        let mut values = self.values(file);
        values.retain(|it| it["kind"] == kind);
        values
    }
}
