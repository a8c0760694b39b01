// The searches behind the view of a position: one judges, one looks along the line of the verdict, and one grows a tree and
// counts what its value hangs on.

import type { Cassius, Color, GrowResult, MoveResult, TreeResult, Verdict } from "cassius";
import { CHANGES, EFFORTS } from "../address";
import { isRefused, isStopped, judging, keeping, looking, tellFault, withMemory } from "../workers";
import { type Counted, NAMED, type Preferred, suggested } from "./hangs";
import { LINES } from "./verdict";
import { type Step, walk } from "./walk";

/** Memory for the search and for the tree, in MiB. */
const HASH = 32;
const TREE_HASH = 48;
/** The search that keeps its tree, by the evaluation of the verdict. */
const KEEPING = "best-first:Evaluation=network";
/** Positions that “search here” visits. */
const SPENT = 50_000;
/** Positions that a move is judged by at first, at most: it takes three searches, and two of four times as many if it seems bad. */
const MOST_JUDGED = 250_000;
/** Milliseconds between two looks at a growing tree. */
const LOOK = 400;
/** A search without a limit is looked along from so many positions on, and again after so many times as many; half that where its line has changed behind the first move. */
const [FIRST_WALK, NEXT_WALK] = [1_000_000, 4];
/** Plies along which the tree follows the preferred line. */
const DEEP = 7;
/** Plies by which two lines are told apart. */
const SAME = 5;

