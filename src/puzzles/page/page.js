// The page of puzzles: which one is shown, what has become of each, and their lines.
(() => {
  const find = (name) => document.querySelector(name);
  const puzzles = JSON.parse(find(".data").textContent);
  if (puzzles.length === 0) {
    find(".none").hidden = false;
    return;
  }
  const [task, about, answer, score, all] = [".task", ".solve .about", ".answer", ".score", ".all"].map(find);
  // What has become of each: "", "solved" at the first go, "tried" in vain so far, "helped" or solved later.
  const states = puzzles.map(() => "");
  let at = 0;
  let puzzle = puzzles[0];
  let ply = -1;
  let is_over = false;

  const tell = (text, kind = "") => {
    answer.textContent = text;
    answer.className = "answer " + kind;
  };
  const mark = () => {
    [...all.querySelectorAll("button")].forEach((button, index) => {
      button.className = states[index] + (index === at ? " now" : "");
      button.setAttribute("aria-label", `Puzzle ${index + 1}, grade ${puzzles[index].grade} ${states[index]}`);
    });
    const count = (state) => states.filter((it) => it === state).length;
    score.textContent = `${count("solved")} of ${puzzles.length} solved at the first go, ${count("helped")} otherwise.`;
    find(".line").hidden = !is_over;
  };
  const show = (index) => {
    at = (index + puzzles.length) % puzzles.length;
    puzzle = puzzles[at];
    [ply, is_over] = [-1, false];
    task.textContent = `${puzzle.black ? "Black" : "White"} to move`;
    about.textContent = `Puzzle ${at + 1} of ${puzzles.length}, grade ${puzzle.grade}: ${puzzle.title}`;
    tell(`${puzzle.best.length === 1 ? "One move alone is best" : `${puzzle.best.length} moves are best`}. Choose a piece, then where it goes.`);
    board.begin(puzzle);
    mark();
  };
  const step = (to) => {
    ply = Math.max(-1, Math.min(puzzle.boards.length - 1, to));
    const [shown, move] = ply >= 0 ? puzzle.boards[ply] : [puzzle.board, ""];
    board.end(shown, move);
  };
  const finish = (words, kind) => {
    is_over = true;
    tell(`${words} ${puzzle.line}. ${puzzle.told}`, kind);
    step(0);
    mark();
  };
  const board = solving_board(find(".stage"), (move) => {
    if (puzzle.best.includes(move)) {
      states[at] = { "": "solved", tried: "helped" }[states[at]] ?? states[at];
      finish("Yes.", "right");
      return;
    }
    states[at] ||= "tried";
    tell("That is not the move. Try again.", "wrong");
    mark();
  });

  const actions = {
    back: () => show(at - 1),
    on: () => show(at + 1),
    hint: () => {
      if (is_over) return;
      states[at] = "helped";
      const from = puzzle.best[0].slice(0, 2);
      board.take(from);
      tell(`The piece on ${from} moves.`);
      mark();
    },
    show: () => {
      if (is_over) return;
      states[at] = "helped";
      finish(`${puzzle.san} it is.`, "");
    },
    "line-back": () => step(ply - 1),
    "line-on": () => step(ply + 1),
  };
  for (const button of document.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => actions[button.dataset.do]());
  }
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const letters = { n: "on", p: "back", h: "hint", s: "show" };
    const action = letters[event.key.toLowerCase()];
    if (action) {
      actions[action]();
    } else if (!document.activeElement?.closest(".all") && board.key(event.key)) {
      event.preventDefault();
    }
  });

  all.append(
    ...puzzles.map((it, index) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = index + 1;
      button.title = `grade ${it.grade}`;
      button.addEventListener("click", () => show(index));
      item.append(button);
      return item;
    }),
  );
  find(".solve").hidden = false;
  show(0);
})();
