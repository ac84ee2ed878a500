// What is searched and filtered, in the page and in its address.

// Milliseconds without a key before numbers are counted anew.
const PAUSE = 120;

const GROUPS = ["state", "verdict", "kind", "generation", "llvm"];

function makeFilter(data) {
  const byId = (id) => document.getElementById(id);
  const search = byId("search");
  const chips = Object.fromEntries(GROUPS.map((key) => [key, new Set()]));
  const buttons = [...document.querySelectorAll(".chip")];
  const rows = [...document.querySelectorAll("#by-version tr[data-cause]")];
  const empty = [...document.querySelectorAll("[data-empty]")];
  let terms = [];
  let at = "";
  let waiting = 0;
  const map = makeMap(data, (opcode, target) => {
    const rest = search.value.replace(/(?:^|\s)(?:target|opcode|op):(?:"[^"]*"|\S+)/gi, "").trim();
    search.value = `${rest} target:${target} opcode:${opcode}`.trim();
    apply();
    byId("causes").scrollIntoView();
  });

  const lower = (names) => names.map((name) => name.toLowerCase());
  data.names = {
    targets: lower(data.targets.map(([name]) => name)),
    generations: data.targets.map(([, name]) => name),
    opcodes: lower(data.opcodes),
    llvms: lower(data.sweeps.map(({ label }) => label)),
  };
  data.causes.forEach((cause, place) => {
    cause.number = place + 1;
    cause.element = byId(cause.at);
    let text = null;
    cause.text = () => {
      const parts = () => [...cause.element.querySelectorAll(".find")].map((part) => part.textContent);
      text ??= [cause.id, ...parts()].join("\n").toLowerCase();
      return text;
    };
  });

  const isFiltered = () => search.value.trim() !== "" || GROUPS.some((key) => chips[key].size);

  // Readable where an address allows it.
  const encoded = (text) => encodeURIComponent(text).replaceAll("%20", "+").replaceAll("%3A", ":");

  function hash() {
    const parts = [];
    if (search.value.trim()) parts.push(`search=${encoded(search.value.trim())}`);
    for (const key of GROUPS) {
      if (chips[key].size) parts.push(`${key}=${[...chips[key]].map(encoded).join(",")}`);
    }
    if (at) parts.push(parts.length ? `at=${encoded(at)}` : encoded(at));
    return parts.join("&");
  }

  function remember(how) {
    const text = hash();
    if (text === location.hash.slice(1)) return;
    // Without a hash the address is that of the page.
    history[how](null, "", text ? `#${text}` : location.pathname + location.search);
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text.replaceAll("+", " "));
    } catch {
      return text;
    }
  }

  function read() {
    const text = location.hash.slice(1);
    search.value = "";
    for (const key of GROUPS) chips[key].clear();
    at = text.includes("=") ? "" : decoded(text);
    for (const part of text.includes("=") ? text.split("&") : []) {
      const [key, value = ""] = part.split(/=(.*)/s);
      if (key === "search") search.value = decoded(value);
      if (key === "at") at = decoded(value);
      if (GROUPS.includes(key)) value.split(",").filter(Boolean).forEach((one) => chips[key].add(decoded(one)));
    }
  }

  // How many causes a button would leave, beside what the other groups leave.
  function counted(button) {
    const { key, value } = button.dataset;
    const without = { ...chips, [key]: new Set([value]) };
    return left(data, terms, without).length;
  }

  function show() {
    terms = parse(search.value);
    const shown = new Set(left(data, terms, chips));
    for (const cause of data.causes) cause.element.hidden = !shown.has(cause);
    for (const row of rows) row.hidden = !shown.has(data.causes[row.dataset.cause - 1]);
    for (const part of empty) part.hidden = shown.size > 0;
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(chips[button.dataset.key].has(button.dataset.value)));
    }
    byId("count").textContent = `${shown.size} of ${data.causes.length}`;
    byId("clear").hidden = !isFiltered();
    clearTimeout(waiting);
    waiting = setTimeout(showNumbers, PAUSE, shown);
  }

  // What may lag behind the keys.
  function showNumbers(shown) {
    for (const button of buttons) {
      const count = counted(button);
      button.classList.toggle("zero", count === 0);
      button.querySelector(".of").textContent = String(count);
    }
    map.draw(shown);
    map.mark(cellFilter(data, terms.filter((term) => !term.not), {}));
  }

  function apply() {
    at = "";
    show();
    remember("replaceState");
  }

  // Goes to a place of the page; a cause that is filtered away is shown again.
  function go(id) {
    const place = id && byId(id);
    if (!place) return;
    if (place.hidden) {
      search.value = "";
      for (const key of GROUPS) chips[key].clear();
      show();
    }
    if (place.tagName === "DETAILS") place.open = true;
    place.scrollIntoView();
    (place.querySelector(":scope > summary") ?? place).focus({ preventScroll: true });
  }

  function clear() {
    search.value = "";
    for (const key of GROUPS) chips[key].clear();
    apply();
  }

  search.addEventListener("input", apply);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") byId("causes").scrollIntoView();
  });
  byId("clear").addEventListener("click", () => { clear(); search.focus(); });
  byId("sweep")?.addEventListener("change", (event) => {
    map.draw(data.causes.filter((cause) => !cause.element.hidden), Number(event.target.value));
  });
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const { key, value } = button.dataset;
      if (!chips[key].delete(value)) chips[key].add(value);
      apply();
    });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    at = link.hash.slice(1);
    go(at);
    remember("pushState");
  });
  addEventListener("hashchange", start);
  addEventListener("popstate", start);

  function start() {
    read();
    show();
    go(at);
  }

  return { start, clear, search };
}

