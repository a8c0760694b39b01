import { color, element, men_of } from "./board.js";

// A board to solve puzzles on, with mouse, finger or keys. It knows no rules: a puzzle brings its legal moves along.
// `stage` has a `.grid` for the squares and a `.choice` for promotions; `play(move)` is told of each move, as UCI writes it.
export const solving_board = (stage, play) => {
  const [grid, choice] = [".grid", ".choice"].map((name) => stage.querySelector(name));
  const names = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
  let puzzle = { board: "8/8/8/8/8/8/8/8", black: false, legal: "" };
  let men = new Map();
  let last = "";
  let from = null;
  let is_hint = false;
  let cursor = "e4";
  let is_over = false;

  const read = (board) => new Map(men_of(board).map(({ man, x, y }) => ["abcdefgh"[x] + (8 - y), man]));
  const picture = (man) => {
    const drawing = element("svg", { viewBox: "0 0 1 1", class: color(man), "aria-hidden": "true" });
    drawing.append(element("use", { href: "#" + man.toLowerCase(), width: 1, height: 1 }));
    return drawing;
  };
  const label = (square) => {
    const man = men.get(square);
    return man ? `${square}, ${color(man) === "w" ? "white" : "black"} ${names[man.toLowerCase()]}` : square;
  };
  const moves_from = (start) => puzzle.legal.split(" ").filter((move) => move.startsWith(start));
  const squares = () => {
    const ranks = [8, 7, 6, 5, 4, 3, 2, 1];
    const files = [..."abcdefgh"];
    return puzzle.black ? [ranks.toReversed(), files.toReversed()] : [ranks, files];
  };
  const cell_of = (square) => grid.querySelector(`[data-square="${square}"]`);

  const draw_squares = () => {
    const had_focus = grid.contains(document.activeElement);
    const [ranks, files] = squares();
    const targets = from ? moves_from(from).map((move) => move.slice(2, 4)) : [];
    // Drawn by the style: the name of the square says it already.
    const note = (name, text) => {
      const it = Object.assign(document.createElement("i"), { className: name });
      it.dataset.text = text;
      return it;
    };
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
            const state = square === from ? ", chosen" : is_target ? ", can be moved to" : "";
            cell.setAttribute("aria-label", label(square) + state);
            if (square === from) cell.classList.add("from");
            if (is_target) cell.classList.add("target");
            if (is_target && men.has(square)) cell.classList.add("taken");
            if (last && (last.startsWith(square) || last.slice(2, 4) === square)) cell.classList.add("moved");
            if (men.has(square)) cell.append(picture(men.get(square)));
            if (rank === ranks[7]) cell.append(note("file", file));
            if (file === files[0]) cell.append(note("rank", rank));
            return cell;
          }),
        );
        return row;
      }),
    );
    if (had_focus) cell_of(cursor).focus();
  };
  // Without a choice of pieces. What is hidden loses the focus: it goes back to the board.
  const close = () => {
    const had_focus = choice.contains(document.activeElement);
    choice.hidden = true;
    draw_squares();
    if (had_focus) cell_of(cursor).focus();
  };
  const tell = (move) => {
    from = null;
    close();
    play(move);
  };
  const ask = (moves) => {
    choice.replaceChildren(
      ...moves.map((move) => {
        const button = document.createElement("button");
        button.type = "button";
        button.setAttribute("aria-label", names[move[4]]);
        button.append(picture(puzzle.black ? move[4] : move[4].toUpperCase()));
        button.addEventListener("click", () => tell(move));
        return button;
      }),
    );
    choice.hidden = false;
    choice.firstChild.focus();
  };
  // To the next piece of an open choice, or the one before.
  const walk = (step) => {
    const pieces = [...choice.children];
    const at = pieces.indexOf(document.activeElement) + step;
    pieces[Math.max(0, Math.min(pieces.length - 1, at))].focus();
  };
  const choose = (square) => {
    cursor = square;
    if (is_over) return;
    const moves = from ? moves_from(from + square) : [];
    if (moves.length > 1) {
      ask(moves);
    } else if (moves.length === 1) {
      tell(moves[0]);
    } else {
      // A piece that was taken up as a hint stays so when it is chosen.
      from = moves_from(square).length > 0 && (square !== from || is_hint) ? square : null;
      is_hint = false;
      draw_squares();
    }
  };
  grid.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-square]");
    if (cell) choose(cell.dataset.square);
  });

  return {
    // Begins a puzzle: `board` as FEN has it, `black` if Black moves, `legal` the moves, `last` the move before if known.
    begin(next) {
      [puzzle, men, last, from, is_over] = [next, read(next.board), next.last ?? "", null, false];
      close();
    },
    // No more moves are taken; shows a board and the move that led to it.
    end(board, move) {
      [men, last, from, is_over] = [read(board), move, null, true];
      close();
    },
    // To the square where the keys are.
    focus() {
      cell_of(cursor).focus();
    },
    // Takes a man up, instead of a choice that is open.
    take(square) {
      [from, is_hint] = [square, true];
      close();
    },
    // What a key does; whether it does anything.
    key(name) {
      if (name === "Escape") {
        from = null;
        close();
        return true;
      }
      const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      // To the end of a rank, or of a choice; elsewhere these keys are the page's.
      if (stage.contains(document.activeElement)) Object.assign(arrows, { Home: [-7, 0], End: [7, 0] });
      if (!arrows[name]) return false;
      const [right, down] = arrows[name];
      if (!choice.hidden) {
        walk(right + down);
        return true;
      }
      const [ranks, files] = squares();
      const clamp = (value) => Math.max(0, Math.min(7, value));
      const x = clamp(files.indexOf(cursor[0]) + right);
      const y = clamp(ranks.indexOf(Number(cursor[1])) + down);
      cell_of(cursor).tabIndex = -1;
      cursor = files[x] + ranks[y];
      cell_of(cursor).tabIndex = 0;
      cell_of(cursor).focus();
      return true;
    },
  };
};
