// The address keeps the view, the position and the settings, so that a link shows the same.

import { fenOf, initial, play, readFen, type Study } from "./study";

export type View = "position" | "game" | "learn";

export interface Address {
  view: View;
  study: Study;
  /** Level of effort, an index of `EFFORTS`. */
  effort: number;
  /** Change of the value asked about, in centipawns; negative: for the worse. Nothing: one that the verdict suggests. */
  change: number | null;
}

/** What has changed: a setting or view, a step through the game, the game itself. */
export type News = "setting" | "step" | "game";

/** What an entry of the browser's history keeps beside the address. */
export interface Kept {
  /** Text of the game, with what only it tells. */
  pgn: string;
  /** Whether the entry came from a step: the next step takes its place. */
  isStep: boolean;
}

/** What is kept with the address that is shown; nothing if that came from outside. */
export const kept = (): Kept | null => history.state as Kept | null;

/** Puts an address into the history: a new entry where going back should lead to what was shown before. */
export function keep(address: Address, pgn: string, news: News): void {
  const [url, last] = [writeAddress(address), kept()];
  const isStep = news === "step" || (news === "setting" && last?.isStep === true);
  const isNew = news === "game" || (news === "step" && last?.isStep !== true);
  if (isNew && url !== location.hash) history.pushState({ pgn, isStep }, "", url);
  else history.replaceState({ pgn, isStep }, "", url);
}

/** Positions visited by the search and by the tree at each level of effort. */
export const EFFORTS = [
  { name: "a glance", nodes: 50_000, tree: 20_000 },
  { name: "a look", nodes: 300_000, tree: 60_000 },
  { name: "some thought", nodes: 1_000_000, tree: 100_000 },
  { name: "much thought", nodes: 8_000_000, tree: 400_000 },
  { name: "until stopped", nodes: undefined, tree: 1_500_000 },
] as const;

/** Changes of the value that can be asked about, in centipawns. */
export const CHANGES = [50, 100, 200, 300, 500, 900] as const;

/** Number 2 of *Win at Chess*: what the page shows before anything else is asked for. */
export const FIRST = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";

export const VIEWS: readonly View[] = ["position", "game", "learn"];

export function readAddress(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const asked = new URLSearchParams(query);
  const view = VIEWS.find((it) => it === path) ?? "position";
  const effort = Number(asked.get("effort") ?? 2);
  const change = Number(asked.get("change"));
  return {
    view,
    study: readStudyOf(asked),
    effort: Number.isInteger(effort) && effort in EFFORTS ? effort : 2,
    change: CHANGES.some((it) => it === Math.abs(change)) ? change : null,
  };
}

/** A link may be broken on its way: what is wrong in it is left out. */
function readStudyOf(asked: URLSearchParams): Study {
  try {
    const fen = asked.get("fen");
    const start = fen === null ? (asked.has("moves") ? initial().start : FIRST) : fenOf(readFen(fen));
    const moves = (asked.get("moves") ?? "").split(" ").filter(Boolean);
    const legal = moves.slice(0, play(start, moves).sans.length);
    const at = Number(asked.get("at") ?? legal.length);
    return { start, moves: legal, at: Number.isInteger(at) ? Math.max(0, Math.min(legal.length, at)) : legal.length };
  } catch {
    return { start: FIRST, moves: [], at: 0 };
  }
}

export function writeAddress({ view, study, effort, change }: Address): string {
  const told = new URLSearchParams();
  told.set("fen", study.start);
  if (study.moves.length > 0) told.set("moves", study.moves.join(" "));
  if (study.at !== study.moves.length) told.set("at", String(study.at));
  told.set("effort", String(effort));
  if (change !== null) told.set("change", String(change));
  return `#/${view}?${told}`;
}
