// A small tree on the page: its leaves can be changed or chosen, and values and conspiracy numbers follow.

import { childrenOf, countConspirators, INFINITE, shapeOf, smallestSet } from "../../../../src/web/tree.js";
import { h, svg } from "../dom";

/** A tree whose root is a MAX node, written as `MAX(MIN(5,2),MIN(3,4!))`; `!` marks what is final. */
export class SmallTree {
  readonly shape: ReturnType<typeof shapeOf>;
  readonly isFinal: Uint8Array;
  private readonly own: number[] = [];

  constructor(text: string) {
    const [children, finals]: [number[], number[]] = [[], []];
    const level = [parse(text)];
    for (let node = level.shift(); node; node = level.shift()) {
      children.push(node.children.length);
      finals.push(node.isFinal ? 1 : 0);
      this.own.push(node.value);
      level.push(...node.children);
    }
    this.shape = shapeOf(Uint16Array.from(children));
    this.isFinal = Uint8Array.from(finals);
  }

  get count(): number {
    return this.own.length;
  }

  /** Nodes have letters in breadth-first order. */
  name(node: number): string {
    return String.fromCharCode(65 + node);
  }

  isLeaf(node: number): boolean {
    return this.shape.children[node] === 0;
  }

  isMax(node: number): boolean {
    return this.shape.ply[node]! % 2 === 0;
  }

  children(node: number): number[] {
    return childrenOf(this.shape, node) as number[];
  }

  setLeaf(node: number, value: number): void {
    this.own[node] = value;
  }

  /** Minimax values of all nodes, if some leaves had others. */
  worth(changed: ReadonlyMap<number, number> = new Map()): Int16Array {
    const worth = Int16Array.from(this.own, (value, node) => changed.get(node) ?? value);
    for (let node = this.count - 1; node >= 0; node -= 1) {
      if (this.isLeaf(node)) continue;
      const values = this.children(node).map((child) => worth[child]!);
      worth[node] = this.isMax(node) ? Math.max(...values) : Math.min(...values);
    }
    return worth;
  }

  /** Conspiracy numbers of all nodes for a target of the root. */
  numbers(target: number): { raise: boolean; numbers: Uint32Array } {
    const worth = this.worth();
    const raise = target >= worth[0]!;
    return { raise, numbers: countConspirators(this.shape, worth, this.isFinal, target, raise) };
  }

  /** A smallest set of leaves that brings the root to a target. */
  conspirators(target: number): number[] {
    const { raise, numbers } = this.numbers(target);
    return smallestSet(this.shape, numbers, (node: number) => raise === this.isMax(node)) as number[];
  }

  /** Everybody who could take part in a smallest set, in words: `(D or E) and F`. */
  whoCan(target: number): string {
    const { raise, numbers } = this.numbers(target);
    const of = (node: number, isInner: boolean): string => {
      if (this.isLeaf(node)) return this.name(node);
      const isOr = raise === this.isMax(node);
      const able = this.children(node).filter((child) => (isOr ? numbers[child] === numbers[node] : numbers[child]! > 0));
      const parts = able.map((child) => of(child, able.length > 1));
      const text = parts.join(isOr ? " or " : " and ");
      return isInner && parts.length > 1 ? `(${text})` : text;
    };
    if (numbers[0] === 0) return "none";
    return numbers[0] === INFINITE ? "nobody can" : of(0, false);
  }
}

interface Parsed {
  value: number;
  isFinal: boolean;
  children: Parsed[];
}

function parse(text: string): Parsed {
  const tokens = text.match(/MAX|MIN|[(),]|-?\d+!?/g) ?? [];
  const node = (): Parsed => {
    const token = tokens.shift() ?? "0";
    if (token !== "MAX" && token !== "MIN") return { value: Number.parseInt(token, 10), isFinal: token.endsWith("!"), children: [] };
    const children: Parsed[] = [];
    do {
      tokens.shift();
      children.push(node());
    } while (tokens[0] === ",");
    tokens.shift();
    return { value: 0, isFinal: false, children };
  };
  return node();
}

export const count = (number: number): string => (number === INFINITE ? "∞" : String(number));

/** How a drawing is used. */
export interface Drawing {
  /** Leaves have a field for their value; told after each change. */
  changed?: () => void;
  /** Leaves can be chosen; told which. */
  picked?: (node: number) => void;
}

