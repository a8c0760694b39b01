// The view of a position: board, verdict, what it hangs on, the tree, and whether a move is good.

import type { Score, VerdictLine } from "cassius";
import type { Color, Move } from "chessops/types";
import { CHANGES, FIRST, type Address, type News } from "../address";
import { Board, described, Peek, type Arrow } from "../board";
import { h } from "../dom";
import { hush, tell } from "../workers";
import { centipawnsOf, firstMove, forParent, told } from "../format";
import { setUp } from "../setup";
import { circle, fenOf, initial, InputError, isChess960, numbered, pgnOf, play, readFen, readMove, readStudy, toUci, type Study } from "../study";
import { type About, type Counted, HangsCard, type Preferred } from "./hangs";
import { gamesIn, inputField } from "./input";
import { JudgeCard } from "./judge";
import { nowAndThen, Searches, type Place } from "./searches";
import { TreeCard } from "./tree";
import { VerdictCard } from "./verdict";

const EXAMPLE = "Problem 2 of Win at Chess, Black to move. Play a move to have it judged; click a line to look along it.";
/** A search of fewer positions than this part of another's is no match for it. */
const COMPARABLE = 4;
/** Characters beyond which a text is cut into games before one is read. */
const LONG = 100_000;

export class PositionView {
  readonly element: HTMLElement;
  private study: Study;
  /** Moves beyond the position that are only looked at. */
  private ahead: string[] = [];
  /** How the line that is looked at goes on. */
  private beyond: string[] = [];
  private effort: number;
  /** The change that the reader asks about, if he has chosen one. */
  private change: number | null;
  private about: About = "preferred";
  private preferred: Preferred | null = null;
  /** The last verdict on each position that was thought about, by the moves that led there, for the side to move. */
  private readonly seen = new Map<string, { value: Score; nodes: number }>();
  /** Counts again, as another value has another change to ask about. */
  private readonly recount = nowAndThen(() => void this.searches.count());
  /** What was thought about last; nothing if its last move is still to be judged. */
  private begun: Study | null = null;
  /** Whether another view is shown: with a search under way when that came, or without. */
  private away: "searching" | "idle" | null = "idle";
  private hanging: Arrow[] = [];
  private pointed: string[] = [];

