// A board to move on with mouse and finger. Moves can also be typed: the page has a field for them.

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Config } from "chessground/config";
import type { DrawShape } from "chessground/draw";
import type { Key } from "chessground/types";
import type { Position } from "chessops/chess";
import { chessgroundDests, chessgroundMove } from "chessops/compat";
import { makeBoardFen } from "chessops/fen";
import type { Color, Move } from "chessops/types";
import { makeSquare, parseSquare } from "chessops/util";
import { h } from "./dom";

const PROMOTIONS = ["queen", "rook", "bishop", "knight"] as const;

/** Widths of arrows that lead to one position, and to many. */
const [NARROWEST, BROADEST] = [6, 16];

/** An arrow on the board. */
export interface Arrow {
  uci: string;
  brush: "best" | "played" | "hangs" | "line";
  /** Place of the move in a line. */
  label?: string;
  /** How many positions it leads to: the more, the broader it is. */
  count?: number;
}

/**
 * A board of chessground. That one watches its element's size once more whenever it is turned or drawn anew, and keeps what it had
 * drawn before for ever: so it is turned by another one, on another element.
 */
class Ground {
  private api: Api;
  private host = h("div", { class: "board-host" });
  private shown: Config = {};

  constructor(
    frame: HTMLElement,
    private readonly config: Config,
  ) {
    frame.append(this.host);
    this.api = Chessground(this.host, config);
  }

  show(shown: Config): void {
    this.shown = shown;
    this.api.set(shown);
  }

  draw(shapes: DrawShape[]): void {
    // A frame that came while the board was out of the page has measured nothing, and that is kept.
    this.api.state.dom.bounds.clear();
    this.api.setAutoShapes(shapes);
  }

  turn(orientation: Color): void {
    if (orientation === this.orientation) return;
    const host = h("div", { class: "board-host" });
    // What it was about to draw would have no place any more.
    this.api.setAutoShapes([]);
    this.api.destroy();
    this.host.replaceWith(host);
    this.host = host;
    this.api = Chessground(host, { ...this.config, orientation });
    this.api.set(this.shown);
  }

  get orientation(): Color {
    return this.api.state.orientation;
  }
}

export class Board {
  readonly element = h("div", { class: "board-frame" });
  private readonly ground: Ground;
  private readonly promotion = h("div", { class: "promotion", role: "group", "aria-label": "Promote to", hidden: true });
  private position: Position | null = null;
  private shapes: DrawShape[] = [];

  constructor(private readonly moved: (move: Move) => void) {
    // Before the board looks at its own size: where there is none, as in a view that is hidden, arrows have no place.
    new ResizeObserver(() => this.drawShapes()).observe(this.element);
    this.ground = new Ground(this.element, {
      coordinates: true,
      animation: { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 160 },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.taken(from, to) } },
      draggable: { showGhost: true },
      premovable: { enabled: false },
      disableContextMenu: true,
      drawable: {
        enabled: false,
        brushes: {
          best: { key: "best", color: "var(--best)", opacity: 0.85, lineWidth: 11 },
          played: { key: "played", color: "var(--played)", opacity: 0.85, lineWidth: 11 },
          hangs: { key: "hangs", color: "var(--hangs)", opacity: 0.8, lineWidth: 8 },
          line: { key: "line", color: "var(--link)", opacity: 0.7, lineWidth: 7 },
        } as never,
      },
    });
    this.element.append(this.promotion);
  }

  /** Shows a position and the move that led to it; the side to move can be moved. */
  show(position: Position, last: Move | null): void {
    this.position = position;
    this.promotion.hidden = true;
    this.ground.show({
      fen: makeBoardFen(position.board),
      turnColor: position.turn,
      check: position.isCheck(),
      lastMove: last ? chessgroundMove(last) : undefined,
      movable: { color: position.turn, dests: chessgroundDests(position) },
    });
  }

  draw(arrows: readonly Arrow[], circles: readonly string[] = []): void {
    const shapes: DrawShape[] = arrows.map(({ uci, brush, label, count }) => ({
      orig: uci.slice(0, 2) as Key,
      dest: uci.slice(2, 4) as Key,
      brush,
      ...(label === undefined ? {} : { label: { text: label } }),
      ...(count === undefined ? {} : { modifiers: { lineWidth: Math.min(BROADEST, NARROWEST + 2 * Math.log2(count)) } }),
    }));
    shapes.push(...circles.map((square) => ({ orig: square as Key, brush: "hangs" })));
    this.shapes = shapes;
    this.drawShapes();
  }

  private drawShapes(): void {
    if (this.element.clientWidth > 0) this.ground.draw(this.shapes);
  }

  turn(orientation: Color): void {
    this.ground.turn(orientation);
    this.drawShapes();
  }

  get orientation(): Color {
    return this.ground.orientation;
  }

  private taken(from: Key, to: Key): void {
    const [orig, dest] = [parseSquare(from), parseSquare(to)];
    const position = this.position;
    if (!position || orig === undefined || dest === undefined) return;
    const isPromotion = position.board.getRole(orig) === "pawn" && (dest < 8 || dest >= 56);
    if (!isPromotion) this.moved({ from: orig, to: dest });
    else this.ask((role) => this.moved({ from: orig, to: dest, promotion: role }), position.turn);
  }

  private ask(chosen: (role: (typeof PROMOTIONS)[number]) => void, color: Color): void {
    const buttons = PROMOTIONS.map((role) =>
      h("button", { type: "button", "aria-label": role, class: "cg-wrap", onclick: () => ((this.promotion.hidden = true), chosen(role)) }, h("piece" as "div", { class: `${role} ${color}` })),
    );
    this.promotion.replaceChildren(...buttons);
    this.promotion.hidden = false;
    buttons[0]?.focus();
  }
}

const LETTERS = { pawn: "p", knight: "n", bishop: "b", rook: "r", queen: "q", king: "k" } as const;

/** A small board to look at. */
export class Peek {
  readonly element = h("div", { class: "peek", "aria-hidden": "true" });
  private readonly ground = new Ground(this.element, { viewOnly: true, coordinates: false, animation: { enabled: false }, drawable: { enabled: false } });

  show(position: Position, last: Move | null): void {
    this.ground.show({ fen: makeBoardFen(position.board), lastMove: last ? chessgroundMove(last) : undefined });
  }

  turn(orientation: Color): void {
    this.ground.turn(orientation);
  }
}

/** Where the pieces stand, for who does not see them. */
export function described(position: Position): string {
  const side = (color: Color) => {
    const men = [...position.board[color]].map((square) => {
      const letter = LETTERS[position.board.getRole(square) ?? "pawn"];
      return `${letter === "p" ? "" : letter.toUpperCase()}${makeSquare(square)}`;
    });
    return men.sort((a, b) => b.length - a.length || a.localeCompare(b)).join(" ");
  };
  return `${position.turn === "white" ? "White" : "Black"} to move. White: ${side("white")}. Black: ${side("black")}.`;
}
