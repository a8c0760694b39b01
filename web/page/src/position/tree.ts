// The tree to unfold. Branches are asked for as they are unfolded, and only the rows in sight have elements, so that trees of
// any size scroll at once.

import type { Cassius, Move, Score, TreeNode, TreeResult } from "cassius";
import { h, oncePerFrame } from "../dom";
import { leaves, thousands, told } from "../format";

/** A node that has been seen. There may be very many: each is one small object. */
class Row {
  readonly move: Move | null;
  value!: Score;
  state!: TreeNode["state"];
  /** Children that it has; `children` are those that have been asked for. */
  count = 0;
  up: number | null = null;
  down: number | null = null;
  isMarked = false;
  isGrown = false;
  children: Row[] | null = null;
  isOpen = false;
  /** Its number among its siblings, from 0. */
  place = 0;
  readonly depth: number;

  constructor(
    node: TreeNode,
    readonly parent: Row | null,
  ) {
    this.move = node.move;
    this.depth = parent ? parent.depth + 1 : 0;
    this.set(node);
  }

  set(node: TreeNode): void {
    [this.value, this.state, this.count, this.up, this.down] = [node.value, node.state, node.children, node.up, node.down];
    [this.isMarked, this.isGrown] = [node.raises || node.lowers, node.grown];
  }

  /** Takes over what is told of the children; those that are there already stay, with what is unfolded below them. */
  setChildren(nodes: readonly TreeNode[]): void {
    const known = new Map(this.children?.map((child) => [child.move?.uci, child]));
    this.children = nodes.map((node, index) => {
      const child = known.get(node.move?.uci);
      if (child) child.set(node);
      const row = child ?? new Row(node, this);
      row.place = index;
      return row;
    });
  }

  get path(): string[] {
    const moves: string[] = [];
    for (let row: Row | null = this; row?.move; row = row.parent) moves.push(row.move.uci);
    return moves.reverse();
  }
}

/** Rows beyond which unfolding everything ends. */
const MOST_ROWS = 250_000;
/** Milliseconds between two looks at what has been unfolded meanwhile. */
const LOOK = 200;
/** Branches that are asked for at the same time when everything is unfolded. */
const AT_ONCE = 16;

export interface TreeEvents {
  look(moves: string[]): void;
  search(moves: string[]): void;
}

export class TreeCard {
  private engine: Cassius | null = null;
  private tree = 0;
  /** Whose value is to change, as moves from the root, and by how much. */
  private asked = { of: [] as string[], centipawns: 50 };
  private size = 0;
  private root: Row | null = null;
  private rows: Row[] = [];
  private active: Row | null = null;
  private isUnfolding = false;
  private readonly elements: RowElement[] = [];
  private readonly heights = matchMedia("(pointer: coarse)");
  /** How much larger than usual text is. */
  private zoom = 1;

  private readonly told = h("p", { class: "hint tree-told" });
  private readonly canvas = h("div", { class: "rows", role: "presentation" });
  private readonly window = h("div", {
    class: "tree",
    role: "tree",
    tabindex: 0,
    "aria-label": "The tree of the search",
    onscroll: () => this.draw(),
    onkeydown: (event) => this.key(event as KeyboardEvent),
    onclick: (event) => this.click(event as MouseEvent),
  }, this.canvas);
  private readonly unfoldButton = h("button", { type: "button", onclick: () => void this.unfoldAll() }, "Unfold all");
  private readonly searchButton = h("button", { type: "button", onclick: () => this.active && this.events.search(this.active.path) }, "Search here");
  readonly element = h(
    "section",
    { class: "card", "aria-labelledby": "tree-title" },
    h("h2", { id: "tree-title" }, "The tree"),
    this.told,
    h("div", { class: "row" }, this.unfoldButton, h("button", { type: "button", onclick: () => this.foldAll() }, "Fold all"), this.searchButton),
    h("div", { class: "heads", "aria-hidden": "true" }, h("span", {}, "move"), ...["value", "↑", "↓"].map((head) => h("span", { class: "n" }, head))),
    this.window,
  );

  /** Rows in sight are drawn once a frame. */
  private readonly draw = oncePerFrame(() => this.drawNow());

  constructor(private readonly events: TreeEvents) {
    // The window is so many lines high.
    new ResizeObserver(() => {
      this.zoom = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      this.draw();
    }).observe(this.window);
  }

  clear(): void {
    [this.root, this.rows, this.active, this.tree, this.isUnfolding] = [null, [], null, 0, false];
    this.asked = { of: [], centipawns: this.asked.centipawns };
    this.told.textContent = "";
    this.draw();
  }

