// What the tests share: the engine of the package, to be talked to.
"use strict";

const path = require("node:path");
const { Worker } = require("node:worker_threads");

const PACKAGE = path.join(__dirname, "../../out/web/package");
const { Engine, loaded } = require(path.join(PACKAGE, "cassius.js"));

const PROBLEM = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";

let module_;
/** The engine, compiled once. */
const compiled = () => (module_ ??= loaded());

/** An engine on this thread. `call` gives a promise; `uci` says lines and waits for one that begins so. */
async function talk(options) {
    let waiting = [];
    const lines = [];
    const answers = new Map();
    const hear = (said) => {
        if (typeof said === "string") {
            lines.push(said);
            waiting = waiting.filter(({ begin, resolve }) => !said.startsWith(begin) || resolve(said));
            return;
        }
        const call = answers.get(said.id);
        if (said.progress) call.progress?.(said.progress);
        else if (said.error) call.reject(Object.assign(new Error(said.error.message), said.error));
        else call.resolve(said.result);
    };
    const engine = new Engine(await compiled(), hear, options);
    let last = 0;
    return {
        engine,
        lines,
        call(call, request = {}, progress = undefined) {
            const id = ++last;
            const answer = new Promise((resolve, reject) => answers.set(id, { resolve, reject, progress }));
            engine.hear({ ...request, id, call });
            answer.id = id;
            return answer;
        },
        uci(says, begin) {
            const heard = begin && new Promise((resolve) => waiting.push({ begin, resolve }));
            [says].flat().forEach((line) => engine.hear(line));
            return heard;
        },
    };
}

/** The worker of the package, on a thread of its own. */
const worker = () => new Worker(path.join(PACKAGE, "cassius.js"));

module.exports = { PACKAGE, PROBLEM, talk, worker };