/** Heights in the drawing, in pixels where text has its usual size. */
const LEVEL = 92;
const rem = (pixels: number): string => `${pixels / 16}rem`;

/** The drawing of a small tree. */
export class TreeDrawing {
  readonly element: HTMLElement;
  private readonly values: HTMLElement[] = [];
  private readonly notes: HTMLElement[] = [];

  constructor(
    readonly tree: SmallTree,
    use: Drawing,
  ) {
    const { shape } = tree;
    const leaves = leavesInOrder(tree);
    const x: number[] = [];
    for (let node = tree.count - 1; node >= 0; node -= 1) {
      const below = tree.children(node).map((child) => x[child]!);
      x[node] = tree.isLeaf(node) ? ((leaves.indexOf(node) + 0.5) / leaves.length) * 100 : (below[0]! + below.at(-1)!) / 2;
    }
    const depth = Math.max(...shape.ply) + 1;
    const y = (node: number) => shape.ply[node]! * LEVEL + 24;
    const lines = svg("svg", { viewBox: `0 0 100 ${(depth - 1) * LEVEL + 76}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    for (let node = 1; node < tree.count; node += 1) {
      const parent = shape.parent[node]!;
      lines.append(svg("line", { x1: x[parent]!, y1: y(parent), x2: x[node]!, y2: y(node), "vector-effect": "non-scaling-stroke" }));
    }
    this.element = h("div", { class: "small-tree", style: `height:${rem((depth - 1) * LEVEL + 76)}` });
    this.element.append(lines);
    for (let node = 0; node < tree.count; node += 1) {
      const note = h("span", { class: "note" });
      this.notes.push(note);
      const place = h("div", { class: "place-of", style: `left:${x[node]}%;top:${rem(shape.ply[node]! * LEVEL)}` }, h("span", { class: "letter", "aria-hidden": "true" }, tree.name(node)), this.box(node, use), note);
      this.element.append(place);
    }
    this.update();
  }

  /** Shows the values as they are; `note` tells what stands below a node, `mark` which nodes are marked. */
  update(note: (node: number) => string = () => "", mark: (node: number) => boolean = () => false): void {
    const worth = this.tree.worth();
    this.values.forEach((box, node) => {
      const text = String(worth[node]);
      if (box instanceof HTMLInputElement) box.value = text;
      else box.textContent = text;
      box.classList.toggle("marked", mark(node));
      if (box instanceof HTMLButtonElement) {
        box.setAttribute("aria-pressed", String(mark(node)));
        box.setAttribute("aria-label", `Leaf ${this.tree.name(node)}: ${text}`);
      }
      this.notes[node]!.textContent = note(node);
    });
  }

  private box(node: number, use: Drawing): HTMLElement {
    const { tree } = this;
    const name = tree.name(node);
    const kind = tree.isFinal[node] ? "final" : tree.isLeaf(node) ? "leaf" : tree.isMax(node) ? "max" : "min";
    const label = { final: `${name}, final`, leaf: `Leaf ${name}`, max: `MAX node ${name}`, min: `MIN node ${name}` }[kind];
    if (kind === "leaf" && use.changed) return this.field(node, label, use.changed);
    const made =
      kind === "leaf" && use.picked
        ? h("button", { type: "button", class: `box ${kind}`, onclick: () => use.picked?.(node) })
        : h("span", { class: `box ${kind}`, title: label });
    this.values[node] = made;
    return made;
  }

  private field(node: number, label: string, changed: () => void): HTMLElement {
    const set = (value: number) => {
      if (!Number.isFinite(value)) return;
      this.tree.setLeaf(node, Math.max(-99, Math.min(99, Math.round(value))));
      changed();
    };
    const input = h("input", { type: "number", class: "box leaf", "aria-label": label, onchange: () => set(input.valueAsNumber) });
    const step = (by: number, text: string) =>
      h("button", { type: "button", tabindex: -1, "aria-label": `${label}: ${by > 0 ? "more" : "less"}`, onclick: () => set(input.valueAsNumber + by) }, text);
    this.values[node] = input;
    return h("span", { class: "field" }, input, h("span", { class: "stepper" }, step(-1, "−"), step(1, "+")));
  }
}

function leavesInOrder(tree: SmallTree): number[] {
  const found: number[] = [];
  const visit = (node: number) => (tree.isLeaf(node) ? found.push(node) : tree.children(node).forEach(visit));
  visit(0);
  return found;
}
