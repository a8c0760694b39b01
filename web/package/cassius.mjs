// Cassius as a promise for each call: `cassius.d.ts` declares them.

/** An error that a call ends with; `kind` says whose fault it is. */
export class CassiusError extends Error {
    constructor({ kind, message }) {
        super(message);
        this.name = "CassiusError";
        this.kind = kind;
    }
}

/** A worker with an engine: the one beside this module. */
async function ownWorker() {
    if (typeof Worker === "function") return new Worker(new URL("./cassius.js", import.meta.url));
    // Not to be found by those who pack pages.
    const threads = "node:worker_threads";
    const node = await import(/* @vite-ignore */ threads);
    return new node.Worker(new URL("./cassius.js", import.meta.url));
}

/** A worker with an engine, to be called. */
export class Cassius {
    #worker;
    #ready;
    #calls = new Map();
    #last = 0;
    #failure = null;

    constructor({ worker, wasm, patch } = {}) {
        this.onuci = null;
        this.#ready = Promise.resolve(worker ?? ownWorker()).then((it) => {
            this.#worker = it;
            if (it.on) {
                it.on("message", (message) => this.#hear(message));
                it.on("error", (error) => this.#fail(error.message));
            } else {
                it.addEventListener("message", ({ data }) => this.#hear(data));
                it.addEventListener("error", (event) => this.#fail(event.message || "the worker cannot be started"));
            }
            if (wasm) it.postMessage({ call: "load", wasm, patch });
        }).catch((error) => this.#fail(error.message));
    }

    /** Makes a call. */
    call(call, request = {}, { progress, signal } = {}) {
        this.#last += 1;
        const id = this.#last;
        return new Promise((resolve, reject) => {
            if (this.#failure) {
                reject(new CassiusError(this.#failure));
                return;
            }
            const stop = () => this.#post({ call: "stop", id });
            const done = () => signal?.removeEventListener("abort", stop);
            this.#calls.set(id, { resolve, reject, progress, done });
            this.#post({ ...request, id, call }).catch(({ message }) => {
                this.#hear({ id, error: { kind: "input", message: `${call}: ${message}; give plain objects, lists, texts and numbers` } });
            });
            if (signal?.aborted) stop();
            else signal?.addEventListener("abort", stop, { once: true });
        });
    }

    /** Says a line of UCI. */
    uci(line) {
        this.#post(line);
    }

    /** Ends everything, and lets the memory go. */
    terminate() {
        this.#ready.then(() => this.#worker?.terminate());
        this.#fail("the engine has been ended", "stopped");
    }

    #post(message) {
        return this.#ready.then(() => this.#worker?.postMessage(message));
    }

    #hear(message) {
        if (typeof message === "string") {
            this.onuci?.(message);
            return;
        }
        const call = this.#calls.get(message.id);
        if (!call) {
            // Of no call: the engine could not be loaded.
            if (message.error && message.id === undefined) this.#fail(message.error.message);
            return;
        }
        if ("progress" in message) {
            call.progress?.(message.progress);
            return;
        }
        this.#calls.delete(message.id);
        call.done();
        if (message.error) call.reject(new CassiusError(message.error));
        else call.resolve(message.result);
    }

    #fail(message, kind = "fault") {
        this.#failure ??= { kind, message };
        for (const call of this.#calls.values()) {
            call.done();
            call.reject(new CassiusError(this.#failure));
        }
        this.#calls.clear();
    }
}
