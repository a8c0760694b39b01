//! Files as other programs and people write them, in `tests/inputs`: one for each kind of oddity, and its meaning.

use std::path::{Path, PathBuf};

use cassius::games::chess::notation::{Castling, is_chess960, to_fen, to_uci};
use cassius::games::chess::pgn::{Games, PgnGame};
use cassius::suite::epd::{self, Record};

use crate::common::{Folder, Has, Said, cassius, said};

fn path(file: &str) -> PathBuf {
    Path::new("tests/inputs").join(file)
}

fn bytes(file: &str) -> Vec<u8> {
    std::fs::read(path(file)).expect("a file of the repository")
}

fn games_of(text: impl AsRef<[u8]>) -> Vec<PgnGame> {
    let games = Games::new(text.as_ref()).collect::<Result<_, _>>();
    games.expect("text")
}

/// The first game of a text.
fn game_of(text: impl AsRef<[u8]>) -> PgnGame {
    games_of(text).remove(0)
}

/// The games of a file, all of them complete.
fn games(file: &str) -> Vec<PgnGame> {
    let games = games_of(bytes(file));
    for game in &games {
        assert_eq!(game.flaw, None, "{file}");
    }
    games
}

/// The moves of a game, in UCI's notation, and its result.
fn told(game: &PgnGame) -> (String, &'static str) {
    let chess960 = is_chess960(&game.start);
    let moves: Vec<String> = game.moves.iter().map(|&m| to_uci(m, chess960)).collect();
    (moves.join(" "), game.result)
}

/// Message about the flaw of a text's first game.
fn flaw(text: &str) -> String {
    game_of(text).flaw.expect("a flaw").to_string()
}

fn oddities(game: &PgnGame) -> Vec<String> {
    game.oddities.iter().map(ToString::to_string).collect()
}

fn records(file: &str) -> Vec<Record> {
    let file = epd::read_file(&path(file), Castling::Standard).expect("readable");
    assert!(file.malformed.is_empty(), "{:?}", file.malformed);
    file.records
}

#[test]
fn nobody_castles_whose_king_or_rook_has_left_its_square() {
    let session = std::fs::File::open(path("castling.uci")).expect("a file");
    let dropped = "info string position: the castling rights";
    let text = Said::by(cassius().stdin(session))
        .prints(&format!("{dropped} kq do not fit the board; kept: none"))
        .prints(&format!("{dropped} KQkq do not fit the board; kept: none"))
        .out;
    // Once the king has gone, another piece may go the same way.
    for (king, castling) in [("e8", "e8c8"), ("e8", "e8g8"), ("g1", "g1a1")] {
        for line in text.lines() {
            let first = line.split(' ').find(|word| word.starts_with(king));
            assert_ne!(first, Some(castling), "{line}");
        }
    }
    text.has("\nbestmove ");

    let game = games("castling.pgn").remove(0);
    assert!(!is_chess960(&game.start));
    assert_eq!(to_fen(&game.start), "8/8/8/8/k1p5/pp6/8/R5K1 w - - 0 1");
    assert_eq!(told(&game), ("g1h2 b3b2 a1e1 a3a2".to_owned(), "0-1"));
    let odd = "line 4, game 1, tags: the castling rights KQkq do not fit the board; kept: none; \
               games of Chess960 have [Variant \"Chess960\"]";
    assert_eq!(oddities(&game), [odd]);
}

#[test]
fn the_command_line_drops_rights_and_says_so() {
    let fen = "8/8/8/8/k1p5/pp6/8/R5K1 w KQkq - 0 1";
    let analyzed = said(&format!("analyze --fen '{fen}' --nodes 2000 --json"))
        .ended(0)
        .tells("the castling rights KQkq do not fit the board")
        .tells("--chess960");
    assert!(!analyzed.out.contains("O-O"));
    // The same board in Chess960, where the rook may castle.
    let board = "8/8/8/8/1k6/8/8/R5K1 w Q - 0 1";
    for (flags, says) in [("--chess960", ""), ("", "the castling rights Q")] {
        let line = format!("analyze --fen '{board}' --nodes 2000 {flags}");
        let said = said(&line).ended(0).tells(says);
        assert_eq!(said.err.is_empty(), says.is_empty(), "{said:?}");
    }
    // A semicolon after a FEN is ignored.
    let fen = "7k/8/8/8/8/8/8/R5K1 w - - 0 1;";
    let said = said(&format!("analyze --fen '{fen}' --nodes 500"));
    said.ended(0).tells_nothing();
}

