// The map of opcodes and targets: its numbers for another sweep or under filters, its keyboard, its readout.

// As in number.rs.
function compact(number) {
  const tenths = (unit, name) => `${Math.floor(number / unit)}.${Math.floor(number / (unit / 10)) % 10}${name}`;
  if (number < 1e3) return String(number);
  if (number < 1e4) return tenths(1e3, "k");
  if (number < 1e6) return `${Math.floor(number / 1e3)}k`;
  if (number < 1e7) return tenths(1e6, "M");
  return `${Math.floor(number / 1e6)}M`;
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

const heat = (count) => (count < 10 ? "h1" : count < 100 ? "h2" : count < 1000 ? "h3" : "h4");

function makeMap(data, pick) {
  const table = document.getElementById("map");
  if (!table) return { draw() {}, mark() {} };
  const readout = document.getElementById("readout");
  const width = data.targets.length;
  const edges = [...table.tHead.rows[1].cells].map((cell) => cell.className);
  const rows = [];
  for (const row of table.querySelectorAll("tr[data-row]")) rows[row.dataset.row] = row;
  const cells = rows.map((row) => [...row.cells].slice(1));
  const absent = cells.map((row) => row.map((cell) => cell.classList.contains("x")));
  const bodies = [...table.tBodies];
  let sweep = data.main;
  // As the page is written.
  let shown = seen(data.causes);
  let focused = null;

  // The causes of each cell, by its number.
  function seen(causes) {
    const found = new Map();
    for (const cause of causes) {
      eachRun(cause, sweep, (opcode, first, last, count) => {
        for (let target = first; target <= last; target++) {
          const place = opcode * width + target;
          if (!found.has(place)) found.set(place, []);
          found.get(place).push([cause, count]);
        }
      });
    }
    return found;
  }

  function put(place, causes) {
    const [row, column] = [Math.floor(place / width), place % width];
    const cell = cells[row][column];
    let [name, text, title] = ["", "·", ""];
    if (causes) {
      const total = causes.reduce((sum, [, count]) => sum + count, 0);
      name = heat(total) + (causes.some(([cause]) => cause.new) ? " n" : "");
      text = compact(total);
      title = causes.map(([cause, count]) => `cause ${cause.number}: ${grouped(count)}`).join(", ");
    } else if (absent[row][column]) {
      [name, text] = ["x", ""];
    } else if (!data.sweeps[sweep].swept[column]) {
      [name, text] = ["u", "–"];
    }
    const marked = ["at", "hit"].filter((mark) => cell.classList.contains(mark));
    cell.className = [name, edges[column], ...marked].filter(Boolean).join(" ");
    cell.textContent = text;
    if (title) cell.title = title;
    else cell.removeAttribute("title");
  }

  const isSame = (a, b) => a && b && a.length === b.length
    && a.every(([cause, count], place) => cause === b[place][0] && count === b[place][1]);

  function draw(causes, which) {
    const isOther = which !== undefined && which !== sweep;
    if (isOther) sweep = which;
    const found = seen(causes);
    if (isOther) {
      for (let place = 0; place < rows.length * width; place++) put(place, found.get(place));
    } else {
      for (const place of shown.keys()) if (!found.has(place)) put(place, undefined);
      for (const [place, causes] of found) if (!isSame(shown.get(place), causes)) put(place, causes);
    }
    shown = found;
    const loud = new Set([...found.keys()].map((place) => Math.floor(place / width)));
    rows.forEach((row, place) => row.classList.toggle("quiet", !loud.has(place)));
    const isQuiet = (row) => row.classList.contains("quiet");
    for (const body of bodies) body.classList.toggle("quiet", [...body.rows].slice(1).every(isQuiet));
    table.dataset.quiet = String(loud.size === 0);
    const quiet = document.getElementById("quiet");
    if (quiet) quiet.textContent = String(rows.length - loud.size);
  }

  // Frames the cells that the search names.
  function mark(filter) {
    const isOne = filter.target && filter.opcode;
    for (const cell of table.querySelectorAll("td.hit")) cell.classList.remove("hit");
    if (!isOne) return;
    for (const row of filter.opcode) for (const column of filter.target) cells[row]?.[column]?.classList.add("hit");
  }

  function placeOf(cell) {
    const row = cell.closest("tr").dataset.row;
    return row === undefined || cell.tagName !== "TD" ? null : [Number(row), cell.cellIndex - 1];
  }

  function tell(cell) {
    const place = placeOf(cell);
    if (!place) return;
    const [row, column] = place;
    const [target, generation] = data.targets[column];
    const causes = shown.get(row * width + column);
    let text = `${data.opcodes[row]} on ${target} (${generation}): `;
    if (causes) {
      const total = causes.reduce((sum, [, count]) => sum + count, 0);
      const named = (cause) => `cause ${cause.number}, ${cause.title}${cause.new ? " (new)" : ""}`;
      text += `${grouped(total)} ${total === 1 ? "difference" : "differences"}: `
        + causes.map(([cause, count]) => `${grouped(count)} of ${named(cause)}`).join("; ");
    } else if (absent[row][column]) text += "no such opcode";
    else text += data.sweeps[sweep].swept[column] ? "no difference" : "not swept";
    readout.textContent = text;
  }

  function focus(cell) {
    if (focused) focused.tabIndex = -1;
    focused = cell;
    cell.tabIndex = 0;
    cell.focus();
  }

  const isShown = (cell) => cell.getClientRects().length > 0;

  // The next shown cell in a direction.
  function step(cell, down, right) {
    const place = placeOf(cell);
    if (!place) return;
    let [row, column] = place;
    for (;;) {
      row += down;
      column += right;
      const next = cells[row]?.[column];
      if (!next) return;
      if (isShown(next)) return focus(next);
    }
  }

  table.setAttribute("role", "grid");
  const first = () => cells.flat().find(isShown);
  table.parentElement.addEventListener("focus", () => { focused ??= first(); if (focused) focused.tabIndex = 0; });
  table.addEventListener("mouseover", (event) => { const cell = event.target.closest("td"); if (cell) tell(cell); });
  table.addEventListener("focusin", (event) => { if (event.target.tagName === "TD") tell(event.target); });
  const choose = (cell) => {
    const place = placeOf(cell);
    if (place && shown.has(place[0] * width + place[1])) pick(data.opcodes[place[0]], data.targets[place[1]][0]);
  };
  table.addEventListener("click", (event) => {
    const cell = event.target.closest("td");
    if (!cell || !placeOf(cell)) return;
    focus(cell);
    choose(cell);
  });
  table.addEventListener("keydown", (event) => {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.target.tagName !== "TD") return;
    if (moves[event.key]) step(event.target, ...moves[event.key]);
    else if (event.key === "Enter" || event.key === " ") choose(event.target);
    else return;
    event.preventDefault();
  });
  return { draw, mark };
}

