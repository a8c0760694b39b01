// The engines of the page, each in a worker of its own: one plays best and judges, one keeps a tree, one looks along lines.
// `position/searches.ts` and `game/view.ts` ask them most of the questions.

import { Cassius, CassiusError } from "cassius";
import { newWorker } from "virtual:engine";
import { h } from "./dom";

/** A module that only a browser with 128-bit vectors takes. */
const VECTORS = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** What this browser lacks, in words; `null` if it has all. */
export function lacking(): string | null {
  if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") return "WebAssembly and workers";
  if (!WebAssembly.validate(VECTORS)) return "WebAssembly with 128-bit vectors (in Chrome since 91, Firefox since 89, Safari since 16.4)";
  return null;
}

class Engine {
  private started: Promise<Cassius> | null = null;

  /** The engine; it starts when it is first asked for, and anew after it could not. */
  get(): Promise<Cassius> {
    this.started ??= newWorker().then((options) => new Cassius(options));
    this.started.catch(() => (this.started = null));
    return this.started;
  }
}

export const judging = new Engine();
export const keeping = new Engine();
export const looking = new Engine();

const messages = h("div", { class: "messages", role: "alert" });
document.body.prepend(messages);

/** Takes away what was told: it was about something else. */
export const hush = (): void => messages.replaceChildren();

/** Shows a message until it is closed. */
export function tell(text: string): void {
  const message = h("p", { class: "message" }, h("span", {}, text), h("button", { type: "button", "aria-label": "Close this message", onclick: () => message.remove() }, "×"));
  messages.replaceChildren(message);
}

/** Tells what went wrong, unless it was only stopped. */
export function tellFault(error: unknown): void {
  if (isStopped(error)) return;
  const text = error instanceof Error ? error.message : String(error);
  tell(isMemory(error) ? `${text}. Closing other tabs may help.` : text);
}

const isMemory = (error: unknown): boolean => error instanceof CassiusError && error.kind === "memory";

/** Searches with so much memory, in MiB, or with less where there is not so much. */
export async function withMemory<R>(megabytes: number, search: (hash: number) => Promise<R>): Promise<R> {
  try {
    return await search(megabytes);
  } catch (error) {
    if (!isMemory(error) || megabytes < 4) throw error;
    return withMemory(megabytes / 2, search);
  }
}

export const isRefused = (error: unknown): boolean => error instanceof CassiusError && error.kind === "input";
export const isStopped = (error: unknown): boolean => error instanceof CassiusError && error.kind === "stopped";
