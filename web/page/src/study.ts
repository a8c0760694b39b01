// A position with the moves that led to it, and a way ahead that is only looked at.

import { castlingSide, Chess, type Position } from "chessops/chess";
import { InvalidFen, parseFen, makeFen, INITIAL_FEN } from "chessops/fen";
import { parsePgn, startingPosition } from "chessops/pgn";
import { makeSan, parseSan } from "chessops/san";
import { makeUci, parseUci } from "chessops/util";
import { isNormal, type Move } from "chessops/types";
import { plural } from "./format";

/** What a text from outside says is wrong with it, for whoever put it in. */
export class InputError extends Error {}

/** Moves played from a position; `at` of them are on the board. */
export interface Study {
  start: string;
  moves: string[];
  at: number;
  /** Why the rest of a game is missing. */
  flaw?: string;
}

export const initial = (): Study => ({ start: INITIAL_FEN, moves: [], at: 0 });

const FEN_FAULTS: Record<string, string> = {
  [InvalidFen.Fen]: "a FEN has six fields, the first of which tells the pieces",
  [InvalidFen.Board]: "its first field must tell eight ranks of eight squares, as in 8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8",
  [InvalidFen.Turn]: "its second field must be w or b",
  [InvalidFen.Castling]: "its third field must tell castling rights, as KQkq or -",
  [InvalidFen.EpSquare]: "its fourth field must be a square or -",
};
const POSITION_FAULTS: Record<string, string> = {
  ERR_EMPTY: "there is nothing on the board",
  ERR_OPPOSITE_CHECK: "the side that is not to move is in check",
  ERR_PAWNS_ON_BACKRANK: "a pawn stands on the first or the last rank",
  ERR_KINGS: "each side must have one king",
};

/** The position that a FEN describes. */
export function readFen(text: string): Position {
  const setup = parseFen(text.trim().replace(/\s+/g, " "));
  if (setup.isErr) throw new InputError(`This is no FEN: ${FEN_FAULTS[setup.error.message] ?? "it cannot be read"}.`);
  const position = Chess.fromSetup(setup.value);
  if (position.isErr) throw new InputError(`This position cannot be played: ${POSITION_FAULTS[position.error.message] ?? "it breaks the rules"}.`);
  return position.value;
}

export const fenOf = (position: Position): string => makeFen(position.toSetup());

/** Whether a text looks like a FEN rather than a game. */
export const looksLikeFen = (text: string): boolean => /^\s*[0-9a-zA-Z]+(\/[0-9a-zA-Z]+){3,}(\s|$)/.test(text);

/** The first game of a PGN, or the position of a FEN. */
export function readStudy(text: string): Study {
  if (text.trim() === "") throw new InputError("There is nothing to read. Paste a FEN or the moves of a game.");
  if (looksLikeFen(text)) return { start: fenOf(readFen(text)), moves: [], at: 0 };
  const [game] = parsePgn(text);
  const start = game && startingPosition(game.headers);
  if (!game || !start || start.isErr) throw new InputError("This is neither a FEN nor a game: its start cannot be read.");
  const position = start.value;
  const study: Study = { start: fenOf(position), moves: [], at: 0 };
  for (const { san } of game.moves.mainline()) {
    const move = parseSan(position, san);
    if (!move) {
      if (study.moves.length === 0) throw new InputError(`This is neither a FEN nor a game: “${san.slice(0, 40)}” is no move here.`);
      study.flaw = `“${san.slice(0, 40)}” is no legal move after ${plural(study.moves.length, "ply", "plies")}: the game is shown up to there.`;
      break;
    }
    study.moves.push(toUci(position, move));
    position.play(move);
  }
  if (study.moves.length === 0 && !game.headers.has("FEN")) throw new InputError("This is neither a FEN nor a game: there are no moves in it.");
  return study;
}

/** The moves as a PGN: what is left of a game without the text that it came from. */
export function pgnOf({ start, moves }: Study): string {
  const tags = start === INITIAL_FEN ? "" : `[SetUp "1"]\n[FEN "${start}"]\n\n`;
  return `${tags}${numbered(start, play(start, moves).sans)} *\n`;
}

/** Whether kings or rooks that may castle stand elsewhere than in the initial position. */
export function isChess960(position: Position): boolean {
  const rooks = [...position.castles.castlingRights];
  const king = (square: number) => position.board.kingOf(square < 8 ? "white" : "black");
  return rooks.some((square) => ![0, 7, 56, 63].includes(square) || king(square) !== (square & 56) + 4);
}

/** A move in UCI's coordinates, where a king that castles moves by two squares, or in Chess960 onto its rook. */
export function toUci(position: Position, move: Move): string {
  const side = castlingSide(position, move);
  if (side === undefined || !isNormal(move) || isChess960(position)) return makeUci(move);
  return makeUci({ from: move.from, to: (move.from & 56) + (side === "h" ? 6 : 2) });
}

/** The position after moves in coordinates; stops before one that is not legal. */
export function play(start: string, moves: readonly string[]): { position: Position; sans: string[]; last: Move | null } {
  const position = readFen(start);
  const sans: string[] = [];
  let last: Move | null = null;
  for (const text of moves) {
    const move = parseUci(text);
    if (!move || !position.isLegal(move)) break;
    sans.push(makeSan(position, move));
    position.play(move);
    last = move;
  }
  return { position, sans, last };
}

/** The name of the circle that moves in coordinates close, if the last position was there before. */
export function circle(start: string, moves: readonly string[]): "perpetual check" | "a repetition" | null {
  const seen = moves.map((_, at) => play(start, moves.slice(0, at + 1)).position);
  const keys = [readFen(start), ...seen].map((it) => makeFen(it.toSetup()).split(" ").slice(0, 4).join(" "));
  const before = keys.lastIndexOf(keys.at(-1) ?? "", -2);
  if (before < 0 || keys.length < 3) return null;
  const checks = seen.slice(before).map((it) => it.isCheck());
  const isPerpetual = [0, 1].some((first) => checks.filter((_, at) => at % 2 === first).every(Boolean));
  return isPerpetual ? "perpetual check" : "a repetition";
}

/** A move that somebody typed, in standard notation or coordinates. */
export function readMove(position: Position, text: string): Move {
  const typed = text.trim().replace(/^\d+\.+\s*/, "");
  const move = parseSan(position, typed) ?? parseUci(typed.toLowerCase());
  if (!move || !position.isLegal(move)) throw new InputError(`“${typed}” is no legal move here. Write it as Nf3 or g1f3.`);
  return move;
}

/** Moves with their numbers: `12... Nf6 13. e5`. */
export function numbered(start: string, sans: readonly string[], from = 0): string {
  const fields = start.split(" ");
  const first = Number(fields[5] ?? 1);
  const offset = fields[1] === "b" ? 1 : 0;
  return sans
    .map((san, index) => {
      const ply = from + index + offset;
      const before = `${first + (ply >> 1)}${ply % 2 === 0 ? "." : "..."} `;
      return (ply % 2 === 0 || index === 0 ? before : "") + san;
    })
    .join(" ");
}
