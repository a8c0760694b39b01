// The pages that the program writes about games, in a browser: words by default, numbers on request, habits, print, keyboard.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, test } from "node:test";
import { assertFits, findings, start, WIDTHS } from "./browser.mjs";

const PROGRAM = process.env.CASSIUS_BIN;

/** The same two players twice: Black does not see a mate, White is mated. Then Black has two mates and sees neither. */
const GAMES = `[White "Ann"]
[Black "Ben"]
[Result "1-0"]
[SetUp "1"]
[FEN "1r4k1/5p1p/7Q/8/8/8/5PPP/6K1 b - - 4 30"]

30... f5 {[%clk 0:00:40]} 31. Qe6+ {[%clk 0:02:00]} Kh8 {[%clk 0:00:30]} 32. Qf6+ Kg8 33. Qxf5 h6 1-0

[White "Ben"]
[Black "Ann"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "Cid"]
[Black "Dan"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "rr4k1/5p1p/7Q/8/8/8/5PPP/6K1 b - - 4 30"]

30... f5 31. Qe6+ Kh8 32. Qf6+ Kg8 33. Qe6+ Kh8 34. Qf6+ Kg8 35. Qe6+ 1/2-1/2
`;

let browser;
let folder;
before(async () => {
  if (!PROGRAM) return;
  folder = await mkdtemp(join(tmpdir(), "cassius-report-"));
  await writeFile(join(folder, "games.pgn"), GAMES);
  execFileSync(PROGRAM, ["analyze", "games.pgn", "--nodes", "5000", "--html-dir", "out", "--player", "Ben"], { cwd: folder });
  browser = await start();
});
after(async () => {
  await browser?.stop();
  if (folder) await rm(folder, { recursive: true });
});

const show = (file, use, options) => browser.open(use, { ...options, file: pathToFileURL(join(folder, "out", file)).href });
const columns = (page) => page.locator(".list thead th:visible").allInnerTexts();

describe("reports", { skip: PROGRAM ? false : "CASSIUS_BIN names no program" }, () => {
  for (const width of WIDTHS) {
    for (const scheme of ["light", "dark"]) {
      test(`axe finds nothing, at ${width} pixels, ${scheme}`, async () => {
        for (const file of ["game-1.html", "index.html"]) {
          await show(
            file,
            async (page) => {
              await assertFits(page);
              assert.deepEqual(await findings(page), []);
              if (file === "index.html") return;
              await page.locator(".more input").check();
              await page.locator(".legend summary").click();
              await assertFits(page);
              assert.deepEqual(await findings(page), []);
            },
            { width, scheme },
          );
        }
      });
    }
    test(`words stand there, numbers are a key away, at ${width} pixels`, () =>
      show(
        "game-1.html",
        async (page) => {
          // A phone has no room for costs: the marks tell them roughly.
          const cost = width > 760 ? ["cost"] : [];
          assert.deepEqual(await columns(page), ["move", "value", ...cost, "instead", "in words"]);
          const first = page.locator("#g1p0 td").nth(3);
          assert.match(await first.innerText(), /^Black winning → White winning\s+misses mate in 2; only move missed, surely/);
          assert.equal(await page.locator(".odds p").count(), 0, "that would be the answer to the first moment");
          assert.match(await page.locator(".fen").inputValue(), /^1r4k1/, "the position is no answer");
          const boards = await page.locator(".moment .still svg > use").evaluateAll((all) => all.map((it) => it.getAttribute("href")));
          assert.deepEqual([...new Set(boards)], ["#turned"], "all of Black's moments as Black sees them");
          await page.locator('[data-step="on"]').click();
          assert.match(await page.locator(".odds p").innerText(), /^White .*: White wins \d+ %, draw/);
          await page.locator(".more input").focus();
          await page.keyboard.press("Space");
          assert.ok((await columns(page)).includes("demand") && (await columns(page)).includes("time"));
          await page.keyboard.press("Space");
          assert.equal((await columns(page)).length, 4 + cost.length);
        },
        { width },
      ));
  }

  test("without scripts the numbers are a key away too", () =>
    show(
      "game-1.html",
      async (page) => {
        await page.locator(".more input").focus();
        await page.keyboard.press("Space");
        assert.ok((await columns(page)).includes("demand"));
        await page.locator(".solution summary").first().click();
        assert.ok(await page.locator(".solution p").first().isVisible());
      },
      { scripts: false },
    ));

  test("on paper there are words and answers", () =>
    show("game-1.html", async (page) => {
      await page.emulateMedia({ media: "print" });
      assert.deepEqual(await columns(page), ["move", "value", "cost", "instead", "in words"]);
      assert.ok(await page.locator(".moment .solution p").first().isVisible());
      assert.ok(!(await page.locator(".more").isVisible()));
    }));

  test("a moment is a puzzle if its answer is sure", () =>
    show("game-1.html", async (page) => {
      const card = page.locator(".moment").first();
      assert.match(await card.locator("h4").innerText(), /surely one move alone wins/);
      await card.locator('[data-do="hint"]').click();
      await card.locator('[data-square="b8"]').click();
      await card.locator('[data-square="b1"]').click();
      assert.match(await card.locator(".answer").innerText(), /^Yes\. 30\.\.\. Rb1\+/);
    }));

  test("of several answers the one played is shown", () =>
    show("game-3.html", async (page) => {
      const card = page.locator(".moment").first();
      assert.match(await card.locator("h4").innerText(), /(two|three) moves win/);
      const { moments } = JSON.parse(await page.locator(".data").textContent());
      for (const answer of [...moments[0].held].reverse()) {
        const [from, to] = [answer.slice(0, 2), answer.slice(2, 4)].map((it) => card.locator(`[data-square="${it}"]`));
        await page.reload();
        await from.click();
        await to.click();
        assert.match(await card.locator(".answer").innerText(), /^Yes\./);
        assert.match(await to.getAttribute("aria-label"), /, black /);
        assert.match(await from.getAttribute("aria-label"), /^..$/);
      }
    }));

  test("habits of a player are chosen by keyboard", () =>
    show("index.html", async (page) => {
      const table = page.locator(".habits table:visible");
      assert.match(await table.innerText(), /Ben, 2 games[^]*under a minute left[^]*won game given away\s+1\s/);
      await page.locator(".player select").focus();
      await page.keyboard.press("ArrowDown");
      assert.match(await table.innerText(), /Ann, 2 games/);
      await page.emulateMedia({ media: "print" });
      assert.ok(!(await page.locator(".player").isVisible()));
    }));
});
