// Sessions of an hour or so, as visitors have them, to see whether memory grows; too long for the tests.
//
//     CASSIUS_BROWSER=/usr/bin/chromium node sessions.mjs [SESSIONS [MINUTES]]
//
// Each has a browser of its own and does what a seed tells it: new positions, searches that are stopped, searches of one
// branch, games reported on or given up. Twelve times it comes to rest at the same position, and the memory of its browser's
// processes is taken (Linux). Fails if at the end it is a tenth above what it was after a quarter of the time.

import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { drop, PROBLEM, start } from "./tests/browser.mjs";

const [sessions = 10, minutes = 60] = process.argv.slice(2).map(Number);
const STOPS = 12;
const MOST_GROWTH = 1.1;

const root = new URL("../../", import.meta.url);
const game = await readFile(new URL("docs/opera-game.pgn", root), "utf8");
const positions = (await readFile(new URL("epd/wac.epd", root), "utf8")).split("\n").filter(Boolean).map((line) => `${line.split(/\s+/, 4).join(" ")} 0 1`);

/** MiB that the processes below one whose command line has `mark` have to themselves. */
async function memory(mark) {
  const processes = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 1 << 26 }).split("\n").map((line) => line.trim().split(/\s+/));
  const own = new Set(processes.filter((line) => line.includes(mark)).map(([pid]) => pid));
  for (let size = 0; size < own.size; ) {
    size = own.size;
    for (const [pid, parent] of processes) if (own.has(parent)) own.add(pid);
  }
  let kilobytes = 0;
  for (const pid of own) kilobytes += Number(/^Private_Dirty:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => ""))?.[1] ?? 0);
  return kilobytes / 1024;
}

/** Numbers from 0 to 1 of a seed. */
function random(seed) {
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
}

async function session(number) {
  const mark = `--cassius-session=${number}-${process.pid}`;
  const browser = await start(mark);
  const next = random(number);
  const one = (list) => list[Math.floor(next() * list.length)];
  const measured = [];
  const done = { positions: 0, searches: 0, games: 0 };

  const goTo = (page, hash) => page.evaluate((hash) => (location.hash = hash), hash);
  const press = (page, selector, hasText) => page.locator(selector, { hasText }).first().click({ timeout: 5_000 }).catch(() => {});
  const actions = {
    async positions(page) {
      await goTo(page, `#/position?fen=${encodeURIComponent(one(positions))}&effort=${one([1, 2, 3, 4])}`);
      await page.locator(".lines li:visible").first().waitFor({ timeout: 60_000 });
      await page.waitForTimeout(next() * 10_000);
      await press(page, ".effort button", "Stop");
    },
    async searches(page) {
      await goTo(page, `#/position?fen=${encodeURIComponent(PROBLEM)}&effort=2`);
      await page.locator(".conspirators li .line").first().click({ timeout: 60_000 });
      await press(page, ".ahead button", "Search here");
      await page.waitForTimeout(next() * 10_000);
    },
    async games(page) {
      await goTo(page, "#/game");
      await drop(page, "opera.pgn", game);
      await page.locator("#depth").selectOption("0");
      await press(page, "button", "Make the report");
      if (next() < 0.5) await page.locator(".report iframe").waitFor({ timeout: 300_000 });
      else await page.waitForTimeout(next() * 20_000);
      await press(page, ".game-view button", "Stop");
      await page.locator("button:enabled", { hasText: "Make the report" }).waitFor({ timeout: 60_000 });
    },
  };
  const visit = async (page) => {
    page.on("dialog", (dialog) => void dialog.accept());
    for (let stop = 1; stop <= STOPS; stop++) {
      for (const until = Date.now() + (minutes * 60_000) / STOPS; Date.now() < until; ) {
        const action = one(Object.keys(actions));
        await actions[action](page);
        done[action] += 1;
      }
      await goTo(page, `#/position?fen=${encodeURIComponent(PROBLEM)}&effort=1`);
      await page.locator(".effort button", { hasText: "Think on" }).waitFor({ timeout: 120_000 });
      await page.requestGC();
      measured.push(await memory(mark));
    }
  };
  await browser.open(visit).finally(browser.stop);
  const [early, late] = [measured.slice(2, 5), measured.slice(-3)].map((some) => some.sort((a, b) => a - b)[1]);
  const told = `${done.positions} positions, ${done.searches} searches of a branch, ${done.games} games; MiB: ${measured.map(Math.round).join(" ")}`;
  console.log(`session ${number}: ${late > early * MOST_GROWTH ? "GROWS" : "level"}: ${told}`);
  return late <= early * MOST_GROWTH;
}

const results = await Promise.allSettled(Array.from({ length: sessions }, (_, number) => session(number + 1)));
for (const { reason } of results) if (reason) console.error(reason);
process.exit(results.every(({ value }) => value) ? 0 : 1);
