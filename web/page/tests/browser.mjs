// A browser for the tests: the page served from the folder that was built, or opened from disk, at the width of a phone or a desk.
// Every request beyond the page's own, every error on its console, every unhandled one, and whatever is pushed about without
// being asked to fails the test.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const PAGE = resolve(process.env.CASSIUS_PAGE ?? resolve(import.meta.dirname, "../../../out/web/page"));
const SINGLE = resolve(PAGE, "../cassius.html");
const BROWSER = process.env.CASSIUS_BROWSER ?? "/usr/bin/chromium";
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

export const WIDTHS = [390, 1280];
export const PROBLEM = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";

/** The address of a position with a level of effort. */
export const at = (fen, level = 2) => `#/position?fen=${encodeURIComponent(fen)}&effort=${level}`;

/** Waits for the search of a position to end. */
export const idle = (page) => page.locator(".effort button", { hasText: "Think on" }).waitFor({ timeout: 60_000 });

/** What makes a browser or a worker one without JSPI. */
const WITHOUT_PROMISES = "delete WebAssembly.Suspending;";
/** The same in the workers of the page that is one file. */
const withoutPromises = `${WITHOUT_PROMISES} globalThis.Blob = class extends Blob {
  constructor(parts, options) { super(options?.type === "text/javascript" ? ["${WITHOUT_PROMISES}", ...parts] : parts, options); }
};`;

/** What is pushed about from here on, without a click or a key before it, in what Lighthouse calls layout shift: the most of it in five seconds. */
const WATCH = `globalThis.pushed = { most: 0, sum: 0, first: 0, last: 0, what: [] };
new PerformanceObserver((list) => {
  for (const { startTime, value, sources, hadRecentInput } of list.getEntries()) {
    if (hadRecentInput || matchMedia("print").matches) continue;
    if (startTime - pushed.last > 1000 || startTime - pushed.first > 5000) [pushed.sum, pushed.first] = [0, startTime];
    [pushed.last, pushed.sum] = [startTime, pushed.sum + value];
    pushed.most = Math.max(pushed.most, pushed.sum);
    if (value > 0.01) pushed.what.push(value.toFixed(3) + " " + sources.map(({ node }) => node?.className || node?.nodeName).join(", "));
  }
}).observe({ type: "layout-shift", buffered: true });`;
const MOST_PUSHED = 0.1;

/** Fails if too much was pushed about since the page was opened, or since this was asked before. */
export async function isCalm(page) {
  const { most, what } = await page.evaluate(() => ({ ...globalThis.pushed }));
  assert.ok(most < MOST_PUSHED, `pushed about: ${most.toFixed(3)}\n${what.join("\n")}`);
  await page.evaluate(() => Object.assign(globalThis.pushed, { most: 0, sum: 0, what: [] }));
}

/** The folder on a port of its own; below `old/` the same for workers without JSPI. Notes the paths that are asked for. */
async function serve(asked) {
  const server = createServer(async (request, response) => {
    const [, old, path] = /^(\/old(?=\/))?(.*)$/.exec(new URL(request.url, "http://localhost").pathname);
    asked.push(`${old ?? ""}${path}`);
    // As many hosts answer; `(fresh)` is asked past what the browser keeps.
    response.setHeader("cache-control", "max-age=600");
    if (request.headers["cache-control"] === "no-cache") asked.push(`${old ?? ""}${path} (fresh)`);
    try {
      let body = await readFile(join(PAGE, path === "/" ? "index.html" : path));
      if (old && ["/sw.js", "/engine/cassius.js"].includes(path)) body = WITHOUT_PROMISES + body;
      response.writeHead(200, { "content-type": TYPES[extname(path) || ".html"] ?? "text/plain" });
      response.end(body);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return server;
}

/** The browser. On a busy machine without a screen it sometimes crashes before it shows a page: then it is begun again. */
async function launch(args) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--disable-dev-shm-usage", ...args] });
    } catch (error) {
      if (attempt === 3) throw error;
      console.error(`The browser did not start: ${error.message.split("\n")[0]}`);
    }
  }
}

/** The browser, with more options if need be, and the server, for a whole file of tests. */
export async function start(...options) {
  const browser = await launch(options);
  const asked = [];
  const server = await serve(asked);
  const home = `http://127.0.0.1:${server.address().port}/`;

  /** Opens the page for a test, or a file, with whatever may go wrong watched. */
  const open = async (use, { width = 1280, scheme = "light", hash = "", fromDisk = false, file, scripts = true, isOld = false, prepare } = {}) => {
    const context = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme: scheme, hasTouch: width < 500, acceptDownloads: true, javaScriptEnabled: scripts });
    const page = await context.newPage();
    const faults = [];
    const isOwn = (url) => url.startsWith(home) || /^(blob|data|about):/.test(url) || ((fromDisk || file) && url.startsWith("file:"));
    context.on("request", (request) => isOwn(request.url()) || faults.push(`asks the network: ${request.url()}`));
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(`console: ${message.text()} (${message.location().url})`));
    if (scripts) await page.addInitScript(WATCH);
    if (prepare) await page.addInitScript(prepare);
    if (isOld) await page.addInitScript(withoutPromises);
    try {
      await page.goto(file ?? (fromDisk ? pathToFileURL(SINGLE).href : isOld ? `${home}old/` : home) + hash);
      await use(page, context);
      assert.deepEqual(faults, []);
      if (scripts && !page.isClosed()) await isCalm(page);
    } finally {
      await context.close();
    }
  };
  const stop = async () => {
    await browser.close();
    server.close();
  };
  return { open, stop, asked };
}

/** What axe finds wrong with a page. */
export async function findings(page) {
  await page.addScriptTag({ path: AXE });
  return page.evaluate(async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 300)}`));
  });
}

/** Nothing may have to be scrolled sideways. */
export async function assertFits(page) {
  const [inner, scroll] = await page.evaluate(() => [document.documentElement.clientWidth, document.documentElement.scrollWidth]);
  assert.ok(scroll <= inner, `scrolls sideways: ${scroll} of ${inner}`);
}

/** Drops a file on the page. */
export async function drop(page, name, content) {
  await page.evaluate(
    ([name, content]) => {
      const data = new DataTransfer();
      const bytes = typeof content === "string" ? content : Uint8Array.from(content);
      data.items.add(new File([bytes], name));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [name, typeof content === "string" ? content : [...content]],
  );
}
