// Values and numbers as people read them.

import type { Color, Score } from "cassius";

const number = new Intl.NumberFormat("en");

export const thousands = (count: number): string => number.format(count);
export const plural = (count: number, one: string, many = `${one}s`): string => `${thousands(count)} ${count === 1 ? one : many}`;
export const nameOf = (side: Color): string => (side === "white" ? "White" : "Black");
export const percent = (chance: number): string => `${Math.round(100 * chance)} %`;

/** Centipawns as pawns with their sign. */
export const pawns = (centipawns: number): string => (centipawns < 0 ? "−" : "+") + (Math.abs(centipawns) / 100).toFixed(2);

/** A value for the side that it is told for; `within` says how a mate's number is meant. */
export function told(value: Score, within = ""): string {
  if (typeof value === "string") return value;
  if ("mate" in value) return `${value.mate < 0 ? "mated" : "mate"} in ${within}${Math.abs(value.mate)}`;
  return pawns(value.cp);
}

/** Centipawns beyond which a value is no number. */
const MOST_TOLD = 1_000;

/** Whether a side is further ahead than a number says, short of a mate. */
export const isFar = (value: Score): boolean => typeof value === "object" && "cp" in value && Math.abs(value.cp) > MOST_TOLD;

/** A value as the first thing that is said of a position, with what is known of its bound. */
export function headline(value: Score, bound: "exact" | "lower" | "upper"): string {
  if (isFar(value)) return centipawnsOf(value) > 0 ? "winning" : "losing";
  if (typeof value === "object" && "mate" in value) {
    const within = bound === "exact" ? "exactly " : "at most ";
    return told(value, Math.abs(value.mate) > 1 ? within : "");
  }
  return `${{ exact: "", lower: "at least ", upper: "at most " }[bound]}${told(value)}`;
}

/** A value for the other side. */
export function forOther(value: Score): Score {
  if (typeof value === "string") return value === "won" ? "lost" : "won";
  return "mate" in value ? { mate: -value.mate } : { cp: -value.cp };
}

/** A value behind a move, for the side that made it: until a mate it is one move more. */
export function forParent(value: Score): Score {
  return typeof value === "object" && "mate" in value && value.mate < 0 ? { mate: 1 - value.mate } : forOther(value);
}

/** How many leaves; without a number none will do. */
export const leaves = (count: number | null): string => (count === null ? "∞" : thousands(count));

/** The first move of a line with its number: `12... Nf6`. */
export const firstMove = (line: string): string => line.split(" ").slice(0, 2).join(" ");

/** A line without what comes after so many moves. */
export function shortened(line: string, moves = 8): string {
  const words = line.split(" ");
  let seen = 0;
  const end = words.findIndex((word) => !/^\d+\./.test(word) && (seen += 1) > moves);
  return end < 0 ? line : `${words.slice(0, end).join(" ").replace(/ \d+\.+$/, "")} …`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A value as a number; a mate is worth more than any change asks for. */
export function centipawnsOf(value: Score): number {
  if (typeof value === "string") return value === "won" ? 10_000 : -10_000;
  return "mate" in value ? 10_000 * Math.sign(value.mate) : value.cp;
}
