// The view of a position, used as a visitor would.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertFits, at, findings, idle, PROBLEM, start, WIDTHS } from "./browser.mjs";

const GAME = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5";

let browser;
before(async () => (browser = await start()));
after(() => browser?.stop());

/** Win at Chess 2 after 1... Rxb2 2. Rxb2: only one move wins. */
const PASSED = "8/7p/5k2/5p2/p1p2P2/P2pPK2/1R5P/8 b - - 0 2";
const text = (page, selector) => page.locator(selector).innerText();

for (const width of WIDTHS) {
  describe(`at ${width} pixels`, () => {
    test("shows a position and its verdict at once", () =>
      browser.open(
        async (page) => {
          const began = Date.now();
          await page.locator(".lines li").first().waitFor({ timeout: 10_000 });
          const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
          assert.ok(paint < 1000, `first paint after ${paint} ms`);
          assert.ok(Date.now() - began < 5000, "searching at once");
          assert.equal(await page.locator(".board-frame cg-board piece").count(), 14);
          assert.match(await text(page, ".place"), /Problem 2 of Win at Chess/);
          await assertFits(page);
        },
        { width },
      ));

    for (const scheme of ["light", "dark"]) {
      test(`axe finds nothing, ${scheme}`, () =>
        browser.open(
          async (page) => {
            await page.locator(".conspirators li").first().waitFor({ timeout: 30_000 });
            await idle(page);
            assert.deepEqual(await findings(page), []);
          },
          { width, scheme, hash: at(PROBLEM, 1) },
        ));
    }

    test("tells what the verdict on Win at Chess 2 hangs on", () =>
      browser.open(
        async (page) => {
          await idle(page);
          assert.match(await text(page, ".headline"), /^Black better$/);
          assert.match(await text(page, ".value"), /Best is 1\.\.\. h5/);
          // What would take the advantage of that move away, as far as it can be named.
          const names = page.locator(".conspirators li");
          await names.filter({ hasText: "1... h5" }).first().waitFor();
          assert.equal(await names.filter({ hasNotText: "1... h5" }).count(), 0, "all of the preferred move");
          assert.match(await text(page, ".list-head"), /^1\.\.\. h5 at most \+[01]\.\d\d if these \d+ positions are misjudged together/);
          await page.getByRole("button", { name: "any move" }).click();
          await page.locator('.rung[data-change="900"]').click();
          await page.locator(".list-head", { hasText: /^Black at least/ }).waitFor();
          assert.notEqual(await names.filter({ hasNotText: "1... h5" }).count(), 0, "of other moves, too");
          await names.locator(".line").first().click();
          const [, move] = /Looking ahead: (1\.\.\. \S+)/.exec(await text(page, ".ahead"));
          await page.locator(".hangs").getByRole("button", { name: move, exact: true }).first().click();
          await page.locator(".list-head", { hasText: `${move} at ` }).waitFor();
          assert.equal(await names.filter({ hasNotText: move }).count(), 0, "all of the move looked at");
          await idle(page);
          await page.locator(".ahead button", { hasText: "Search here" }).click();
          await page.locator(".moved", { hasText: "more positions below 1... " }).waitFor({ timeout: 30_000 });
          assert.match(await text(page, ".moved"), /The tree.s value (stays|moves)/);
          await assertFits(page);
        },
        { width, hash: at(PROBLEM, 2) },
      ));

    test("tells move by move what the verdict's line hangs on, and what else could be played", () =>
      browser.open(
        async (page) => {
          await idle(page);
          const steps = page.locator(".walk li");
          assert.equal(await steps.count(), 8);
          assert.match(await steps.first().innerText(), /^[+]\d+\.\d\d\s+2\.\.\. c3\s+the only move: not\s+2\.\.\. \S+ .*\s−\d+\.\d\d$/s);
          assert.match(await text(page, ".hangs"), /All hangs on 2\.\.\. c3.*Black has nothing there .* At the end of the line Black has a queen/);
          const other = steps.first().locator(".line").last();
          const [move] = /^2\.\.\. \S+/.exec(await other.innerText());
          await other.click();
          assert.ok((await text(page, ".ahead")).startsWith(`Looking ahead: ${move}`));
          await page.locator('[aria-label="On along the line"]').click();
          assert.match(await text(page, ".ahead"), /Looking ahead: 2\.\.\. \S+ 3\. /);
          await page.getByRole("button", { name: "Leave the line" }).click();
          await page.locator(".ahead").waitFor({ state: "hidden" });
          await assertFits(page);
        },
        { width, hash: at(PASSED) },
      ));

    test("says why a move is not good", () =>
      browser.open(
        async (page) => {
          await idle(page);
          await page.locator("#move").fill("Rxa3");
          await page.locator("#move").press("Enter");
          await page.locator(".grade").waitFor({ timeout: 30_000 });
          assert.match(await text(page, ".grade"), /Rxa3 is (dubious|a mistake|a blunder): it costs/);
          assert.match(await text(page, ".judge"), /Better is\s+1\.\.\. h5/);
          assert.match(await text(page, ".judge"), /How sure\?/);
        },
        { width },
      ));

    test("remembers a move that was looked into and seemed better than what it finds before", () =>
      browser.open(
        async (page) => {
          await idle(page);
          await page.locator("#move").fill("Rxb2");
          await page.locator("#move").press("Enter");
          await page.locator(".headline", { hasText: /^Black .*winning$/ }).waitFor({ timeout: 60_000 });
          await idle(page);
          // The search soon finds it too, having it in its table: the remark may stand but for a moment.
          await page.evaluate(() => {
            const remark = document.querySelector(".remark");
            window.remarks = [];
            new MutationObserver(() => window.remarks.push(remark.textContent)).observe(remark, { childList: true, characterData: true, subtree: true });
          });
          await page.locator('[aria-label="Back"]').click();
          await page.waitForFunction(() => window.remarks.some((text) => /^But 1\.\.\. Rxb2, which you had looked into, is worth [+]\d+\.\d\d\.$/.test(text)), null, { timeout: 30_000 });
        },
        { width, hash: at(PROBLEM, 1) },
      ));

    test("unfolds the tree with the keyboard and the mouse", () =>
      browser.open(
        async (page) => {
          await page.locator(".node").nth(3).waitFor({ timeout: 30_000 });
          await idle(page);
          const before = await page.locator(".node").count();
          await page.locator(".tree").focus();
          await page.keyboard.press("ArrowDown");
          await page.keyboard.press("ArrowRight");
          await page.locator('.node[aria-level="3"]').first().waitFor();
          assert.ok((await page.locator(".node").count()) >= before);
          assert.equal(await page.locator('.node[aria-selected="true"]').count(), 1);
          assert.match(await text(page, ".ahead"), /Looking ahead/);
          await page.keyboard.press("ArrowLeft");
          await page.locator('.node[aria-level="3"]').first().waitFor({ state: "detached" });
        },
        { width, hash: at(PROBLEM, 1) },
      ));

    test("takes moves of a game, steps through them, and keeps them in the address", () =>
      browser.open(
        async (page) => {
          await page.locator("#paste").fill(GAME);
          await page.locator("button", { hasText: "Show it" }).click();
          assert.match(await text(page, ".place"), /1\. e4 e5 2\. Nf3 Nc6/);
          await page.locator("nav a", { hasText: "Game" }).click();
          assert.equal(await page.locator("#pgn").inputValue(), GAME, "it can be reported on");
          await page.locator("nav a", { hasText: "Position" }).click();
          await page.locator('[aria-label="Last position"]').click();
          await page.locator('[aria-label="Back"]').click();
          const address = page.url();
          assert.match(address, /at=7/);
          await page.goto("about:blank");
          await page.goto(address);
          await page.locator(".place", { hasText: "4. Nxe5" }).waitFor();
          assert.equal(page.url(), address);
        },
        { width },
      ));

    test("searches on while another view is shown", () =>
      browser.open(
        async (page) => {
          await page.locator(".cg-shapes line, svg line").first().waitFor({ state: "attached", timeout: 30_000 });
          await page.evaluate(() => (location.hash = "#/game"));
          await page.locator("#pgn").waitFor();
          await page.waitForTimeout(1_500);
          await page.goBack();
          await page.locator(".cg-shapes line, svg line").first().waitFor({ state: "attached" });
        },
        { width, hash: at(PROBLEM, 4) },
      ));

    test("looks along a line move by move, and the search goes on", () =>
      browser.open(
        async (page) => {
          await idle(page);
          const searched = await text(page, ".hangs");
          await page.locator(".lines .line").first().click();
          assert.match(await text(page, ".ahead"), /Looking ahead: 1\.\.\. \S+\s/);
          await page.locator('[aria-label="On along the line"]').click();
          assert.match(await text(page, ".ahead"), /Looking ahead: 1\.\.\. \S+ 2\. \S+\s/);
          await page.locator('[aria-label="First position"]').click();
          await page.locator(".ahead").waitFor({ state: "hidden" });
          assert.equal(await text(page, ".hangs"), searched);
        },
        { width, hash: at(PROBLEM, 1) },
      ));

    test("keeps what was found while another view is shown", () =>
      browser.open(
        async (page) => {
          await idle(page);
          const [verdict, hangs] = [await text(page, ".value"), await text(page, ".hangs")];
          await page.locator('[data-view="learn"]').click();
          await page.locator(".hangs").waitFor({ state: "detached" });
          await page.locator('[data-view="position"]').click();
          assert.deepEqual([await text(page, ".value"), await text(page, ".hangs")], [verdict, hangs]);
          assert.equal(await page.locator(".effort button", { hasText: "Think on" }).count(), 1, "no search has begun");
        },
        { width, hash: at(PROBLEM, 1) },
      ));

    test("where the game is over nothing is counted, and nothing fails", () =>
      browser.open(
        async (page) => {
          await page.locator(".headline", { hasText: "Checkmate: the game is over." }).waitFor();
          await page.locator(".verdict:not(.running)").waitFor();
          assert.deepEqual(await page.locator(".right h2").filter({ visible: true }).allInnerTexts(), ["The verdict", "Is my move good?"]);
          assert.equal(await page.locator(".effort button").isVisible(), false, "nothing to think on about");
          assert.equal(await text(page, ".messages"), "");
        },
        { width, hash: at("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1") },
      ));

    test("sets up a position by hand", () =>
      browser.open(
        async (page) => {
          await page.locator("button", { hasText: "Set up" }).click();
          await page.locator("dialog button", { hasText: "Clear" }).click();
          await page.locator("dialog button", { hasText: "Use this position" }).click();
          assert.match(await text(page, "dialog .error"), /cannot be played/);
          await page.locator("dialog button", { hasText: "Initial position" }).click();
          assert.equal(await text(page, "dialog .error"), "");
          const pictures = await page.locator(".palette piece").evaluateAll((all) => all.map((it) => getComputedStyle(it).backgroundImage));
          assert.equal(pictures.filter((it) => it.startsWith("url")).length, 12);
          const below = () => page.locator(".palette").last().locator("button").first().getAttribute("aria-label");
          assert.equal(await below(), "black king");
          await page.locator("dialog button", { hasText: "Turn the board" }).click();
          assert.equal(await below(), "white king");
          await page.locator("dialog .cg-wrap.orientation-white").waitFor();
          assert.deepEqual(await findings(page), []);
          await page.locator("dialog button", { hasText: "Use this position" }).click();
          await page.locator("dialog").waitFor({ state: "detached" });
          assert.equal(await page.locator(".board-frame cg-board piece").count(), 32);
        },
        { width },
      ));

    test("a search is stopped in mid-flight, and goes on", () =>
      browser.open(
        async (page) => {
          await page.locator(".lines li:visible").first().waitFor({ timeout: 30_000 });
          await page.locator(".conspirators li").first().waitFor({ timeout: 30_000 });
          const told = await page.evaluate(async () => {
            const button = document.querySelector(".effort button");
            const began = performance.now();
            button.click();
            while (button.textContent !== "Think on" && performance.now() - began < 5000) await new Promise((done) => setTimeout(done, 5));
            return performance.now() - began;
          });
          assert.ok(told < 1000, `stopped after ${told} ms`);
          assert.notEqual(await page.locator(".lines li").count(), 0, "the verdict stays");
          const size = async () => Number(/([\d,]+) positions by now/.exec(await text(page, ".hangs"))?.[1].replaceAll(",", ""));
          const before = await size();
          await page.locator(".effort button", { hasText: "Think on" }).click();
          await page.locator(".effort button", { hasText: "Stop" }).waitFor();
          while ((await size()) <= before) await page.waitForTimeout(100);
        },
        { width, hash: at(PROBLEM, 4) },
      ));
  });
}