  private readonly board = new Board((move) => this.played(move));
  /** The same, small, beside what is said of the line looked at: a phone has no room for both board and lists. */
  private readonly peek = new Peek();
  private readonly place = h("p", { class: "place", "aria-live": "polite" });
  private readonly spoken = h("p", { class: "unseen" });
  private readonly aheadBar = h("div", { class: "ahead", hidden: true });
  private readonly reportButton = h("button", { type: "button", onclick: () => this.reportGame(this.game) }, "Report on this game");
  private readonly moveField = h("input", { id: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", size: 8, placeholder: "Nf3" });
  private readonly moveFault = h("p", { class: "error", role: "alert" });
  private readonly verdict: VerdictCard;
  private readonly hangs: HangsCard;
  private readonly judge: JudgeCard;
  private readonly treeCard: TreeCard;
  private readonly searches: Searches;
  private readonly input = inputField((text) => this.read(text));

  constructor(
    address: Address,
    /** The text that the game comes from; empty for moves that were played here. */
    private pgn: string,
    private readonly settled: (news: News) => void,
    private readonly reportGame: (pgn: string) => void,
  ) {
    [this.study, this.effort, this.change] = [address.study, address.effort, address.change];
    const look = (moves: string[], beyond?: string[]) => this.look(moves, beyond);
    const search = (moves: string[]) => void this.searchHere(moves);
    this.verdict = new VerdictCard({ effort: (level) => this.setEffort(level), toggle: () => (this.searches.isRunning ? this.searches.stop() : this.goOn(true)), look: (moves) => this.look(moves.slice(0, 1), moves.slice(1)) }, this.effort);
    this.hangs = new HangsCard({ about: (whose) => this.ask(this.change, whose), change: (by) => this.ask(by, this.about), look, point: (moves) => this.point(moves), search });
    this.judge = new JudgeCard({ ask: () => void this.judgeLast(), look });
    this.treeCard = new TreeCard({ look, search });
    this.searches = new Searches({
      running: (is) => this.verdict.setRunning(is),
      verdict: (verdict) => {
        const best = verdict.lines[0];
        if (verdict.over) this.setOver(true);
        this.verdict.show(verdict, best ? this.seenBetter(best, verdict.nodes) : null);
        if (best) {
          if (best.bound !== "lower") this.seen.set(this.passed.join(" "), { value: best.value, nodes: verdict.nodes });
          this.judge.follow(best.value);
        }
        const uci = best?.line.uci[0];
        const isNew = uci !== this.preferred?.move.uci;
        const isOther = !isNew && best && this.preferred?.value && told(best.value) !== told(this.preferred.value);
        this.preferred = best && uci ? { move: { uci, san: firstMove(best.line.san) }, value: best.value, line: best.line } : null;
        if (this.preferred) this.hangs.prefer(this.preferred);
        if (isNew && this.about === "preferred") void this.searches.count();
        else if (isOther) this.recount(null);
        this.drawArrows();
      },
      walked: (steps, side) => {
        const last = steps.at(-1);
        if (!last) return this.hangs.walk.giveUp();
        const moves = [...this.passed, ...last.before, ...last.played.line.uci];
        const { position } = play(this.study.start, moves);
        this.hangs.walk.show(steps, side, { position, circle: circle(this.study.start, moves), value: this.preferred?.value ?? null });
      },
      tree: (tree, engine) => {
        this.hangs.showTree(tree);
        this.treeCard.show(engine, tree);
      },
      counted: (counted, tree) => this.showCounted(counted, tree.side_to_move),
      question: () => ({ move: this.asked(), change: this.change }),
    });
    this.element = this.build();
    if (this.at().position.turn === "black") this.turn("black");
  }

  get state(): Pick<Address, "study" | "effort" | "change"> {
    return { study: this.study, effort: this.effort, change: this.change };
  }

  /** The game to be reported on; empty for a position. */
  get game(): string {
    return this.pgn || (this.study.moves.length > 0 ? pgnOf(this.study) : "");
  }

  /** The text of the game as far as it can be kept with the address. */
  get text(): string {
    return this.pgn.length > LONG ? "" : this.pgn;
  }

  /** Begins to think, or goes on where `stop` ended it when another view was shown. */
  start(): void {
    const wasSearching = this.away === "searching";
    this.away = null;
    this.show();
    if (this.begun === this.study) {
      if (wasSearching) this.goOn(false);
      return;
    }
    this.judge.offer(this.lastMove());
    this.think();
  }

  stop(): void {
    this.away = this.searches.isRunning ? "searching" : "idle";
    this.searches.stop();
    // What the board was about to draw would have no place any more.
    this.board.draw([]);
  }

  /** Shows what an address keeps, with the text of its game. */
  restore({ study, effort, change }: Address, pgn: string): void {
    this.effort = effort;
    this.verdict.setEffort(effort);
    const { start, moves, at } = this.study;
    if (study.start !== start) return this.open(study, pgn, change, "setting");
    this.pgn = pgn;
    // What was found about the position that is shown stays.
    if (study.at === at && study.moves.join() === moves.join()) return this.goOn(false);
    [this.study, this.change, this.ahead] = [study, change, []];
    this.moved("setting");
  }

  /** Another position or game; what was asked about the one before, and said of it, is forgotten. */
  open(study: Study, pgn = "", change: number | null = null, news: News = "game"): void {
    [this.study, this.pgn, this.change] = [study, pgn, change];
    this.ahead = [];
    this.seen.clear();
    hush();
    this.input.forget();
    this.turn(this.at().position.turn);
    this.moved(news);
  }

  /** Takes the text of a position or a game; of several games the first one. Throws what is wrong with it. */
  read(text: string): void {
    const study = readStudy(text.length > LONG ? (gamesIn(text)[0] ?? "") : text);
    this.open(study, study.moves.length > 0 ? text : "");
    if (study.flaw) tell(study.flaw);
  }

  key(name: string): boolean {
    const steps: Record<string, () => void> = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.study.moves.length),
      Escape: () => this.look([]),
    };
    steps[name]?.();
    return name in steps;
  }

  private build(): HTMLElement {
    const button = (label: string, text: string, act: () => void) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    const steps = h(
      "div",
      { class: "steps" },
      button("First position", "«", () => this.goTo(0)),
      button("Back", "‹", () => this.step(-1)),
      button("On", "›", () => this.step(1)),
      button("Last position", "»", () => this.goTo(this.study.moves.length)),
      button("Turn the board", "⇅", () => this.turn(this.board.orientation === "white" ? "black" : "white")),
    );
    const type = h(
      "form",
      {
        class: "row type",
        onsubmit: (event) => {
          event.preventDefault();
          this.typed();
        },
      },
      h("label", { for: "move" }, "Move"),
      this.moveField,
      h("button", { type: "submit" }, "Play"),
      h("button", { type: "button", onclick: () => setUp(fenOf(this.shown().position), this.board.orientation, (start) => this.open({ start, moves: [], at: 0 })) }, "Set up"),
      h("button", { type: "button", onclick: () => this.open(initial()) }, "New game"),
    );
    const left = h(
      "div",
      { class: "left" },
      this.board.element,
      this.spoken,
      this.aheadBar,
      steps,
      this.place,
      this.reportButton,
      type,
      this.moveFault,
      this.input.element,
    );
    const right = h("div", { class: "right" }, this.verdict.element, this.judge.element, this.hangs.element, this.treeCard.element);
    return h("div", { class: "position" }, left, right);
  }