/** Acts on news that may come often, now and then. */
export function nowAndThen<T>(act: (news: T) => void): (news: T) => void {
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

/** What the tree is asked about: a move, or whichever is best, and by how much its value changes, in centipawns; nothing: as the verdict suggests. */
export interface Question {
  move: Preferred | null;
  change: number | null;
}

export interface Found {
  running(is: boolean): void;
  verdict(verdict: Verdict): void;
  /** What was seen along the line of a verdict so far; nothing if that was given up. */
  walked(steps: Step[], side: Color): void;
  tree(tree: TreeResult, engine: Cassius): void;
  counted(counted: Counted, tree: TreeResult): void;
  /** What the tree is asked about. */
  question(): Question;
}

export class Searches {
  private thinking: AbortController | null = null;
  private growing: AbortController | null = null;
  private walking: AbortController | null = null;
  /** The beginning of the line that was looked along last, and the positions visited for that verdict. */
  private walked: { name: string; nodes: number } | null = null;
  private tree: TreeResult | null = null;
  /** The beginning of the line that the tree was searched along last. */
  private deepened: string | null = null;

  constructor(private readonly found: Found) {}

  get isRunning(): boolean {
    return this.thinking !== null || this.growing !== null || this.walking !== null;
  }

  stop(): void {
    for (const search of [this.thinking, this.growing, this.walking]) search?.abort();
    this.walking = null;
  }

  /** Judges a position and grows a tree from it, at a level of effort. */
  think(place: Place, level: number): void {
    this.stop();
    const old = this.tree;
    this.tree = null;
    [this.deepened, this.walked] = [null, null];
    void this.judge(place, level);
    void this.grow(place, level, old);
  }

  /** Goes on where a search has ended or is: the table and the tree are kept. `again` asks for more than the level has had. */
  goOn(place: Place, level: number, again: boolean): void {
    if (!this.tree) {
      this.think(place, level);
      return;
    }
    this.stop();
    void this.judge(place, level);
    const nodes = EFFORTS[level]?.tree ?? 0;
    const missing = again ? nodes : nodes - this.tree.nodes;
    if (missing > 0) void this.searchBelow([], missing).then(() => this.deepenSoon());
  }

  /** The best line first, with its outlook, which is told of a single line alone; then other lines beside it. */
  private judge(place: Place, level: number): Promise<void> {
    return this.run("thinking", async (signal, isCurrent) => {
      const engine = await judging.get();
      const nodes = EFFORTS[level]?.nodes;
      const progress = (verdict: Verdict) => {
        if (!isCurrent()) return;
        this.found.verdict(verdict);
        if (nodes !== undefined || signal.aborted) return;
        this.deepenSoon();
        if (verdict.nodes >= FIRST_WALK) this.walkSoon(place, verdict);
      };
      const first = await withMemory(HASH, (hash) => engine.call("verdict", { ...place, nodes, hash }, { progress, signal }));
      progress(first);
      if (first.stopped || first.over || nodes === undefined) return;
      const all = await withMemory(HASH, (hash) => engine.call("verdict", { ...place, nodes, lines: LINES, hash }, { signal }));
      const isSame = all.lines[0]?.line.uci[0] === first.lines[0]?.line.uci[0];
      if (all.lines.length > 1 && !all.stopped) {
        const [best, ...rest] = all.lines;
        // The outlook is known of a search for one line, and with it how sure standing and chances are.
        const sure = isSame && best && first.lines[0] ? { outlook: first.outlook, standing: first.standing, lines: [{ ...best, chances: first.lines[0].chances }, ...rest] } : {};
        progress({ ...all, ...sure, nodes: first.nodes + all.nodes, ms: first.ms + all.ms });
      }
      if (!isCurrent() || signal.aborted) return;
      await this.count();
      this.walkSoon(place, all.lines.length > 1 ? all : first);
      this.deepenSoon();
    });
  }

  /** Looks along a verdict's line, unless that has been done for a verdict much like it. */
  private walkSoon(place: Place, verdict: Verdict): void {
    const line = verdict.lines[0]?.line.uci ?? [];
    const name = line.slice(0, SAME).join(" ");
    const { name: before = "", nodes = 0 } = this.walked ?? {};
    const isSame = line[0] === before.split(" ")[0];
    const isKnown = name === before ? verdict.nodes < NEXT_WALK * nodes : isSame && verdict.nodes > nodes && verdict.nodes < (NEXT_WALK / 2) * nodes;
    if (isKnown || (this.walking && isSame)) return;
    this.walking?.abort();
    this.walked = { name, nodes: verdict.nodes };
    void this.run("walking", async (signal, isCurrent) => {
      let isDone = false;
      try {
        const engine = await looking.get();
        isDone = await walk(engine, place, line, verdict.nodes, signal, (steps) => isCurrent() && this.found.walked(steps, verdict.side_to_move));
      } finally {
        if (!isDone && this.walked?.name === name) this.walked = null;
        if (!isDone) this.found.walked([], verdict.side_to_move);
      }
    });
  }

  private grow(place: Place, level: number, old: TreeResult | null): Promise<void> {
    return this.run("growing", async (signal, isCurrent) => {
      const engine = await keeping.get();
      // Two trees would take twice the memory.
      if (old) await engine.call("close", { tree: old.tree });
      const progress = nowAndThen((tree: TreeResult) => isCurrent() && void this.show(engine, tree));
      const request = { ...place, search: KEEPING, nodes: EFFORTS[level]?.tree, centipawns: this.change };
      const tree = await withMemory(TREE_HASH, (hash) => engine.call("tree", { ...request, hash }, { progress, signal })).catch((error: unknown) => {
        // Where the game is over there is none, which the verdict tells.
        if (!isRefused(error)) throw error;
      });
      if (!tree || !isCurrent()) return;
      await this.show(engine, tree);
      if (!this.thinking) await this.deepen(signal, isCurrent);
    });
  }

  /** Searches along the line of the move that is asked about, unless the tree grows just now. */
  deepenSoon(): void {
    if (this.tree && !this.growing) void this.run("growing", (signal, isCurrent) => this.deepen(signal, isCurrent));
  }

  /** Searches along the preferred line, once, behind each move of its side: the tree may hardly have grown there, and think otherwise for that. */
  private async deepen(signal: AbortSignal, isCurrent: () => boolean): Promise<void> {
    const line = this.found.question().move?.line.uci.slice(0, DEEP) ?? [];
    const name = line.slice(0, 3).join(" ");
    if (name === this.deepened) return;
    this.deepened = name;
    let isDone = false;
    try {
      const engine = await keeping.get();
      const progress = nowAndThen((tree: TreeResult) => isCurrent() && void this.show(engine, tree));
      for (let plies = 1; plies <= line.length; plies += 2) {
        const tree = this.tree;
        if (!tree || !isCurrent()) return;
        const grown = await engine.call("grow", { tree: tree.tree, path: line.slice(0, plies), nodes: SPENT }, { progress, signal });
        if (isCurrent()) await this.show(engine, grown);
      }
      isDone = true;
    } catch (error) {
      // A line that ends the game, or that the tree does not know so far, is searched no further.
      isDone = isRefused(error);
      if (!isDone) throw error;
    } finally {
      if (!isDone && this.deepened === name) this.deepened = null;
    }
  }

  /** Spends more below a node of the tree; told are the outcome and the positions visited, unless it is stopped. */
  async searchBelow(path: string[], nodes = SPENT): Promise<[GrowResult, number] | null> {
    const before = this.tree;
    if (!before) return null;
    let outcome: [GrowResult, number] | null = null;
    this.growing?.abort();
    await this.run("growing", async (signal, isCurrent) => {
      const engine = await keeping.get();
      const progress = nowAndThen((tree: TreeResult) => isCurrent() && void this.show(engine, tree));
      const result = await engine.call("grow", { tree: before.tree, path, nodes }, { progress, signal });
      if (!isCurrent()) return;
      await this.show(engine, result);
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

  /** Counts for another question. */
  async count(): Promise<void> {
    if (this.tree) await this.countIn(await keeping.get(), this.tree);
  }

  /** The change that the branches of the tree are asked about. */
  private get change(): number {
    return Math.abs(this.found.question().change ?? CHANGES[0]);
  }

  private async show(engine: Cassius, tree: TreeResult): Promise<void> {
    this.tree = tree;
    this.found.tree(tree, engine);
    await this.countIn(engine, tree);
  }

  private async countIn(engine: Cassius, tree: TreeResult): Promise<void> {
    const { move, change } = this.found.question();
    const isCurrent = () => {
      const now = this.found.question();
      return tree.tree === this.tree?.tree && now.move?.move.uci === move?.move.uci && now.change === change;
    };
    const path = move ? [move.move.uci] : [];
    const ask = (centipawns: number, named: number) => engine.call("conspirators", { tree: tree.tree, path, centipawns, named });
    try {
      const all = await Promise.all(CHANGES.map(async (by) => ({ by, ...(await ask(by, 0)) })));
      const value = all[0]?.value ?? tree.value;
      const counts = new Map(all.flatMap(({ by, better, worse }) => [[by, better.conspirators] as const, [-by, worse.conspirators] as const]));
      const chosen = change ?? suggested(move?.value ?? null, value, counts);
      const named = await ask(Math.abs(chosen), NAMED);
      if (!isCurrent()) return;
      const lead = move ? { san: move.move.san, uci: path } : tree.line;
      this.found.counted({ lead, isOfMove: move !== null, value, counts, chosen, change: chosen > 0 ? named.better : named.worse }, tree);
    } catch (error) {
      // In a tree that is gone nothing can be counted; whatever has ended it is told by the search.
      if (isCurrent() && !isRefused(error)) tellFault(error);
    }
  }

  /** Runs one search of a kind; an older one of that kind is current no longer. */
  private async run(kind: "thinking" | "growing" | "walking", job: (signal: AbortSignal, isCurrent: () => boolean) => Promise<void>): Promise<void> {
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
