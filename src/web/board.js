const svg = "http://www.w3.org/2000/svg";
export const element = (name, attributes) => {
  const made = document.createElementNS(svg, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// The men of a board as FEN has it, each with its column and its row from the upper left.
export const men_of = (board) =>
  board.split("/").flatMap((rank, y) => {
    const row = rank.replace(/\d/g, (empty) => " ".repeat(Number(empty)));
    return [...row].map((man, x) => ({ man, x, y })).filter(({ man }) => man !== " ");
  });
export const color = (man) => (man === man.toUpperCase() ? "w" : "b");

// The same picture that the page brings along for critical positions.
export const draw = (board, position) => {
  const men = element("g", { class: "men" });
  for (const { man, x, y } of men_of(position.board)) {
    men.append(element("use", { href: "#" + man.toLowerCase(), class: color(man), x, y, width: 1, height: 1 }));
  }
  const center = (square) => [square.charCodeAt(0) - 96.5, 56.5 - square.charCodeAt(1)];
  const arrow = (move, kind) => {
    const [from, to] = [center(move.slice(0, 2)), center(move.slice(2, 4))];
    return element("path", { class: kind, d: `M${from.join(" ")}L${to.join(" ")}` });
  };
  const arrows = ["played", "best"].filter((kind) => position[kind]);
  board.replaceChildren(element("use", { href: "#squares" }), men, ...arrows.map((kind) => arrow(position[kind], kind)));
  board.setAttribute("aria-label", position.caption);
};