  /** Shows a tree that grows or has grown; what is unfolded stays so. */
  show(engine: Cassius, result: TreeResult): void {
    if (this.tree !== result.tree) this.clear();
    [this.engine, this.tree, this.size] = [engine, result.tree, result.size];
    if (!this.root) {
      this.root = this.active = new Row(result.root, null);
      this.root.isOpen = true;
      this.root.setChildren(result.children);
    }
    this.flatten();
    void this.refresh();
  }

  /** Another change, or that of another node, is asked about: all numbers are others. */
  async ask(of: string[], centipawns: number): Promise<void> {
    if (this.asked.centipawns === centipawns && this.asked.of.join() === of.join()) return;
    this.asked = { of, centipawns };
    await this.refresh();
  }

  /** Unfolds the way along these moves, and goes there. */
  async reveal(moves: readonly string[]): Promise<void> {
    let row = this.root;
    for (const move of moves) {
      if (!row) return;
      await this.open(row);
      row = row.children?.find((child) => child.move?.uci === move) ?? null;
    }
    // Rows are put in order once a frame.
    await new Promise(requestAnimationFrame);
    if (row) this.activate(row, false);
  }

  private setTargets(higher: Score | null, lower: Score | null): void {
    const ends = [higher && `at least ${told(higher)} (↑)`, lower && `at most ${told(lower)} (↓)`].filter(Boolean);
    this.told.textContent = `${thousands(this.size)} nodes. The numbers say how many positions below must be misjudged for ${ends.join(" or ")}. ● marks those that would do.`;
  }

  private async fetch(row: Row): Promise<void> {
    const tree = this.tree;
    if (!this.engine) return;
    const result = await this.engine.call("children", { tree, path: row.path, ...this.asked });
    if (tree !== this.tree) return;
    row.set(result.node);
    row.setChildren(result.children);
    if (row === this.root) this.setTargets(result.higher, result.lower);
  }

  private async open(row: Row): Promise<void> {
    if (row.count === 0) return;
    row.isOpen = true;
    await this.fetch(row).catch(() => undefined);
    this.flatten();
  }

  private fold(row: Row): void {
    row.isOpen = false;
    row.children = null;
    this.flatten();
  }

  private foldAll(): void {
    this.isUnfolding = false;
    for (const child of this.root?.children ?? []) [child.isOpen, child.children] = [false, null];
    this.active = this.root;
    this.flatten();
    this.window.scrollTop = 0;
  }

  /** Unfolds branch after branch, a few at a time, until all is unfolded or it is asked for again. */
  private async unfoldAll(): Promise<void> {
    if (this.isUnfolding) {
      this.isUnfolding = false;
      return;
    }
    this.isUnfolding = true;
    this.unfoldButton.textContent = "Stop unfolding";
    let count = this.rows.length;
    let looked = performance.now();
    let level = this.root ? [this.root] : [];
    while (level.length > 0 && this.isUnfolding) {
      const next: Row[] = [];
      for (let at = 0; at < level.length && this.isUnfolding && count < MOST_ROWS; at += AT_ONCE) {
        const batch = level.slice(at, at + AT_ONCE).filter((row) => row.count > 0);
        await Promise.all(batch.map((row) => this.fetch(row).catch(() => undefined)));
        for (const row of batch) {
          row.isOpen = true;
          count += row.children?.length ?? 0;
          next.push(...(row.children ?? []));
        }
        if (performance.now() - looked < LOOK) continue;
        looked = performance.now();
        this.flatten();
      }
      level = next;
    }
    this.isUnfolding = false;
    this.unfoldButton.textContent = "Unfold all";
    this.flatten();
  }

  /** Asks again for the branches in sight. */
  private async refresh(): Promise<void> {
    const [from, to] = this.inSight();
    const open = new Set<Row>();
    for (const row of this.rows.slice(from, to)) {
      for (let it: Row | null = row.isOpen ? row : row.parent; it && !open.has(it); it = it.parent) open.add(it);
    }
    await Promise.all([...open].map((row) => this.fetch(row).catch(() => undefined)));
    this.flatten();
  }

  /** The rows in their order, once a frame. */
  private readonly flatten = oncePerFrame(() => {
    this.rows = [];
    const open = this.root ? [this.root] : [];
    for (let row = open.pop(); row; row = open.pop()) {
      this.rows.push(row);
      if (row.isOpen && row.children) for (let at = row.children.length - 1; at >= 0; at -= 1) open.push(row.children[at]!);
    }
    this.drawNow();
  });

  /** Height of a row: a finger needs more, and so does larger text. */
  private get height(): number {
    return (this.heights.matches ? 40 : 28) * this.zoom;
  }

