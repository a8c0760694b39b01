// Cassius in WebAssembly: the engine, and the worker around it. `cassius.d.ts` declares its messages.
//
// A classic script: in a browser `new Worker("cassius.js")`, in Node the same of `worker_threads`, or `require` for `Engine`.
//
// WebAssembly cannot wait: as long as a function of it runs, no message is heard. So a search looks up every few
// milliseconds and is put aside in the middle, with its stack (Binaryen's Asyncify); messages are heard; and it goes on
// where it was. It visits the same positions as one that is never put aside.
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
            const host = {
                now: () => performance.now(),
                rest: () => this.rest(),
                say: (kind, start, length) => this.said(kind, start, length),
            };
            const engine = new WebAssembly.Instance(this.module, { host }).exports;
            this.engine = engine;
            this.aside = engine.start();
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

        /** The engine looks up from its work. */
        rest() {
            const { engine } = this;
            if (engine.asyncify_get_state() === REWINDING) {
                engine.asyncify_stop_rewind();
                return;
            }
            if (!this.isRunning || performance.now() < this.until) return;
            // Asyncify wants to be told where the stack goes, in two words in front of it.
            const words = new Uint32Array(engine.memory.buffer, this.aside, 2);
            words[0] = this.aside + 8;
            words[1] = this.aside + engine.aside();
            engine.asyncify_start_unwind(this.aside);
        }

        /** Sees to it that what waits is carried out. */
        goOn() {
            if (this.isScheduled || !(this.isAside || this.engine.waits())) return;
            this.isScheduled = true;
            later(() => {
                this.isScheduled = false;
                this.work();
                this.goOn();
            });
        }

        /** Carries out a slice. */
        work() {
            const { engine } = this;
            try {
                if (this.isAside) engine.asyncify_start_rewind(this.aside);
                this.isRunning = true;
                this.until = performance.now() + this.slice;
                engine.work();
                this.isRunning = false;
                this.isAside = engine.asyncify_get_state() === UNWINDING;
                if (this.isAside) engine.asyncify_stop_unwind();
            } catch (error) {
                this.fail(error);
            }
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
        }
    }

    /** Compiles the engine; an error says why it cannot be. */
    async function compile(wasm) {
        // A function that makes a vector.
        const vectors = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
        if (typeof WebAssembly !== "object") throw new Error("Cassius needs WebAssembly, which this browser does not have");
        if (!WebAssembly.validate(vectors)) {
            throw new Error("Cassius needs vectors in WebAssembly (SIMD), which this browser does not have; any of the last years has");
        }
        return wasm instanceof WebAssembly.Module ? wasm : WebAssembly.compile(wasm);
    }

    /** The engine beside this script. */
    async function fetched() {
        if (inNode) {
            const { readFile } = require("node:fs/promises");
            return readFile(require("node:path").join(__dirname, "cassius.wasm"));
        }
        const answer = await fetch(new URL("cassius.wasm", self.location.href));
        if (!answer.ok) throw new Error(`cannot fetch cassius.wasm: ${answer.status} ${answer.statusText}`);
        return answer.arrayBuffer();
    }

    /** A worker: hears messages, and posts what the engine says. */
    function serve(post, close) {
        let engine = null;
        let waiting = [];
        let isLoading = false;
        const load = async (wasm) => {
            isLoading = true;
            try {
                engine = new Engine(await compile(await wasm), (said) => {
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
                load(message.wasm);
                return;
            }
            if (engine) {
                engine.hear(message);
                if (engine.isOver) later(close);
                return;
            }
            waiting.push(message);
            if (!isLoading) load(fetched());
        };
        return hear;
    }

    if (inNode) {
        module.exports = { Engine, compile, fetched };
        const { isMainThread, parentPort } = require("node:worker_threads");
        if (!isMainThread && require.main === module && parentPort) {
            parentPort.on("message", serve((said) => parentPort.postMessage(said), () => process.exit(0)));
        }
    } else if (typeof WorkerGlobalScope === "function" && self instanceof WorkerGlobalScope) {
        const hear = serve((said) => self.postMessage(said), () => self.close());
        self.onmessage = ({ data }) => hear(data);
    }
})();
