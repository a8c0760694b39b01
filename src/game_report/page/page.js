// Steps through the games: board, caption, marker and list follow. The page can be read without.
(() => {
  const start = (game) => {
    const { told, numbers, positions, moments, bars, odds } = JSON.parse(game.querySelector(".data").textContent);
    if (positions.length === 0) return null;
    const board = game.querySelector(".viewer .board");
    const caption = game.querySelector(".caption");
    const fen = game.querySelector(".fen");
    const list = game.querySelector(".list");
    const more = game.querySelector(".more input");
    const rows = [...game.querySelectorAll(".list tbody tr")];
    const costly = rows.flatMap((row, ply) => (row.classList.contains("costly") ? [ply] : []));
    const charts = [...game.querySelectorAll(".chart svg")];
    let at = Number(game.dataset.at);

    // What is told of a position, each with its name; what is empty is not known, and numbers are told on demand.
    const words = (row, parts) => {
      const move = row.querySelector("a").textContent.replace(/[?!]+$/, "");
      const mover = `${row.classList.contains("black") ? "Black" : "White"} to move`;
      const known = told.map((name, index) => (parts[index] && (more.checked || !numbers.includes(name)) ? `${name} ${parts[index]}`.trimStart() : ""));
      return [move === "end" ? mover : `${move} (${mover})`, ...known].filter(Boolean).join(" · ");
    };
    // The bar of a position, as the page brings it along for the one shown first.
    const draw_odds = ([win, draw, loss], standing) => {
      const box = game.querySelector(".odds");
      if (win === undefined) return box.replaceChildren();
      const bar = document.createElement("div");
      bar.setAttribute("aria-hidden", "true");
      for (const [kind, share] of [["w", win], ["d", draw], ["l", loss]]) {
        const part = document.createElement("i");
        part.className = kind;
        part.style.flex = share;
        part.textContent = share < 8 ? "" : share;
        bar.append(part);
      }
      const words = document.createElement("p");
      words.textContent = `${standing}: White wins ${win} %, draw ${draw} %, Black wins ${loss} %`;
      box.replaceChildren(bar, words);
    };
    const show = (ply, follow = true) => {
      at = Math.max(0, Math.min(positions.length - 1, ply));
      const [played, best, ...parts] = positions[at].slice(1);
      fen.value = positions[at][0];
      caption.textContent = words(rows[at], parts);
      draw_odds(bars[odds.charCodeAt(at) - 48], (rows[at].cells[4].firstChild?.data ?? "").split("→")[0].trim());
      const is_told = more.checked || rows[at].classList.contains("costly");
      draw(board, { board: fen.value.split(" ")[0], played, best: is_told ? best : "", caption: caption.textContent });
      rows.forEach((row, index) => row.classList.toggle("now", index === at));
      for (const chart of charts) {
        const x = Number(chart.dataset.left) + at * Number(chart.dataset.step);
        chart.querySelector(".now").setAttribute("transform", `translate(${x} 0)`);
      }
      if (follow) {
        const row = rows[at];
        const head = list.querySelector("thead").offsetHeight;
        if (row.offsetTop - head < list.scrollTop) list.scrollTop = row.offsetTop - head;
        const below = row.offsetTop + row.offsetHeight - list.clientHeight;
        if (below > list.scrollTop) list.scrollTop = below;
      }
    };
    const steps = {
      first: () => 0,
      back: () => at - 1,
      on: () => at + 1,
      last: () => positions.length - 1,
      "costly-back": () => costly.findLast((ply) => ply < at) ?? at,
      "costly-on": () => costly.find((ply) => ply > at) ?? at,
    };
    const step = (name) => show(steps[name]());

    game.querySelector(".viewer .steps").hidden = fen.hidden = false;
    fen.value = positions[at][0];
    fen.addEventListener("focus", () => fen.select());
    for (const button of game.querySelectorAll("[data-step]")) {
      if (button.tagName === "BUTTON") button.addEventListener("click", () => step(button.dataset.step));
    }
    more.addEventListener("change", () => show(at));
    for (const button of game.querySelectorAll(".jump")) button.hidden = costly.length === 0;
    rows.forEach((row, ply) =>
      row.addEventListener("click", (event) => {
        event.preventDefault();
        show(ply, false);
      }),
    );
    for (const chart of charts) {
      chart.addEventListener("click", (event) => {
        if (event.target.closest("a")) return;
        event.preventDefault();
        const box = chart.getBoundingClientRect();
        const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
        show(Math.round((x - Number(chart.dataset.left)) / Number(chart.dataset.step)));
      });
    }
    for (const link of game.querySelectorAll(".moment h4 a")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        show(Number(link.closest(".moment").dataset.ply));
        board.scrollIntoView({ block: "nearest" });
      });
    }
    solve_moments(game, moments, (ply) => show(ply));
    const show_address = () => {
      const match = /^#g(\d+)p(\d+)$/.exec(location.hash);
      if (match && "g" + match[1] === game.id) show(Number(match[2]));
    };
    addEventListener("hashchange", show_address);
    // The page has been made without the answer to a moment that is shown first.
    if (moments[0]?.ply !== at) show(at);
    show_address();
    return { game, step };
  };

  const games = [...document.querySelectorAll(".game")].map(start).filter(Boolean);
  // Keys move the game that is on the screen.
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  addEventListener("keydown", (event) => {
    const name = keys[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey) return;
    const seen = games.findLast(({ game }) => game.getBoundingClientRect().top < innerHeight / 2) ?? games[0];
    if (!seen) return;
    event.preventDefault();
    seen.step(name);
  });
})();
