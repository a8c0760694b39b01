// Why the verdict is as it is: its line move by move, with the best of what else could be played at each of them.

import type { Cassius, Color, Score, VerdictLine, VerdictRequest } from "cassius";
import type { Position } from "chessops/chess";
import type { Role } from "chessops/types";
import { h } from "../dom";
import { centipawnsOf, firstMove, forOther, nameOf, shortened, told } from "../format";
import { withMemory } from "../workers";
import type { Place } from "./searches";

/** Plies of the line that are looked at. */
const LONG = 8;
/** Positions visited for a move of the line: a part of those of the verdict, within these bounds. */
const PART = 16;
const [LEAST, MOST] = [5_000, 100_000];
/** Memory of these searches, in MiB. */
const HASH = 8;
/** Expected points, of 1 for a win, by which a move is the only one, or another is better. */
const [ONLY, BETTER] = [0.1, 0.05];
/** Centipawns below which even material agrees with a value; those that a value must have for each pawn of material, and most of them. */
const [EVEN, PART_OF_PAWN, MUCH] = [100, 50, 200];

/** A move of the line, and the best other one; nothing if it is forced. */
export interface Step {
  side: Color;
  /** Moves before it, from the position that is thought about. */
  before: string[];
  played: VerdictLine;
  other: VerdictLine | null;
  /** Whether nobody misses it: a recapture, or an answer to a check. */
  expected: "takes back" | "answers check" | null;
}

/** Judges the moves of a line from the last to the first, so that each is judged by what the later ones have shown; told is whether that came to its end. */
export async function walk(engine: Cassius, place: Place, line: string[], visited: number, signal: AbortSignal, found: (steps: Step[]) => void): Promise<boolean> {
  const nodes = Math.min(MOST, Math.max(LEAST, Math.round(visited / PART)));
  let steps: Step[] = [];
  const search = async (request: VerdictRequest) => {
    const verdict = await withMemory(HASH, (hash) => engine.call("verdict", { ...request, hash }, { signal }));
    // A search that was stopped knows too little.
    return signal.aborted || verdict.stopped ? null : verdict;
  };
  for (let at = Math.min(line.length, LONG) - 1; at >= 0; at -= 1) {
    const before = line.slice(0, at);
    const asked = { ...place, moves: [...place.moves, ...before], nodes };
    const two = await search({ ...asked, lines: 2, clear: steps.length === 0 });
    if (!two) return false;
    const { legal, check } = await engine.call("position", { ...place, moves: asked.moves });
    const others = legal.map(({ uci }) => uci).filter((move) => move !== line[at]);
    const isPlayed = (it: VerdictLine) => it.line.uci[0] === line[at];
    const missing = async (moves: string[]) => (moves.length > 0 ? (await search({ ...asked, search_moves: moves }))?.lines[0] : undefined);
    const played = two.lines.find(isPlayed) ?? (await missing(line.slice(at, at + 1)));
    const other = two.lines.find((it) => !isPlayed(it)) ?? (await missing(others)) ?? null;
    if (!played || signal.aborted) return false;
    const isExpected = legal.find(({ uci }) => uci === line[at])?.expected === true;
    const expected = !isExpected ? null : check ? "answers check" : "takes back";
    steps = [{ side: two.side_to_move, before, played, other, expected }, ...steps];
    found(steps);
  }
  return true;
}

const points = ({ chances }: VerdictLine): number => (chances.win + chances.draw / 2) / 1000;

/** What a move is among the others. One that is the only good one, but expected anyway, is no choice that could be missed. */
function kindOf({ played, other, expected }: Step): "forced" | "only" | "expected" | "better" | "free" {
  if (!other) return "forced";
  const lost = points(played) - points(other);
  if (lost >= ONLY) return expected ? "expected" : "only";
  return -lost >= BETTER ? "better" : "free";
}

/** The end of the whole line. */
export interface End {
  position: Position;
  /** The draw that its last moves are, if they repeat a position. */
  circle: string | null;
  /** The verdict's value, for the side to move at the beginning. */
  value: Score | null;
}

export class WalkList {
  private readonly head = h("p", { class: "walk-head" });
  private readonly list = h("ol", { class: "walk" });
  private readonly legend = h("p", { class: "hint walk-legend" });
  /** The first move of the line that is shown as a whole. */
  private lead: string | undefined;
  /** It has its room from the beginning, so that nothing is pushed away when it comes. */
  readonly element = h("div", {}, h("h3", {}, "Move by move"), this.head, this.legend, this.list);

  constructor(private readonly look: (moves: string[], beyond: string[]) => void) {
    this.clear();
  }

  /** Takes away a list that has no beginning. */
  giveUp(): void {
    if (this.lead === undefined) this.clear();
  }

  clear(): void {
    this.head.textContent = "Looked along as soon as the verdict stands.";
    this.legend.textContent = "";
    this.lead = undefined;
    this.list.replaceChildren();
  }

