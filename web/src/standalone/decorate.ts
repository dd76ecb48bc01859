// The pages that C writes whole (code, metrics, failures, guards, …): they read well as they are; this adds the theme's switch, the query of the
// address on their links, and colors for code.
import { toggleTheme } from "../lib/theme";
import { isFramed, placed, within } from "../lib/packed";
import { inside, withSearch } from "../lib/address";
import { bundle } from "../lib/tl";
import { longestLine } from "./width";

export function decorate(page: string): void {
  if (isFramed()) leadOut();
  else passSearchOn();
  addThemeSwitch();
  if (page === "provenance")
    bundle("viewer").then(
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
    bundle("viewer").then(
      (api) => api.color(pre, lang),
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

/** In a frame of the file that holds the report: links to its page go there, and those to files that it lacks are text. */
function leadOut(): void {
  const own = decodeURIComponent(/^#\/page\/([^?]*)/.exec(within(window.parent.location.hash))?.[1] ?? "");
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    const to = wayOut(link.getAttribute("href")!, new URL(own.split("/").map(encodeURIComponent).join("/"), "tl:/"));
    if (to) link.setAttribute("href", to);
    else link.removeAttribute("href");
  }
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const href = link?.getAttribute("href") ?? "";
    if (!href.startsWith("#")) return;
    event.preventDefault(); // the base of addresses in a frame is that of the page around it
    (href.startsWith("#/") ? window.parent : window).location.hash = href;
  });
}

/** Where a link of a page leads in the file: to a line of the page, a place of the report, another page, outside, or nowhere. */
function wayOut(href: string, base: URL): string | null {
  if (href.startsWith("#")) return href;
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return null; // the frame may not leave the file
  const { pathname, hash } = new URL(href, base);
  const path = decodeURIComponent(pathname.slice(1));
  if (/^(tlparse_)?index\.html$/.test(path)) return placed(hash || "#/");
  const page = inside(path);
  return page && (hash ? `${page}?at=${encodeURIComponent(hash.slice(1))}` : page);
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
