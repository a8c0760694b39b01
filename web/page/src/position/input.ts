// Positions and games from outside: pasted, dropped, opened, typed.

import { h } from "../dom";
import { InputError } from "../study";

/** Files larger than this are not read at all. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The text of a file, if it can be one. */
export async function textOf(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new InputError(`“${file.name}” has ${Math.round(file.size / 1024 / 1024)} MB; up to 64 are read.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.includes(0)) throw new InputError(`“${file.name}” is no text. A FEN or a PGN is wanted.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** What has been dropped or pasted, as a text. */
export async function textFrom(data: DataTransfer): Promise<string> {
  const [file] = data.files;
  return file ? textOf(file) : data.getData("text/plain");
}

/** Where the games of a text begin: its tag sections. A text without tags is one game. */
export function gamesIn(text: string): string[] {
  const starts: number[] = [];
  for (const { index } of text.matchAll(/(?<=^|\n\s*\n)(?=\[\w+\s)/g)) {
    // Movetext has to stand between, or the blank line was one among tags.
    const last = starts.at(-1);
    if (last === undefined || /\n\s*[^[\s]/.test(text.slice(last, index))) starts.push(index);
  }
  if (starts.length === 0) return text.trim() === "" ? [] : [text];
  return starts.map((start, at) => text.slice(start, starts[at + 1]));
}

/** What players and result a game's tags tell. */
export function titleOf(game: string): string {
  const tag = (name: string) => new RegExp(`\\[${name}\\s+"((?:[^"\\\\]|\\\\.)*)"`).exec(game.slice(0, 4000))?.[1]?.trim() || "?";
  const players = `${tag("White")} – ${tag("Black")}`;
  const rest = [tag("Result"), tag("Event"), tag("Date")].filter((it) => it !== "?" && it !== "*");
  return players === "? – ?" && rest.length === 0 ? "A game without tags" : [players, ...rest].join(", ");
}

/** A field for a FEN or a PGN; `read` takes what stands in it, or throws what is wrong with it. `forget` takes that away. */
export function inputField(read: (text: string) => void): { element: HTMLElement; forget: () => void } {
  const area = h("textarea", { id: "paste", rows: 2, spellcheck: "false", autocomplete: "off", placeholder: "8/7p/5k2/… b - - 0 1   or   1. e4 e5 2. Nf3 …" });
  const fault = h("p", { class: "error", role: "alert" });
  const submit = (text: string) => {
    try {
      read(text);
      area.value = "";
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      fault.textContent = error.message;
    }
  };
  const file = h("input", {
    type: "file",
    id: "open",
    accept: ".pgn,.fen,.epd,.txt,text/plain",
    class: "unseen",
    onchange: async () => {
      const [chosen] = file.files ?? [];
      if (chosen) await textOf(chosen).then(submit, (error: Error) => (fault.textContent = error.message));
      file.value = "";
    },
  });
  const element = h(
    "form",
    {
      class: "input",
      onsubmit: (event) => {
        event.preventDefault();
        submit(area.value);
      },
    },
    h("label", { for: "paste" }, "Another position: paste a FEN or a game (PGN), or drop a file anywhere"),
    area,
    h("div", { class: "row" }, h("button", { type: "submit" }, "Show it"), file, h("label", { for: "open", class: "button" }, "Open a file")),
    fault,
  );
  return { element, forget: () => (fault.textContent = "") };
}
