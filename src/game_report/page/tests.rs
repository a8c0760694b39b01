use super::*;
use crate::game_report::fixtures::{self, START};
use crate::game_report::phase::Phase;
use crate::game_report::record::{GameInfo, Record};
use crate::game_report::verdict::PositionVerdict;
use crate::games::chess::line::WrittenMove;
use crate::profile::criticality::Turn;
use crate::web::tests::assert_is_whole;

fn record(tags: &[(&str, &str)], rows: Vec<Row>) -> Record {
    let info = GameInfo {
        tags: fixtures::tags(tags),
        start: START.to_owned(),
        error: Some("game 1, tags: '<b>'".to_owned()),
        ..fixtures::info(1)
    };
    Record {
        header: fixtures::header("best-first", 7),
        games: vec![Game {
            info,
            rows: fixtures::with_costs(rows),
        }],
    }
}

fn shown(record: &Record) -> String {
    let games: Vec<&Game> = record.games.iter().collect();
    render(&record.header, &games, 0)
}

fn step(san: &str, uci: &str) -> WrittenMove {
    WrittenMove {
        san: san.to_owned(),
        uci: uci.to_owned(),
    }
}

fn row(ply: usize, critical: bool) -> Row {
    Row {
        fen: START.to_owned(),
        played: Some(step("N<f3>", "g1f3")),
        verdict: PositionVerdict {
            best: Some(step("e<4>", "e2e4")),
            cp: Some(35),
            max_cn: Some(1_234),
            margin_lower: Some(5_678),
            min_cn: Some(5),
            line: "</script><script>alert(1)</script>".to_owned(),
            ..PositionVerdict::default()
        },
        turn: Turn {
            down_tactic: critical,
            up_tactic: false,
            critical,
        },
        ..fixtures::row(ply, None, "", 0)
    }
}

#[test]
fn what_strangers_write_stays_text() {
    let evil = "\"><img src=x onerror=alert(1)>' {{script}} <script>";
    let tags = [("White", evil), ("Event", evil), ("Date", evil)];
    let page = shown(&record(&tags, vec![row(0, true), row(1, false)]));
    assert!(!page.contains("<img"));
    assert!(!page.contains("<b>"));
    assert!(!page.contains("N<f3>") && !page.contains("e<4>"));
    // Our own two, the data and the script.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(
        page.contains("{{script}}"),
        "what is put in is not filled in"
    );
    assert_eq!(
        page.matches("findLast").count(),
        SCRIPT.matches("findLast").count()
    );
}

/// A game in which Black gives a rook away at its second move, after which White does not care.
fn with_a_moment() -> Record {
    let mut rows = vec![row(0, false), row(1, false), row(2, true), row(3, false)];
    for (row, cp) in rows.iter_mut().zip([0, 0, 500, 500]) {
        row.verdict.cp = Some(cp);
    }
    rows[1].fen = START.replace(" w ", " b ");
    rows[1].verdict.line = "1... e5 2. Nf3 nonsense".to_owned();
    rows[1].facts.held = Some(vec![step("e<4>", "e2e4")]);
    rows[1].facts.rest = Some(0.3);
    record(&[], rows)
}

#[test]
fn moments_are_puzzles_with_links_both_ways() {
    let mut record = with_a_moment();
    let page = shown(&record);
    assert!(page.contains("The key moment<"));
    assert!(page.contains(" data-at=\"1\"") && page.contains("<div class=\"odds\"></div>"));
    let caption = "<p class=\"caption\" aria-live=\"polite\"></p>";
    assert!(page.contains(caption), "the answer is not told");
    assert!(page.contains("<article class=\"moment\" id=\"g1m1\" data-ply=\"1\""));
    assert!(page.contains("href=\"#g1m1\"") && page.contains("<tr id=\"g1p1\""));
    assert!(page.contains("Black to move after 1. N&lt;f3&gt;: surely one move alone holds"));
    assert!(page.contains("\"held\":[\"e2e4\"]"));
    assert!(page.contains("\"legal\":\"") && page.contains("b8c6"));
    // The line goes on as far as it can be played.
    assert!(page.contains("\"lines\":[[[\"rnbqkbnr/pppp1ppp/"));
    let (_, cost) = page.split_once("It costs ").unwrap();
    assert_eq!(&cost[..4], "0.41");
    assert!(page.contains("N&lt;f3&gt;??</a>") && page.contains("<td>+0.00 → +5.00<td>0.41<td>"));
    let best = step("e<4>", "e2e4");
    record.games[0].rows[1].facts.held = Some(vec![best.clone(), step("e5", "e7e5")]);
    assert!(shown(&record).contains("Black to move after 1. N&lt;f3&gt;: two moves hold"));
    // What is not sure is told, and no puzzle.
    record.games[0].rows[1].facts.only = Some(0.8);
    let page = shown(&record);
    assert!(page.contains("<details class=\"solution\" open>") && page.contains("\"moments\":[]"));
    assert!(page.contains("</a> N&lt;f3&gt;: a blunder</h4>"));
    assert!(
        !page.contains("<summary>What was missed"),
        "it is told at once"
    );
    record.games[0].rows[1].facts.held = Some(vec![best, step("N<f3>", "g1f3")]);
    assert!(
        !shown(&record).contains("class=\"moment\""),
        "what was played holds"
    );
}

