// What a position is worth: value with its band, chances, lines, outlook; and how much effort to spend.

import type { Score, Verdict } from "cassius";
import { EFFORTS } from "../address";
import { h } from "../dom";
import { capital, firstMove, headline, nameOf, percent, thousands, told } from "../format";
import { LineButton } from "./line";

const THINKING = "Thinking…";
const OVER = { checkmate: "Checkmate", stalemate: "Stalemate", draw: "A draw" };

export interface VerdictEvents {
  effort(level: number): void;
  toggle(): void;
  /** A line is to be looked at, from its first move on. */
  look(moves: string[]): void;
}

/** Chance of a win, in thousandths, from which on the game is decided. */
const DECIDED = 950;
/** How many lines are told. */
export const LINES = 3;

export class VerdictCard {
  private readonly headline = h("p", { class: "headline", "aria-live": "polite" }, THINKING);
  private readonly number = h("strong", {});
  private readonly error = h("span", { class: "hint", title: "How far the evaluation may be off without search: two errors in three are smaller" });
  private readonly side = h("span", {});
  private readonly best = new LineButton((moves) => this.events.look(moves));
  private readonly value = h("p", { class: "value" }, this.number, this.error, this.side, h("span", { class: "best" }, "Best is ", this.best.element));
  private readonly rows = Array.from({ length: LINES }, () => {
    const [number, line] = [h("span", { class: "number" }), new LineButton((moves) => this.events.look(moves))];
    return { number, line, item: h("li", { hidden: true }, number, line.element) };
  });
  private readonly chances = h("div", { class: "chances", role: "img", "aria-label": "Chances" });
  private readonly lines = h("ol", { class: "lines" }, ...this.rows.map(({ item }) => item));
  private readonly outlook = h("p", { class: "hint outlook" });
  private readonly remark = h("p", { class: "remark" });
  private readonly effort = h("p", { class: "effort-told" });
  private readonly slider: HTMLInputElement;
  private readonly button: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor(
    private readonly events: VerdictEvents,
    level: number,
  ) {
    this.slider = h("input", { type: "range", id: "effort", min: 0, max: EFFORTS.length - 1, step: 1, value: level, oninput: () => this.events.effort(Number(this.slider.value)) });
    this.button = h("button", { type: "button", class: "primary", onclick: () => this.events.toggle() }, "Stop");
    this.element = h(
      "section",
      { class: "card verdict", "aria-labelledby": "verdict-title" },
      h("h2", { id: "verdict-title" }, "The verdict"),
      this.headline,
      this.value,
      this.chances,
      this.lines,
      this.remark,
      this.outlook,
      h("div", { class: "effort" }, h("label", { for: "effort" }, "Effort"), this.slider, this.button),
      this.effort,
    );
    this.setEffort(level);
  }

  setEffort(level: number): void {
    this.slider.value = String(level);
    this.slider.setAttribute("aria-valuetext", EFFORTS[level]?.name ?? "");
  }

  setRunning(is: boolean): void {
    this.button.textContent = is ? "Stop" : "Think on";
    if (!is && this.headline.textContent === THINKING) this.headline.textContent = "No verdict yet";
    this.element.classList.toggle("running", is);
  }

  /** Before the first report. */
  clear(): void {
    this.headline.textContent = THINKING;
    this.value.hidden = true;
    for (const { item } of this.rows) item.hidden = true;
    for (const part of [this.outlook, this.remark, this.effort]) part.textContent = "";
    this.chances.replaceChildren();
    this.chances.setAttribute("aria-label", "Chances: not known yet");
  }

  /** `better` is a move that has been looked into and seemed better than the verdict's. */
  show(verdict: Verdict, better: { san: string; value: Score } | null): void {
    if (verdict.over) {
      this.clear();
      this.headline.textContent = `${OVER[verdict.over]}: the game is over.`;
      return;
    }
    const [best] = verdict.lines;
    if (!best) return;
    const side = verdict.side_to_move;
    this.headline.textContent = capital(verdict.standing ?? "");
    this.value.hidden = false;
    this.number.textContent = headline(best.value, best.bound);
    this.error.textContent = verdict.band ? ` ± ${((verdict.band.high - verdict.band.low) / 200).toFixed(2)}` : "";
    this.side.textContent = ` for ${nameOf(side)}. `;
    this.best.set(best.line.uci.slice(0, 1), firstMove(best.line.san));
    this.showChances(best.chances, side);
    this.rows.forEach(({ number, line, item }, index) => {
      const shown = verdict.lines[index];
      item.hidden = !shown;
      if (!shown) return;
      number.textContent = told(shown.value);
      line.set(shown.line.uci, shown.line.san);
    });
    this.remark.textContent = better ? `But ${better.san}, which you had looked into, is worth ${told(better.value)}.` : "";
    const { outlook } = verdict;
    // Half a pawn is nothing where the game is decided.
    const isDecided = Math.max(best.chances.win, best.chances.loss) >= DECIDED;
    const value = outlook && !isDecided ? `, ${percent(outlook.value_stays)} that its value stays within half a pawn` : "";
    this.outlook.textContent = outlook ? `With 16 times the thought: ${percent(outlook.move_stays)} chance that the best move stays${value}.` : "";
    const speed = verdict.ms > 0 ? `, ${(verdict.nodes / verdict.ms / 1000).toFixed(2)} million a second` : "";
    this.effort.textContent = `${EFFORTS[Number(this.slider.value)]?.name ?? ""}: ${thousands(verdict.nodes)} positions${speed}`;
  }

  private showChances({ win, draw, loss }: { win: number; draw: number; loss: number }, side: "white" | "black"): void {
    const [white, black] = side === "white" ? [win, loss] : [loss, win];
    const parts = [
      ["white", "White wins", white],
      ["draw", "draw", draw],
      ["black", "Black wins", black],
    ] as const;
    this.chances.setAttribute("aria-label", `Chances: ${parts.map(([, name, share]) => `${name} ${percent(share / 1000)}`).join(", ")}`);
    this.chances.replaceChildren(
      ...parts.map(([kind, name, share]) => h("span", { class: kind, style: `flex-grow:${Math.max(share, 1)}`, title: `${name} ${percent(share / 1000)}` }, share >= 120 ? percent(share / 1000) : "")),
    );
  }
}