  // ---------------------------------------------------------------- where the board stands

  private get passed(): string[] {
    return this.study.moves.slice(0, this.study.at);
  }

  /** The position that is thought about. */
  private at(): ReturnType<typeof play> {
    return play(this.study.start, this.passed);
  }

  /** The position on the board, which may lie ahead of it. */
  private shown(): ReturnType<typeof play> {
    return play(this.study.start, [...this.passed, ...this.ahead]);
  }

  private show(): void {
    const { position, sans, last } = this.shown();
    this.board.show(position, last);
    this.peek.show(position, last);
    this.spoken.textContent = described(position);
    const { at, start, moves } = this.study;
    this.reportButton.hidden = this.game === "";
    const game = play(start, moves).sans;
    const isExample = start === FIRST && game.length === 0;
    const text = isExample ? EXAMPLE : game.length === 0 ? "" : numbered(start, sans.slice(0, at));
    const rest = game.slice(at);
    this.place.replaceChildren(text, rest.length > 0 ? h("span", { class: "hint" }, ` ${numbered(start, rest.slice(0, 12), at)}${rest.length > 12 ? " …" : ""}`) : "");
    const ahead = numbered(start, sans.slice(at), at);
    this.aheadBar.hidden = this.ahead.length === 0;
    this.aheadBar.replaceChildren(
      this.peek.element,
      h("span", {}, `Looking ahead: ${ahead}`),
      h("span", { class: "row" },
        h("button", { type: "button", "aria-label": "Back along the line", onclick: () => this.step(-1) }, "‹"),
        h("button", { type: "button", "aria-label": "On along the line", disabled: this.beyond.length === 0, onclick: () => this.step(1) }, "›"),
        h("button", { type: "button", onclick: () => this.look([]) }, "Leave the line"),
        h("button", { type: "button", onclick: () => void this.searchHere(this.ahead) }, "Search here"),
        h("button", { type: "button", onclick: () => this.settle() }, "Go there"),
      ),
    );
    this.drawArrows();
  }

  private turn(orientation: Color): void {
    this.board.turn(orientation);
    this.peek.turn(orientation);
  }

  private drawArrows(): void {
    if (this.pointed.length > 0) this.board.draw(this.pointed.slice(0, 6).map((uci, index) => ({ uci, brush: "line", label: String(index + 1) })));
    else if (this.ahead.length > 0) this.board.draw([]);
    else this.board.draw([...this.hanging, ...(this.preferred ? [{ uci: this.preferred.move.uci, brush: "best" } as Arrow] : [])]);
  }

  private look(moves: string[], beyond: string[] = []): void {
    [this.ahead, this.beyond] = [moves, beyond];
    this.pointed = [];
    const [uci] = moves;
    if (uci) this.hangs.offer({ uci, san: this.nameOf([uci]) });
    this.show();
  }

  private point(moves: string[]): void {
    if (this.ahead.length > 0) return;
    this.pointed = moves;
    this.drawArrows();
  }

  /** What is looked at becomes the position. */
  private settle(): void {
    this.goAhead();
    this.moved("game");
  }

  private goAhead(): void {
    this.study = { ...this.study, moves: [...this.passed, ...this.ahead], at: this.study.at + this.ahead.length };
    this.ahead = [];
  }

  private goTo(at: number): void {
    // First of all back from what is only looked at: the search goes on.
    if (this.ahead.length > 0) return this.look([]);
    const to = Math.max(0, Math.min(this.study.moves.length, at));
    if (to === this.study.at) return;
    this.study = { ...this.study, at: to };
    this.moved("step");
  }

  private step(by: number): void {
    if (this.ahead.length === 0) return this.goTo(this.study.at + by);
    const line = [...this.ahead, ...this.beyond];
    const to = Math.min(line.length, this.ahead.length + by);
    this.look(line.slice(0, to), to > 0 ? line.slice(to) : []);
  }

  private typed(): void {
    try {
      this.played(readMove(this.shown().position, this.moveField.value));
      this.moveField.value = "";
      this.moveFault.textContent = "";
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.moveFault.textContent = error.message;
    }
  }

  /** A move on the board: it is judged, and the position behind it is thought about. */
  private played(move: Move): void {
    const uci = toUci(this.shown().position, move);
    if (this.ahead.length > 0) this.goAhead();
    const isNext = this.study.moves[this.study.at] === uci;
    const moves = isNext ? this.study.moves : [...this.passed, uci];
    this.study = { ...this.study, moves, at: this.study.at + 1 };
    this.moved("game", true);
  }

