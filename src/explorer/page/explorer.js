// The tree to unfold: rows are made for unfolded branches only, numbers are counted for the target that is asked for.
(() => {
  const started = performance.now();
  const record = JSON.parse(document.getElementById("data").textContent);
  const { uci, san, state, value, up, down, turn } = record.tree;
  const children = new Uint16Array(record.tree.children);
  const count = children.length;
  const counts = record.numbers === "conspiracy";
  const WIN = 32000;
  const DECIDED = 30000;

  const shape = shapeOf(children);
  const { first, parent, ply } = shape;
  const attacks = counts || record.attacker === record.side_to_move;
  const isMax = (node) => (ply[node] % 2 === 0) === attacks;
  const settled = (it) => (it > DECIDED ? WIN : it < -DECIDED ? -WIN : it);

  const worth = counts ? Int16Array.from(value, settled) : new Int16Array(count);
  const isFinal = Uint8Array.from(state, (it) => (it === "t" ? 1 : 0));
  const counted = (target, raise) => countConspirators(shape, worth, isFinal, target, raise);

  // Targets: every value that some node has, those next to the root's, a win and a loss.
  const root = worth[0];
  const targets = counts
    ? [...new Set([...new Set(worth), settled(record.lower), settled(record.higher), WIN, -WIN])].sort((a, b) => a - b)
    : [-1, 1];
  const cost = (target) => (target > root ? counted(target, true)[0] : target < root ? counted(target, false)[0] : 0);
  let [ups, downs] = [up, down].map((given) => Uint32Array.from(given, (it) => it ?? INFINITE));
  let at = 0;
  let target = targets[0];
  let threshold = 2;
  let selected = 0;
  let path = new Set();
  let conspirators = new Set();
  let ways = new Set();
  const raises = () => (counts ? target >= root : target > 0);
  const numbers = () => (raises() ? ups : downs);
  const isOr = (node) => raises() === isMax(node);

  const shown = (number) => (number === INFINITE ? "∞" : String(number));
  const told = (it) => {
    if (it > DECIDED) return it === WIN ? "won" : `#${Math.ceil((WIN - it) / 2)}`;
    if (it < -DECIDED) return it === -WIN ? "lost" : `#-${Math.floor((WIN + it) / 2)}`;
    return (it < 0 ? "−" : "+") + (Math.abs(it) / 100).toFixed(2);
  };
  const side = record.side_to_move === "white" ? "White" : "Black";
  const name = (node) => san[node] || "root";
  const range = (node) => childrenOf(shape, node);

  // Where a descent goes on below a node: a candidate, by the search's rule; nothing where it ends.
  const isTaken = (node) => {
    const all = numbers();
    return (child) => (isOr(node) ? all[child] === all[node] : all[child] > 0);
  };
  const next = (node) => {
    const all = numbers();
    if (children[node] === 0 || all[node] === 0 || all[node] === INFINITE) return null;
    const candidates = range(node).filter(isTaken(node));
    if (candidates.length === 0) return null;
    const inTurn = counts && (isOr(node) ? record.rule.startsWith("OR RR") : record.rule === "OR RR + AND RR");
    const from = first[node] + (inTurn ? turn[node] % children[node] : 0);
    return candidates.find((child) => child >= from) ?? candidates[0];
  };
  // The root's likely range at a threshold: numbers grow with the distance, so halving will do.
  const ranges = new Map();
  const likely = (limit) => {
    if (ranges.has(limit)) return ranges.get(limit);
    const end = (side) => {
      let [low, high] = [0, side.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (cost(side[middle]) < limit) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? root : side[low - 1];
    };
    const found = [end(targets.filter((it) => it < root).reverse()), end(targets.filter((it) => it > root))];
    ranges.set(limit, found);
    return found;
  };

  // What a column has on the way from the root to a node.
  const wayTo = (node, column) => {
    const way = [];
    for (let it = node; it > 0; it = parent[it]) way.unshift(column[it]);
    return way;
  };
  // The board at a node: moves are played as they come, legal as they are.
  const boardAt = (node) => {
    const squares = record.fen.split(" ")[0].replace(/\d/g, (digit) => " ".repeat(Number(digit))).replaceAll("/", "").split("");
    const index = (square) => square.charCodeAt(0) - 97 + 8 * (56 - square.charCodeAt(1));
    for (const m of wayTo(node, uci)) {
      const [from, to] = [index(m.slice(0, 2)), index(m.slice(2, 4))];
      const man = squares[from];
      const kind = man.toLowerCase();
      const row = from - (from % 8);
      const isOwn = squares[to] !== " " && (squares[to] === squares[to].toUpperCase()) === (man === man.toUpperCase());
      squares[from] = " ";
      if (kind === "k" && (isOwn || Math.abs(to - from) === 2)) {
        // Castling: as king takes rook, or as the king's two steps where the rook stands in the corner.
        const isShort = to > from;
        squares[isOwn ? to : row + (isShort ? 7 : 0)] = " ";
        squares[row + (isShort ? 6 : 2)] = man;
        squares[row + (isShort ? 5 : 3)] = kind === man ? "r" : "R";
        continue;
      }
      if (kind === "p" && from % 8 !== to % 8 && squares[to] === " ") squares[row + (to % 8)] = " ";
      const promoted = m[4];
      squares[to] = promoted ? (man === "P" ? promoted.toUpperCase() : promoted) : man;
    }
    const ranks = [];
    for (let row = 0; row < 64; row += 8) ranks.push(squares.slice(row, row + 8).join("").replace(/ +/g, (gap) => String(gap.length)));
    return ranks.join("/");
  };

  const why = (node) => {
    const all = numbers();
    const end = raises() ? "up" : "down";
    if (all[node] === 0) return counts ? "It is at the target already: nothing has to change here." : "Nothing is left to show here.";
    if (children[node] === 0) {
      if (state[node] === "t") return "Its value is final: nobody conspires here.";
      const others = conspirators.size > 1 ? ` with ${conspirators.size - 1} more` : "";
      return conspirators.has(node) ? `A leaf, and a conspirator: it has to change${others}.` : "A leaf: it counts as one that may be misjudged.";
    }
    if (all[node] === INFINITE) return "No number of leaves will do: what stands in the way is final.";
    const taken = range(node).filter(isTaken(node));
    const chosen = next(node);
    const several = taken.length === 1 ? "one child has it" : `${taken.length} children have it`;
    if (isOr(node)) {
      const rule = counts && taken.length > 1 ? ` (rule: ${record.rule})` : "";
      return `OR node: one child suffices to move it ${end}. The least number is ${shown(all[node])}; ${several}. The search would go on with ${name(chosen)}${rule}.`;
    }
    const standing = taken.length === 1 ? "one child stands" : `${taken.length} children stand`;
    return `AND node: all that stand in the way must move ${end}. ${standing} there; their numbers add up to ${shown(all[node])}. The search would go on with ${name(chosen)}.`;
  };

  // Rows.
  const tree = document.querySelector(".tree");
  const rows = new Map();
  const MOST = 400;
  const make = (tag, className, text = "") => {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  };
  const update = (node, row) => {
    const isConspirator = conspirators.has(node);
    row.classList.toggle("here", node === selected);
    const number = numbers()[node];
    row.classList.toggle("likely", number > 0 && number < threshold);
    row.classList.toggle("out", number >= threshold);
    row.classList.toggle("marked", isConspirator || ways.has(node));
    const [label, its, upward, downward] = row.children;
    const sign = label.lastChild;
    sign.textContent = isConspirator ? "●" : path.has(node) ? "▶" : state[node] === "t" ? "final" : "";
    sign.className = "sign " + (isConspirator ? "conspirator" : path.has(node) ? "next" : "end");
    upward.textContent = shown(ups[node]);
    downward.textContent = shown(downs[node]);
    its.textContent = counts ? told(value[node]) : "";
    row.setAttribute("aria-selected", String(node === selected));
    row.tabIndex = node === selected ? 0 : -1;
  };
  const rowOf = (node) => {
    const row = make("div", "node");
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", String(ply[node] + 1));
    row.dataset.node = String(node);
    const label = make("span", "name");
    const indent = Math.min(ply[node], 14) * (innerWidth < 760 ? 0.55 : 0.95);
    label.style.paddingLeft = `${indent}rem`;
    const twist = make("button", "twist", children[node] > 0 ? "▸" : "");
    twist.type = "button";
    twist.tabIndex = -1;
    twist.setAttribute("aria-hidden", "true");
    label.append(twist, make("span", "san", name(node)), make("span", "sign"));
    row.append(label, make("span", "v"), make("span", "u"), make("span", "d"));
    if (children[node] > 0) row.setAttribute("aria-expanded", "false");
    rows.set(node, row);
    update(node, row);
    return row;
  };
  const isUnfolded = (node) => rows.get(node)?.getAttribute("aria-expanded") === "true";
  const setUnfolded = (node, is) => {
    const row = rows.get(node);
    row.setAttribute("aria-expanded", String(is));
    row.firstChild.firstChild.textContent = is ? "▾" : "▸";
  };
  const unfold = (node) => {
    if (children[node] === 0 || isUnfolded(node)) return;
    setUnfolded(node, true);
    rows.get(node).after(...range(node).map(rowOf));
  };
  const fold = (node) => {
    if (!isUnfolded(node)) return;
    setUnfolded(node, false);
    let row = rows.get(node).nextSibling;
    while (row && ply[row.dataset.node] > ply[node]) {
      const after = row.nextSibling;
      rows.delete(Number(row.dataset.node));
      row.remove();
      row = after;
    }
  };
  const unfoldTo = (node) => wayTo(node, parent).forEach(unfold);

  const board = document.querySelector(".board");
  const tell = (selector, text) => (document.querySelector(selector).textContent = text);
  const line = (node) => {
    const fields = record.fen.split(" ");
    let number = Number(fields[5] ?? 1);
    let white = fields[1] !== "b";
    return wayTo(node, san)
      .map((move, index) => {
        const before = white ? `${number}. ` : index === 0 ? `${number}... ` : "";
        number += white ? 0 : 1;
        white = !white;
        return before + move;
      })
      .join(" ");
  };
  const show = () => {
    const going = next(selected);
    draw(board, {
      board: boardAt(selected),
      played: selected > 0 ? uci[selected] : null,
      best: going === null ? null : uci[going],
      caption: line(selected) || "The root",
    });
    tell(".path", line(selected) || "The root");
    const kind = `${isMax(selected) ? "MAX" : "MIN"} node, ${children[selected]} children`;
    const numbersTold = `${counts ? "↑" : "proof number "}${shown(ups[selected])}, ${counts ? "↓" : "disproof number "}${shown(downs[selected])}`;
    tell(".numbers", `${counts ? `value ${told(value[selected])}, ` : ""}${numbersTold} · ${kind}`);
    tell(".why", why(selected));
  };
  const select = (node, focus = true) => {
    const before = selected;
    unfoldTo(node);
    selected = node;
    for (const it of [before, node]) if (rows.has(it)) update(it, rows.get(it));
    show();
    if (focus) {
      rows.get(node).focus({ preventScroll: true });
      rows.get(node).scrollIntoView({ block: "nearest" });
    }
  };

  const slider = document.getElementById("target");
  const limit = document.getElementById("threshold");
  // Everything that depends on target and threshold.
  const refresh = () => {
    const all = numbers();
    path = new Set();
    for (let node = 0; node !== null; node = next(node)) if (node > 0) path.add(node);
    conspirators = new Set(smallestSet(shape, numbers(), isOr));
    ways = new Set();
    for (const leaf of conspirators) for (let it = leaf; it > 0 && !ways.has(it); it = parent[it]) ways.add(it);
    rows.forEach((row, node) => update(node, row));
    if (counts) {
      const way = target > root ? `${side} worth at least ` : target < root ? `${side} worth at most ` : "the root's value, ";
      tell("#target-told", way + told(target));
      const [low, high] = likely(threshold);
      tell("#threshold-told", `${threshold}: likely range ${told(low)} to ${told(high)}`);
      const open = all[0] < threshold;
      const leaves = all[0] === 1 ? "1 leaf" : `${shown(all[0])} leaves`;
      tell(
        ".verdict",
        target === root
          ? "The root is worth the target: nobody has to conspire."
          : all[0] === INFINITE
            ? "No conspiracy can bring the root there."
            : `It takes ${leaves} to bring the root there: ${open ? "likely at this threshold" : "ruled out at this threshold"}.`,
      );
    } else {
      const attacker = record.attacker === "white" ? "White" : "Black";
      const within = record.within_plies === null ? "" : ` within ${record.within_plies} plies`;
      tell("#target-told", raises() ? `${attacker} wins${within}` : `${attacker} does not win${within}`);
      tell("#threshold-told", String(threshold));
      tell(".verdict", all[0] === 0 ? "That is proven." : all[0] === INFINITE ? "That is ruled out." : `The number of the root is ${shown(all[0])}.`);
    }
    show();
  };
  const aim = (index) => {
    at = Math.max(0, Math.min(targets.length - 1, index));
    target = targets[at];
    slider.value = String(at);
    if (counts) [ups, downs] = [counted(target, true), counted(target, false)];
    refresh();
  };
  // The end of the likely range that is farther from the root's value, the lower of equals.
  const aimOfSearch = () => {
    if (!counts) return targets.length - 1;
    const [low, high] = likely(threshold);
    const index = (it) => targets.indexOf(it);
    const step = (it) => Math.round(it / Math.max(record.grain, 1));
    return step(high) - step(root) > step(root) - step(low) ? index(high) : index(low);
  };

  slider.max = String(targets.length - 1);
  limit.max = String(counts ? Math.max(20, 2 * record.threshold) : 50);
  threshold = counts ? Math.max(2, record.threshold + 1) : 2;
  limit.value = String(threshold);
  slider.addEventListener("input", () => aim(Number(slider.value)));
  limit.addEventListener("input", () => {
    threshold = Number(limit.value);
    refresh();
  });
  document.getElementById("aim").classList.toggle("none", !counts);
  document.getElementById("aim").addEventListener("click", () => aim(aimOfSearch()));
  document.getElementById("conspirators").addEventListener("click", () => {
    [...conspirators].slice(0, MOST / 8).forEach(unfoldTo);
    const [leaf] = conspirators;
    if (leaf !== undefined) select(leaf);
  });
  document.getElementById("fold").addEventListener("click", () => {
    fold(0);
    unfold(0);
    select(0);
  });

  const visible = (node, step) => {
    const row = rows.get(node);
    const other = step < 0 ? row.previousSibling : row.nextSibling;
    return other ? Number(other.dataset.node) : node;
  };
  const into = (node) => next(node) ?? (children[node] > 0 ? first[node] : node);
  const steps = {
    root: () => 0,
    parent: (node) => (node === 0 ? 0 : parent[node]),
    before: (node) => visible(node, -1),
    after: (node) => visible(node, 1),
    into,
    leaf: (node) => {
      let leaf = node;
      for (let it = node; it !== null; it = next(it)) leaf = it;
      return leaf;
    },
  };
  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => select(steps[button.dataset.step](selected)));
  }
  tree.addEventListener("click", (event) => {
    const row = event.target.closest(".node");
    if (!row) return;
    const node = Number(row.dataset.node);
    const isTwist = event.target.closest(".twist");
    if (isTwist || node === selected) (isUnfolded(node) ? fold : unfold)(node);
    // What is folded away cannot stay selected.
    const isHidden = !rows.has(selected);
    if (!isTwist || isHidden) select(node);
  });
  tree.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const keys = {
      ArrowUp: () => select(steps.before(selected)),
      ArrowDown: () => select(steps.after(selected)),
      ArrowRight: () => (children[selected] > 0 && !isUnfolded(selected) ? unfold(selected) : children[selected] > 0 && select(first[selected])),
      ArrowLeft: () => (isUnfolded(selected) ? fold(selected) : select(steps.parent(selected))),
      Enter: () => select(into(selected)),
      Home: () => select(0),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // The address can name a line: #e2e4,e7e5.
  const atAddress = () => {
    const moves = location.hash.slice(1).split(",").filter(Boolean);
    let node = 0;
    for (const m of moves) {
      const child = range(node).find((it) => uci[it] === m);
      if (child === undefined) break;
      node = child;
    }
    return node;
  };
  addEventListener("hashchange", () => select(atAddress()));

  // The value that is nearest to be reached, upwards or downwards.
  const isUpwards = (record.above ?? Infinity) <= (record.below ?? Infinity);
  tree.append(rowOf(0));
  aim(counts ? targets.indexOf(settled(isUpwards ? record.higher : record.lower)) : up[0] === null ? 0 : 1);
  unfold(0);
  select(atAddress(), false);
  document.documentElement.dataset.ready = (performance.now() - started).toFixed(1);
  document.documentElement.dataset.nodes = String(count);
})();