  private inSight(): [number, number] {
    const from = Math.max(0, Math.floor(this.window.scrollTop / this.height) - 4);
    return [from, from + Math.ceil(this.window.clientHeight / this.height) + 8];
  }

  private drawNow(): void {
    const [from, to] = this.inSight();
    this.canvas.style.height = `${this.rows.length * this.height}px`;
    // Elements stay while what they show changes, so that no click is lost on a tree that grows.
    const shown = this.rows.slice(from, to);
    while (this.elements.length < shown.length) this.elements.push(new RowElement());
    this.elements.forEach((it, index) => {
      const row = shown[index];
      if (row) it.show(row, from + index, this.height, row === this.active);
    });
    const elements = this.elements.slice(0, shown.length).map(({ element }) => element);
    if (elements.length !== this.canvas.children.length) this.canvas.replaceChildren(...elements);
    const at = this.active ? this.rows.indexOf(this.active) : -1;
    if (at >= from && at < to) this.window.setAttribute("aria-activedescendant", `row-${at}`);
    else this.window.removeAttribute("aria-activedescendant");
    this.searchButton.disabled = !this.active || this.active.state === "final";
  }

  private activate(row: Row, isToBeShown = true): void {
    this.active = row;
    const at = this.rows.indexOf(row);
    const [top, bottom] = [at * this.height, (at + 1) * this.height];
    if (at >= 0 && top < this.window.scrollTop) this.window.scrollTop = top;
    else if (at >= 0 && bottom > this.window.scrollTop + this.window.clientHeight) this.window.scrollTop = bottom - this.window.clientHeight;
    this.drawNow();
    if (isToBeShown) this.events.look(row.path);
  }

  private click(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const row = this.rows[Number(target.closest<HTMLElement>("[data-at]")?.dataset.at)];
    if (!row) return;
    const isTwist = target.closest(".twist") !== null;
    if (isTwist || row === this.active) {
      if (row.isOpen) this.fold(row);
      else void this.open(row);
    }
    if (!isTwist) this.activate(row);
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.active) return;
    const row = this.active;
    const step = (by: number) => {
      const to = this.rows[this.rows.indexOf(row) + by];
      if (to) this.activate(to);
    };
    const keys: Record<string, () => void> = {
      ArrowUp: () => step(-1),
      ArrowDown: () => step(1),
      ArrowRight: () => (row.isOpen ? step(1) : void this.open(row)),
      ArrowLeft: () => (row.isOpen && row.children ? this.fold(row) : row.parent && this.activate(row.parent)),
      Home: () => this.rows[0] && this.activate(this.rows[0]),
      End: () => this.rows.length > 0 && this.activate(this.rows.at(-1)!),
      Enter: () => this.events.search(row.path),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}

/** A row in sight. */
class RowElement {
  private readonly twist = h("span", { class: "twist", "aria-hidden": "true" });
  private readonly move = h("span", {});
  private readonly sign = h("span", {});
  private readonly name = h("span", { class: "name" }, this.twist, this.move, this.sign);
  private readonly numbers = [h("span", { class: "n" }), h("span", { class: "n" }), h("span", { class: "n" })];
  readonly element = h("div", { role: "treeitem" }, this.name, ...this.numbers);

  show(row: Row, at: number, height: number, isActive: boolean): void {
    const { element } = this;
    const isConspirator = row.state === "leaf" && row.isMarked;
    element.className = `node${isActive ? " here" : ""}${row.isMarked ? " marked" : ""}`;
    element.id = `row-${at}`;
    element.dataset.at = String(at);
    element.style.top = `${at * height}px`;
    element.style.height = `${height}px`;
    element.ariaLevel = String(row.depth + 1);
    [element.ariaPosInSet, element.ariaSetSize] = [String(row.place + 1), String(row.parent?.count ?? 1)];
    element.ariaSelected = String(isActive);
    element.ariaExpanded = row.count > 0 ? String(row.isOpen) : null;
    this.name.style.paddingLeft = `${Math.min(row.depth, 16) * (innerWidth < 700 ? 9 : 15)}px`;
    this.twist.textContent = row.count > 0 ? (row.isOpen ? "▾" : "▸") : "";
    this.move.textContent = row.move?.san ?? "root";
    this.sign.className = isConspirator ? "sign conspirator" : "sign";
    this.sign.textContent = isConspirator ? "●" : row.state === "final" ? "final" : row.isGrown ? "searched" : "";
    [told(row.value), leaves(row.up), leaves(row.down)].forEach((text, index) => (this.numbers[index]!.textContent = text));
  }
}
