// The view of a game: a PGN in; a report, remarks and puzzles out.

import { type GameProgress, type GameResult, type PuzzlesProgress, type PuzzlesResult } from "cassius";
import { h, save } from "../dom";
import { hush, isStopped, judging, tellFault, withMemory } from "../workers";
import { plural, thousands } from "../format";
import opera from "../../../../docs/opera-game.pgn?raw";
import { gamesIn, textOf, titleOf } from "../position/input";

/** Positions visited for each position of a game, and for each one in the search for puzzles. */
const DEPTHS = [
  { name: "quick", nodes: 20_000, puzzles: 5_000 },
  { name: "thorough", nodes: 100_000, puzzles: 20_000 },
  { name: "deep", nodes: 500_000, puzzles: 100_000 },
] as const;
/** The searches that can make a report; the first is what the command line takes. */
const SEARCHES = [
  { search: "depth-first", name: "depth-first, which plays best" },
  { search: "best-first", name: "best-first, which counts how many positions would have to be misjudged" },
] as const;
/** Memory for each search, in MiB. */
const HASH = 16;
/** Games of a file that can be chosen from. */
const MOST_LISTED = 2_000;
/** Characters of a game beyond which it is no game that is read. */
const MOST_OF_A_GAME = 4 * 1024 * 1024;

/** Names of files to save, by their extensions: a report keeps the name of its game. */
const fileOf = (name: string) => (extension: string) => `${name.replace(/\.\w+$/, "")}.${extension}`;

export class GameView {
  readonly element: HTMLElement;
  private games: string[] = [];
  private name = "game.pgn";
  private run: AbortController | null = null;
  private readonly area = h("textarea", { id: "pgn", rows: 5, spellcheck: "false", placeholder: "1. e4 e5 2. Nf3 Nc6 …", oninput: () => this.take(this.area.value, "game.pgn", false) });
  private readonly choice = h("select", { id: "which" });
  private readonly choiceRow = h("p", { class: "stack", hidden: true }, h("label", { for: "which" }, "Which game?"), this.choice);
  private readonly depth = h("select", { id: "depth" }, ...DEPTHS.map(({ name, nodes }, index) => h("option", { value: index, selected: index === 1 }, `${name}: ${thousands(nodes)} positions a move`)));
  private readonly search = h("select", { id: "search" }, ...SEARCHES.map(({ search, name }) => h("option", { value: search }, name)));
  private readonly fault = h("p", { class: "error", role: "alert" });
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": "Progress" });
  private readonly done = h("p", { role: "status" });
  private readonly progress = h("div", { class: "progress", hidden: true }, this.bar, this.done);
  private readonly report = h("div", { class: "report" });
  private readonly reportButton = h("button", { type: "button", class: "primary", onclick: () => void this.analyze() }, "Make the report");
  private readonly puzzlesButton = h("button", { type: "button", onclick: () => void this.puzzles() }, "Make puzzles");
  private readonly stopButton = h("button", { type: "button", hidden: true, onclick: () => this.run?.abort() }, "Stop");

  constructor() {
    const file = h("input", {
      type: "file",
      id: "open-game",
      accept: ".pgn,.txt,text/plain",
      class: "unseen",
      onchange: async () => {
        const [chosen] = file.files ?? [];
        if (chosen) await textOf(chosen).then((text) => this.take(text, chosen.name), (error: Error) => (this.fault.textContent = error.message));
        file.value = "";
      },
    });
    this.element = h(
      "div",
      { class: "game-view" },
      h(
        "section",
        { class: "card" },
        h("h2", {}, "Report on a game"),
        h("p", {}, "Drop a PGN file anywhere, open one, or paste it. The report tells accuracy, the costliest moves as puzzles, every value and how sure it is."),
        h("p", { class: "private" }, "Everything is computed here. Nothing leaves your machine."),
        h("label", { for: "pgn" }, "The game, as PGN"),
        this.area,
        h("div", { class: "row" }, file, h("label", { for: "open-game", class: "button" }, "Open a file"), h("button", { type: "button", onclick: () => this.take(opera, "opera-game.pgn") }, "Take an example")),
        this.choiceRow,
        h("p", { class: "stack" }, h("label", { for: "depth" }, "How thorough?"), this.depth),
        h("p", { class: "stack" }, h("label", { for: "search" }, "By which search?"), this.search),
        this.fault,
        h("div", { class: "row" }, this.reportButton, this.puzzlesButton, this.stopButton),
        this.progress,
      ),
      this.report,
    );
    this.enable();
  }

  get isEmpty(): boolean {
    return this.games.length === 0;
  }

  get isBusy(): boolean {
    return this.run !== null;
  }

  start(): void {}

  stop(): void {}