  /** Values are told for `side`. */
  show(steps: readonly Step[], side: Color, end: End): void {
    const isWhole = steps[0]?.before.length === 0;
    // What is said of the same move stays until there is more to say.
    const lead = steps[0]?.before[0] ?? steps[0]?.played.line.uci[0];
    if (!isWhole && this.lead === lead) return;
    this.lead = isWhole ? lead : undefined;
    this.head.textContent = isWhole ? `${summary(steps)} ${balance(end, steps, side)}` : "Looking along the verdict's line, from its end…";
    this.legend.textContent = `Values for ${nameOf(side)}, the verdict's line, and the best of what else could be played.`;
    const shown = [...this.list.children];
    const items = steps.map((step, index) => {
      const { played, other, before } = step;
      const value = (it: VerdictLine) => told(step.side === side ? it.value : forOther(it.value));
      const kind = kindOf(step);
      const words = { forced: "forced", only: "the only move: not", expected: `${step.expected}: not`, better: "better is", free: "or" }[kind];
      const item = h(
        "li",
        { class: kind },
        h("span", { class: "number" }, value(played)),
        // Where the list ends the line goes on.
        h("span", { class: "played" }, this.line(before, played, index === steps.length - 1 ? 8 : 1), h("span", { class: "hint" }, ` ${words} `)),
        other && this.line(before, other, 5),
        other && h("span", { class: "hint" }, ` ${value(other)}`),
      );
      // What stays is left alone: somebody may be pointing at it.
      return shown.find((it) => it.textContent === item.textContent) ?? item;
    });
    if (items.length !== shown.length || items.some((it, index) => it !== shown[index])) this.list.replaceChildren(...items);
  }

  private line(before: string[], { line }: VerdictLine, shown: number): HTMLButtonElement {
    const act = () => this.look([...before, ...line.uci.slice(0, 1)], line.uci.slice(1));
    return h("button", { type: "button", class: "line", onclick: act }, shown === 1 ? firstMove(line.san) : shortened(line.san, shown));
  }
}

/** What the line depends on, in a sentence or two. */
function summary(steps: readonly Step[]): string {
  const names = (kind: string, side: Color) => steps.filter((it) => it.side === side && kindOf(it) === kind).map(({ played }) => firstMove(played.line.san));
  const [mover, other] = steps[0]?.side === "black" ? (["black", "white"] as const) : (["white", "black"] as const);
  const [only, answers] = [names("only", mover), names("only", other)];
  const better = steps.filter((it) => kindOf(it) === "better").map((it) => `${firstMove(it.other?.line.san ?? "")} may be better than ${firstMove(it.played.line.san)}.`);
  return [
    only.length > 0 ? `All hangs on ${listed(only)}: ${nameOf(mover)} has nothing there that is nearly as good.` : `No single move of ${nameOf(mover)} decides.`,
    answers.length > 0 ? `${nameOf(other)} must answer ${listed(answers)}.` : "",
    ...better,
  ].filter(Boolean).join(" ");
}

const listed = (words: string[]): string => (words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

const PIECES = { queen: 9, rook: 5, bishop: 3, knight: 3, pawn: 1 } as const;

/** How the line ends: its mate or draw by name, or who has what for what. Only what the verdict's value agrees with is said, and nothing in mid-exchange. */
function balance({ position: end, circle, value: verdict }: End, steps: readonly Step[], side: Color): string {
  const walked = steps[0]?.played.value;
  if (walked === undefined) return "";
  // Of the verdict's value and that of the walk the one nearer to even: both must agree.
  const values = [walked, verdict ?? walked];
  const [value] = values.sort((one, other) => Math.abs(centipawnsOf(one)) - Math.abs(centipawnsOf(other)));
  const cp = centipawnsOf(value ?? walked);
  if (end.isCheckmate()) return values.every((it) => typeof it === "string" || "mate" in it) ? "The line ends in mate." : "";
  const last = steps.at(-1)?.played.line.san.split(" ").at(-1) ?? "";
  if (circle !== null) return cp === 0 ? `The line ends in ${circle}.` : "";
  if (end.isStalemate()) return cp === 0 ? "The line ends in stalemate." : "";
  if (end.isEnd() || end.isCheck() || /[x=+#]/.test(last)) return "";
  const more = (side: Color, other: Color) =>
    Object.entries(PIECES).map(([role, worth]) => {
      const count = Math.max(0, end.board.pieces(side, role as Role).size() - end.board.pieces(other, role as Role).size());
      return { worth: worth * count, name: count === 1 ? `a ${role}` : count > 1 ? `${count} ${role}s` : "" };
    });
  const sides = (["white", "black"] as const).map((side) => {
    const pieces = more(side, side === "white" ? "black" : "white");
    return { side, worth: pieces.reduce((sum, it) => sum + it.worth, 0), names: listed(pieces.map(({ name }) => name).filter(Boolean)) };
  });
  const [ahead, behind] = sides.sort((one, other) => other.worth - one.worth);
  if (!ahead || !behind) return "";
  const pawns = ahead.worth - behind.worth;
  const own = ahead.side === side ? cp : -cp;
  const agrees = pawns === 0 ? Math.abs(own) < EVEN : own >= Math.min(pawns * PART_OF_PAWN, MUCH);
  if (!agrees) return "";
  if (!ahead.names) return "At the end of the line both sides have the same pieces.";
  return `At the end of the line ${nameOf(ahead.side)} has ${ahead.names}${behind.names ? ` for ${behind.names}` : " more"}.`;
}
