// The page: three views, of which one is shown.

import "./style";
import { keep, kept, type News, readAddress, VIEWS, type View } from "./address";
import { h } from "./dom";
import { lacking, tell, tellFault } from "./workers";
import { GameView } from "./game/view";
import { LearnView } from "./learn/view";
import { textFrom } from "./position/input";
import { PositionView } from "./position/view";
import { InputError, looksLikeFen } from "./study";

const NAMES: Record<View, string> = { position: "Position", game: "Game", learn: "Learn" };

const main = document.querySelector("main")!;
const nav = document.querySelector("nav")!;
let address = readAddress(location.hash);

const views = {
  position: new PositionView(address, kept()?.pgn ?? "", (news) => keepAddress(news), (pgn) => report(pgn)),
  game: new GameView(),
  learn: new LearnView(),
};
const links = VIEWS.map((view) => h("a", { href: `#/${view}`, "data-view": view }, NAMES[view]));
nav.append(...links);

function keepAddress(news: News): void {
  address = { ...address, ...views.position.state };
  keep(address, views.position.text, news);
}

/** Shows a view; `isNew` unless the browser has an entry for it in its history. */
function show(view: View, isNew = false): void {
  views[address.view].stop();
  address.view = view;
  for (const link of links) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  main.replaceChildren(views[view].element);
  document.title = view === "position" ? "Cassius: what a chess verdict hangs on" : `${NAMES[view]} – Cassius`;
  // The game that is looked at is the one to report on, unless another was given.
  if (view === "game" && views.game.isEmpty && views.position.game) views.game.take(views.position.game, "game.pgn");
  views[view].start();
  keepAddress(isNew ? "game" : "setting");
}

function report(pgn: string): void {
  show("game", true);
  views.game.take(pgn, "game.pgn");
}

/** Takes what was dropped or pasted to where it belongs. */
async function take(data: DataTransfer): Promise<void> {
  try {
    const [file] = data.files;
    const text = await textFrom(data);
    if (address.view === "game" && !looksLikeFen(text)) {
      views.game.take(text, file?.name ?? "game.pgn");
      return;
    }
    if (address.view !== "position") show("position", true);
    views.position.read(text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    tell(error.message);
  }
}

addEventListener("hashchange", () => {
  const asked = readAddress(location.hash);
  // The navigation names a view alone: the position stays.
  // Settings stay, too, unless a link has come from outside.
  const [was, { effort }] = [kept(), address];
  if (location.hash.includes("?")) views.position.restore(was ? { ...asked, effort } : asked, was?.pgn ?? "");
  show(asked.view);
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer) void take(event.dataTransfer);
});
addEventListener("paste", (event) => {
  const target = event.target as HTMLElement | null;
  if (target?.closest("input, textarea") || !event.clipboardData) return;
  event.preventDefault();
  void take(event.clipboardData);
});
addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement | null;
  const isTaken = target?.closest("input, textarea, select, dialog, [role=tree]");
  if (address.view !== "position" || isTaken || event.altKey || event.ctrlKey || event.metaKey) return;
  if (views.position.key(event.key)) event.preventDefault();
});
addEventListener("beforeunload", (event) => {
  // A report under way is lost with the page.
  if (views.game.isBusy) event.preventDefault();
});
addEventListener("unhandledrejection", (event) => tellFault(event.reason));

const missing = lacking();
if (missing !== null) tell(`This browser lacks ${missing}. The board and the chapter work; the engine does not.`);
show(address.view);
// Only pages that are served can be kept for later; one that is a file is there anyway.
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) void navigator.serviceWorker.register("sw.js").catch(() => undefined);
