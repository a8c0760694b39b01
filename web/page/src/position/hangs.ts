// What a verdict hangs on: how many positions would have to be misjudged for each change of it, and which.

import type { Change, Color, ConspiratorsResult, GrowResult, Move, TreeResult } from "cassius";
import { CHANGES } from "../address";
import { h } from "../dom";
import { firstMove, leaves, nameOf, plural, thousands, told } from "../format";
import { LineButton } from "./line";

/** Conspirators that are named at most. */
export const NAMED = 40;

export interface HangsEvents {
  /** Another change is asked about; negative: for the worse. */
  change(centipawns: number): void;
  look(moves: string[]): void;
  /** A line is pointed at, or none. */
  point(moves: string[]): void;
  search(moves: string[]): void;
}

export class HangsCard {
  private readonly size = h("span", {});
  private readonly value = h("strong", {});
  private readonly lead = new LineButton((moves) => this.events.look(moves));
  private readonly ask = h("span", {});
  private readonly about = h("p", { hidden: true }, this.size, this.value, " after ", this.lead.element, this.ask);
  private readonly waiting = h("p", { class: "hint" }, "A second search grows a tree and keeps it, to count what its verdict rests on…");
  private readonly rungs = new Map<number, HTMLButtonElement>();
  private readonly head = h("p", { class: "list-head" });
  private readonly list = h("ul", { class: "conspirators" });
  private readonly differs = h("p", { class: "differs", hidden: true });
  /** The move that the first search prefers, and the one of the tree. */
  private preferred: Move | null = null;
  private leading: string | null = null;
  private shown = "";
  private readonly moved = h("p", { class: "moved", role: "status" });
  readonly element: HTMLElement;

  constructor(
    private readonly events: HangsEvents,
    private chosen: number,
  ) {
    const rung = (centipawns: number) => {
      const button = h("button", { type: "button", class: "rung", "data-change": centipawns, onclick: () => this.events.change(centipawns) });
      this.rungs.set(centipawns, button);
      return button;
    };
    const row = (name: string, sign: number) => h("div", { class: "rungs", role: "group", "aria-label": name }, h("span", { class: "rungs-name" }, name), ...CHANGES.map((change) => rung(sign * change)));
    this.element = h(
      "section",
      { class: "card hangs", "aria-labelledby": "hangs-title" },
      h("h2", { id: "hangs-title" }, "What it hangs on"),
      this.waiting,
      this.about,
      h("div", { class: "ladder" }, row("better by", 1), row("worse by", -1)),
      this.head,
      this.list,
      this.differs,
      this.moved,
    );
    this.clear();
  }

  clear(): void {
    [this.about.hidden, this.waiting.hidden] = [true, false];
    this.moved.textContent = "";
    [this.preferred, this.leading, this.shown] = [null, null, ""];
    this.compare();
    this.head.textContent = "";
    this.list.replaceChildren();
    for (const [centipawns] of this.rungs) this.setRung(centipawns, undefined);
  }

  choose(centipawns: number): void {
    this.chosen = centipawns;
    for (const [rung, button] of this.rungs) button.setAttribute("aria-pressed", String(rung === centipawns));
  }

  showTree(tree: TreeResult): void {
    const side = nameOf(tree.side_to_move);
    this.leading = tree.line.uci[0] ?? null;
    this.compare();
    [this.about.hidden, this.waiting.hidden] = [false, true];
    this.size.textContent = `A second search counts pieces and keeps its tree, ${thousands(tree.size)} positions by now. There the value is `;
    this.value.textContent = `${told(tree.value)} for ${side}`;
    this.lead.set(tree.line.uci, firstMove(tree.line.san) || "no move yet");
    this.ask.textContent = `. The numbers say how many of its positions would have to be misjudged together for ${side} to be`;
  }

  /** Told what the first search prefers: the two may differ, and then there is something to look into. */
  prefer(move: Move | null): void {
    if (move?.uci === this.preferred?.uci) return;
    this.preferred = move;
    this.compare();
  }

