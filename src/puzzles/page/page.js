"use strict";
// The board to solve puzzles on. It knows no rules: each puzzle brings its legal moves along.
(() => {
  const svg = "http://www.w3.org/2000/svg";
  const find = (name) => document.querySelector(name);
  const puzzles = JSON.parse(find(".data").textContent);
  if (puzzles.length === 0) {
    find(".none").hidden = false;
    return;
  }
  const names = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
  const [grid, choice, task, about, answer, score, all] = [".grid", ".choice", ".task", ".solve .about", ".answer", ".score", ".all"].map(find);
  // What has become of each: "", "solved" at the first go, "helped".
  const states = puzzles.map(() => "");
  let at = 0;
  let puzzle = puzzles[0];
  let men = new Map();
  let from = null;
  let cursor = "e4";
  let ply = -1;
  let is_over = false;

  const read = (board) => {
    const men = new Map();
    board.split("/").forEach((rank, y) => {
      let x = 0;
      for (const c of rank) {
        if (c >= "1" && c <= "8") {
          x += Number(c);
          continue;
        }
        men.set("abcdefgh"[x] + (8 - y), c);
        x += 1;
      }
    });
    return men;
  };
  const color = (man) => (man === man.toUpperCase() ? "w" : "b");
  const picture = (man) => {
    const drawing = document.createElementNS(svg, "svg");
    drawing.setAttribute("viewBox", "0 0 1 1");
    drawing.setAttribute("class", color(man));
    drawing.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(svg, "use");
    for (const [key, value] of Object.entries({ href: "#" + man.toLowerCase(), width: 1, height: 1 })) use.setAttribute(key, value);
    drawing.append(use);
    return drawing;
  };
  const legal = () => puzzle.legal.split(" ");
  const label = (square) => {
    const man = men.get(square);
    return man ? `${square}, ${color(man) === "w" ? "white" : "black"} ${names[man.toLowerCase()]}` : square;
  };

  const squares = () => {
    const ranks = [8, 7, 6, 5, 4, 3, 2, 1];
    const files = [..."abcdefgh"];
    return puzzle.black ? [ranks.toReversed(), files.toReversed()] : [ranks, files];
  };
  const draw = () => {
    const had_focus = grid.contains(document.activeElement);
    const [ranks, files] = squares();
    const targets = from ? legal().filter((move) => move.startsWith(from)).map((move) => move.slice(2, 4)) : [];
    const move = ply >= 0 ? puzzle.boards[ply][1] : "";
    grid.replaceChildren(
      ...ranks.map((rank) => {
        const row = document.createElement("div");
        row.setAttribute("role", "row");
        row.append(
          ...files.map((file) => {
            const square = file + rank;
            const cell = document.createElement("button");
            cell.type = "button";
            cell.setAttribute("role", "gridcell");
            cell.dataset.square = square;
            cell.tabIndex = square === cursor ? 0 : -1;
            cell.className = (files.indexOf(file) + ranks.indexOf(rank)) % 2 === 0 ? "light" : "dark";
            const is_target = targets.includes(square);
            cell.setAttribute("aria-label", label(square) + (is_target ? ", can be moved to" : ""));
            if (square === from) cell.classList.add("from");
            if (is_target) cell.classList.add("target");
            if (is_target && men.has(square)) cell.classList.add("taken");
            if (move && (move.startsWith(square) || move.slice(2, 4) === square)) cell.classList.add("moved");
            if (men.has(square)) cell.append(picture(men.get(square)));
            if (rank === ranks[7]) cell.append(Object.assign(document.createElement("i"), { className: "file", textContent: file }));
            if (file === files[0]) cell.append(Object.assign(document.createElement("i"), { className: "rank", textContent: rank }));
            return cell;
          }),
        );
        return row;
      }),
    );
    if (had_focus) cell_of(cursor).focus();
  };
  const cell_of = (square) => grid.querySelector(`[data-square="${square}"]`);

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
    [men, from, ply, is_over] = [read(puzzle.board), null, -1, false];
    choice.hidden = true;
    task.textContent = `${puzzle.black ? "Black" : "White"} to move`;
    about.textContent = `Puzzle ${at + 1} of ${puzzles.length}, grade ${puzzle.grade}: ${puzzle.title}`;
    tell("One move is better than all others. Choose a piece, then where it goes.");
    draw();
    mark();
  };
  const step = (to) => {
    ply = Math.max(-1, Math.min(puzzle.boards.length - 1, to));
    men = read(ply >= 0 ? puzzle.boards[ply][0] : puzzle.board);
    draw();
  };
  const finish = (words, kind) => {
    is_over = true;
    from = null;
    tell(`${words} ${puzzle.line}. ${puzzle.told}`, kind);
    step(0);
    mark();
  };
  const play = (move) => {
    from = null;
    choice.hidden = true;
    if (move === puzzle.best) {
      states[at] ||= "solved";
      finish("Yes.", "right");
      return;
    }
    states[at] = "helped";
    tell("That is not the move. Try again.", "wrong");
    draw();
    mark();
  };
  const ask = (moves) => {
    choice.replaceChildren(
      ...moves.map((move) => {
        const button = document.createElement("button");
        const man = puzzle.black ? move[4] : move[4].toUpperCase();
        button.type = "button";
        button.setAttribute("aria-label", names[move[4]]);
        button.append(picture(man));
        button.addEventListener("click", () => play(move));
        return button;
      }),
    );
    choice.hidden = false;
    choice.firstChild.focus();
  };
  const choose = (square) => {
    cursor = square;
    if (is_over) return;
    const moves = from ? legal().filter((move) => move.startsWith(from + square)) : [];
    if (moves.length > 1) {
      ask(moves);
      return;
    }
    if (moves.length === 1) {
      play(moves[0]);
      return;
    }
    const can_move = legal().some((move) => move.startsWith(square));
    from = can_move && square !== from ? square : null;
    draw();
  };

  const actions = {
    back: () => show(at - 1),
    on: () => show(at + 1),
    hint: () => {
      if (is_over) return;
      states[at] = "helped";
      from = puzzle.best.slice(0, 2);
      tell("This piece moves.");
      draw();
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
  grid.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-square]");
    if (cell) choose(cell.dataset.square);
  });
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const key = event.key;
    if (key === "Escape") {
      choice.hidden = true;
      from = null;
      draw();
      return;
    }
    const letters = { n: "on", p: "back", h: "hint", s: "show" };
    if (letters[key.toLowerCase()]) {
      actions[letters[key.toLowerCase()]]();
      return;
    }
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!arrows[key] || !choice.hidden || document.activeElement?.closest(".all")) return;
    event.preventDefault();
    const [ranks, files] = squares();
    const clamp = (value) => Math.max(0, Math.min(7, value));
    const x = clamp(files.indexOf(cursor[0]) + arrows[key][0]);
    const y = clamp(ranks.indexOf(Number(cursor[1])) + arrows[key][1]);
    cell_of(cursor).tabIndex = -1;
    cursor = files[x] + ranks[y];
    cell_of(cursor).tabIndex = 0;
    cell_of(cursor).focus();
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