test("recaptures and answers to check are no only moves", () =>
  browser.open(
    async (page) => {
      const step = page.locator(".walk li").nth(1);
      await step.filter({ hasText: /1\.\.\. cxd5 takes back: not 1\.\.\./ }).waitFor({ timeout: 60_000 });
      assert.equal(await step.getAttribute("class"), "expected");
      assert.doesNotMatch(await text(page, ".walk-head"), /must answer 1\.\.\. cxd5/);
    },
    { hash: at("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", 0) },
  ));

test("the browser's Back goes back in the game, and its notices and report belong to it", () =>
  browser.open(
    async (page) => {
      const playing = async (move, place) => {
        await page.locator("#move").fill(move);
        await page.locator("#move").press("Enter");
        await page.locator(".place", { hasText: place }).waitFor();
      };
      await page.locator("#paste").fill('[White "Ann"]\n\n1. e4 e5 2. Ke4');
      await page.locator("button", { hasText: "Show it" }).click();
      await page.locator(".message", { hasText: "no legal move after 2 plies" }).waitFor();
      await page.reload();
      await page.locator("button", { hasText: "Report on this game" }).click();
      assert.match(await page.locator("#pgn").inputValue(), /Ann/, "the text outlives the page");
      await page.goBack();
      await page.locator('[aria-label="Last position"]').click();
      await playing("Nf3", /^1\. e4 e5 2\. Nf3$/);
      await playing("Nc6", /^1\. e4 e5 2\. Nf3 Nc6$/);
      for (const step of ["Back", "Back", "On"]) await page.locator(`[aria-label="${step}"]`).click();
      await page.goBack();
      assert.match(page.url(), /moves=e2e4\+e7e5\+g1f3\+b8c6&effort/, "steps are one entry");
      await page.goBack();
      await page.locator(".place", { hasText: /^1\. e4 e5 2\. Nf3$/ }).waitFor();
      await page.goBack();
      await page.locator(".place", { hasText: /^1\. e4 e5$/ }).waitFor();
      await page.locator("#paste").fill("1. e4 Ke4");
      await page.locator("button", { hasText: "Show it" }).click();
      await page.locator("#paste").fill("1. Ke4");
      await page.locator("button", { hasText: "Show it" }).click();
      await page.locator(".input .error", { hasText: "no move here" }).waitFor();
      await page.locator("button", { hasText: "New game" }).click();
      assert.equal(await page.locator(".message, .error:not(:empty)").count(), 0, "they are about another game");
      assert.equal(await page.locator("button", { hasText: "Report on this game" }).isVisible(), false);
      await playing("d4", /^1\. d4$/);
      await page.locator("button", { hasText: "Report on this game" }).click();
      assert.equal(await page.locator("#pgn").inputValue(), "1. d4 *\n");
    },
    { hash: at(PROBLEM, 0) },
  ));