#[test]
fn one_move_alone_holds_only_if_no_other_does_as_much() {
    let mut record = with_a_moment();
    let row = &mut record.games[0].rows[1];
    // Another move keeps 0.44 points.
    row.facts.rest = Some(0.06);
    row.facts.only = Some(0.9);
    assert!(shown(&record).contains("after 1. N&lt;f3&gt;: surely one move is best<"));
}

#[test]
fn what_is_told_beside_a_puzzle_does_not_answer_it() {
    let mut record = with_a_moment();
    record.games[0].rows[0].verdict.cp = Some(300);
    let rows = std::mem::take(&mut record.games[0].rows);
    record.games[0].rows = fixtures::with_costs(rows);
    let page = shown(&record);
    let told = page.split_once("id=\"g1m0\"").unwrap().1;
    let told = told.split_once("</article>").unwrap().0;
    assert!(told.contains("<details class=\"solution\"><summary>Why</summary>"));
    assert!(told.contains("Best play is then 1... e5"), "{told}");
    record.games[0].rows[1].facts.rest = Some(0.1);
    assert!(shown(&record).contains("<details class=\"solution\" open><summary>Why"));
}

#[test]
fn a_line_of_one_move_is_told_once() {
    let mut record = with_a_moment();
    let row = &mut record.games[0].rows[1];
    row.facts.held = Some(vec![step("e5", "e7e5")]);
    row.verdict.best = Some(step("e5", "e7e5"));
    let page = shown(&record);
    let (_, answer) = page.split_once("<p>1... e5. Value for White: ").unwrap();
    let (value, line) = answer.split_once(" It might go on ").unwrap();
    assert!(value.ends_with('.') && !value.contains('<'), "{value}");
    assert!(line.starts_with("1... e5 2. Nf3 nonsense."));
    record.games[0].rows[1].verdict.line = "1... e5".to_owned();
    let page = shown(&record);
    assert!(page.contains("<p>1... e5. Value") && !page.contains("It might go on"));
    // It can be stepped through.
    assert!(page.contains("\"lines\":[[[\"rnbqkbnr/pppp1ppp/"));
}

#[test]
fn each_page_needs_no_other_file_and_has_one_heading_of_the_first_level() {
    let record = with_a_moment();
    let game = &record.games[0];
    let of_index = render_one(&record.header, &GameDigest::of(game), "index.html");
    assert!(of_index.contains("<a href=\"index.html\">All games</a>"));
    let of_two = render(&record.header, &[game, game], 0);
    for page in [shown(&record), of_two, of_index] {
        assert_is_whole(&page);
        assert_eq!(page.matches("<h1").count(), 1);
    }
}

#[test]
fn a_column_that_tells_nothing_is_left_out() {
    let mut rows = vec![row(0, true), row(1, false), row(2, false)];
    let headings = |rows: &[Row]| -> String {
        let page = shown(&record(&[], rows.to_vec()));
        let (_, head) = page.rsplit_once("<thead>").unwrap();
        let (head, _) = head.split_once("</thead>").unwrap();
        let text = head.split('<').filter_map(|it| it.split_once('>'));
        let text = text.map(|(_, text)| text);
        let text: Vec<&str> = text.filter(|it| !it.trim().is_empty()).collect();
        text.join(", ")
    };
    let with = |columns: &str| ["move, value, cost, instead, in words", columns].join("");
    assert_eq!(headings(&rows), with(", worse, better, other, turn"));
    rows[1].verdict.min_cn = Some(7);
    let with_min_cn = with(", worse, better, other, MinCN, turn");
    assert_eq!(headings(&rows), with_min_cn);
    for row in &mut rows {
        row.verdict = PositionVerdict::worth(Some(35), None);
    }
    assert_eq!(headings(&rows), with(""));
    rows[1].verdict.higher = Some(3);
    assert_eq!(headings(&rows), with(", conf, worse, better"));
    for row in &mut rows {
        row.verdict.demand = Some(3);
    }
    assert_eq!(headings(&rows), with(", demand, price-, price+"));
}

