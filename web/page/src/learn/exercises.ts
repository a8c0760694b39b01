// Exercises on small trees: find the leaves that would have to be wrong, or the one that a search would look into next.

import { h } from "../dom";
import { SmallTree, TreeDrawing } from "./tree";

/** The tree by which J. Schaeffer explained conspiracy numbers (Advances in Computer Chess 5, 1989). */
export const SCHAEFFER = "MAX(MIN(5,2),MIN(3,4))";
/** Figure 2.2 of N. Klingbeil's thesis (1989). */
const KLINGBEIL = "MAX(MIN(MAX(MIN(1),MIN(0)),2),MIN(0,1))";

interface Exercise {
  tree: string;
  target: number;
  source: string;
  why: string;
}

const EXERCISES: Exercise[] = [
  { tree: SCHAEFFER, target: 4, source: "Schaeffer’s tree", why: "At a MAX node one child suffices. E alone lifts B to 5; F alone lifts C to 4." },
  { tree: SCHAEFFER, target: 6, source: "Schaeffer’s tree", why: "At a MIN node all that stand below the target must rise: D and E together, or F and G." },
  { tree: SCHAEFFER, target: 1, source: "Schaeffer’s tree", why: "To lower a MAX node every child above the target must fall. One leaf brings down each MIN node." },
  { tree: KLINGBEIL, target: 0, source: "Klingbeil’s thesis, figure 2.2", why: "Only B is above 0, and below it only H, by J." },
  { tree: KLINGBEIL, target: 3, source: "Klingbeil’s thesis, figure 2.2", why: "B needs D and E. D is a MAX node again, so J or K will do for it. Below C it takes F and G." },
  { tree: "MAX(MIN(1!,2),MIN(0,0))", target: 2, source: "a tree with an end of the game, drawn double", why: "D is final, and nobody can change it: B is never worth more than 1. So it takes F and G." },
];

export function exercises(): HTMLElement {
  return h("ol", { class: "exercises" }, ...EXERCISES.map((it) => h("li", {}, exercise(it))), h("li", {}, mcallester()));
}

function exercise({ tree: text, target, source, why }: Exercise): HTMLElement {
  const tree = new SmallTree(text);
  const value = tree.worth()[0]!;
  const isRaised = target > value;
  const chosen = new Set<number>();
  const answer = h("p", { class: "answer", role: "status" });
  const drawing = new TreeDrawing(tree, {
    picked: (node) => {
      if (!chosen.delete(node)) chosen.add(node);
      answer.textContent = "";
      update();
    },
  });
  const update = () => drawing.update(() => "", (node) => chosen.has(node));
  const say = (text: string, kind: string) => {
    answer.textContent = text;
    answer.className = `answer ${kind}`;
  };
  const check = () => {
    const needed = tree.conspirators(target).length;
    const after = tree.worth(new Map([...chosen].map((leaf) => [leaf, target])))[0]!;
    const suffices = isRaised ? after >= target : after <= target;
    if (chosen.size === 0) say("Choose the leaves that would have to be wrong.", "");
    else if (!suffices) say(`They do not suffice: if they were worth ${target}, A would be worth ${after}.`, "wrong");
    else if (chosen.size > needed) say("They suffice, but fewer will do.", "wrong");
    else say(`Right: the conspiracy number is ${needed}. ${why}`, "right");
  };
  const show = () => {
    chosen.clear();
    for (const leaf of tree.conspirators(target)) chosen.add(leaf);
    update();
    say(`${tree.whoCan(target)}. ${why}`, "");
  };
  return h(
    "div",
    {},
    h("p", {}, `A is worth ${value}. Which leaves, as few as possible, would have to be wrong for A to be worth `, h("strong", {}, isRaised ? `at least ${target}` : `at most ${target}`), `? `, h("span", { class: "hint" }, `(${source})`)),
    drawing.element,
    h("div", { class: "row" }, h("button", { type: "button", onclick: check }, "Check"), h("button", { type: "button", onclick: show }, "Show the answer")),
    answer,
  );
}

/** Which leaf McAllester's rule expands: the leftmost of those that matter. */
function mcallester(): HTMLElement {
  const tree = new SmallTree(SCHAEFFER);
  const [wanted] = tree.conspirators(4);
  const answer = h("p", { class: "answer", role: "status" });
  const drawing = new TreeDrawing(tree, {
    picked: (node) => {
      drawing.update(() => "", (it) => it === node);
      const isRight = node === wanted;
      answer.className = `answer ${isRight ? "right" : "wrong"}`;
      answer.textContent = isRight
        ? "Right: B and C both need one conspirator, so it goes left, to B; there E is the one in the way."
        : `Not ${tree.name(node)}. Go down from A to the leftmost child with the least number, then to a leaf below the target.`;
    },
  });
  return h("div", {}, h("p", {}, "A search wants to know whether A can be worth 4. By McAllester’s rule it takes the leftmost of equals. Which leaf does it look into?"), drawing.element, answer);
}
