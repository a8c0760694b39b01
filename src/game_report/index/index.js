"use strict";
// Searches and sorts the games. The page can be read without.
(() => {
  const find = (name) => document.querySelector(name);
  const [form, input, select, count, body] = [".search", ".search input", ".search select", "output", ".index tbody"].map(find);
  // Letters without their marks, so that "malo" finds "Malö".
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const games = [...body.rows].map((row) => ({
    row,
    text: plain(row.textContent),
    result: row.querySelector(".result").textContent,
    cells: [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent),
  }));

  const search = () => {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text, result } of games) {
      const fits = words.every((word) => text.includes(word)) && (select.value === "" || result === select.value);
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    count.textContent = shown === games.length ? `${shown} ${shown === 1 ? "game" : "games"}` : `${shown} of ${games.length} games`;
    find(".none").hidden = shown > 0;
  };

  const headings = [...document.querySelectorAll(".index thead th")];
  const sort = (column) => {
    const heading = headings[column];
    const is_number = heading.dataset.kind === "number";
    // Numbers begin with the largest.
    const first = is_number && column > 0 ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    const order = heading.getAttribute("aria-sort") === first ? second : first;
    headings.forEach((it) => it.setAttribute("aria-sort", it === heading ? order : "none"));
    const sign = order === "ascending" ? 1 : -1;
    const compare = is_number ? (a, b) => Number(a) - Number(b) : new Intl.Collator("en", { numeric: true }).compare;
    games.sort((a, b) => sign * compare(a.cells[column], b.cells[column]));
    body.append(...games.map(({ row }) => row));
  };
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(column));
    heading.append(button);
    heading.setAttribute("aria-sort", column === 0 ? "ascending" : "none");
  });

  const player = find(".player");
  if (player) {
    const tables = [...document.querySelectorAll(".habits table")];
    const choose = () => tables.forEach((it, place) => (it.hidden = place !== player.control.selectedIndex));
    player.addEventListener("change", choose);
    player.hidden = false;
    choose();
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", search);
  select.addEventListener("change", search);
  form.hidden = false;
  // What the browser has kept in the fields.
  search();
})();
