// What can be typed into the search box, and which cause it is true of.

// Keys, and other names for them.
const KEYS = {
  target: "target", opcode: "opcode", op: "opcode", generation: "generation", gen: "generation", llvm: "llvm",
  kind: "kind", verdict: "verdict", field: "field", needs: "needs", direction: "direction", id: "id",
  new: "new", known: "known",
};

// Keys that ask for a cell: one cell of the cause must fulfil all of them at once.
const OF_CELL = ["target", "opcode", "generation", "llvm"];

// `-kind:crash "two words" target:gfx950` as terms.
function parse(text) {
  const terms = [];
  for (const [all, minus, name, rest] of text.matchAll(/(-?)([a-z]+:)?("[^"]*"?|\S*)/gi)) {
    const value = rest.replaceAll('"', "").toLowerCase();
    const key = name?.slice(0, -1).toLowerCase() ?? "";
    const not = minus === "-";
    if (Object.hasOwn(KEYS, key)) {
      // `-kind:` is still being typed.
      if (value || !not || key === "new" || key === "known") terms.push({ key: KEYS[key], value, not });
    } else if (all !== minus) {
      terms.push({ key: "text", value: `${name?.toLowerCase() ?? ""}${value}`, not });
    }
  }
  return terms;
}

// Places in a list of names in lower case: those that are the value, else those for which `near` holds.
function places(names, value, near) {
  const those = (is) => new Set(names.flatMap((name, place) => (is(name) ? [place] : [])));
  const exact = those((name) => name === value);
  return exact.size ? exact : those((name) => near(name, value));
}

const startsWith = (name, value) => name.startsWith(value);
const includes = (name, value) => name.includes(value);

// For each key of a cell the places that terms and buttons leave; nothing where none speaks of it.
function cellFilter(data, terms, chips) {
  const filter = {};
  const narrow = (key, set) => {
    filter[key] = filter[key] ? new Set([...filter[key]].filter((place) => set.has(place))) : set;
  };
  const { targets, generations, opcodes, llvms } = data.names;
  for (const { key, value } of terms) {
    if (key === "target") narrow("target", places(targets, value, startsWith));
    if (key === "generation") narrow("target", places(generations, value, startsWith));
    if (key === "opcode") narrow("opcode", places(opcodes, value, includes));
    if (key === "llvm") narrow("llvm", places(llvms, value, startsWith));
  }
  const ofChips = (names, chosen) => new Set(names.flatMap((name, place) => (chosen.has(name) ? [place] : [])));
  if (chips.generation?.size) narrow("target", ofChips(data.targets.map(([, name]) => name), chips.generation));
  if (chips.llvm?.size) narrow("llvm", ofChips(data.sweeps.map(({ label }) => label), chips.llvm));
  return filter;
}

// Calls `each(opcode, first, last, count)` for the runs of a cause in a sweep.
function eachRun(cause, sweep, each) {
  cause.runs ??= [];
  cause.runs[sweep] ??= !cause.cells[sweep] ? [] : cause.cells[sweep].split(";").flatMap((entry) => {
    const [opcode, runs] = entry.split(":");
    return runs.split(" ").map((run) => {
      const [span, count] = run.split("*");
      const [first, last = first] = span.split("-");
      return [Number(opcode), Number(first), Number(last), Number(count)];
    });
  });
  for (const run of cause.runs[sweep]) if (each(...run) === true) return true;
  return false;
}

// Whether some cell of the cause is left by the filter.
function hasCell(cause, filter) {
  if (!filter.target && !filter.opcode && !filter.llvm) return true;
  return cause.cells.some((_, sweep) => (!filter.llvm || filter.llvm.has(sweep))
    && eachRun(cause, sweep, (opcode, first, last) => {
      if (filter.opcode && !filter.opcode.has(opcode)) return false;
      if (!filter.target) return true;
      for (let target = first; target <= last; target++) if (filter.target.has(target)) return true;
      return false;
    }));
}

function isTrue(cause, { key, value, filter }) {
  switch (key) {
    case "text": return cause.text().includes(value);
    case "new": return cause.new;
    case "known": return !cause.new;
    case "needs": return cause.needs.some((need) => need.toLowerCase().startsWith(value));
    case "id": return cause.id.toLowerCase().includes(value);
    case "kind": case "verdict": case "field": case "direction": return cause[key].toLowerCase().startsWith(value);
    default: return hasCell(cause, filter);
  }
}

// The causes that are left by search and buttons.
function left(data, terms, chips) {
  const has = (key, value) => !chips[key]?.size || chips[key].has(value);
  const filter = cellFilter(data, terms.filter((term) => !term.not), chips);
  // What one cell must fulfil together is in the filter already.
  const rest = terms.filter((term) => term.not || !OF_CELL.includes(term.key))
    .map((term) => ({ ...term, filter: OF_CELL.includes(term.key) ? cellFilter(data, [term], {}) : null }));
  return data.causes.filter((cause) => has("state", cause.new ? "new" : "known") && has("verdict", cause.verdict)
    && has("kind", cause.kind) && rest.every((term) => isTrue(cause, term) !== term.not) && hasCell(cause, filter));
}

