// The pages that C writes whole (code, metrics, failures, guards, …): they read well as they are; this adds the theme's switch, the query of the
// address on their links, and colours for code.
import { toggleTheme } from "../lib/theme";
import { withSearch } from "../lib/urls";
import { bundle } from "../lib/tl";
import { longestLine } from "./width";

export function decorate(page: string): void {
  passSearchOn();
  addThemeSwitch();
  if (page === "provenance")
    bundle("highlight").then(
      (api) => api.startProvenance(),
      () => undefined,
    ); // the plain texts will do
  if (page !== "code") return;
  const pre = document.getElementById("code");
  if (!pre) return;
  pre.style.minWidth = `calc(${longestLine(pre.textContent ?? "")}ch + 72px)`;
  chooseByClick(pre);
  const lang = document.body.dataset.tlLang;
  if (lang && lang !== "text")
    bundle("highlight").then(
      (api) => api.colour(pre, lang),
      () => undefined,
    ); // plain text will do
}

function passSearchOn(): void {
  if (!location.search) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    const href = link.getAttribute("href")!;
    if (!/^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(href)) link.setAttribute("href", withSearch(href));
  }
}

function addThemeSwitch(): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain theme";
  button.textContent = "◐ Theme";
  button.addEventListener("click", () => toggleTheme());
  document.querySelector("body > header nav")?.append(button);
}

/** A click left of a line puts the line into the address. The numbers are drawn by the style sheet, left of the text. */
function chooseByClick(pre: HTMLElement): void {
  pre.addEventListener("click", (event) => {
    const line = (event.target as Element).closest<HTMLElement>("[id^=L]");
    if (!line || event.clientX > line.getBoundingClientRect().left + 52) return;
    location.hash = line.id;
  });
}
