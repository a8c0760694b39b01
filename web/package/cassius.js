// Cassius in WebAssembly: the engine, and the worker around it. `cassius.d.ts` declares its messages.
//
// A classic script: in a browser `new Worker("cassius.js")`, in Node the same of `worker_threads`, or `require` for `Engine`.
//
// As long as a function of WebAssembly runs, no message is heard. So a search looks up every few milliseconds and is put
// aside in the middle, with its stack; messages are heard; and it goes on where it was. It visits the same positions as one
// that is never put aside. Where the host can, it keeps the stack (JavaScript Promise Integration, JSPI). Elsewhere the
// engine does so itself (Binaryen's Asyncify), which costs it speed: `cassius.patch` makes that engine of `cassius.wasm`.
"use strict";

(() => {
    const inNode = typeof process === "object" && !!process.versions?.node;

    /** Milliseconds that a search runs until it is put aside. */
    const SLICE = 16;
    /** Kinds of texts, as `web/src/abi.rs` has them. */
    const LINE = 0, ANSWER = 1, BYTES = 2, PANIC = 3, END = 3;
    /** States of Asyncify. */
    const UNWINDING = 1, REWINDING = 2;
    /** Most bytes of memory, as `scripts/web` links it. */
    const MOST_BYTES = 300 * 1024 * 1024;

    const encoder = new TextEncoder();
    const decoder = new TextDecoder();

    /** Has `work` done after other messages have been heard. */
    const later = (() => {
        if (inNode) return (work) => setImmediate(work);
        const { port1, port2 } = new MessageChannel();
        const waiting = [];
        port1.onmessage = () => waiting.shift()();
        return (work) => {
            waiting.push(work);
            port2.postMessage(0);
        };
    })();

    /** Searches are put aside by JSPI: the stack waits for a promise. */
    class Promised {
        constructor(owner) {
            this.owner = owner;
            this.rest = new WebAssembly.Suspending(() => new Promise((resolve) => {
                this.resume = resolve;
                owner.rested(true);
            }));
        }

        tie(engine) {
            this.begin = WebAssembly.promising(engine.work);
            engine.start();
        }

        work() {
            const { owner, resume } = this;
            if (resume) {
                this.resume = null;
                resume();
            } else {
                // What still goes wrong is no promise's: the worker's owner hears of it.
                this.begin().then(() => owner.rested(false), (error) => owner.fail(error)).catch((error) => later(() => {
                    throw error;
                }));
            }
        }
    }

    /** Searches are put aside by Asyncify: functions take down their own stack, and build it up again. */
    class Unwound {
        constructor(owner) {
            this.owner = owner;
            this.rest = () => {
                const { engine, aside } = this;
                if (engine.asyncify_get_state() === REWINDING) {
                    engine.asyncify_stop_rewind();
                    return;
                }
                // Asyncify wants to be told where the stack goes, in two words in front of it.
                const words = new Uint32Array(engine.memory.buffer, aside, 2);
                words[0] = aside + 8;
                words[1] = aside + engine.aside();
                engine.asyncify_start_unwind(aside);
            };
        }

        tie(engine) {
            this.engine = engine;
            this.aside = engine.start();
        }

        work() {
            const { engine, aside, owner } = this;
            try {
                if (owner.isAside) engine.asyncify_start_rewind(aside);
                engine.work();
                const isAside = engine.asyncify_get_state() === UNWINDING;
                if (isAside) engine.asyncify_stop_unwind();
                owner.rested(isAside);
            } catch (error) {
                owner.fail(error);
            }
        }
    }

    /** An engine. It hears lines of UCI and calls (objects), and says lines (strings) and answers (objects). */
    class Engine {
        /**
         * @param {WebAssembly.Module} module the engine, compiled
         * @param {(said: string | object) => void} say hears what it says
         * @param {{ slice?: number }} [options] milliseconds of a slice, for tests
         */
        constructor(module, say, options = {}) {
            this.module = module;
            this.say = say;
            this.slice = options.slice ?? SLICE;
            this.begin();
        }

        /** Begins anew, without anything that was kept. */
        begin() {
            this.pending = new Set();
            this.searches = 0;
            this.isAside = false;
            this.isRunning = false;
            this.panic = "";
            this.bytes = null;
            this.search = isAsyncified(this.module) ? new Unwound(this) : new Promised(this);
            const host = {
                now: () => performance.now(),
                is_due: () => this.isRunning && performance.now() >= this.until,
                rest: this.search.rest,
                say: (kind, start, length) => this.said(kind, start, length),
            };
            const engine = new WebAssembly.Instance(this.module, { host }).exports;
            this.engine = engine;
            this.search.tie(engine);
        }

        /** Hears a line of UCI, or a call. */
        hear(message) {
            try {
                if (typeof message === "string") {
                    this.write(LINE, encoder.encode(message));
                    if (/^\s*go\b/.test(message)) this.searches += 1;
                } else if (message?.call === "memory") {
                    const bytes = this.engine.memory.buffer.byteLength;
                    this.say({ id: message.id, result: { bytes, most: MOST_BYTES } });
                } else {
                    this.hearCall(message);
                }
            } catch (error) {
                this.fail(error);
                return;
            }
            this.goOn();
        }

        hearCall(call) {
            if (call?.call !== "stop" && typeof call?.id === "number") this.pending.add(call.id);
            let text;
            const { pgn } = call ?? {};
            if (pgn instanceof Uint8Array || pgn instanceof ArrayBuffer) {
                this.write(BYTES, new Uint8Array(pgn));
                const { pgn: _, ...rest } = call;
                text = JSON.stringify(rest);
            } else {
                text = JSON.stringify(call) ?? "";
            }
            this.write(ANSWER, encoder.encode(text));
        }

        /** No line will come any more. */
        end() {
            this.write(END, new Uint8Array());
            this.goOn();
        }

        /** Whether the conversation in UCI is over, after `quit` or the end of the lines. */
        get isOver() {
            return this.engine.is_over() !== 0;
        }

        write(kind, bytes) {
            const start = this.engine.room(bytes.length);
            new Uint8Array(this.engine.memory.buffer, start, bytes.length).set(bytes);
            this.engine.hear(kind);
        }

        /** What the engine says. */
        said(kind, start, length) {
            const bytes = new Uint8Array(this.engine.memory.buffer, start, length);
            if (kind === BYTES) {
                this.bytes = bytes.slice();
                return;
            }
            const text = decoder.decode(bytes);
            if (kind === PANIC) {
                this.panic = text;
            } else if (kind === LINE) {
                if (text.startsWith("bestmove")) this.searches -= 1;
                this.say(text);
            } else {
                const answer = JSON.parse(text);
                if (!("progress" in answer)) this.pending.delete(answer.id);
                if (this.bytes && answer.result) {
                    answer.result.pgn = this.bytes;
                    this.bytes = null;
                }
                this.say(answer);
            }
        }

        /** Sees to it that what waits is carried out. */
        goOn() {
            if (this.isScheduled || !(this.isAside || this.engine.waits())) return;
            this.isScheduled = true;
            later(() => {
                this.isScheduled = false;
                this.work();
            });
        }

        /** Carries out a slice. */
        work() {
            this.isRunning = true;
            this.until = performance.now() + this.slice;
            this.search.work();
        }

        /** A slice is over: the search is put aside, or done. */
        rested(isAside) {
            this.isRunning = false;
            this.isAside = isAside;
            this.goOn();
        }

        /** The engine has broken off: tells everybody who waits, and begins anew. */
        fail(error) {
            const { pending, searches, panic } = this;
            // A program that gets no memory ends without a word.
            const kind = panic || !(error instanceof WebAssembly.RuntimeError) ? "fault" : "memory";
            const what = kind === "memory"
                ? "this takes more memory than the 300 MiB there are; give less to 'hash', or search less"
                : `internal error: ${panic || error}; please report this`;
            const message = `${what}. The engine has started anew, without what it had kept`;
            this.begin();
            for (const id of pending) this.say({ id, error: { kind, message } });
            this.say(`info string ${message.replace(/\s+/g, " ")}`);
            for (let search = 0; search < searches; search += 1) this.say("bestmove 0000");
            this.goOn();
        }
    }

    /** Whether the host can put a search aside with its stack. */
    const hasPromises = () => typeof WebAssembly === "object" && "Suspending" in WebAssembly && "promising" in WebAssembly;

    const isAsyncified = (module) => WebAssembly.Module.exports(module).some(({ name }) => name.startsWith("asyncify_"));

    /**
     * What a patch (`web/patch.mjs`) makes of `wasm`: numbers of 32 bits, first how many copies there are, then for each
     * the new bytes in front of it, where it begins in `wasm` and how many bytes it has; then all new bytes.
     */
    function patched(wasm, patch) {
        const [old, news] = [new Uint8Array(wasm), new Uint8Array(patch)];
        const view = new DataView(news.buffer);
        const at = (index) => view.getUint32(4 * index, true);
        const copies = at(0);
        let fresh = 4 * (1 + 3 * copies);
        let bytes = news.length - fresh;
        for (let copy = 0; copy < copies; copy += 1) bytes += at(3 * copy + 3);
        const made = new Uint8Array(bytes);
        let end = 0;
        const add = (part) => {
            made.set(part, end);
            end += part.length;
        };
        for (let copy = 0; copy < copies; copy += 1) {
            const [before, start, length] = [1, 2, 3].map((index) => at(3 * copy + index));
            add(news.subarray(fresh, fresh + before));
            add(old.subarray(start, start + length));
            fresh += before;
        }
        add(news.subarray(fresh));
        return made.buffer;
    }

    /** Compiles the engine, with the patch if the host needs it; an error says why it cannot be. */
    async function compile(wasm, patch) {
        // A function that makes a vector.
        const vectors = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
        if (typeof WebAssembly !== "object") throw new Error("Cassius needs WebAssembly, which this browser does not have");
        if (!WebAssembly.validate(vectors)) {
            throw new Error("Cassius needs vectors in WebAssembly (SIMD), which this browser does not have; any of the last years has");
        }
        const isPatched = patch && !hasPromises();
        const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(isPatched ? patched(wasm, patch) : wasm);
        if (!hasPromises() && !isAsyncified(module)) {
            throw new Error("this browser needs the bytes of cassius.patch beside those of cassius.wasm: it has no WebAssembly.Suspending");
        }
        return module;
    }

    /** A file beside this script. */
    async function fetched(name) {
        if (inNode) {
            const { buffer } = new Uint8Array(await require("node:fs/promises").readFile(require("node:path").join(__dirname, name)));
            return buffer;
        }
        const answer = await fetch(new URL(name, self.location.href));
        if (!answer.ok) throw new Error(`cannot fetch ${name}: ${answer.status} ${answer.statusText}`);
        return answer.arrayBuffer();
    }

    /** The engine beside this script, compiled. */
    async function loaded() {
        const files = ["cassius.wasm", ...(hasPromises() ? [] : ["cassius.patch"])];
        return compile(...await Promise.all(files.map(fetched)));
    }

    /** A worker: hears messages, and posts what the engine says. */
    function serve(post, close) {
        let engine = null;
        let waiting = [];
        let isLoading = false;
        const load = async (module) => {
            isLoading = true;
            try {
                engine = new Engine(await module, (said) => {
                    post(said);
                });
                const early = waiting;
                waiting = [];
                early.forEach(hear);
            } catch (error) {
                post({ error: { kind: "fault", message: String(error.message ?? error) } });
            }
        };
        const hear = (message) => {
            if (message?.call === "load") {
                load(compile(message.wasm, message.patch));
                return;
            }
            if (engine) {
                engine.hear(message);
                if (engine.isOver) later(close);
                return;
            }
            waiting.push(message);
            if (!isLoading) load(loaded());
        };
        return hear;
    }

    if (inNode) {
        module.exports = { Engine, compile, loaded, patched };
        const { isMainThread, parentPort } = require("node:worker_threads");
        if (!isMainThread && require.main === module && parentPort) {
            parentPort.on("message", serve((said) => parentPort.postMessage(said), () => process.exit(0)));
        }
    } else if (typeof WorkerGlobalScope === "function" && self instanceof WorkerGlobalScope) {
        const hear = serve((said) => self.postMessage(said), () => self.close());
        self.onmessage = ({ data }) => hear(data);
    }
})();
