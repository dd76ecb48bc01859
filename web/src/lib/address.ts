// Every place of the report has an address: `index.html#/c/0%2F1?L=12`. The hash holds a path and a query of its own. And addresses of files
// of the report, and of places outside: text of the log must never become a link that runs code.
import { useLayoutEffect, useState } from "preact/hooks";
import { folderAt, packed, placed, shownReport, within } from "./packed";

export interface Address {
  path: string[];
  query: Record<string, string>;
}

export function parse(hash: string): Address {
  const text = within(hash).replace(/^#?\/?/, "");
  const at = text.indexOf("?");
  const path = (at < 0 ? text : text.slice(0, at)).split("/").filter(Boolean).map(decode);
  const query = Object.fromEntries(new URLSearchParams(at < 0 ? "" : text.slice(at + 1)));
  return { path, query };
}

/** `#/c/0%2F1?L=12`; empty values of the query are left out. */
export function address(
  path: readonly (string | number)[],
  query: Record<string, string | null | undefined> = {},
): string {
  const items = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value) items.set(key, value);
  const text = items.toString();
  return placed(`#/${path.map((item) => encodeURIComponent(item)).join("/")}${text && `?${text}`}`);
}

export const toCompile = (id: string): string => address(["c", id]);
export const toArtifact = (id: string, n: number, lines?: string | null): string => address(["c", id, n], { L: lines });

/** "12" or "12-20" as [from, to], from 1. */
export function parseLines(text: string | undefined): [number, number] | null {
  const found = /^(\d+)(?:-(\d+))?$/.exec(text ?? "");
  if (!found) return null;
  const a = Number(found[1]);
  const b = Number(found[2] ?? found[1]);
  return a < 1 || b < 1 ? null : [Math.min(a, b), Math.max(a, b)];
}

export function formatLines(from: number, to: number): string {
  return from === to ? `${from}` : `${Math.min(from, to)}-${Math.max(from, to)}`;
}

/** One listener notifies all that follow the address: between two listeners, a part of the page would be drawn with the old rest. */
const followers = new Set<() => void>();
const notify = (): void => followers.forEach((follow) => follow());

/** Changes the address without a new entry in the history: for filters, the sort order, chosen lines. */
export function replaceAddress(hash: string): void {
  if (hash === location.hash) return;
  history.replaceState(history.state, "", hash);
  notify();
}

export function replaceQuery(changes: Record<string, string | null>): void {
  const now = parse(location.hash);
  replaceAddress(address(now.path, { ...now.query, ...changes }));
}

/** To a place of this page (`#/…`), or to another page. */
export function go(to: string): void {
  if (to.startsWith("#")) location.hash = to;
  else location.href = to;
}

export function useAddress(): Address {
  const [hash, setHash] = useState(location.hash);
  useLayoutEffect(() => {
    const changed = () => setHash(location.hash);
    if (!followers.size) window.addEventListener("hashchange", notify);
    followers.add(changed);
    changed();
    return () => {
      followers.delete(changed);
      if (!followers.size) window.removeEventListener("hashchange", notify);
    };
  }, []);
  return parse(hash);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % in an address typed by hand
  }
}

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
