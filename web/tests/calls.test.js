// The calls of the library.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { PACKAGE, PROBLEM, talk, worker } = require("./engine.js");

const NATIVE = process.env.CASSIUS_BIN;
const OPERA = fs.readFileSync(path.join(__dirname, "../../docs/opera-game.pgn"), "utf8");
const SHORT = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n";
// Positions that are puzzles, as games of no moves.
const PUZZLES = [
    "r1k5/1p3q2/1Qpb4/3N1p2/5Pp1/3P2Pp/PPPK3P/4R3 w - - 0 1",
    "1k1r2r1/ppq5/1bp4p/3pQ3/8/2P2N2/PP4P1/R4R1K b - - 0 1",
    "4r1k1/5bpp/2p5/3pr3/8/1B3pPq/PPR2P2/2R2QK1 b - - 0 1",
    "1k1r4/pp1r1pp1/4n1p1/2R5/2Pp1qP1/3P2QP/P4PB1/1R4K1 w - - 0 1",
].map((fen) => `[FEN "${fen}"]\n\n*\n`).join("\n");

test("a position", async () => {
    const { call } = await talk();
    const told = await call("position", { moves: ["e4", "e7e5", "Nf3"] });
    assert.equal(told.fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    assert.equal(told.side_to_move, "black");
    assert.deepEqual(told.played.map((it) => it.uci), ["e2e4", "e7e5", "g1f3"]);
    assert.equal(told.legal.length, 29);
    assert.equal(told.over, null);
    const mate = await call("position", { moves: ["f3", "e5", "g4", "Qh4"] });
    assert.deepEqual([mate.over, mate.check, mate.legal], ["checkmate", true, []]);
    const castled = await call("position", { fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1", moves: ["O-O"] });
    assert.deepEqual([castled.played[0].from, castled.played[0].to], ["e1", "g1"]);
});

test("a verdict streams, and stops", async () => {
    const { call, engine } = await talk();
    const told = [];
    const verdict = await call("verdict", { nodes: 150_000, lines: 3 }, (it) => told.push(it));
    assert.equal(verdict.nodes, 150_000);
    assert.equal(verdict.stopped, false);
    assert.equal(verdict.lines.length, 3);
    assert.deepEqual(verdict.lines.map((it) => it.rank), [1, 2, 3]);
    const { value, chances, line } = verdict.lines[0];
    assert.ok(Math.abs(value.cp) < 100);
    assert.equal(chances.win + chances.draw + chances.loss, 1000);
    assert.match(line.san, /^1\. /);
    assert.ok(told.length > 0 && told[0].nodes < verdict.nodes);
    const endless = call("verdict", { fen: PROBLEM });
    setTimeout(() => engine.hear({ call: "stop", id: endless.id }), 200);
    const stopped = await endless;
    assert.equal(stopped.stopped, true);
    assert.equal(stopped.sureness.basis, "prices");
    assert.equal(stopped.side_to_move, "black");
    // No error is true of a searched value in an endgame.
    assert.deepEqual([stopped.band, stopped.give_or_take > 0], [null, true]);
    const sure = await call("verdict", { nodes: 100_000, clear: true });
    assert.equal(sure.band.high - sure.band.low, 2 * sure.give_or_take);
    assert.ok(sure.outlook.move_stays > 0 && sure.outlook.value_stays > 0);
});

test("calls wait for their turn, and can be stopped while they do", async () => {
    const { call, engine } = await talk();
    const order = [];
    const first = call("verdict", { nodes: 50_000 }).then(() => order.push("first"));
    const second = call("verdict", { nodes: 50_000 });
    const third = call("verdict", { nodes: 1_000 }).then(() => order.push("third"));
    const quick = call("position").then(() => order.push("position"));
    engine.hear({ call: "stop", id: second.id });
    await assert.rejects(second, { kind: "stopped" });
    await Promise.all([first, third, quick]);
    assert.deepEqual(order, ["position", "first", "third"]);
});

test("a profile is that of the command line", async () => {
    const { call } = await talk();
    const told = await call("profile", { fen: PROBLEM, nodes: 20_000, centipawns: 200 });
    assert.equal(told.better.target.cp, told.value.cp + 200);
    assert.ok(told.better.conspirators >= 1);
    assert.equal(told.better.names.length, told.better.conspirators);
    for (const { line, squares, fen } of told.better.names) {
        const { played } = await call("position", { fen: PROBLEM, moves: line.uci });
        assert.equal(played.at(-1).fen, fen);
        assert.deepEqual(squares, [played.at(-1).from, played.at(-1).to]);
    }
    assert.match(told.text, /would have to be misjudged/);
    assert.equal(told.profile.search, "best-first");
    assert.ok(told.tree_size > 1_000);
});

test("a tree unfolds, grows below a node, and the verdict above follows", async () => {
    const { call } = await talk();
    const sizes = [];
    const tree = await call("tree", { fen: PROBLEM, nodes: 30_000 }, (it) => sizes.push(it.size));
    assert.ok(sizes.length > 1 && sizes.at(-1) === tree.size);
    const { legal } = await call("position", { fen: PROBLEM });
    assert.equal(tree.children.length, legal.length);
    assert.equal(tree.root.size, tree.size);
    assert.equal(tree.children.reduce((sum, it) => sum + it.size, 1), tree.size);
    const marked = tree.children.filter((it) => it.raises);
    assert.ok(marked.length >= 1);
    const taken = tree.children.find((it) => it.move.san === "Rxb2");
    const below = await call("children", { tree: tree.tree, path: taken.path });
    assert.deepEqual(below.node.path, taken.path);
    assert.equal(below.children.length, taken.children);
    // The search sees what it takes for a draw is won, once it looks there.
    const grown = await call("grow", { tree: tree.tree, path: ["Rxb2"], nodes: 150_000 });
    assert.deepEqual(grown.moved.map((it) => it.path), [[], ["b3b2"]]);
    assert.ok(grown.size > tree.size);
    const after = grown.children.find((it) => it.move.san === "Rxb2");
    assert.ok(after.grown && after.size > taken.size);
    const values = grown.children.map((it) => it.value);
    const best = Math.max(...values.map((it) => it.cp ?? (it === "won" || it.mate > 0 ? 32_000 : -32_000)));
    assert.equal(grown.value.cp, best);
    const named = await call("conspirators", { tree: tree.tree, centipawns: 100 });
    assert.ok(named.worse.conspirators >= 1);
    assert.equal(await call("close", { tree: tree.tree }), null);
    await assert.rejects(call("children", { tree: tree.tree }), { kind: "input", message: /is not open/ });
});

test("a tree that is stopped and closed at once ends as one that is stopped", async () => {
    const { call, engine } = await talk();
    const { tree } = await call("tree", { fen: PROBLEM, nodes: 10_000 });
    const growing = call("grow", { tree, movetime: 20_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    engine.hear({ call: "stop", id: growing.id });
    const closed = call("close", { tree });
    assert.equal((await growing).stopped, true);
    assert.equal(await closed, null);
    await assert.rejects(call("children", { tree }), { kind: "input" });
});

test("a tree grows to a depth", async () => {
    const { call } = await talk();
    for (const depth of [1, 2, 3]) {
        const tree = await call("tree", { fen: PROBLEM, depth });
        const { profile, nodes } = await call("profile", { fen: PROBLEM, depth });
        assert.deepEqual([tree.threshold, profile.iteration, tree.nodes], [depth, depth, nodes]);
    }
});

test("children are told while a tree grows", async () => {
    const { call, engine } = await talk();
    const tree = await call("tree", { fen: PROBLEM, nodes: 10_000 });
    const growing = call("grow", { tree: tree.tree, movetime: 20_000 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const asked = performance.now();
    const { children } = await call("children", { tree: tree.tree });
    assert.ok(performance.now() - asked < 200);
    assert.ok(children.length > 0);
    engine.hear({ call: "stop", id: growing.id });
    const grown = await growing;
    assert.equal(grown.stopped, true);
    assert.ok(grown.size > tree.size);
});

test("a bad move is refuted", async () => {
    const { call } = await talk();
    const fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 4 4";
    const told = await call("move", { fen, move: "d7d6", nodes: 20_000 });
    assert.equal(told.is_best, false);
    assert.equal(told.grade, "blunder");
    assert.match(told.refutation.san, /^4\.\.\. d6 5\. Qxf7#/);
    assert.equal(told.cost.centipawns, null);
    assert.ok(told.cost.points > 0.3);
    assert.ok(told.verdict.nodes > 40_000, "what is blamed is searched again");
    const best = await call("move", { fen, move: told.best.san, nodes: 20_000 });
    assert.deepEqual([best.is_best, best.grade, best.cost.points, best.doubt], [true, "good", 0, null]);
    assert.ok(best.verdict.nodes < 21_000);
    await assert.rejects(call("move", { fen, move: "Ke3" }), { kind: "input" });
});

test("a game is analysed, as text and as bytes", async () => {
    const { call } = await talk();
    const request = { pgn: SHORT, name: "short.pgn", nodes: 3_000, hash: 4 };
    const news = [];
    const whole = await call("game", request, (it) => news.push(it));
    assert.deepEqual(news.at(-1), { game: 1, done: 14, of: 14 });
    assert.ok(news.every(({ done }, index) => index === 0 || done >= news[index - 1].done));
    assert.equal(whole.record.games[0].rows.length, 14);
    assert.match(whole.html, /^<!DOCTYPE html>/);
    assert.match(whole.pgn, /\$4/);
    // Bytes come back as bytes.
    const bytes = await call("game", { ...request, pgn: new TextEncoder().encode(SHORT) });
    assert.equal(new TextDecoder().decode(bytes.pgn), whole.pgn);
});

test("games and puzzles are as natively", { skip: !NATIVE && "CASSIUS_BIN names no program" }, async (t) => {
    const { call } = await talk();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cassius-"));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const read = (name) => fs.readFileSync(path.join(folder, name), "utf8");
    const run = (...options) => execFileSync(NATIVE, [...options, "--hash", "16", "--overwrite"], { cwd: folder });
    fs.writeFileSync(path.join(folder, "opera.pgn"), OPERA);
    // All but the time each took.
    const rows = (of) => of.map(({ kind, ms, ...row }) => row);
    for (const [search, nodes] of [["depth-first", 3_000], ["best-first", 1_000]]) {
        const { record, pgn } = await call("game", { pgn: OPERA, name: "opera.pgn", search, nodes, hash: 16 });
        run("analyze", "opera.pgn", "--search", search, "--nodes", `${nodes}`, "--json", "it.json", "--pgn", "it.pgn");
        assert.equal(read("it.pgn"), pgn);
        const lines = read("it.json").trim().split("\n").map((line) => JSON.parse(line));
        assert.deepEqual(rows(lines.filter(({ kind }) => kind === "position")), rows(record.games[0].rows));
    }
    fs.writeFileSync(path.join(folder, "puzzles.pgn"), PUZZLES);
    const found = await call("puzzles", { pgn: PUZZLES, name: "puzzles.pgn", nodes: 20_000, hash: 16 });
    run("puzzles", "puzzles.pgn", "--nodes", "20000", "--epd", "it.epd");
    assert.ok(found.puzzles > 0);
    assert.equal(read("it.epd"), found.epd);
});

test("games can be stopped, and keep what is known", async () => {
    const { call, engine } = await talk();
    const games = call("game", { pgn: `${SHORT}\n${OPERA}`, nodes: 2_000, hash: 4 }, ({ game }) => {
        if (game === 2) engine.hear({ call: "stop" });
    });
    const { stopped, record, html, pgn } = await games;
    assert.deepEqual([stopped, pgn, record.games.length], [true, null, 1]);
    assert.equal(record.games[0].rows.length, 14);
    assert.match(html, /^<!DOCTYPE html>/);
    const game = call("game", { pgn: OPERA, nodes: 20_000, hash: 4 }, ({ done }) => {
        if (done > 0) engine.hear({ call: "stop" });
    });
    await assert.rejects(game, { kind: "stopped" });
});

test("puzzles", async () => {
    const { call } = await talk();
    const found = await call("puzzles", { pgn: PUZZLES, nodes: 20_000, hash: 4 });
    assert.equal(found.epd.trim().split("\n").length, found.puzzles);
    assert.ok(found.puzzles > 0);
    assert.match(found.html, /^<!DOCTYPE html>/);
});

test("what is wrong is told", async () => {
    const { call, engine } = await talk();
    const wrong = (name, request, message) => assert.rejects(call(name, request), { kind: "input", message });
    await wrong("position", { fen: "8/8/8/8/8/8/8/8 w - - 0 1" }, /king/);
    await wrong("position", { fen: 5 }, /position: .*string/);
    await wrong("position", { moves: ["e5"] }, /e5/);
    await wrong("verdict", { node: 5 }, /unknown field `node`/);
    await wrong("verdict", { search: "deepest", nodes: 5 }, /there is no search called 'deepest'/);
    await wrong("think", {}, /there is no call 'think'; there are position, verdict/);
    await wrong("tree", { search: "depth-first", nodes: 5_000 }, /choose best-first/);
    await wrong("profile", { search: "alpha-beta", nodes: 5_000 }, /alpha-beta does not tell/);
    await wrong("tree", { fen: "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1" }, /the game is over here/);
    await wrong("grow", { tree: 77 }, /tree 77 is not open/);
    await wrong("game", { pgn: "" }, /there is no game/);
    await wrong("game", {}, /'pgn' is missing/);
    await wrong("puzzles", { pgn: SHORT, gap: 2 }, /gap/);
    // Neither of these can be answered; the engine goes on.
    for (const nonsense of [null, 5, [], { call: 5 }, { id: "x" }]) engine.hear(nonsense);
    const over = await call("verdict", { fen: "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1", nodes: 5 });
    assert.deepEqual([over.over, over.lines], ["checkmate", []]);
});

test("10 MB of games do not stop the engine from hearing", async () => {
    const { call, engine } = await talk();
    const pgn = SHORT.repeat(Math.ceil(10e6 / SHORT.length));
    const game = call("game", { pgn, nodes: 100 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    engine.hear({ call: "stop", id: game.id });
    const asked = performance.now();
    await assert.rejects(game, { kind: "stopped" });
    assert.ok(performance.now() - asked < 500, "stopped at once");
    assert.equal((await call("position")).legal.length, 20);
});

test("memory has an end, and the engine outlives it", async () => {
    const { call, uci, lines } = await talk();
    await assert.rejects(call("verdict", { nodes: 1_000, search: "depth-first:Hash=2000" }).then((it) => {
        // Clamped.
        assert.equal(it.nodes, 1_000);
        throw Object.assign(new Error(), { kind: "clamped" });
    }), { kind: "clamped" });
    for (let tree = 0; tree < 8; tree += 1) await call("tree", { nodes: 20_000, hash: 64 });
    const { bytes, most } = await call("memory");
    assert.ok(bytes <= most && most <= 300 * 1024 * 1024, `${bytes}`);
    // A text that leaves no room: the engine breaks off, also in the middle of a search, says so, and begins anew.
    const isMemory = ({ kind, message }) => kind === "memory" || assert.fail(message);
    let endless;
    await new Promise((begun) => (endless = call("verdict", {}, begun)));
    const huge = call("game", { pgn: new Uint8Array(290e6) });
    await Promise.all([endless, huge].map((it) => assert.rejects(it, isMemory)));
    assert.equal((await call("position")).legal.length, 20);
    assert.match(await uci(["position startpos", "go nodes 1000"], "bestmove"), /^bestmove [a-h]/);
    assert.ok(lines.some((line) => line.includes("started anew")));
});

test("the engine is given by messages, with the patch that some hosts need", async () => {
    const { Cassius } = await import(path.join(PACKAGE, "cassius.mjs"));
    const [wasm, patch] = ["cassius.wasm", "cassius.patch"].map((name) => new Uint8Array(fs.readFileSync(path.join(PACKAGE, name))).buffer);
    const given = async (files) => {
        const it = new Cassius({ worker: worker(), ...files });
        const answer = it.call("verdict", { nodes: 2_000 });
        return answer.finally(() => it.terminate());
    };
    assert.equal((await given({ wasm, patch })).nodes, 2_000);
    if ("Suspending" in WebAssembly) assert.equal((await given({ wasm })).nodes, 2_000);
    else await assert.rejects(given({ wasm }), /needs the bytes of cassius.patch/);
});

test("the client, with a worker of its own", async () => {
    const { Cassius, CassiusError } = await import(path.join(PACKAGE, "cassius.mjs"));
    const workers = [new Cassius(), new Cassius({ worker: worker() })];
    const [first] = workers;
    assert.equal((await first.call("position")).legal.length, 20);
    await assert.rejects(first.call("position", { fen: "x" }), (error) => error instanceof CassiusError && error.kind === "input");
    const stopper = new AbortController();
    const endless = first.call("verdict", {}, { signal: stopper.signal, progress: () => stopper.abort() });
    assert.equal((await endless).stopped, true);
    await assert.rejects(first.call("position", { moves: new Proxy([], {}) }), { kind: "input", message: /plain objects/ });
    const hanging = first.call("verdict", {});
    workers.forEach((it) => it.terminate());
    await assert.rejects(hanging, { kind: "stopped" });
});
