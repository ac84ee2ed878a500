// What else the page does: copying, opening, the theme, keys.

const data = JSON.parse(document.getElementById("data").textContent);
const filter = makeFilter(data);
const causes = () => data.causes.map((cause) => cause.element).filter((element) => !element.hidden);

async function copy(button) {
  const code = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    // Without a clipboard the text is selected, to be copied by hand.
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
    return;
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".copy");
  if (button) copy(button);
});

for (const [id, open] of [["open-all", true], ["close-all", false]]) {
  document.getElementById(id)?.addEventListener("click", () => {
    for (const element of causes()) element.open = open;
  });
}

const theme = document.getElementById("theme");
const root = document.documentElement;
const THEMES = { "": "as the system", dark: "dark", light: "light" };

function nameTheme() {
  const name = THEMES[root.dataset.theme ?? ""];
  theme.querySelector("span").textContent = ` ${name}`;
  theme.setAttribute("aria-label", `Theme: ${name}`);
}

theme.addEventListener("click", () => {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(root.dataset.theme ?? "") + 1) % names.length];
  if (next) root.dataset.theme = next;
  else delete root.dataset.theme;
  try {
    localStorage.setItem("vop3p-theme", next);
  } catch {
    // A page from disk may have no store.
  }
  nameTheme();
});
nameTheme();

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea");
  if (event.key === "Escape" && event.target === filter.search) return filter.clear();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    filter.search.focus();
  }
  const step = { j: 1, k: -1 }[event.key];
  if (!step) return;
  const all = causes();
  const here = all.indexOf(document.activeElement.closest?.(".cause"));
  const next = all[here < 0 ? 0 : Math.min(Math.max(here + step, 0), all.length - 1)];
  next?.querySelector("summary").focus();
});

// Paper shows all that is left by the filters.
let closed = [];
addEventListener("beforeprint", () => {
  closed = causes().filter((element) => !element.open);
  closed.forEach((element) => { element.open = true; });
});
addEventListener("afterprint", () => closed.forEach((element) => { element.open = false; }));

if (matchMedia("(max-width: 700px)").matches) document.getElementById("filters").open = false;
filter.start();