  private moved(news: News, isToBeJudged = false): void {
    this.moveFault.textContent = "";
    this.pointed = [];
    this.show();
    this.settled(news);
    const last = this.lastMove();
    this.judge.offer(last);
    if (!isToBeJudged) return this.think();
    this.clear();
    void this.judgeLast();
  }

  private lastMove(): string | null {
    const { sans } = this.at();
    return this.study.at === 0 ? null : numbered(this.study.start, sans.slice(-1), this.study.at - 1);
  }

  // ---------------------------------------------------------------- thinking

  private setEffort(level: number): void {
    this.effort = level;
    this.verdict.setEffort(level);
    this.settled("setting");
    this.goOn(false);
  }

  private goOn(again: boolean): void {
    this.searches.goOn(this.placeAfter(this.passed), this.effort, again);
  }

  /** Takes away what is known of the position before. */
  private clear(): void {
    this.preferred = null;
    this.about = "preferred";
    this.hanging = [];
    this.verdict.clear();
    this.hangs.clear();
    this.treeCard.clear();
    const { position } = this.at();
    this.setOver(position.isCheckmate() || position.isStalemate());
    this.drawArrows();
  }

  /** Where the game is over there is nothing to think about. */
  private setOver(is: boolean): void {
    this.element.classList.toggle("over", is);
  }

  private think(): void {
    this.begun = this.study;
    this.clear();
    this.searches.think(this.placeAfter(this.passed), this.effort);
  }

  /** A move other than the verdict's whose position was thought about before, with a better value by a comparable search. */
  private seenBetter({ value, line }: VerdictLine, nodes: number): { san: string; value: Score } | null {
    const passed = this.passed;
    const known = [...this.seen].filter(([key, seen]) => key !== "" && seen.nodes * COMPARABLE >= nodes);
    const moves = known.map(([key, seen]) => ({ path: key.split(" "), value: forParent(seen.value) }));
    const children = moves.filter(({ path }) => path.length === passed.length + 1 && [...passed, line.uci[0]].every((move, at) => (move === path[at]) === at < passed.length));
    const [best] = children.sort((one, other) => centipawnsOf(other.value) - centipawnsOf(one.value));
    if (!best || centipawnsOf(best.value) - centipawnsOf(value) < CHANGES[0]) return null;
    return { san: this.nameOf(best.path.slice(passed.length)), value: best.value };
  }

  private placeAfter(moves: string[]): Place {
    const fen = this.study.start;
    return { fen, moves, chess960: isChess960(readFen(fen)) };
  }

  private showCounted(counted: Counted, side: Color): void {
    this.hangs.show(counted, side);
    void this.treeCard.ask(counted.isOfMove ? counted.lead.uci : [], Math.abs(counted.chosen));
    const counts = new Map<string, number>();
    for (const { line } of counted.change.names) if (line.uci[0]) counts.set(line.uci[0], (counts.get(line.uci[0]) ?? 0) + 1);
    this.hanging = [...counts].map(([uci, count]) => ({ uci, brush: "hangs", count }));
    this.drawArrows();
  }

  /** The move that is asked about; nothing: whichever is best. */
  private asked(): Preferred | null {
    if (this.about === "any") return null;
    if (this.about === "preferred" || this.about === this.preferred?.move.uci) return this.preferred;
    const uci = this.about;
    const move = { uci, san: this.nameOf([uci]) };
    return { move, value: null, line: { uci: [uci], san: move.san } };
  }

  private ask(change: number | null, about: About): void {
    [this.change, this.about] = [change, about];
    this.hangs.choose(about);
    this.settled("setting");
    void this.searches.count().then(() => this.searches.deepenSoon());
  }

  /** Moves from the position that is thought about, as people write them. */
  private nameOf(path: string[]): string {
    return numbered(this.study.start, play(this.study.start, [...this.passed, ...path]).sans.slice(this.study.at), this.study.at);
  }

  private async searchHere(path: string[]): Promise<void> {
    const line = path.length === 0 ? "the root" : this.nameOf(path);
    this.hangs.waitFor(line);
    const outcome = await this.searches.searchBelow(path);
    if (!outcome) return;
    this.hangs.showMoved(outcome[0], line, outcome[1]);
    await this.treeCard.reveal(path);
  }

  /** Judges the move that led here, and then goes on with the position, if it is still the one on the board. */
  private async judgeLast(): Promise<void> {
    const study = this.study;
    const move = study.moves[study.at - 1];
    const name = this.lastMove();
    if (move === undefined || name === null) return;
    this.begun = null;
    this.judge.wait(name);
    const result = await this.searches.judgeMove(this.placeAfter(this.passed.slice(0, -1)), move, this.effort);
    // Another view was shown meanwhile: back here, the position is thought about anew.
    if (study !== this.study || this.away || this.begun === study) return;
    if (result) this.judge.show(result);
    else this.judge.offer(name);
    this.think();
  }
}
