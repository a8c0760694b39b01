// The searches behind the view of a position: one judges, the other grows a tree and counts what its verdict hangs on.

import type { Cassius, ConspiratorsResult, GrowResult, MoveResult, TreeResult, Verdict } from "cassius";
import { CHANGES, EFFORTS } from "../address";
import { isRefused, isStopped, judging, keeping, tellFault, withMemory } from "../engines";
import { NAMED } from "./hangs";
import { LINES } from "./verdict";

/** Memory for the search and for the tree, in MiB. */
const HASH = 32;
const TREE_HASH = 64;
/** Positions that “search here” visits. */
const SPENT = 50_000;
/** Positions that a move is judged by, at most: it takes three searches. */
const MOST_JUDGED = 400_000;
/** Milliseconds between two looks at a growing tree. */
const LOOK = 400;

/** Acts on news that may come often, now and then. */
function nowAndThen<T>(act: (news: T) => void): (news: T) => void {
  let last = 0;
  return (news) => {
    if (performance.now() - last < LOOK) return;
    last = performance.now();
    act(news);
  };
}

/** A position as the engine takes it. */
export interface Place {
  fen: string;
  moves: string[];
  chess960: boolean;
}

export interface Found {
  running(is: boolean): void;
  verdict(verdict: Verdict): void;
  tree(tree: TreeResult, engine: Cassius): void;
  /** Numbers for a change in either direction. */
  counts(centipawns: number, result: ConspiratorsResult): void;
  /** The same for the change that is chosen, with names. */
  names(result: ConspiratorsResult, tree: TreeResult): void;
}

export class Searches {
  private thinking: AbortController | null = null;
  private growing: AbortController | null = null;
  private tree: TreeResult | null = null;

  constructor(private readonly found: Found) {}

  get isRunning(): boolean {
    return this.thinking !== null || this.growing !== null;
  }

  stop(): void {
    this.thinking?.abort();
    this.growing?.abort();
  }

  /** Judges a position and grows a tree from it, at a level of effort. */
  think(place: Place, level: number, change: number): void {
    this.stop();
    const old = this.tree;
    this.tree = null;
    void this.judge(place, level);
    void this.grow(place, level, change, old);
  }

  /** Goes on where a search has ended or is: the table and the tree are kept. `again` asks for more than the level has had. */
  goOn(place: Place, level: number, change: number, again: boolean): void {
    if (!this.tree) {
      this.think(place, level, change);
      return;
    }
    this.stop();
    void this.judge(place, level);
    const nodes = EFFORTS[level]?.tree ?? 0;
    const missing = again ? nodes : nodes - this.tree.nodes;
    if (missing > 0) void this.searchBelow([], change, missing);
  }

  /** The best line first, with its outlook, which is told of a single line alone; then other lines beside it. */
  private judge(place: Place, level: number): Promise<void> {
    return this.run("thinking", async (signal, isCurrent) => {
      const engine = await judging.get();
      const nodes = EFFORTS[level]?.nodes;
      const progress = (verdict: Verdict) => isCurrent() && this.found.verdict(verdict);
      const first = await withMemory(HASH, (hash) => engine.call("verdict", { ...place, nodes, hash }, { progress, signal }));
      progress(first);
      if (first.stopped || first.over || nodes === undefined) return;
      const all = await withMemory(HASH, (hash) => engine.call("verdict", { ...place, nodes, lines: LINES, hash }, { signal }));
      const isSame = all.lines[0]?.line.uci[0] === first.lines[0]?.line.uci[0];
      if (all.lines.length > 1 && !all.stopped) progress({ ...all, outlook: isSame ? first.outlook : null, nodes: first.nodes + all.nodes, ms: first.ms + all.ms });
    });
  }

  private grow(place: Place, level: number, change: number, old: TreeResult | null): Promise<void> {
    return this.run("growing", async (signal, isCurrent) => {
      const engine = await keeping.get();
      // Two trees would take twice the memory.
      if (old) await engine.call("close", { tree: old.tree });
      const progress = nowAndThen((tree: TreeResult) => isCurrent() && void this.show(engine, tree, change));
      const request = { ...place, nodes: EFFORTS[level]?.tree, centipawns: Math.abs(change) };
      const tree = await withMemory(TREE_HASH, (hash) => engine.call("tree", { ...request, hash }, { progress, signal }));
      if (isCurrent()) await this.show(engine, tree, change);
    });
  }

  /** Spends more below a node of the tree; told are the outcome and the positions visited, unless it is stopped. */
  async searchBelow(path: string[], change: number, nodes = SPENT): Promise<[GrowResult, number] | null> {
    const before = this.tree;
    if (!before) return null;
    let outcome: [GrowResult, number] | null = null;
    this.growing?.abort();
    await this.run("growing", async (signal, isCurrent) => {
      const engine = await keeping.get();
      const progress = nowAndThen((tree: TreeResult) => isCurrent() && void this.show(engine, tree, change));
      const result = await engine.call("grow", { tree: before.tree, path, nodes }, { progress, signal });
      if (!isCurrent()) return;
      await this.show(engine, result, change);
      outcome = [result, result.nodes - before.nodes];
    });
    return outcome;
  }

  /** Whether a move is good; nothing if that is stopped. */
  async judgeMove(place: Place, move: string, level: number): Promise<MoveResult | null> {
    let outcome: MoveResult | null = null;
    this.stop();
    await this.run("thinking", async (signal, isCurrent) => {
      const engine = await judging.get();
      const nodes = Math.min(EFFORTS[level]?.nodes ?? MOST_JUDGED, MOST_JUDGED);
      const result = await withMemory(HASH, (hash) => engine.call("move", { ...place, move, nodes, hash }, { signal }));
      if (isCurrent()) outcome = result;
    });
    return outcome;
  }

  /** Counts for another change. */
  async count(change: number): Promise<void> {
    if (this.tree) await this.countIn(await keeping.get(), this.tree, change);
  }

  private async show(engine: Cassius, tree: TreeResult, change: number): Promise<void> {
    this.tree = tree;
    this.found.tree(tree, engine);
    await this.countIn(engine, tree, change);
  }

  private async countIn(engine: Cassius, tree: TreeResult, change: number): Promise<void> {
    const isOpen = () => tree.tree === this.tree?.tree;
    try {
      await Promise.all(
        CHANGES.map(async (centipawns) => {
          const isChosen = centipawns === Math.abs(change);
          const result = await engine.call("conspirators", { tree: tree.tree, centipawns, named: isChosen ? NAMED : 0 });
          if (!isOpen()) return;
          this.found.counts(centipawns, result);
          if (isChosen) this.found.names(result, tree);
        }),
      );
    } catch (error) {
      // In a tree that is gone nothing can be counted; whatever has ended it is told by the search.
      if (isOpen() && !isRefused(error)) tellFault(error);
    }
  }

  /** Runs one search of a kind; an older one of that kind is current no longer. */
  private async run(kind: "thinking" | "growing", job: (signal: AbortSignal, isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const run = (this[kind] = new AbortController());
    const isCurrent = () => this[kind] === run;
    this.found.running(true);
    try {
      await job(run.signal, isCurrent);
    } catch (error) {
      if (!isStopped(error)) tellFault(error);
    } finally {
      if (isCurrent()) this[kind] = null;
      this.found.running(this.isRunning);
    }
  }
}
