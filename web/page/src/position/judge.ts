// Is my move good? What it costs, what answers it, and how sure that is.

import type { MoveResult, Score } from "cassius";
import { h } from "../dom";
import { CHANGES } from "../address";
import { centipawnsOf, forParent, nameOf, plural, shortened, told } from "../format";

export interface JudgeEvents {
  ask(): void;
  look(moves: string[]): void;
}

const GRADES = { good: "a good move", dubious: "dubious", mistake: "a mistake", blunder: "a blunder" };

export class JudgeCard {
  private readonly body = h("div", { "aria-live": "polite" });
  /** What the search of the position behind the move says by now, where that differs. */
  private readonly now = h("p", { class: "hint" });
  private judged: MoveResult | null = null;
  readonly element = h("section", { class: "card judge", "aria-labelledby": "judge-title" }, h("h2", { id: "judge-title" }, "Is my move good?"), this.body, this.now);

  constructor(private readonly events: JudgeEvents) {}

  /** Nothing is asked yet; `move` is the one that can be asked about. */
  offer(move: string | null): void {
    this.forget();
    const hint = "Play a move on the board, or type it in the field “Move”.";
    this.body.replaceChildren(move === null ? h("p", { class: "hint" }, hint) : h("button", { type: "button", onclick: () => this.events.ask() }, `Judge ${move}`));
  }

  wait(move: string): void {
    this.forget();
    // The room that the judgement will take.
    this.element.classList.add("judged");
    this.body.replaceChildren(h("p", { class: "hint" }, `Judging ${move}…`));
  }

  private forget(): void {
    this.judged = null;
    this.element.classList.remove("judged");
    this.now.textContent = "";
  }

  /** `value` is that of the position behind the move, for the side to move there. */
  follow(value: Score): void {
    const judged = this.judged?.after.lines[0];
    if (!this.judged || !judged) return;
    const now = forParent(value);
    const differs = Math.abs(centipawnsOf(now) - centipawnsOf(judged.value)) >= CHANGES[0];
    this.now.textContent = differs ? `The verdict on it by now: ${told(now)} for ${nameOf(this.judged.verdict.side_to_move)}.` : "";
  }

  show(result: MoveResult): void {
    this.judged = result;
    const { move, best, cost, verdict, after, refutation, doubt } = result;
    const side = verdict.side_to_move;
    if (result.is_best) {
      this.body.replaceChildren(
        h("p", { class: "grade good" }, `${move.san} is the best move that Cassius finds.`),
        h("p", {}, "It goes on ", this.line(refutation.uci.slice(1), refutation.san), "."),
      );
      return;
    }
    const value = (it: typeof verdict) => (it.lines[0] ? told(it.lines[0].value) : "?");
    if (cost.points === 0 && (cost.centipawns ?? 0) <= 0) {
      const [before, now] = [verdict.lines[0]?.value, after.lines[0]?.value];
      const isBetter = before && now && centipawnsOf(now) - centipawnsOf(before) >= CHANGES[0];
      this.body.replaceChildren(
        h("p", { class: "grade good" }, `${move.san} is ${isBetter ? "better than" : "worth as much as"} ${best.san}, which Cassius found before${isBetter ? "" : ", or more"}.`),
        h("p", {}, "It goes on ", this.line(refutation.uci.slice(1), refutation.san), `, ${value(after)} for ${nameOf(side)}.`),
      );
      return;
    }
    const loses = [cost.centipawns === null ? null : `${(cost.centipawns / 100).toFixed(2)} pawns`, `${cost.points.toFixed(2)} points (a win is 1)`].filter(Boolean).join(", ");
    const bestLine = verdict.lines[0]?.line;
    this.body.replaceChildren(
      h("p", { class: `grade ${result.grade}` }, `${move.san} is ${GRADES[result.grade]}: it costs ${result.grade === "good" ? `hardly anything, ${cost.points.toFixed(2)} of a point` : loses}.`),
      h(
        "dl",
        { class: "facts" },
        h("dt", {}, "Answered by"),
        h("dd", {}, this.line(refutation.uci.slice(1), refutation.san), ` ${value(after)} for ${nameOf(side)}`),
        h("dt", {}, "Better is"),
        h("dd", {}, shortened(bestLine?.san ?? best.san), ` ${value(verdict)}`),
        ...(doubt ? [h("dt", {}, "How sure?"), h("dd", {}, sure(doubt, move.san))] : []),
      ),
    );
  }

  /** A line from the position after the move. */
  private line(moves: string[], text: string): HTMLButtonElement {
    return h("button", { type: "button", class: "line", onclick: () => this.events.look(moves) }, shortened(text));
  }
}

function sure(doubt: NonNullable<MoveResult["doubt"]>, move: string): string {
  if (doubt.conspirators === null) return `No number of misjudged positions would make ${move} as good.`;
  if (doubt.conspirators === 0) return `A second search takes ${move} for as good.`;
  const [first] = doubt.names;
  const where = first && doubt.conspirators === 1 ? `: the one after ${first.line.san}` : "";
  return `For ${move} to be as good, ${plural(doubt.conspirators, "position")} would have to be misjudged${where}.`;
}