#[test]
fn a_number_keeps_its_name_where_its_fellow_is_missing() {
    let mut rows = vec![row(0, true), row(1, false)];
    let verdict = &mut rows[0].verdict;
    *verdict = PositionVerdict {
        margin_higher: Some(4),
        price_higher: Some(2.0),
        ..PositionVerdict::default()
    };
    let page = shown(&record(&[], rows.clone()));
    let named = |fellow: &str| {
        format!(
            "[\"leaves to misjudge for White to be worse\",\"{fellow}\",\"price to be better for White\"]"
        )
    };
    assert!(
        page.contains(&named("leaves to misjudge for White to be better")),
        "{page}"
    );
    assert!(page.contains("\"–\",\"\",\"4\",\"2.0\","), "{page}");
    rows[0].verdict.margin_higher = None;
    rows[0].verdict.other_move = Some(5);
    let page = shown(&record(&[], rows));
    assert!(
        page.contains(&named("leaves to misjudge for another move")),
        "{page}"
    );
    assert!(page.contains("\"–\",\"\",\"5\",\"2.0\","), "{page}");
}

#[test]
fn the_margin_is_told_and_drawn() {
    let mut record = record(&[], vec![row(0, true), row(1, false)]);
    record.header.margin = Some(crate::profile::Margin::new(80));
    let page = shown(&record);
    assert!(
        page.contains("each by 1.60 pawns at most, for White to stand worse, or better, by 0.80")
    );
    assert!(page.contains("<path class=\"worse\" d=\"M"));
    assert!(
        page.contains("leaves to misjudge for White to be worse")
            && page.contains(",\"5\u{a0}678\",")
    );
    for row in &mut record.games[0].rows {
        row.verdict.margin_lower = None;
    }
    let page = shown(&record);
    assert!(!page.contains("class=\"worse\"") && !page.contains("by 0.80"));
}

#[test]
fn what_a_game_comes_to_stands_above_it() {
    let mut rows: Vec<Row> = (0..9).map(|ply| row(ply, false)).collect();
    rows[8].verdict.cp = Some(-400);
    let tags = [("White", "A"), ("Black", "B <i>")];
    let page = shown(&record(&tags, rows.clone()));
    assert!(page.contains("<table class=\"score\" ") && page.contains("B &lt;i&gt;</th>"));
    assert!(page.contains("<td class=\"accuracy\">100</td><td>0.00</td>"));
    assert!(!page.contains("<th scope=\"col\">time</th>") && !page.contains("Time per move"));
    for (row, seconds) in rows.iter_mut().zip([65.0, 2.0, 5.0]) {
        row.facts.spent_s = Some(seconds);
    }
    let page = shown(&record(&tags, rows));
    assert!(page.contains("<td>1:10</td>") && page.contains("<td>1:05<td>"));
    assert!(page.contains("Time per move: the longest took 1:05."));
}

#[test]
fn phases_and_the_course_of_the_value_are_told() {
    let mut rows: Vec<Row> = (0..60).map(|ply| row(ply, false)).collect();
    for row in &mut rows {
        row.facts.phase = Some(match row.ply {
            0..12 => Phase::Opening,
            12..40 => Phase::Middlegame,
            _ => Phase::Endgame,
        });
    }
    rows[30].verdict.cp = Some(90);
    let page = shown(&record(&[], rows));
    assert!(page.contains(">middlegame</text>") && page.contains(">endgame</text>"));
    let told = "Highest: +0.90 before 16. N&lt;f3&gt;.";
    assert!(page.contains(told));
    assert!(page.contains("Endgame from 21. N&lt;f3&gt;."));
}

