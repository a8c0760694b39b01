#!/usr/bin/env node
// Cassius on the command line: UCI on the standard streams, or `bench` with the options that the native one has.
"use strict";

const { createInterface } = require("node:readline");
const { Engine, loaded } = require("./cassius.js");

const [command, ...options] = process.argv.slice(2);

/** Options as `cassius bench` has them. */
function benchRequest() {
    const request = {};
    const numbers = { "--nodes": "nodes", "--iterations": "iterations", "--hash": "hash" };
    for (let at = 0; at < options.length; at += 2) {
        const [name, value] = [options[at], options[at + 1]];
        if (name === "--search" && value) request.search = value;
        else if (name in numbers && Number(value) > 0) request[numbers[name]] = Number(value);
        else throw new Error(`bench: expected --search NAME, --nodes N, --iterations N or --hash MIB, found '${name}'`);
    }
    return request;
}

async function main() {
    if (command !== undefined && command !== "bench") {
        throw new Error(`expected no arguments, for UCI, or 'bench'; found '${command}'`);
    }
    const module = await loaded();
    if (command === "bench") {
        const engine = new Engine(module, (said) => {
            if (said.result) process.stdout.write(said.result.text);
            // Not thrown: that would go through the engine, which would take it for a fault of its own.
            if (said.error) fail(said.error);
        });
        engine.hear({ id: 1, call: "bench", ...benchRequest() });
        return;
    }
    const engine = new Engine(module, (said) => {
        if (typeof said === "string") process.stdout.write(`${said}\n`);
    });
    const lines = createInterface({ input: process.stdin, terminal: false });
    lines.on("line", (line) => {
        engine.hear(line);
        if (engine.isOver) lines.close();
    });
    lines.on("close", () => engine.end());
}

function fail(error) {
    console.error(`cassius-chess: ${error.message}`);
    process.exitCode = 2;
}

main().catch(fail);