  private compare(): void {
    const move = this.preferred;
    this.differs.hidden = move === null || this.leading === null || move.uci === this.leading;
    if (move === null || this.differs.hidden) return;
    const button = h("button", { type: "button", class: "small", onclick: () => this.events.search([move.uci]) }, `Search below ${move.san}`);
    this.differs.replaceChildren("The first search, whose evaluation knows more than pieces, prefers ", this.line([move.uci], move.san), ". ", button);
  }

  /** Numbers for one change, in both directions. */
  setCounts(centipawns: number, { worse, better }: ConspiratorsResult): void {
    this.setRung(centipawns, better.conspirators);
    this.setRung(-centipawns, worse.conspirators);
  }

  /** Who would have to be wrong for the change that is chosen. */
  showNames(result: ConspiratorsResult, side: Color): void {
    const isBetter = this.chosen > 0;
    const change = isBetter ? result.better : result.worse;
    this.head.textContent = headOf(change, isBetter, side);
    // What stays is left alone: somebody may be pointing at it.
    const shown = change.names.map(({ line, value }) => `${told(value)} ${line.san}`).join("\n");
    if (shown === this.shown) return;
    this.shown = shown;
    this.events.point([]);
    this.list.replaceChildren(
      ...change.names.map(({ line, value }) =>
        h(
          "li",
          { onmouseenter: () => this.events.point(line.uci), onmouseleave: () => this.events.point([]) },
          h("span", { class: "number", title: "its value now" }, told(value)),
          this.line(line.uci, line.san),
          h("button", { type: "button", class: "small", title: `Search below ${line.san}`, onclick: () => this.events.search(line.uci) }, "Search here"),
        ),
      ),
    );
  }

  waitFor(line: string): void {
    this.moved.textContent = `Searching below ${line}…`;
  }

  /** Whether a search below has moved the verdict above. */
  showMoved(result: GrowResult, line: string, spent: number): void {
    const [root] = result.moved;
    const here = result.moved.at(-1);
    if (!root || !here) return;
    const before = told(root.before);
    const after = told(root.after);
    const verdict =
      before === after && result.line.uci[0] === result.line_before.uci[0]
        ? `The verdict above stays ${after}.`
        : `The verdict above moves from ${before} to ${after}: now ${firstMove(result.line.san)}.`;
    const below = here.path.length > 0 ? ` There the value was ${told(here.before)} and is ${told(here.after)}.` : "";
    this.moved.textContent = `Searched ${plural(spent, "more position")} below ${line}.${below} ${verdict}`;
  }

  private setRung(centipawns: number, count: number | null | undefined): void {
    const button = this.rungs.get(centipawns);
    if (!button) return;
    const change = Math.abs(centipawns) === 50 ? "½" : String(Math.abs(centipawns) / 100);
    // Read aloud it is a sentence; to be seen, two numbers.
    const unseen = (text: string) => h("span", { class: "unseen" }, text);
    const number = h("strong", {}, count === undefined ? "…" : leaves(count));
    button.replaceChildren(unseen(centipawns > 0 ? "better by " : "worse by "), h("span", { class: "change" }, change), unseen(change === "½" || change === "1" ? " pawn: " : " pawns: "), number, unseen(" misjudged"));
    button.setAttribute("aria-pressed", String(centipawns === this.chosen));
    button.classList.toggle("frail", typeof count === "number" && count <= 3);
  }

  private line(moves: string[], text: string): HTMLButtonElement {
    return h(
      "button",
      { type: "button", class: "line", onclick: () => this.events.look(moves), onfocus: () => this.events.point(moves), onblur: () => this.events.point([]) },
      text,
    );
  }
}

function headOf(change: Change, isBetter: boolean, side: Color): string {
  const { target: value } = change;
  const target = value === "won" || value === "lost" ? `${nameOf(side)} has ${value}` : `${nameOf(side)} ${isBetter ? "at least" : "at most"} ${told(value)}`;
  if (change.conspirators === null) return `${target}: no number of errors will do. What stands in the way is final.`;
  if (change.conspirators === 0) return `${target}: it is worth that already.`;
  if (change.names.length === 0) return `${target}: ${thousands(change.conspirators)} positions, too many to list. That is firm.`;
  const all = change.conspirators === 1 ? "if this position is misjudged" : `if these ${change.conspirators} positions are misjudged together`;
  return `${target} ${all}. In front: their values now.`;
}
