// As the reader left it; without a store, as the system has it.
document.documentElement.classList.add("script");
try {
  const theme = localStorage.getItem("vop3p-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // A page from disk may have no store.
}
