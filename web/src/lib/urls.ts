// Addresses of files of the report, and of places outside. Text of the log must never become a link that runs code.
import { folderAt, packed, placed, shownReport } from "./packed";

/** The way from this page to the report's folder: "" for index.html, "../" for pages in a compile id's folder. */
export function root(): string {
  return document.body.dataset.tlRoot ?? "";
}

/** An address of a file in the report, with the query of the page: some hosts carry a token there. */
export function withSearch(url: string, search: string = location.search): string {
  if (!search || url.startsWith("#")) return url;
  const hash = url.indexOf("#");
  const [path, end] = hash < 0 ? [url, ""] : [url.slice(0, hash), url.slice(hash)];
  return path + (path.includes("?") ? `&${search.slice(1)}` : search) + end;
}

/** http(s) addresses only; anything else is no link. */
export function outside(url: string | null | undefined): string | null {
  if (!url) return null;
  const text = url.trim();
  return /^https?:\/\/[^\s]+$/i.test(text) ? text : null;
}

/** A path inside the report as a link, or null when it has a scheme, leads to another host, or out of the folder, or if the file that holds the report
 *  lacks it. There, standalone pages have an address of their own. */
export function inside(path: string | null | undefined): string | null {
  if (!path || /^[a-z][a-z0-9+.-]*:/i.test(path) || /^[\s\\/]/.test(path)) return null;
  if (path.split(/[?#]/)[0]!.split(/[\\/]/).includes("..")) return null;
  const here = packed();
  if (here) return here.has(shownReport() + path) ? placed(`#/page/${encodeURIComponent(path)}`) : null;
  return root() + path;
}

/** The same for a path that is not yet encoded. */
export function insideEncoded(path: string | null | undefined): string | null {
  const safe = inside(path);
  return safe && (packed() ? safe : encodePath(safe));
}

/** The page of another report, at a place in it; `way` leads to its folder: "rank_3/", "../", "../run_2/". */
export function toReport(way: string, hash = "#/"): string {
  return packed() ? placed(hash, folderAt(way)) : withSearch(`${way}index.html${hash}`);
}

/** The last part of the folder of the report that is shown: "rank_3". */
export function ownFolder(): string | undefined {
  const path = packed() ? `/${shownReport()}` : location.pathname;
  const name = /\/([^/]+)\/[^/]*$/.exec(path)?.[1];
  return name === undefined || packed() ? name : decodeURIComponent(name);
}

/** A path of the report, not yet encoded, as a relative URL. The `#` of an anchor is kept when `anchor` is said. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
