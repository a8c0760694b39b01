// The same nodes as natively, to the digit, with searches put aside as often as can be.
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const test = require("node:test");
const { talk } = require("./engine.js");

const NATIVE = process.env.CASSIUS_BIN;

/** What the program of this machine says. */
function native(...options) {
    const { stdout, stderr } = spawnSync(NATIVE, ["bench", ...options], { encoding: "utf8" });
    return stdout || stderr;
}

const withoutSpeed = (text) => text.replace(/ nodes \d+ nps\n$/, " nodes\n");

test("every search visits the same nodes", { skip: !NATIVE && "CASSIUS_BIN names no program" }, async (t) => {
    const searches = /choose one of (.*)/.exec(native("--search", "nonsense"))[1].split(", ");
    assert.ok(searches.length > 10);
    for (const search of searches) {
        const { call, engine } = await talk({ slice: 0 });
        const expected = native("--search", search, "--nodes", "8000", "--iterations", "6", "--hash", "4");
        const bench = call("bench", { search, nodes: 8000, iterations: 6, hash: 4 });
        let rests = 0;
        const count = setInterval(() => (rests += engine.isAside), 0);
        const { text } = await bench;
        clearInterval(count);
        assert.equal(withoutSpeed(text), withoutSpeed(expected), search);
        t.diagnostic(`${search}: put aside ${rests} times or more`);
        assert.ok(rests > 0, search);
    }
});
