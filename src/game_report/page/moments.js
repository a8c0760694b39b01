// The moments of a game as puzzles. `reached(ply)` is told when the answer to one is out.
const solve_moments = (game, puzzles, reached) => {
  for (const puzzle of puzzles) {
    const card = game.querySelector(`.moment[data-ply="${puzzle.ply}"]`);
    const [still, stage, steps, answer, solution] = [".still", ".solve", ".steps", ".answer", ".solution"].map((it) => card.querySelector(it));
    const button = (name) => card.querySelector(`[data-do="${name}"]`);
    let [line, at] = [puzzle.lines[0], -1];
    let is_over = false;
    const tell = (text, kind = "") => {
      answer.textContent = text;
      answer.className = "answer " + kind;
    };
    const step = (to) => {
      at = Math.max(-1, Math.min(line.length - 1, to));
      const [shown, move] = at >= 0 ? line[at] : [puzzle.board, ""];
      board.end(shown, move);
    };
    const finish = (words, kind, answer = 0) => {
      is_over = true;
      line = puzzle.lines[answer];
      tell(`${words} ${puzzle.answer} ${puzzle.why}`, kind);
      step(0);
      const asking = ["hint", "show"].map(button);
      // What is hidden loses the focus.
      const had_focus = asking.includes(document.activeElement);
      for (const it of asking) it.hidden = true;
      if (had_focus) board.focus();
      for (const name of ["line-back", "line-on"]) button(name).hidden = line.length < 2;
      reached(puzzle.ply);
    };
    const board = solving_board(stage, (move) => {
      const answer = puzzle.held.indexOf(move);
      if (answer >= 0) {
        finish("Yes.", "right", answer);
      } else if (move === puzzle.played) {
        tell(`${puzzle.why} Try again.`, "wrong");
      } else {
        tell("That is not the move. Try again.", "wrong");
      }
    });
    const actions = {
      hint: () => {
        const from = puzzle.held[0].slice(0, 2);
        board.take(from);
        tell(`The piece on ${from} moves.`);
      },
      show: () => finish("This it is:", ""),
      "line-back": () => step(at - 1),
      "line-on": () => step(at + 1),
    };
    for (const name of Object.keys(actions)) {
      button(name).addEventListener("click", () => actions[name]());
    }
    card.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const action = { h: "hint", s: "show" }[event.key.toLowerCase()];
      if (action && !is_over) {
        actions[action]();
      } else if (stage.contains(event.target) && board.key(event.key)) {
        event.preventDefault();
      } else if (event.key !== "Home" && event.key !== "End") {
        return;
      }
      // The game is not stepped through meanwhile.
      event.stopPropagation();
    });
    still.hidden = true;
    solution.hidden = true;
    for (const shown of [stage, steps, answer]) shown.hidden = false;
    tell("Choose a piece, then where it goes.");
    board.begin(puzzle);
  }
};
