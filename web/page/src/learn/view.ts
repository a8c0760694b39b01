// The chapter on conspiracy numbers with its trees alive.

import { h } from "../dom";
import { exercises, SCHAEFFER } from "./exercises";
import { count, SmallTree, TreeDrawing } from "./tree";

export class LearnView {
  readonly element = h(
    "article",
    { class: "learn" },
    h("h2", {}, "Conspiracy numbers, by hand"),
    h("p", { class: "lead" }, "A conspiracy number says how many of a program’s guesses would have to be wrong together for its verdict to be another. Change the leaves and see."),
    minimax(),
    distrust(),
    stepByStep(),
    h("section", { class: "card" }, h("h3", {}, "Exercises"), exercises()),
  );

  start(): void {}

  stop(): void {}
}

function minimax(): HTMLElement {
  const drawing = new TreeDrawing(new SmallTree(SCHAEFFER), { changed: () => drawing.update() });
  return h(
    "section",
    { class: "card" },
    h("h3", {}, "Minimax"),
    h(
      "p",
      {},
      "A program looks ahead by growing a tree of positions. Where it stops it guesses: a leaf, dashed below, gets a value. At a square, a MAX node, our side takes the best child; at a circle, a MIN node, the opponent takes the worst. So A is worth 3.",
    ),
    drawing.element,
    h("p", { class: "hint" }, "Try it: make E a 4. B is worth 4 then, and so is A."),
  );
}

/** Targets, numbers, and a threshold that tells which of them are likely. */
function distrust(): HTMLElement {
  const tree = new SmallTree(SCHAEFFER);
  const target = h("input", { type: "range", id: "target", min: -1, max: 9, value: 6, oninput: () => update() });
  const threshold = h("input", { type: "range", id: "threshold", min: 1, max: 4, value: 2, oninput: () => update() });
  const targetTold = h("output", { for: "target" });
  const thresholdTold = h("output", { for: "threshold" });
  const verdict = h("p", { role: "status" });
  const body = h("tbody", {});
  const drawing = new TreeDrawing(tree, { changed: () => update() });
  const update = () => {
    const aim = Number(target.value);
    const limit = Number(threshold.value);
    const { raise, numbers } = tree.numbers(aim);
    const marked = new Set(tree.conspirators(aim));
    drawing.update((node) => (numbers[node] === 0 ? "" : `${raise ? "↑" : "↓"}${count(numbers[node]!)}`), (node) => marked.has(node));
    targetTold.textContent = String(aim);
    const names = [...marked].map((leaf) => tree.name(leaf)).join(" and ");
    verdict.textContent =
      numbers[0] === 0 ? `A is worth ${aim} already: nobody has to be wrong.` : marked.size === 0 ? `Nobody can make A worth ${aim}.` : `For A to be worth ${aim} it takes ${count(numbers[0]!)}, for instance ${names}.`;
    const rows = Array.from({ length: 11 }, (_, index) => index - 1).map((value) => ({ value, number: tree.numbers(value).numbers[0]! }));
    const likely = rows.filter(({ number }) => number < limit).map(({ value }) => value);
    thresholdTold.textContent = `${limit}: A is likely worth ${likely[0] ?? "?"}${likely.length > 1 ? ` to ${likely.at(-1)}` : ""}`;
    body.replaceChildren(
      ...rows.map(({ value, number }) =>
        h("tr", { class: number < limit ? "likely" : "" }, h("th", { scope: "row" }, String(value)), h("td", {}, count(number)), h("td", {}, tree.whoCan(value))),
      ),
    );
  };
  update();
  return h(
    "section",
    { class: "card" },
    h("h3", {}, "Whom to distrust"),
    h(
      "p",
      {},
      "How many leaves would have to be wrong for A to be worth something else? To raise a MAX node one child is enough: its number is the least of its children’s. To lower it every child above the target must come down: the sum. At a MIN node it is the other way round. Marked is one smallest set, the conspirators.",
    ),
    h("label", { for: "target" }, "Target ", targetTold),
    target,
    verdict,
    h(
      "div",
      { class: "beside" },
      drawing.element,
      h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Numbers of A" }, h("table", {}, h("thead", {}, h("tr", {}, ...["A", "number", "conspirators"].map((name) => h("th", { scope: "col" }, name)))), body)),
    ),
    h("p", {}, "Two leaves wrong in the same direction are less likely than one. So set a threshold, and call likely what takes fewer conspirators than that: shaded in the table. A search grows the tree until one value is left."),
    h("label", { for: "threshold" }, "Threshold ", thresholdTold),
    threshold,
  );
}

/** Section 2.7 of N. Klingbeil's thesis: three expansions until the search has converged. */
const STEPS = [
  { tree: "0", leaf: 0, told: "The root alone. One leaf can be wrong by itself, so everything from −3 to 3 is likely. An end of that range is to be ruled out.", why: "Only A is there to be expanded." },
  { tree: "MAX(0,0)", leaf: 1, told: "To lower A both leaves would have to conspire: −3 to −1 are ruled out. To raise it one is still enough. Next in line is 3.", why: "Both have the number 1 for 3; it takes the left one, B." },
  { tree: "MAX(MIN(0,0),0)", leaf: 2, told: "Raising B takes both D and E now, since the opponent would choose the lower one. Raising C still takes one.", why: "C has the least number for 3." },
  { tree: "MAX(MIN(0,0),MIN(0,0))", leaf: -1, told: "Whether up or down, it takes two. Only 0 is left: the search has converged at threshold 2, after three expansions.", why: "" },
] as const;

function stepByStep(): HTMLElement {
  const stage = h("div", {});
  const answer = h("p", { class: "answer", role: "status" });
  const show = (at: number) => {
    const step = STEPS[at]!;
    const tree = new SmallTree(step.tree);
    const drawing = new TreeDrawing(tree, {
      picked: (node) => {
        if (step.leaf < 0) return;
        const isRight = node === step.leaf;
        answer.className = `answer ${isRight ? "right" : "wrong"}`;
        answer.textContent = isRight ? `Right. ${step.why}` : `Not ${tree.name(node)}. Follow the least number for 3 down from A, the leftmost of equals.`;
        if (isRight) show(at + 1);
      },
    });
    const { numbers } = tree.numbers(3);
    drawing.update((node) => (step.leaf < 0 ? "" : `↑${count(numbers[node]!)}`));
    stage.replaceChildren(
      h("p", {}, h("strong", {}, `${at + 1} of ${STEPS.length}. `), step.told, step.leaf < 0 ? "" : " Which leaf does the search expand?"),
      drawing.element,
      at === 0 ? "" : h("button", { type: "button", onclick: () => ((answer.textContent = ""), show(0)) }, "From the beginning"),
    );
  };
  show(0);
  return h(
    "section",
    { class: "card" },
    h("h3", {}, "A search, step by step"),
    h("p", {}, "The smallest example that shows it all (N. Klingbeil’s thesis, section 2.7): every position has two moves, every leaf is guessed at 0, values go from −3 to 3, the threshold is 2."),
    stage,
    answer,
  );
}
