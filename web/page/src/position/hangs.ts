// What a verdict hangs on: how many positions would have to be misjudged for each change of it, and which.

import type { Change, Color, GrowResult, Line, Move, Score, TreeResult } from "cassius";
import { CHANGES } from "../address";
import { h } from "../dom";
import { centipawnsOf, firstMove, leaves, nameOf, plural, thousands, told } from "../format";
import { LineButton } from "./line";
import { WalkList } from "./walk";

/** Conspirators that are named at most. */
export const NAMED = 40;

/** Whose conspirators are counted: the preferred move's, any move's, or those of the move with this name in UCI. */
export type About = "preferred" | "any" | `${string}${number}`;

/** A move that is asked about, with its value by the first search, which knows that of the move it prefers. */
export interface Preferred {
  move: Move;
  value: Score | null;
  /** The line of the first search, or the move alone. */
  line: Line;
}

/** What the tree says of a move. */
export interface Counted {
  /** A line that begins with the move. */
  lead: Line;
  /** Whether that is the preferred move, not the best one of the tree. */
  isOfMove: boolean;
  /** Its value in the tree. */
  value: Score;
  /** Conspirators by the change of that value, in centipawns. */
  counts: ReadonlyMap<number, number | null>;
  /** The change that is asked about, and who would have to be wrong for it. */
  chosen: number;
  change: Change;
}

/** Centipawns from which on a value is a win in all likelihood: two such values say the same. */
const WINS = 200;

/**
 * The change to ask about first: what would take the advantage away; or, where the preferred move's value is another than the
 * counted one, what leads there. It goes as far as the conspirators can be named.
 */
export function suggested(preferred: Score | null, counted: Score, counts: ReadonlyMap<number, number | null>): number {
  const value = centipawnsOf(counted);
  const aim = preferred === null || areAlike(preferred, counted) ? -value : centipawnsOf(preferred) - value;
  const steps = CHANGES.filter((change) => change <= Math.abs(aim)).map((change) => change * Math.sign(aim));
  return steps.findLast((step) => (counts.get(step) ?? Infinity) <= NAMED) ?? steps[0] ?? -CHANGES[0];
}

/** Whether two values say the same. */
function areAlike(one: Score, other: Score): boolean {
  const [low, high] = [centipawnsOf(one), centipawnsOf(other)].sort((a, b) => a - b) as [number, number];
  return high - low < CHANGES[0] || low >= WINS || high <= -WINS;
}

export interface HangsEvents {
  about(whose: About): void;
  /** Another change is asked about; negative: for the worse. */
  change(centipawns: number): void;
  /** Moves are to be looked at, with how they go on. */
  look(moves: string[], beyond?: string[]): void;
  /** A line is pointed at, or none. */
  point(moves: string[]): void;
  search(moves: string[]): void;
}

export class HangsCard {
  readonly walk = new WalkList((moves, beyond) => this.events.look(moves, beyond));
  private readonly size = h("span", {});
  private readonly lead = new LineButton((moves) => this.events.look(moves));
  private readonly value = h("strong", {});
  private readonly above = h("span", {});
  private readonly ofMove = h("button", { type: "button", class: "small", onclick: () => this.events.about("preferred") });
  /** The move that is looked at. */
  private readonly ofOther = h("button", { type: "button", class: "small", hidden: true });
  private readonly ofAny = h("button", { type: "button", class: "small", onclick: () => this.events.about("any") }, "any move");
  private readonly about = h(
    "div",
    { class: "counted", hidden: true },
    h("p", {}, this.size, this.lead.element, " is worth ", this.value, this.above),
    h(
      "p",
      { role: "group", "aria-label": "Numbers of" },
      "Conspiracy numbers: how many of its positions would have to be misjudged together for ",
      ...[this.ofMove, this.ofOther, this.ofAny].flatMap((button) => [button, " "]),
      "to be this many pawns",
    ),
  );
  private readonly waiting = h("p", { class: "hint counted" }, "A second search grows a tree and keeps it, to count what its verdict rests on…");
  private readonly rungs = new Map<number, HTMLButtonElement>();
  private readonly head = h("p", { class: "list-head" });
  private readonly list = h("ul", { class: "conspirators" });
  private preferred: Preferred | null = null;
  private counted: { move: string | undefined; value: Score; isOfMove: boolean } | null = null;
  private shown = "";
  private readonly moved = h("p", { class: "moved", role: "status" });
  readonly element: HTMLElement;