test("on a phone board and buttons are of one width, and all squares too", () =>
  browser.open(
    async (page) => {
      const [board, steps, squares] = await Promise.all([".board-frame", ".steps", ".board-frame cg-container"].map((it) => page.locator(it).boundingBox()));
      assert.deepEqual([steps.x, steps.width, squares.x, squares.width, board.width % 8], [board.x, board.width, board.x, board.width, 0]);
      assert.ok(steps.height >= 40, "for fingers");
      const rows = await page.locator(".type > *").evaluateAll((all) => all.map((it) => it.getBoundingClientRect()).map(({ top, bottom }) => Math.round((top + bottom) / 2)));
      assert.ok(Math.max(...rows) - Math.min(...rows) <= 2, "in one row");
    },
    { width: 390, hash: at(PROBLEM, 0) },
  ));

for (const width of WIDTHS) {
  test(`text of twice the size fits, at ${width} pixels`, () =>
    browser.open(
      async (page) => {
        await page.locator(".walk li").nth(7).waitFor({ timeout: 60_000 });
        await idle(page);
        await assertFits(page);
        // No text of a line runs into the next one.
        const overlaps = await page.locator(".walk li").evaluateAll((all) =>
          all.flatMap((it) => {
            const boxes = [...it.querySelectorAll(".number, .line, .hint")].map((part) => part.getBoundingClientRect()).filter((box) => box.width > 0);
            return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 4 && other.top < one.bottom - 4).map(() => it.innerText));
          }),
        );
        assert.deepEqual(overlaps, []);
        for (const view of ["game", "learn"]) {
          await page.locator(`[data-view="${view}"]`).click();
          await assertFits(page);
        }
      },
      // From the beginning, as a setting of the browser is.
      { width, hash: at(PASSED, 0), prepare: `new MutationObserver((_, it) => (document.documentElement && it.disconnect(), document.documentElement?.style.setProperty("font-size", "200%"))).observe(document, { childList: true });` },
    ));
}
