// The engine in a browser visits the positions that it visits in Node, to the digit.

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { start } from "./browser.mjs";

const PACKAGE = resolve(process.env.CASSIUS_PACKAGE ?? resolve(import.meta.dirname, "../../../out/web/package"));
const BENCH = { nodes: 100_000 };

let browser;
before(async () => (browser = await start()));
after(() => browser?.stop());

test("bench counts the same nodes as in Node", { timeout: 120_000 }, async () => {
  const { Cassius } = await import(pathToFileURL(resolve(PACKAGE, "cassius.mjs")));
  const engine = new Cassius();
  const { nodes } = await engine.call("bench", BENCH);
  engine.terminate();
  assert.ok(nodes > 0);
  await browser.open(
    async (page) => {
      const found = await page.evaluate((request) => {
        const worker = new Worker("engine/cassius.js");
        const answer = new Promise((done) => (worker.onmessage = ({ data }) => "result" in data && done(data.result.nodes)));
        worker.postMessage({ id: 1, call: "bench", ...request });
        return answer.finally(() => worker.terminate());
      }, BENCH);
      assert.equal(found, nodes);
    },
    { hash: "#/learn" },
  );
});
