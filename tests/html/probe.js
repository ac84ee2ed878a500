// Drives a report as a reader would, and writes what it saw as JSON into the page, or tells the page around it.
// `TASK` is what to look at.

const wait = (ms = 0) => new Promise((done) => setTimeout(done, ms));
const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
const causes = () => [...document.querySelectorAll("#causes > details:not([hidden])")].map((one) => one.id);
const openAll = () => document.querySelectorAll("details").forEach((one) => { one.open = true; });

function rgba(text) {
  const canvas = rgba.canvas ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = text;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
}

function luminance([red, green, blue]) {
  const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function behind(element) {
  for (let one = element; one; one = one.parentElement) {
    const color = rgba(getComputedStyle(one).backgroundColor);
    if (color[3] === 255) return color;
  }
  return rgba("Canvas");
}

// Texts with less contrast than WCAG 2.1 asks for at level AA: 4.5, of large text 3.
function faint() {
  const found = [];
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim();
    if (!text || !element.checkVisibility() || element.closest(".unseen, script, option")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [luminance(rgba(style.color)), luminance(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    count += 1;
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${element.tagName} ${element.className} ${text} ${ratio.toFixed(2)}`);
  }
  return { count, found: [...new Set(found)].slice(0, 20) };
}

// What sticks out to the right of the window, other than within what scrolls by itself.
function wide() {
  const width = document.documentElement.clientWidth;
  const scrolls = (one) => {
    for (; one !== document.body; one = one.parentElement) {
      if (/auto|scroll|hidden/.test(getComputedStyle(one).overflowX)) return true;
    }
    return false;
  };
  const found = shown("body *").filter((one) => one.getBoundingClientRect().right > width + 0.5)
    .filter((one) => !scrolls(one.parentElement))
    .map((one) => `${one.tagName} ${one.className}`);
  return { width, page: document.documentElement.scrollWidth, found: found.slice(0, 10) };
}

const key = (name, on = document.activeElement) => {
  on.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
};
const cell = (opcode, target) => {
  const rows = [...document.querySelectorAll("#map tr[data-row]")];
  const row = rows.find((one) => one.cells[0].textContent === opcode);
  const heads = [...document.querySelectorAll("#map thead tr:nth-child(2) th")].map((one) => one.textContent);
  return row.cells[heads.indexOf(target) + 1];
};

const TASKS = {
  // Which causes each address leaves.
  async addresses(addresses) {
    const left = {};
    for (const address of addresses) {
      location.hash = address;
      await wait(30);
      left[address] = causes();
    }
    return left;
  },

  // What typing leaves, and what the address is then.
  async typed(texts) {
    const search = document.getElementById("search");
    const left = {};
    for (const text of texts) {
      search.value = text;
      search.dispatchEvent(new Event("input"));
      left[text] = { causes: causes(), hash: location.hash, count: document.getElementById("count").textContent };
    }
    return left;
  },

  // The cells of the map, each drawn anew: under a filter that leaves nothing and back, or of another sweep and back.
  async redrawn() {
    const said = (one) => `${one.className}|${one.textContent}|${one.title}`;
    const cells = () => [...document.querySelectorAll("#map td")].map(said);
    const search = document.getElementById("search");
    const sweep = document.getElementById("sweep");
    const main = sweep.value;
    const seen = {};
    search.value = "leaves nothing";
    search.dispatchEvent(new Event("input"));
    await wait(300);
    seen.empty = cells().filter((cell) => /^h/.test(cell)).length;
    search.value = "";
    search.dispatchEvent(new Event("input"));
    await wait(300);
    seen.filtered = cells();
    for (const value of ["0", main]) {
      sweep.value = value;
      sweep.dispatchEvent(new Event("change"));
    }
    seen.swept = cells();
    return seen;
  },

  // Milliseconds from a key to the next frame, and how many causes are left.
  async speed(texts) {
    const search = document.getElementById("search");
    const times = {};
    for (const text of texts) {
      const start = performance.now();
      search.value = text;
      search.dispatchEvent(new Event("input"));
      document.body.getBoundingClientRect();
      times[text] = { ms: performance.now() - start, left: causes().length };
    }
    return times;
  },

  async contrast() {
    openAll();
    const result = {};
    for (const theme of ["light", "dark"]) {
      document.documentElement.dataset.theme = theme;
      for (const box of document.querySelectorAll(".option")) box.checked = true;
      result[theme] = faint();
    }
    return result;
  },

  async width() {
    openAll();
    for (const box of document.querySelectorAll(".option")) box.checked = true;
    await wait(50);
    return wide();
  },

  // Chips, the map, the keys, as a reader uses them.
  async tour() {
    const seen = {};
    const settle = () => wait(200);
    const press = (name) => [...document.querySelectorAll(".chip")].find((one) => one.dataset.value === name).click();
    const state = () => ({ causes: causes(), hash: location.hash });
    press("llvm-wrong");
    await settle();
    seen.chip = state();
    seen.pressed = shown('.chip[aria-pressed="true"]').map((one) => one.dataset.value);
    const count = (one) => [one.dataset.value, one.querySelector(".of").textContent];
    seen.counts = Object.fromEntries([...document.querySelectorAll(".chip")].map(count));
    seen.mapUnderFilter = [cell("V_PK_FMA_F16", "gfx900").textContent, cell("V_PK_FMA_F16", "gfx1250").textContent];
    press("crash");
    seen.two = state();
    document.getElementById("clear").click();
    seen.cleared = state();

    cell("V_PK_FMA_F16", "gfx900").click();
    seen.cell = state();
    seen.search = document.getElementById("search").value;
    await settle();
    seen.hits = document.querySelectorAll("#map .hit").length;
    document.getElementById("clear").click();
    cell("V_PK_ADD_F16", "gfx900").click();
    seen.emptyCell = state();
    await settle();
    document.getElementById("sweep").value = "0";
    document.getElementById("sweep").dispatchEvent(new Event("change"));
    seen.other = ["gfx900", "gfx1100", "gfx1100:w64", "gfx1250"].map((target) => cell("V_PK_ADD_F16", target))
      .map((one) => `${one.className}|${one.textContent}`);
    document.getElementById("sweep").value = "1";
    document.getElementById("sweep").dispatchEvent(new Event("change"));

    const start = cell("V_PK_ADD_F16", "gfx900");
    start.focus();
    key("ArrowRight");
    // gfx902 is not shown: it answers like gfx900.
    seen.right = document.getElementById("readout").textContent;
    key("ArrowDown");
    seen.down = document.getElementById("readout").textContent;
    key("ArrowUp");
    key("Enter");
    seen.enter = state();
    document.getElementById("clear").click();

    document.body.focus();
    key("/", document.body);
    seen.slash = document.activeElement.id;
    document.getElementById("search").blur();
    key("j", document.body);
    seen.j = document.activeElement.closest("details").id;
    key("j");
    key("j");
    key("k");
    seen.jjk = document.activeElement.closest("details").id;

    document.getElementById("close-all").click();
    seen.closed = document.querySelectorAll("#causes > details[open]").length;
    document.querySelector('#by-version a[href="#cause-src1-old"]').click();
    seen.link = { open: document.getElementById("cause-src1-old").open, hash: location.hash };
    location.hash = "search=kind:crash&at=cause-src1-old";
    await wait(30);
    seen.hiddenPlace = state();
    document.getElementById("theme").click();
    seen.theme = document.documentElement.dataset.theme;
    // A clipboard asks who wants it.
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { seen.copied = text; } } });
    document.querySelector(".copy").click();
    await wait(10);
    seen.copy = document.querySelector(".copy").textContent;
    dispatchEvent(new Event("beforeprint"));
    seen.printed = causes().every((id) => document.getElementById(id).open);
    return seen;
  },
};

addEventListener("load", async () => {
  const [name, given] = TASK;
  let result;
  try {
    result = await TASKS[name](given);
  } catch (error) {
    result = { error: `${error.message} ${error.stack}` };
  }
  const text = JSON.stringify(result);
  if (parent === window) {
    const place = document.body.appendChild(document.createElement("pre"));
    place.id = "probe";
    place.textContent = text;
  } else {
    parent.postMessage(text, "*");
  }
});
