// Light by default, dark when the system asks for it, or as the reader chose. localStorage may throw on file://.
const KEY = "tlparse-theme";
export type Theme = "light" | "dark";

export function initTheme(): void {
  const kept = read();
  if (kept) document.documentElement.dataset.theme = kept;
}

export function theme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function toggleTheme(): Theme {
  const next = theme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // not kept, but it holds for this page
  }
  return next;
}

function read(): Theme | null {
  try {
    const text = localStorage.getItem(KEY);
    return text === "light" || text === "dark" ? text : null;
  } catch {
    return null;
  }
}

/** Calls when the page's colors change, by its switch or by the system: canvases have to be redrawn. Returns a function that stops it. */
export function onColors(changed: () => void): () => void {
  const chosen = new MutationObserver(changed);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  dark.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    dark.removeEventListener("change", changed);
  };
}
