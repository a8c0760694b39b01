// The engine in a browser, put aside by the browser itself (JSPI) or by its own means.

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { start } from "./browser.mjs";

const PACKAGE = resolve(process.env.CASSIUS_PACKAGE ?? resolve(import.meta.dirname, "../../../out/web/package"));
const BENCH = { nodes: 100_000 };

let browser;
before(async () => (browser = await start()));
after(() => browser?.stop());

for (const isOld of [false, true]) {
  describe(isOld ? "without JSPI" : "with JSPI", () => {
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
        { hash: "#/learn", isOld },
      );
    });

    test("messages are heard within 100 ms in the middle of a search", { timeout: 60_000 }, () =>
      browser.open(
        async (page) => {
          const waits = await page.evaluate(async () => {
            const worker = new Worker("engine/cassius.js");
            const heard = (begin) => new Promise((done) => worker.addEventListener("message", ({ data }) => data.startsWith?.(begin) && done()));
            const waits = [];
            for (let time = 0; time < 5; time += 1) {
              const first = heard("info depth 5 ");
              worker.postMessage("ucinewgame");
              worker.postMessage("position startpos");
              worker.postMessage("go infinite");
              await first;
              const asked = performance.now();
              const ready = heard("readyok");
              worker.postMessage("isready");
              await ready;
              const best = heard("bestmove");
              worker.postMessage("stop");
              await best;
              waits.push(performance.now() - asked);
            }
            worker.terminate();
            return waits;
          });
          // The machine may be busy elsewhere: the best of some.
          assert.ok(Math.min(...waits) < 100, `${waits} ms`);
        },
        { hash: "#/learn", isOld },
      ));

    test("fetches and keeps what it needs, and no more", () =>
      browser.open(
        async (page) => {
          await page.locator(".lines li").first().waitFor({ timeout: 20_000 });
          await page.evaluate(() => navigator.serviceWorker.ready);
          const kept = await page.evaluate(async () => {
            const cache = await caches.open((await caches.keys())[0]);
            return (await cache.keys()).map(({ url }) => new URL(url).pathname);
          });
          const home = isOld ? "/old" : "";
          for (const paths of [kept, browser.asked.filter((path) => path.startsWith("/old/") === isOld)]) {
            assert.ok(paths.includes(`${home}/engine/cassius.wasm`), `${paths}`);
            assert.equal(paths.includes(`${home}/engine/cassius.patch`), isOld, `${paths}`);
          }
          for (const path of kept) assert.ok(browser.asked.includes(`${path} (fresh)`), path);
        },
        { isOld },
      ));
  });
}
