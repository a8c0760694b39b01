// Lines of moves to click on.

import { h } from "../dom";

/** A line that stays where it is while what it says changes, so that no click and no focus is lost. */
export class LineButton {
  private moves: string[] = [];
  readonly element: HTMLButtonElement;

  constructor(look: (moves: string[]) => void) {
    this.element = h("button", { type: "button", class: "line", onclick: () => look(this.moves) });
  }

  set(moves: string[], text: string): void {
    this.moves = moves;
    this.element.textContent = text;
  }
}
