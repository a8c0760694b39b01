// Writes `cassius.patch`, from which and `cassius.wasm` a host without JSPI makes the engine that it needs: both share their
// data, and most of their code.
//
//     node patch.mjs cassius.wasm ASYNCIFIED.wasm cassius.patch
//
// The format is told by `patched` in package/cassius.js, which must make the same file again.

import { readFileSync, writeFileSync } from "node:fs";
import cassius from "./package/cassius.js";

/** Bytes of the shortest copy, about what writing it down takes. */
const SHORTEST = 16;

const [from, to, patch] = process.argv.slice(2);
const [old, wanted] = [from, to].map((file) => readFileSync(file));

const key = (bytes, at) => bytes.latin1Slice(at, at + SHORTEST);
const places = new Map();
for (let at = 0; at + SHORTEST <= old.length; at += 1) if (!places.has(key(old, at))) places.set(key(old, at), at);

const copies = [];
const fresh = [];
let before = 0;
/** Where in `old` the copy goes on, if `wanted` has only other bytes between. */
let onwards = 0;
for (let at = 0; at < wanted.length; ) {
    const next = key(wanted, at);
    const start = key(old, onwards) === next ? onwards : places.get(next);
    if (start === undefined || next.length < SHORTEST) {
        fresh.push(wanted[at]);
        [at, onwards, before] = [at + 1, onwards + 1, before + 1];
        continue;
    }
    let length = SHORTEST;
    while (at + length < wanted.length && old[start + length] === wanted[at + length]) length += 1;
    copies.push(before, start, length);
    [at, onwards, before] = [at + length, start + length, 0];
}
const numbers = Uint32Array.of(copies.length / 3, ...copies);
const made = Buffer.concat([new Uint8Array(numbers.buffer), Uint8Array.from(fresh)]);
if (!wanted.equals(new Uint8Array(cassius.patched(old, made)))) throw new Error(`${patch} does not make ${to} of ${from}`);
writeFileSync(patch, made);
