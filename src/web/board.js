const svg = "http://www.w3.org/2000/svg";
export const element = (name, attributes) => {
  const made = document.createElementNS(svg, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// The same picture that the page brings along for critical positions.
export const draw = (board, position) => {
  const men = element("g", { class: "men" });
  position.board.split("/").forEach((rank, y) => {
    let x = 0;
    for (const c of rank) {
      if (c >= "1" && c <= "8") {
        x += Number(c);
        continue;
      }
      const color = c === c.toUpperCase() ? "w" : "b";
      men.append(element("use", { href: "#" + c.toLowerCase(), class: color, x, y, width: 1, height: 1 }));
      x += 1;
    }
  });
  const center = (square) => [square.charCodeAt(0) - 96.5, 56.5 - square.charCodeAt(1)];
  const arrow = (move, kind) => {
    const [from, to] = [center(move.slice(0, 2)), center(move.slice(2, 4))];
    return element("path", { class: kind, d: `M${from.join(" ")}L${to.join(" ")}` });
  };
  const arrows = ["played", "best"].filter((kind) => position[kind]);
  board.replaceChildren(element("use", { href: "#squares" }), men, ...arrows.map((kind) => arrow(position[kind], kind)));
  board.setAttribute("aria-label", position.caption);
};
