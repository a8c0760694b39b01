// A game: report, remarks, puzzles; the chapter; without a network; from disk.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { assertFits, drop, findings, start, WIDTHS } from "./browser.mjs";

const OPERA = await readFile(new URL("../../../docs/opera-game.pgn", import.meta.url), "utf8");

let browser;
before(async () => (browser = await start()));
after(() => browser?.stop());

const content = async (download) => readFile(await download.path(), "utf8");

for (const width of WIDTHS) {
  describe(`at ${width} pixels`, () => {
    test("reports on a game, and saves it", { timeout: 180_000 }, () =>
      browser.open(
        async (page) => {
          await drop(page, "opera.pgn", OPERA);
          assert.match(await page.locator(".private").innerText(), /Nothing leaves your machine/);
          assert.deepEqual(await findings(page), []);
          await page.locator("#depth").selectOption("0");
          await page.locator("button", { hasText: "Make the report" }).click();
          await page.locator(".progress").waitFor();
          await page.locator(".report iframe").waitFor({ timeout: 120_000 });
          const frame = page.frameLocator(".report iframe");
          await frame.locator(".score", { hasText: "Paul Morphy" }).first().waitFor();
          await assertFits(page);
          const [html] = await Promise.all([page.waitForEvent("download"), page.locator("button", { hasText: "Save as HTML" }).click()]);
          assert.equal(html.suggestedFilename(), "opera.html");
          // The report keeps its name when another game is typed.
          await page.locator("#pgn").fill("1. e4 e5 *");
          assert.match(await content(html), /^<!DOCTYPE html>[\s\S]*Paul Morphy/);
          const [pgn] = await Promise.all([page.waitForEvent("download"), page.locator("button", { hasText: "Save as PGN" }).click()]);
          assert.equal(pgn.suggestedFilename(), "opera.annotated.pgn");
          assert.match(await content(pgn), /\[%eval/);
        },
        { width, hash: "#/game" },
      ));

    test("looks for puzzles", { timeout: 120_000 }, () =>
      browser.open(
        async (page) => {
          await page.locator("button", { hasText: "Take an example" }).click();
          await page.locator("#depth").selectOption("0");
          await page.locator("button", { hasText: "Make puzzles" }).click();
          await page.locator(".report iframe, .report [role=status]").waitFor({ timeout: 100_000 });
          assert.deepEqual(await findings(page), []);
        },
        { width, hash: "#/game" },
      ));

    test("an analysis is stopped", { timeout: 60_000 }, () =>
      browser.open(
        async (page) => {
          await page.locator("#pgn").fill(OPERA);
          await page.locator("#depth").selectOption("2");
          await page.locator("button", { hasText: "Make the report" }).click();
          await page.locator("[role=status]", { hasText: "of" }).waitFor();
          const asked = page.waitForEvent("dialog");
          void page.close({ runBeforeUnload: true });
          const dialog = await asked;
          assert.equal(dialog.type(), "beforeunload", "a tab that is closed asks first");
          await dialog.dismiss();
          await page.locator(".game-view button", { hasText: "Stop" }).click();
          await page.locator("button:enabled", { hasText: "Make the report" }).waitFor({ timeout: 5_000 });
        },
        { width, hash: "#/game" },
      ));

    for (const scheme of ["light", "dark"]) {
      test(`the chapter, ${scheme}`, () =>
        browser.open(
          async (page) => {
            const first = page.locator(".learn .card").first();
            await first.locator('input[aria-label="Leaf E"]').fill("4");
            await first.locator('input[aria-label="Leaf E"]').press("Enter");
            assert.equal(await first.locator('[title="MAX node A"]').innerText(), "4");
            await page.locator("#target").fill("4");
            await page.locator("output", { hasText: /^4$/ }).waitFor();
            const exercise = page.locator(".exercises > li").first();
            await exercise.locator("button", { hasText: "Check" }).click();
            await exercise.locator('[aria-label^="Leaf D"]').click();
            await exercise.locator("button", { hasText: "Check" }).click();
            assert.match(await exercise.locator(".answer").innerText(), /do not suffice/);
            await exercise.locator('[aria-label^="Leaf D"]').click();
            await exercise.locator('[aria-label^="Leaf E"]').click();
            await exercise.locator("button", { hasText: "Check" }).click();
            assert.match(await exercise.locator(".answer").innerText(), /^Right: the conspiracy number is 1/);
            assert.deepEqual(await findings(page), []);
            await assertFits(page);
          },
          { width, scheme, hash: "#/learn" },
        ));
    }

    for (const isOld of [false, true]) {
      test(`opens from disk, and judges${isOld ? ", without JSPI" : ""}`, () =>
        browser.open(
          async (page) => {
            await page.locator(".lines li").first().waitFor({ timeout: 20_000 });
            await page.locator(".conspirators li").first().waitFor({ timeout: 30_000 });
          },
          { width, fromDisk: true, isOld },
        ));
    }
  });
}

for (const isOld of [false, true]) {
  test(`works without a network once it has been opened${isOld ? ", without JSPI" : ""}`, () =>
    browser.open(
      async (page, context) => {
        await page.evaluate(() => navigator.serviceWorker.ready);
        await page.waitForFunction(async () => (await caches.keys()).length > 0);
        await context.setOffline(true);
        await page.reload();
        await page.locator(".lines li").first().waitFor({ timeout: 20_000 });
      },
      { isOld },
    ));
}