/// A page stays below what people can send each other: 600 positions about which there is everything to tell.
#[test]
fn the_page_of_a_long_game_is_small() {
    let rows = (0..600).map(|ply| {
        let mut row = row(ply, ply % 40 == 0);
        row.fen =
            "r1bq1rk1/1pp2ppp/p1np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 4 8".to_owned();
        row.played = Some(step("Nbd7", "b6d7"));
        row.facts.spent_s = Some(1_725.0);
        row.verdict = PositionVerdict {
            best: Some(step("Bxh3", "c8h3")),
            // Every move gives the other side the better game.
            cp: Some(if row.black { -487 } else { 512 }),
            give_or_take: Some(123),
            max_cn: Some(45 + ply as u32 % 50),
            margin_lower: Some(12),
            margin_higher: Some(34),
            other_move: Some(10 + ply as u32 % 80),
            ..PositionVerdict::default()
        };
        row
    });
    let page = shown(&record(&[], rows.collect()));
    assert!(page.matches("costly").count() > 590);
    // Numbers of moves below the curves do not touch.
    let numbers = |it: &str| page.contains(&format!("y=\"164\">{it}</text>"));
    assert!(numbers("50") && numbers("300") && !numbers("20"));
    assert!(page.len() < 300_000, "{} bytes", page.len());
}

#[test]
fn a_board_has_its_men_where_they_stand() {
    let svg = board::draw("4k3/8/8/8/8/8/1P6/4K3 b - - 0 1", Some("b2b4"), None);
    assert!(svg.contains("<use href=\"#p\" class=\"w\" x=\"1\" y=\"6\""));
    assert!(svg.contains("<use href=\"#k\" class=\"b\" x=\"4\" y=\"0\""));
    assert_eq!(svg.matches("<use").count(), 4);
    assert!(svg.contains("<path class=\"played\" d=\"M1.5 6.5L1.5 4.5\"/>"));
    assert!(svg.contains("Black to move"));
    // As the side to move sees it: Black has the king's file on the left half, and its own men below.
    let svg = board::draw_for_mover("4k3/8/8/8/8/8/1P6/4K3 b - - 0 1", Some("e8d7"), None);
    assert!(svg.contains("<use href=\"#turned\"/>"));
    assert!(svg.contains("<use href=\"#p\" class=\"w\" x=\"6\" y=\"1\""));
    assert!(svg.contains("<use href=\"#k\" class=\"b\" x=\"3\" y=\"7\""));
    assert!(svg.contains("<path class=\"played\" d=\"M3.5 7.5L4.5 6.5\"/>"));
    let white = "4k3/8/8/8/8/8/1P6/4K3 w - - 0 1";
    assert_eq!(
        board::draw_for_mover(white, None, None),
        board::draw(white, None, None)
    );
}

#[test]
fn the_band_has_gaps_where_no_error_is_known() {
    let errors = [Some(60), Some(150), None, Some(20)];
    let rows = errors.iter().enumerate().map(|(ply, &give_or_take)| {
        let mut row = row(ply, ply == 1);
        row.verdict.give_or_take = give_or_take;
        row
    });
    let page = shown(&record(&[], rows.collect()));
    let (_, band) = page.split_once("<path class=\"band\" d=\"").unwrap();
    let (band, _) = band.split_once('"').unwrap();
    assert_eq!(band.matches('M').count(), 2);
    assert_eq!(band.matches('L').count(), 4, "{band}");
    assert!(page.contains("give or take</span>"));
    assert!(page.contains("value +0.35 ±\u{a0}0.60"));
    let page = shown(&record(&[], vec![row(0, true), row(1, false)]));
    assert!(!page.contains("class=\"band\"") && !page.contains("give or take"));
    assert!(!page.contains('±'));
}

#[test]
fn a_game_of_one_position_or_none_is_no_trouble() {
    for rows in [vec![], vec![row(0, false)]] {
        let page = shown(&record(&[], rows));
        assert!(page.contains("class=\"viewer\""));
        assert!(!page.contains("NaN"));
    }
}

#[test]
fn games_that_are_left_out_are_counted() {
    let record = record(&[], vec![row(0, false)]);
    let games: Vec<&Game> = record.games.iter().collect();
    let page = render(&record.header, &games, 1_234);
    assert!(page.contains("games.pgn: 1235 games"));
    assert!(page.contains("no room for 1\u{a0}234 more"));
}
