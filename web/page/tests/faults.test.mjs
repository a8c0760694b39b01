// What goes wrong gets a message, and the page stays usable.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { drop, findings, start, WIDTHS } from "./browser.mjs";

let browser;
before(async () => (browser = await start()));
after(() => browser?.stop());

const usable = async (page) => {
  await page.locator("#move").fill("Kg7");
  await page.locator("#move").press("Enter");
  await page.locator(".place", { hasText: "1... Kg7" }).waitFor();
};

for (const width of WIDTHS) {
  describe(`at ${width} pixels`, () => {
    const pasted = [
      ["8/8/8/8/8/8/8/8 w - - 0 1", /nothing on the board/],
      ["8/8/8/8/8/8/8/9 w - - 0 1", /eight ranks/],
      ["k7/8/8/8/8/8/8/KR6 w - - 0 1 x y", /./],
      ["4k3/8/8/8/8/8/8/4K2r b - - 0 1", /not to move is in check/],
      ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", /w or b/],
      ["1. e4 e5 2. Ke5", /./],
      ["what is this", /neither a FEN nor a game/],
      ["<script>alert(1)</script>", /neither a FEN nor a game/],
      ["", /nothing to read/],
    ];
    test("text that is no position", () =>
      browser.open(
        async (page) => {
          for (const [text, wanted] of pasted) {
            await page.locator("#paste").fill(text);
            await page.locator("button", { hasText: "Show it" }).click();
            const told = (await page.locator(".input .error").innerText()) || (await page.locator(".place").innerText());
            assert.match(told, wanted, text);
          }
          await page.goto(page.url().split("#")[0]);
          await page.locator("#move").fill("Ke9");
          await page.locator("#move").press("Enter");
          assert.match(await page.locator(".left > .error").innerText(), /no legal move/);
        },
        { width },
      ));

    test("files that are no text, and texts that are no game", () =>
      browser.open(
        async (page) => {
          await drop(page, "picture.png", new Uint8Array([137, 80, 78, 71, 0, 1, 2, 3]));
          await page.locator(".message", { hasText: "is no text" }).waitFor();
          await drop(page, "poem.txt", "Shall I compare thee to a summer's day?");
          await page.locator(".message", { hasText: "neither a FEN nor a game" }).waitFor();
          assert.deepEqual(await findings(page), []);
          await page.locator(".message button").click();
          await usable(page);
        },
        { width },
      ));

    test("a game with an illegal move is shown up to there", () =>
      browser.open(
        async (page) => {
          await drop(page, "game.pgn", "1. e4 e5 2. Nf3 Nc6 3. Bb6 a6");
          await page.locator(".message", { hasText: /Bb6.* is no legal move after 4 plies/ }).waitFor();
          assert.match(await page.locator(".place").innerText(), /1\. e4 e5 2\. Nf3 Nc6/);
        },
        { width },
      ));

    test("a link that is broken", () =>
      browser.open(
        async (page) => {
          await page.locator("cg-board piece").first().waitFor();
          await usable(page);
        },
        { width, hash: "#/position?fen=%%%&moves=e2e4 zz&at=-7&effort=99&change=x" },
      ));

    test("a browser without vectors", () =>
      browser.open(
        async (page) => {
          assert.match(await page.locator(".message").innerText(), /128-bit vectors/);
          await page.locator(".message button").click();
          await usable(page);
        },
        { width, prepare: () => (WebAssembly.validate = () => false) },
      ));
  });
}

test("a PGN of 10 MB", { timeout: 120_000 }, () =>
  browser.open(
    async (page) => {
      const game = (number) => `[Event "Game ${number}"]\n[White "A${number}"]\n[Black "B"]\n[Result "1-0"]\n\n${"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ".repeat(1)}${"{ a long comment } ".repeat(40)}1-0\n\n`;
      const large = Array.from({ length: 12_000 }, (_, index) => game(index)).join("");
      assert.ok(large.length > 10_000_000);
      await drop(page, "large.pgn", large);
      await page.locator("#which option").first().waitFor({ state: "attached", timeout: 20_000 });
      assert.equal(await page.locator("#which option").count(), 2_000);
      assert.match(await page.locator(".game-view .error").innerText(), /12,000 games/);
      await page.locator("#which").selectOption("7");
      await page.locator("nav a", { hasText: "Position" }).click();
      await usable(page);
    },
    { hash: "#/game" },
  ));

for (const [pages, what] of [
  [1000, "less memory than is asked for"],
  [200, "no memory to begin with"],
]) {
  test(what, { timeout: 120_000 }, async () => {
    // Pages of 64 KiB that WebAssembly gets.
    const poor = await start(`--js-flags=--wasm-max-mem-pages=${pages}`);
    try {
      await poor.open(async (page) => {
        if (pages === 1000) {
          await page.locator(".lines li:visible").first().waitFor({ timeout: 30_000 });
          await page.locator(".conspirators li").first().waitFor({ timeout: 30_000 });
        } else {
          await page.locator(".message").waitFor({ timeout: 30_000 });
          await page.locator(".message button").click();
        }
        await usable(page);
      });
    } finally {
      await poor.stop();
    }
  });
}
