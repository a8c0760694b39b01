// Conversations in UCI: with the engine, in a worker, and on the command line.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const path = require("node:path");
const test = require("node:test");
const { PACKAGE, talk, worker } = require("./engine.js");

test("a session", async () => {
    const { uci, lines } = await talk();
    assert.equal(await uci("uci", "uciok"), "uciok");
    assert.ok(lines.some((line) => line.startsWith("id name Cassius ")));
    assert.ok(lines.some((line) => line.startsWith("option name Hash type spin default 64 ")));
    assert.equal(await uci("isready", "readyok"), "readyok");
    await uci(["setoption name Hash value 4", "position startpos moves f2f3 e7e5 g2g4", "go depth 3"], "bestmove");
    assert.match(lines.at(-1), /^bestmove d8h4/);
    assert.ok(lines.some((line) => / score mate 1 /.test(line)));
    assert.match(await uci(["position startpos", "go nodes 2000"], "bestmove"), /^bestmove [a-h][1-8][a-h][1-8] ponder /);
    // A clock that runs: the search ends by it, or a little before.
    const begun = performance.now();
    await uci("go movetime 300", "bestmove");
    const took = performance.now() - begun;
    assert.ok(took > 50 && took < 2_000, `${took} ms`);
});

test("nonsense is answered in words", async () => {
    const { uci, lines } = await talk();
    await uci(["position fen nonsense", "setoption name Hash value 1000000", "go depth", "x".repeat(300_000), "\0\u{1f600}"], "bestmove");
    await uci("isready", "readyok");
    const told = lines.filter((line) => line.startsWith("info string")).join("\n");
    assert.match(told, /position: /);
    assert.match(told, /Hash/);
    assert.match(told, /no valid limit/);
    assert.match(told, /a line of more than/);
});

test("stop is heard within 100 ms in the middle of every search", async () => {
    for (const search of ["depth-first", "best-first", "alpha-beta", "proof-number", "b-star"]) {
        const { uci, engine } = await talk();
        await uci([`setoption name Search value ${search}`, "isready"], "readyok");
        const waits = [];
        // The machine may be busy elsewhere: the best of some.
        for (let time = 0; time < 3 && Math.min(...waits) > 100 * (time > 0); time += 1) {
            uci(["position fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10", "go infinite"]);
            await new Promise((resolve) => setTimeout(resolve, 150));
            assert.ok(engine.isAside, `${search} is under way`);
            const asked = performance.now();
            const ready = uci("isready", "readyok");
            const best = uci("stop", "bestmove");
            await ready;
            assert.match(await best, /^bestmove [a-h]/);
            waits.push(performance.now() - asked);
        }
        assert.ok(Math.min(...waits) < 100, `${search}: ${waits} ms`);
    }
});

test("what a search has found stays when it is stopped", async () => {
    const { uci, lines } = await talk();
    const nodesTo = (depth) => {
        const line = lines.findLast((it) => it.startsWith(`info depth ${depth} `));
        return Number(/ nodes (\d+)/.exec(line)[1]);
    };
    await uci(["position startpos", "go depth 9"], "bestmove");
    const anew = nodesTo(9);
    lines.length = 0;
    await uci("go depth 9", "bestmove");
    assert.ok(nodesTo(9) < anew / 2, `${nodesTo(9)} after ${anew}`);
});

test("a worker answers by messages", async () => {
    const engine = worker();
    const lines = [];
    const best = new Promise((resolve) => engine.on("message", (line) => {
        lines.push(line);
        if (line.startsWith("bestmove")) resolve();
    }));
    engine.postMessage("position startpos");
    engine.postMessage("go infinite");
    setTimeout(() => engine.postMessage("stop"), 300);
    await best;
    assert.ok(lines.some((line) => line.startsWith("info depth")));
    const ended = new Promise((resolve) => engine.on("exit", resolve));
    engine.postMessage("quit");
    await ended;
});

/** The command line with this input: its exit code and what it prints. */
function run(input, ...options) {
    const child = spawn(process.execPath, [path.join(PACKAGE, "bin.js"), ...options]);
    let text = "";
    child.stdout.on("data", (part) => (text += part));
    child.stderr.on("data", (part) => (text += part));
    child.stdin.end(input);
    return new Promise((resolve) => child.on("close", (code) => resolve({ code, text })));
}

test("the command line", async () => {
    // At the end of the input searches that end by themselves go on.
    const { code, text } = await run("position startpos\ngo nodes 20000\n");
    assert.equal(code, 0);
    assert.match(text, /\nbestmove [a-h]/);
    const quit = await run("go infinite\nquit\n");
    assert.match(quit.text, /^bestmove /m);
    const wrong = await run("", "play");
    assert.equal(wrong.code, 2);
    assert.match(wrong.text, /expected no arguments, for UCI, or 'bench'; found 'play'/);
    const unknown = await run("", "bench", "--search", "nonsense");
    assert.equal(unknown.code, 2);
    assert.match(unknown.text, /there is no search called 'nonsense'/);
});