#[test]
fn rights_that_fit_are_kept_where_others_are_dropped() {
    let pgn = "[FEN \"r3k2r/8/8/8/8/8/8/4KR2 w KQkq - 0 1\"]\n\n1. Rh1 O-O *";
    let game = game_of(pgn);
    assert_eq!(told(&game).0, "f1h1 e8g8");
    oddities(&game)[0].has("kept: kq;");
}

#[test]
fn games_are_of_chess960_by_name_by_letters_or_by_their_moves() {
    let game =
        |tags: &str, moves: &str| game_of(format!("{tags}[FEN \"4k3/8/8/8/8/8/8/1K4R1 w {moves}"));
    let named = game("[Variant \"Fischer random\"]\n", "K - 0 1\"]\n\n1. Kc1 *");
    assert!(is_chess960(&named.start) && named.flaw.is_none());
    let letters = game("", "G - 0 1\"]\n\n1. Kc1 *");
    assert!(is_chess960(&letters.start) && letters.flaw.is_none());
    let castles = game("", "K - 0 1\"]\n\n1. Kc1 Kd7 2. Kb1 Ke8 3. O-O *");
    assert!(castles.flaw.is_some(), "the king has moved");
    assert_eq!(castles.moves.len(), 4);
    let castles = game("", "K - 0 1\"]\n\n1. Rg2 Kd7 2. Rg1 Ke8 3. O-O *");
    assert_eq!(castles.moves.len(), 4, "the rook has moved");
    let castles = game("", "K - 0 1\"]\n\n1. O-O Kd7 2. Kg2 *");
    assert_eq!(told(&castles), ("b1g1 e8d7 g1g2".to_owned(), "*"));
    assert!(oddities(&castles).is_empty());
    let standard = game("[Variant \"Standard\"]\n", "K - 0 1\"]\n\n1. O-O Kd7 *");
    assert_eq!(standard.moves.len(), 0);
    assert_eq!(oddities(&standard).len(), 1);
    for name in ["wild/fr", "Freestyle", "Regular", "DFRC", "Fischer random"] {
        let game = game_of(format!("[Variant \"{name}\"]\n\n1. e4 e5 *"));
        assert_eq!(game.moves.len(), 2, "{name}");
    }
}

