// A board to set up a position by hand.

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Color, Key, Piece, Role } from "chessground/types";
import { h } from "./dom";
import { fenOf, InputError, readFen } from "./study";

const ROLES: Role[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const RIGHTS = [
  ["K", "White, short"],
  ["Q", "White, long"],
  ["k", "Black, short"],
  ["q", "Black, long"],
] as const;

/** Asks for a position in a dialog; `done` is told its FEN. */
export function setUp(fen: string, orientation: Color, done: (fen: string) => void): void {
  const [, turn, rights] = fen.split(" ");
  let chosen: Piece | "move" | "remove" = "move";

  const host = h("div", { class: "board-host" });
  const side = h("select", { name: "side" }, h("option", { value: "w" }, "White to move"), h("option", { value: "b" }, "Black to move"));
  side.value = turn ?? "w";
  const castling = RIGHTS.map(([letter, name]) => {
    const box = h("input", { type: "checkbox", value: letter, checked: rights?.includes(letter) });
    return { box, label: h("label", {}, box, ` ${name}`) };
  });
  const fault = h("p", { class: "error", role: "alert" });

  const tools: [Piece | "move" | "remove", HTMLButtonElement][] = [];
  const tool = (what: Piece | "move" | "remove", label: string, ...content: (Node | string)[]) => {
    // Chessground's style has the pictures of pieces.
    const kind = typeof what === "string" ? "tool" : "tool cg-wrap";
    const button = h("button", { type: "button", class: kind, "aria-label": label, "aria-pressed": "false", onclick: () => choose(what) }, ...content);
    tools.push([what, button]);
    return button;
  };
  const choose = (what: Piece | "move" | "remove") => {
    chosen = what;
    fault.textContent = "";
    for (const [which, button] of tools) button.setAttribute("aria-pressed", String(which === what));
    // With a piece in hand a touch puts it down; without one it moves what is there.
    ground.set({ draggable: { enabled: what === "move" }, movable: { color: what === "move" ? "both" : undefined } });
  };
  const place = (fen: string) => {
    fault.textContent = "";
    ground.set({ fen });
  };
  const palette = (["white", "black"] as const).map((color) =>
    h("div", { class: "palette" }, ...ROLES.map((role) => tool({ role, color }, `${color} ${role}`, h("piece" as "div", { class: `${role} ${color}` })))),
  );
  const actions = h(
    "div",
    { class: "row" },
    tool("move", "Move pieces", "Move"),
    tool("remove", "Remove pieces", "Remove"),
    h("button", { type: "button", onclick: () => place("8/8/8/8/8/8/8/8") }, "Clear"),
    h("button", { type: "button", onclick: () => place("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR") }, "Initial position"),
    h("button", { type: "button", onclick: () => turnOver() }, "Turn the board"),
  );
  const bench = h("div", { class: "setup-board" });
  const arrange = (bottom: Color) => {
    const [white, black] = palette;
    bench.replaceChildren(...(bottom === "white" ? [black!, host, white!] : [white!, host, black!]));
  };
  arrange(orientation);
  const turnOver = () => {
    ground.toggleOrientation();
    arrange(ground.state.orientation);
  };

  const accept = () => {
    const allowed = castling.map(({ box }) => (box.checked ? box.value : "")).join("");
    try {
      const position = readFen(`${ground.getFen()} ${side.value} ${allowed || "-"} - 0 1`);
      dialog.close();
      done(fenOf(position));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      fault.textContent = error.message;
    }
  };
  const dialog = h(
    "dialog",
    { class: "setup", "aria-label": "Set up a position", onclose: () => close() },
    bench,
    h(
      "div",
      { class: "setup-rest" },
      h("h2", {}, "Set up a position"),
      h("p", { class: "hint" }, "Choose a piece, then the squares for it. With Move, drag pieces; off the board removes them."),
      actions,
      h("label", { class: "stack" }, "Side to move", side),
      h("fieldset", {}, h("legend", {}, "May castle"), ...castling.map(({ label }) => label)),
      fault,
      h("div", { class: "row" }, h("button", { type: "button", class: "primary", onclick: accept }, "Use this position"), h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  const ground: Api = Chessground(host, {
    fen: fen.split(" ")[0],
    orientation,
    animation: { enabled: false },
    movable: { free: true, color: "both" },
    draggable: { deleteOnDropOff: true },
    drawable: { enabled: false },
    events: {
      select: (square: Key) => {
        if (chosen === "move") return;
        ground.setPieces(new Map([[square, chosen === "remove" ? undefined : chosen]]));
        ground.selectSquare(null);
      },
    },
  });
  const close = () => {
    dialog.remove();
    // It hears the document's events.
    ground.destroy();
  };
  choose("move");
}