  /** Takes the text of a PGN; `isToBeShown` unless it has been typed. */
  take(text: string, name: string, isToBeShown = true): void {
    hush();
    this.games = gamesIn(text);
    this.name = name;
    this.fault.textContent = "";
    const [first] = this.games;
    // A large file would only make the field slow.
    if (isToBeShown) this.area.value = text.length <= 200_000 ? text : `${(first ?? "").slice(0, 5_000)}`;
    const listed = this.games.slice(0, MOST_LISTED);
    this.choice.replaceChildren(...listed.map((game, index) => h("option", { value: index }, `${index + 1}. ${titleOf(game)}`)));
    this.choiceRow.hidden = this.games.length < 2;
    if (this.games.length > MOST_LISTED) this.fault.textContent = `There are ${thousands(this.games.length)} games in this text; the first ${thousands(MOST_LISTED)} can be chosen from.`;
    this.enable();
  }

  private enable(): void {
    const isBusy = this.run !== null;
    this.reportButton.disabled = this.puzzlesButton.disabled = isBusy || this.games.length === 0;
    this.stopButton.hidden = !isBusy;
    this.progress.hidden = !isBusy;
    this.element.classList.toggle("busy", isBusy);
  }

  private get game(): string {
    return this.games[Number(this.choice.value || 0)] ?? "";
  }

  /** Does a piece of work that can be stopped; it tells how far it is, from 0 to 1 where that is known. */
  private async work<R>(what: string, job: (signal: AbortSignal, tell: (share: number | null, text: string) => void) => Promise<R>, show: (result: R) => void): Promise<void> {
    if (this.game.length > MOST_OF_A_GAME) {
      this.fault.textContent = "This game has more than 4 MB: it is no game that can be read.";
      return;
    }
    const run = (this.run = new AbortController());
    this.fault.textContent = "";
    this.bar.removeAttribute("value");
    this.done.textContent = `${what}…`;
    this.enable();
    try {
      show(
        await job(run.signal, (share, text) => {
          if (share !== null) this.bar.value = share;
          this.done.textContent = `${what}: ${text}`;
        }),
      );
    } catch (error) {
      if (isStopped(error)) this.fault.textContent = "Stopped.";
      else if (error instanceof Error) this.fault.textContent = error.message;
      else tellFault(error);
    } finally {
      this.run = null;
      this.enable();
    }
  }

  private get level(): (typeof DEPTHS)[number] {
    return DEPTHS[Number(this.depth.value)] ?? DEPTHS[1];
  }

  private analyze(): Promise<void> {
    const request = { pgn: this.game, name: this.name, search: this.search.value, nodes: this.level.nodes };
    const file = fileOf(request.name);
    return this.work<GameResult>(
      "Analysing",
      async (signal, tell) => {
        const engine = await judging.get();
        const progress = ({ done, of }: GameProgress) => tell(of === 0 ? null : done / of, `${done} of ${plural(of, "position")}`);
        return withMemory(HASH, (hash) => engine.call("game", { ...request, hash }, { progress, signal }));
      },
      ({ html, pgn }) =>
        this.showPage("The report", html, [
          ["Save as HTML", () => save(file("html"), html, "text/html")],
          ...(pgn === null ? [] : [["Save as PGN with remarks", () => save(file("annotated.pgn"), pgn, "application/x-chess-pgn")] as [string, () => void]]),
        ]),
    );
  }

  private puzzles(): Promise<void> {
    const request = { pgn: this.game, name: this.name, nodes: this.level.puzzles };
    const file = fileOf(request.name);
    return this.work<PuzzlesResult>(
      "Looking for puzzles",
      async (signal, tell) => {
        const engine = await judging.get();
        const progress = (news: PuzzlesProgress) => tell(null, `${plural(news.puzzles, "puzzle")} found`);
        return withMemory(HASH, (hash) => engine.call("puzzles", { ...request, hash }, { progress, signal }));
      },
      ({ puzzles, html, epd, remarks }) => {
        this.fault.textContent = remarks.join(" ");
        if (puzzles === 0) this.report.replaceChildren(h("p", { role: "status" }, "No position of this game makes a puzzle: nowhere is one move much better than all others and hard to see."));
        else
          this.showPage("The puzzles", html, [
            ["Save as HTML", () => save(file("puzzles.html"), html, "text/html")],
            ["Save as EPD", () => save(file("puzzles.epd"), epd, "text/plain")],
          ]);
      },
    );
  }

  /** Shows a page that the engine has made, the same that the command line makes, in a frame that may do nothing but show it. */
  private showPage(title: string, html: string, saves: [string, () => void][]): void {
    const frame = h("iframe", { title, sandbox: "allow-scripts", srcdoc: html });
    this.report.replaceChildren(
      h("div", { class: "row" }, h("h2", {}, title), ...saves.map(([name, act]) => h("button", { type: "button", onclick: act }, name))),
      frame,
    );
    this.report.scrollIntoView({ block: "start" });
  }
}