  constructor(private readonly events: HangsEvents) {
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
      this.walk.element,
      h("h3", {}, "Conspiracy numbers"),
      this.waiting,
      this.about,
      h("div", { class: "ladder" }, row("better", 1), row("worse", -1)),
      h("p", { class: "hint" }, "Red: three and fewer, so that the value is shaky."),
      this.head,
      this.list,
      this.moved,
    );
    this.clear();
  }

  clear(): void {
    this.walk.clear();
    [this.about.hidden, this.waiting.hidden] = [true, false];
    for (const part of [this.moved, this.size, this.head]) part.textContent = "";
    this.shown = "";
    this.list.replaceChildren();
    [this.preferred, this.counted] = [null, null];
    this.ofOther.hidden = true;
    this.choose("preferred");
    for (const [centipawns] of this.rungs) this.setRung(centipawns, undefined, false);
  }

  /** The move that the first search prefers. */
  prefer(preferred: Preferred): void {
    this.preferred = preferred;
    this.ofMove.textContent = preferred.move.san;
    this.ofMove.hidden = false;
    this.compare();
  }

  /** A move that is looked at may be asked about, too. */
  offer({ uci, san }: Move): void {
    this.ofOther.hidden = uci === this.preferred?.move.uci;
    this.ofOther.textContent = san;
    this.ofOther.onclick = () => this.events.about(uci as About);
    this.ofOther.setAttribute("aria-pressed", "false");
  }

  choose(whose: About): void {
    this.ofMove.setAttribute("aria-pressed", String(whose === "preferred"));
    this.ofAny.setAttribute("aria-pressed", String(whose === "any"));
    this.ofOther.setAttribute("aria-pressed", String(whose !== "preferred" && whose !== "any"));
    this.ofMove.hidden = this.preferred === null;
  }

  showTree(tree: TreeResult): void {
    this.size.textContent = `A second search keeps its tree to count in, ${thousands(tree.size)} positions by now. There `;
  }

  /** Who would have to be wrong for the change that is chosen. */
  show({ lead, isOfMove, value, counts, chosen, change }: Counted, side: Color): void {
    for (const [centipawns, count] of counts) this.setRung(centipawns, count, centipawns === chosen);
    const move = firstMove(lead.san);
    this.lead.set(lead.uci.slice(0, 1), move || "the position");
    this.value.textContent = `${told(value)} for ${nameOf(side)}`;
    this.counted = { move: lead.uci[0], value, isOfMove };
    this.compare();
    [this.about.hidden, this.waiting.hidden] = [false, true];
    this.head.textContent = headOf(change, chosen > 0, isOfMove ? move : nameOf(side));
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

  /** Says what the preferred move is worth to the first search, where that differs. */
  private compare(): void {
    const [above, counted] = [this.preferred, this.counted];
    this.above.textContent = ".";
    if (!above?.value || !counted || told(above.value) === told(counted.value)) return;
    const of = above.move.uci === counted.move ? "" : ` of ${above.move.san}`;
    if (counted.isOfMove && of !== "") return;
    const why = areAlike(above.value, counted.value) ? "." : ": the tree has not seen why. The numbers below tell where the tree would have to be wrong.";
    this.above.textContent = `. The verdict, which searches deeper, says ${told(above.value)}${of}${why}`;
  }

  waitFor(line: string): void {
    this.moved.textContent = `Searching below ${line}…`;
  }

  /** Whether a search below has moved the value of the whole tree. */
  showMoved(result: GrowResult, line: string, spent: number): void {
    const [root] = result.moved;
    const here = result.moved.at(-1);
    if (!root || !here) return;
    const before = told(root.before);
    const after = told(root.after);
    const verdict =
      before === after && result.line.uci[0] === result.line_before.uci[0]
        ? `The tree's value stays ${after}.`
        : `The tree's value moves from ${before} to ${after}: now ${firstMove(result.line.san)}.`;
    const below = here.path.length > 0 ? ` There the value was ${told(here.before)} and is ${told(here.after)}.` : "";
    this.moved.textContent = `Visited ${plural(spent, "more position")} below ${line}.${below} ${verdict}`;
  }

  private setRung(centipawns: number, count: number | null | undefined, isChosen: boolean): void {
    const button = this.rungs.get(centipawns);
    if (!button) return;
    const change = Math.abs(centipawns) === 50 ? "½" : String(Math.abs(centipawns) / 100);
    // Read aloud it is a sentence; to be seen, two numbers.
    const unseen = (text: string) => h("span", { class: "unseen" }, text);
    const number = h("strong", {}, count === undefined ? "…" : leaves(count));
    button.replaceChildren(unseen(centipawns > 0 ? "better by " : "worse by "), h("span", { class: "change" }, change), unseen(change === "½" || change === "1" ? " pawn: " : " pawns: "), number, unseen(" misjudged"));
    button.setAttribute("aria-pressed", String(isChosen));
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

/** `what` is the move, or the side, whose value is in question. */
function headOf(change: Change, isBetter: boolean, what: string): string {
  const { target: value } = change;
  const target = value === "won" || value === "lost" ? `${what} is ${value}` : `${what} ${isBetter ? "at least" : "at most"} ${told(value)}`;
  if (change.conspirators === null) return `${target}: no number of errors will do. What stands in the way is final.`;
  if (change.conspirators === 0) return `${target}: it is worth that already.`;
  if (change.names.length === 0) return `${target}: ${thousands(change.conspirators)} positions, too many to list. That is firm.`;
  const all = change.conspirators === 1 ? "if this position is misjudged" : `if these ${change.conspirators} positions are misjudged together`;
  return `${target} ${all}. The numbers in front are their values now.`;
}