#[test]
fn an_odd_tag_is_named_and_the_game_goes_on() {
    let games = games("tag.pgn");
    assert_eq!(games.len(), 2);
    assert_eq!(told(&games[0]), ("f2f4 e7e5 g2g4 d8h4".to_owned(), "0-1"));
    assert_eq!(games[0].tag("BlackType"), Some("program"));
    let odd = "line 3, game 1, tags: '[BlackType: \"program\"]' is an odd tag, read as [BlackType \"program\"]";
    assert_eq!(oddities(&games[0]), [odd]);
    assert_eq!(told(&games[1]).1, "1-0");
    assert!(oddities(&games[1]).is_empty());

    for (tag, name, value) in [
        ("[Black-Elo \"2000\"]", "Black-Elo", Some("2000")),
        ("[Black Elo \"2000\"]", "Black Elo", Some("2000")),
        ("[Black Smith]", "Black", Some("Smith")),
        ("[Black “Smith”]", "Black", Some("Smith")),
        (r#"[Black "Smith\"]"#, "Black", Some(r"Smith\")),
        ("[Black]", "Black", None),
    ] {
        let text = format!("[White \"A\"]\n{tag}\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
        for before in ["", &format!("{tag}\n"), "1. e4\n\n"] {
            let game = games_of(format!("{before}{text}")).pop().expect("a game");
            assert_eq!((game.flaw.as_ref(), game.moves.len()), (None, 2), "{tag}");
            assert_eq!(game.tag(name), value, "{tag}");
            oddities(&game)[0].has(tag);
        }
    }
    let text = "[Fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *";
    assert_eq!(told(&game_of(text)).0, "e2e4");
}

#[test]
fn brackets_among_moves_and_tags_over_two_lines_split_no_game() {
    let text = "[White \"Tal\"]\n\n1. e4 e5\n[Diagram \"#\"]\n2. Nf3 Nc6 *";
    let games = games_of(text);
    assert_eq!((games.len(), games[0].moves.len()), (1, 4), "{games:?}");
    assert_eq!(oddities(&games[0]).len(), 1);
    let text = "[White \"Tal\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Event \"A very long name of an\nevent\"]\n\
                [Black \"Fischer\"]\n[Result \"1-0\"]\n\n1. e4 Ke7 1-0";
    let games = games_of(text);
    assert_eq!(games.len(), 1, "{games:?}");
    assert_eq!(games[0].tag("Event"), Some("A very long name of an event"));
    assert_eq!(games[0].tag("Black"), Some("Fischer"));
    assert_eq!(told(&games[0]), ("e2e4 e8e7".to_owned(), "1-0"));
}

#[test]
fn marks_of_files_that_were_joined_hide_no_tag() {
    let fen = "[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"] {M\u{fc}ller}\n\n1. e4 e5 *\n";
    let single_byte: Vec<u8> = fen.chars().map(|c| c as u8).collect();
    for marks in [&b"\xef\xbb\xbf"[..], b"\xef\xbb\xbf\xef\xbb\xbf", b"\x1a"] {
        let text = [b"1. d4 *\n", marks, &single_byte].concat();
        let games = games_of(text);
        assert_eq!(games.len(), 2);
        assert_eq!(told(&games[1]).0, "e2e4 e7e5");
        assert!(to_fen(&games[1].start).starts_with("4k3/"), "{marks:?}");
    }
}

#[test]
fn a_number_that_is_another_moves_is_noted() {
    let games =
        games_of("[White \"mid\"]\n\n20. Nf3 Nf6 21. g3 g6 *\n\n1. e4 e5 2. Nf3 2... Nc6 *");
    let odd = "line 3, game 1, move 1 of White: the number 20 stands before move 1";
    assert_eq!(oddities(&games[0]), [odd]);
    assert!(oddities(&games[1]).is_empty());
}

#[test]
fn moves_are_read_that_fit_one_legal_move() {
    let moves_of = |file: &str| games(file).iter().map(|it| told(it).0).collect::<Vec<_>>();
    let expected = [
        "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7",
        "e2e4 d7d5 e4d5 d8d5",
        "e2e4 e7e5 g1f3 b8c6",
    ];
    assert_eq!(moves_of("no-x.pgn"), expected);
    let castles = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1";
    let expected = ["a7a8q", castles, castles, "e2e4 e7e5"];
    assert_eq!(moves_of("spelling.pgn"), expected);
    let text = "1. e4± e5N 2. Nf3 ep RR Nc6 ch 3. Bb5 mate *";
    assert_eq!(game_of(text).moves.len(), 5);
    let text = "1. e4 d5 2. Nf3 g6 3. Bc4 d4 4. 00 d3 *";
    assert_eq!(game_of(text).moves.len(), 8);
    flaw("1. e4 e5 2. N\u{200b}f4 *").has(r"'N\u{200b}f4' is not legal");
}

#[test]
fn test_suites_are_read_as_they_are_published() {
    let mates: Vec<Option<i32>> = records("mates.epd").iter().map(|it| it.mate).collect();
    assert_eq!(mates, [Some(2), Some(-1)]);
    let eret = records("eret.epd").remove(0);
    assert_eq!(eret.goal(), "bm Rxf4");
    assert_eq!(eret.id, "too many dashes");
    let goal = |line: String| epd::parse_line(&line, "x").expect(&line).goal();
    for spelling in ["a8Q", "a8=q", "a8(Q)"] {
        let line = format!("8/P6k/8/8/8/8/8/K7 w - -; bm {spelling};");
        assert_eq!(goal(line), "bm a8=Q");
    }
    for operation in ["BM 1.e4;", "bm 1. e4;", "bm e4 ;"] {
        let line = format!("4k3/8/8/8/8/8/4P3/4K3\tw\t-\t- {operation}");
        assert_eq!(goal(line), "bm e4");
    }
    assert!(epd::parse_line("4k3/8/8/8/8/8/2P1P3/4K3 w - - bm e4 (c4);", "x").is_err());
    let contradicted = "r3k2r/8/8/8/8/8/8/1R2K1R1 w KQkq - bm O-O;";
    let error = epd::parse_line(contradicted, "x").expect_err("no castling");
    error.to_string().has("the castling rights KQkq");
    for spelling in ["0-0", "o-o", "O–O", "e1g1"] {
        let line = format!("4k3/8/8/8/8/8/8/4K2R w K - bm {spelling}; dm 9;");
        assert_eq!(goal(line), "bm O-O; dm 9");
    }
}

#[test]
fn operations_may_stand_directly_behind_the_fields() {
    let records = records("semicolon.epd");
    let told: Vec<String> = records
        .iter()
        .map(|it| format!("{} {}", it.id, it.goal()))
        .collect();
    assert_eq!(told, ["close bm Ra8#", "clocks bm Ra8#", "apart bm Ra8#"]);
    let board = "6k1/5ppp/8/8/8/8/8/R5K1";
    for rest in [
        "w;-;-;bm Ra8#",
        "w - -;dm 1",
        "w - - ; bm Ra8#",
        "w - -; -; bm Ra8#;",
        "w - - 3 9;am Ra7",
    ] {
        let line = format!("{board} {rest}");
        assert!(epd::parse_line(&line, "x").is_ok(), "{line}");
    }
}

#[test]
fn a_result_in_the_tag_counts_before_the_one_behind_the_moves() {
    let games = games("result-star.pgn");
    let results: Vec<&str> = games.iter().map(|it| it.result).collect();
    // The last game ends in mate.
    assert_eq!(results, ["1-0", "1-0", "0-1"]);
    assert!(oddities(&games[0]).is_empty());
    let odd = "line 11, game 2, tags: the tag Result has 1-0, and 0-1 stands behind the moves; 1-0 counts";
    assert_eq!(oddities(&games[1]), [odd]);
    oddities(&games[2])[0].has("; 0-1 counts");
    for (tag, behind, result, odd) in [
        ("*", "1-0", "1-0", 0),
        ("?", "0-1", "0-1", 0),
        ("1/2-1/2", "*", "1/2-1/2", 0),
        ("1/2-1/2", "1-0", "1/2-1/2", 1),
        ("0-0", "*", "0-0", 0),
        ("0-0", "0-1", "0-0", 1),
        ("0-1", "", "0-1", 0),
        ("0-1", "(2. d4 1-0", "0-1", 1),
    ] {
        let game = game_of(format!("[Result \"{tag}\"]\n\n1. e4 e5 {behind}\n"));
        let told = oddities(&game).len();
        assert_eq!((game.result, told), (result, odd), "{tag} {behind}");
    }
}

#[test]
fn the_final_position_in_a_tag_loses_no_game() {
    let games = games("fen-final.pgn");
    let moves = "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7";
    assert_eq!(told(&games[0]), (moves.to_owned(), "1-0"));
    let odd = "line 5, game 1, tags: the tag FEN has the position after the moves, which are read from the initial position";
    assert_eq!(oddities(&games[0]), [odd]);
    assert_eq!(games[0].layout.moves.len(), 7);
    assert_eq!(told(&games[1]).0, "e2e4 c7c5 g1f3 d7d6");
    oddities(&games[1])[0].has("no move fits the position of the tag FEN");
    for game in &games {
        assert!(to_fen(&game.start).starts_with("rnbqkbnr/pppppppp/8/8/8/8/"));
    }
    let empty = game_of(bytes("fen-empty.pgn"));
    assert_eq!(
        (told(&empty), empty.flaw),
        (("e2e4 e7e5".to_owned(), "1-0"), None)
    );
}

#[test]
fn a_position_that_only_some_moves_contradict_stays() {
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    // The moves read, and whether they begin with the tag's position.
    for (moves, plies, is_tags) in [
        ("1. e4 c5 2. Nf3 d6 *", 4, false),
        ("1. e4 c5 2. Nf3 d6", 4, false),
        // Neither fits.
        ("1. e4 c5 2. Nf4 *", 0, true),
        ("1. e4 Xc5 *", 0, true),
        // The first move fits both, the last none or only the initial position, which does not lead to the tag's.
        ("1. Nf3 Nf6 2. Ke8 *", 2, true),
        ("1. Nf3 Nf6 2. e4 *", 2, true),
        ("2. Nf3 d6 3. e4 *", 2, true),
        // It does lead there: a knight's tour before the opening.
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 c5 *", 6, false),
        // Numbers of other moves.
        ("20. e4 c5 *", 0, true),
        ("1... e4 *", 0, true),
    ] {
        let game = game_of(format!("[FEN \"{fen}\"]\n\n{moves}"));
        assert_eq!(game.moves.len(), plies, "{moves}");
        assert_eq!(to_fen(&game.start) == fen, is_tags, "{moves}");
        assert_eq!(game.flaw.is_some(), is_tags, "{moves}");
        assert_eq!(oddities(&game).len(), usize::from(!is_tags), "{moves}");
        assert_eq!(game.layout.moves.len(), plies, "{moves}");
    }
}

#[test]
fn times_are_read_from_what_programs_write() {
    let folder = Folder::new("inputs-clock");
    let files = ["clock-hours.pgn", "clock-own.pgn", "time-in-name.pgn"];
    folder.write("clock.pgn", files.map(bytes).concat());
    let said = folder.run("analyze clock.pgn --nodes 50 --json clock.json");
    let said = said.ended(0);
    said.out.has("The position does not tell why White won");
    let json = folder.read("clock.json");
    let spent: Vec<&str> = json.split("\"spent_s\":").skip(1).collect();
    let spent = spent.iter().filter_map(|it| it.split([',', '}']).next());
    let spent: Vec<&str> = spent.collect();
    let hours = ["0.0", "0.0", "150.0", "330.0"];
    let own = ["1.2", "1.5", "0.5", "1.5", "2.0", "1.1"];
    assert_eq!(spent, [&hours[..], &own[..]].concat());
    json.has_all(["\"clock_s\":5280.0", "\"clock_s\":58.0", "\"clock_s\":57.5"]);
}

#[test]
fn positions_may_end_in_a_semicolon() {
    let games = games("fen-semicolon.pgn");
    assert!(is_chess960(&games[0].start));
    assert_eq!(told(&games[0]), ("e2e4 e7e5 f2f3".to_owned(), "1/2-1/2"));
}

#[test]
fn text_is_windows_1252_where_it_is_not_utf8() {
    let games = games("windows1252.pgn");
    let white = games[0].tag("White").unwrap_or_default();
    assert_eq!(white, "Kovaševi, Željko");
    assert_eq!(games[0].tag("Black"), Some("Böhm"));
}

#[test]
fn utf16_is_named() {
    let text = bytes("utf16-nobom.pgn");
    let first = Games::new(&text[..]).next().expect("an error");
    first.expect_err("no text").to_string().has("UTF-16LE");
    let said = said("analyze tests/inputs/utf16-nobom.pgn --nodes 100");
    said.ended(1).tells("iconv -f UTF-16LE");
}

#[test]
fn a_carriage_return_alone_ends_a_line() {
    let text = "[White \"A\"]\r[Result \"1-0\"]\r\r% for programs\r1. e4 ; a remark\re5 2. Nf3\r1-0\r\r[White \"B\"]\r\r1. d4 *\r";
    let games = games_of(text);
    assert_eq!(games.len(), 2);
    assert_eq!(told(&games[0]), ("e2e4 e7e5 g1f3".to_owned(), "1-0"));
    assert_eq!(games[1].tag("White"), Some("B"));
}

#[test]
fn passes_are_played_but_in_check() {
    let games = games("null.pgn");
    let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 0000 e1g1 g8f6 f1e1";
    assert_eq!(told(&games[0]), (moves.to_owned(), "1/2-1/2"));
    let moves = "e2e4 e7e5 g1f3 0000 f3e5";
    assert_eq!(told(&games[1]), (moves.to_owned(), "*"));
    flaw("1. e4 f6 2. Qh5+ -- *").has("'--' is not legal");

    let folder = Folder::new("inputs-null");
    folder.write("null.pgn", bytes("null.pgn"));
    let said = folder.run("analyze null.pgn --nodes 500 --json null.json --html null.html");
    said.ended(0);
    let json = folder.read("null.json");
    let is_pass = |it: &&str| it.contains("\"san\":\"--\"");
    let passes: Vec<&str> = json.lines().filter(is_pass).collect();
    assert_eq!(passes.len(), 2, "{json}");
}

#[test]
fn results_are_read_in_all_their_spellings() {
    let games = games("double-forfeit.pgn");
    assert_eq!(told(&games[0]), (String::new(), "0-0"));
    for (written, result) in [
        ("1/2", "1/2-1/2"),
        ("½–½", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("0.5-0.5", "1/2-1/2"),
        ("1–0", "1-0"),
        ("0–1", "0-1"),
        ("1:0", "1-0"),
        ("1-0.", "1-0"),
        ("0-0", "0-0"),
    ] {
        for text in [
            format!("[Result \"{written}\"]\n\n1. e4 e5 {written}\n\n1. d4 *"),
            format!("[Result \"{written}\"]\n\n1. e4 e5\n\n[White \"x\"]\n\n1. d4 *"),
        ] {
            let games = games_of(&text);
            assert_eq!(games.len(), 2, "{text}");
            assert_eq!(told(&games[0]), ("e2e4 e7e5".to_owned(), result), "{text}");
        }
    }
    let unparted = game_of("1. e4 e5*\n\n1. d4 *");
    assert_eq!(told(&unparted), ("e2e4 e7e5".to_owned(), "*"));
    for (tag, result) in [
        ("1 - 0", "1-0"),
        ("½:½", "1/2-1/2"),
        ("+:-", "1-0"),
        ("White wins", "*"),
    ] {
        let game = game_of(format!("[Result \"{tag}\"]\n\n1. e4 e5"));
        assert_eq!(game.result, result, "{tag}");
        let odd = usize::from(result == "*");
        assert_eq!(oddities(&game).len(), odd, "{tag}");
    }
    // Castling is written like a double forfeit, and takes precedence.
    let text = "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 0-0";
    let game = game_of(text);
    assert_eq!((game.moves.len(), game.result), (8, "0-0"));
}
