// What one can go to by name: an index over the summary of a report and, once they are loaded, its kernels and settings.
import { address, toCompile } from "../lib/address";
import { baseName, firstLine, plural, words } from "../lib/text";
import { placed } from "../lib/packed";
import { shownValue } from "./config";
import { type Config, isCompile, stackName } from "./report";
import { isLibrary } from "./findings";
import { kernelTitle, type Kernel } from "./kernels";
import type { LineCost } from "./lines";
import { type Rank, rankName, rankUrl } from "./ranks";
import { findingsOf, logsOf } from "./runs";
import type { Store } from "./store";

/** In the order in which they are listed if they match equally well. */
export const KINDS = ["page", "compile", "rank", "issue", "line", "code", "op", "kernel", "setting", "search"] as const;
export type EntryKind = (typeof KINDS)[number];

export interface Entry {
  kind: EntryKind;
  title: string;
  about: string;
  href: () => string;
  /** in lower case: a name a line, the title first, then what else may be typed */
  text: string;
  /** where the names end in `text` */
  names: number;
}

export interface Found {
  entries: Entry[];
  /** how many matched; at most MOST of them, and MOST_OF_KIND of each kind, are in `entries` */
  count: number;
}

const MOST = 50;
const MOST_OF_KIND = 8;
const ABOUT = 160; // characters

function entry(
  kind: EntryKind,
  title: string,
  about: string,
  href: () => string,
  more: readonly (string | null | undefined)[] = [],
): Entry {
  const names = [title, ...more].filter(Boolean).join("\n").toLowerCase().replaceAll("\u00a0", " ");
  return { kind, title, about, href, text: `${names}\n${about.toLowerCase()}`, names: names.length };
}

/** A page as the index needs it: app/pages.ts has all of them. */
export interface PageName {
  title: string;
  href: string;
  letter?: string;
}

/** What the summary has: pages, compiles, findings, source lines, and the reports of ranks. */
export function baseEntries(store: Store, pages: readonly PageName[]): Entry[] {
  const { report } = store;
  const at = (place: { file: string; line: number }) => `${baseName(place.file)}:${place.line}`;
  const out = pages.map((page) => entry("page", page.title, page.letter ? `g ${page.letter}` : "", () => page.href));
  for (const compile of report.compiles) {
    const { frame } = compile;
    out.push(
      entry(
        "compile",
        store.name(compile.key),
        !isCompile(compile) ? "records without a compile" : frame ? `${frame.function}  ${at(frame)}` : "",
        () => toCompile(compile.key),
        [compile.key, compile.id, frame?.function, frame?.file],
      ),
    );
  }
  for (const rank of (report.ranks ?? []).flatMap(logsOf).filter((item: Rank) => item.dir && item.status !== "bad"))
    out.push(entry("rank", rankName(rank), rank.files.map(baseName).join(", "), () => rankUrl(rank.dir), [rank.dir]));
  for (const finding of findingsOf(report)) {
    const place = finding.place && typeof finding.place !== "string" ? finding.place : null;
    const home = finding.dirs?.[0];
    const href = finding.link ? placed(finding.link) : home ? rankUrl(home) : placed("#/");
    out.push(
      entry(
        "issue",
        finding.title.replaceAll("`", ""),
        place?.file ? `${baseName(place.file)}:${place.line}` : "",
        () => href,
      ),
    );
  }
  const lines = new Set<string>();
  const line = (place: { file: string; line: number }, what: string, href: () => string, code?: string | null) => {
    const path = `${place.file}:${place.line}`;
    const about = code ? `${what}  ${firstLine(code, ABOUT)}` : what;
    if (!place.line || lines.has(`${path} ${about}`)) return;
    lines.add(`${path} ${about}`);
    out.push(entry("line", at(place), about, href, [path]));
  };
  report.graph_breaks.forEach(({ place, stack, exception }, n) => {
    const href = () => address(["breaks"], { n: `${n}` });
    const what = exception ? "exception" : "graph break";
    if (place?.file) line({ file: place.file, line: place.line }, what, href, stack.at(-1)?.code);
  });
  for (const node of report.stacks) {
    const { compiles } = node;
    if (isLibrary(node) && !compiles.length) continue;
    line(
      node,
      compiles.length ? `${stackName(node)}, ${plural(compiles.length, "compile")}` : node.function,
      () => (compiles.length === 1 ? toCompile(compiles[0]!) : address(["stacks"], { q: `${node.file}:${node.line}` })),
      node.code,
    );
  }
  for (const { frame, stack, key } of report.compiles)
    if (frame && stack === null) line(frame, frame.function, () => toCompile(key));
  for (const cost of report.lines ?? []) out.push(codeEntry(cost));
  return out;
}

/** A line of source, opened with its graphs and its output code. */
function codeEntry({ file, line, text, function: name }: LineCost): Entry {
  const about = text ? firstLine(text, ABOUT) : name ? `begin of ${name}` : "";
  const href = () => address(["code", "line"], { file, line: `${line}` });
  return entry("code", `${baseName(file)}:${line}`, about, href, [`${file}:${line}`]);
}

/** What generated kernels and library calls compute, the lines that this comes from, and the kernels themselves. */
export function kernelEntries(kernels: readonly Kernel[]): Entry[] {
  const ops = new Map<string, number>();
  const names = new Map<string, number>();
  const lines = new Map<string, { title: string; about: string; kernels: number }>();
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  for (const kernel of kernels) {
    for (const op of new Set(kernel.ops)) add(ops, op);
    add(names, kernelTitle(kernel));
    for (const { file, line, function: name, code } of kernel.sources) {
      const key = `${file}:${line}`;
      const held = lines.get(key);
      if (held) held.kernels++;
      else {
        const about = [name, code && firstLine(code, ABOUT)].filter(Boolean).join("  ");
        lines.set(key, { title: `${baseName(file)}:${line}`, about, kernels: 1 });
      }
    }
  }
  const to = (q: string) => () => address(["kernels"], { q });
  return [
    ...[...ops].map(([op, n]) =>
      entry("op", op, plural(n, "kernel"), to(op), [op.slice(op.indexOf(".") + 1), op.replace(".", "::")]),
    ),
    ...[...names].map(([name, n]) => entry("kernel", name, n > 1 ? plural(n, "kernel") : "", to(name))),
    ...[...lines].map(([key, { title, about, kernels: n }]) =>
      entry("line", title, `${plural(n, "kernel")}  ${about}`, to(key), [key]),
    ),
  ];
}

export function settingEntries(configs: readonly Config[]): Entry[] {
  const values = new Map<string, { kind: string; key: string; shown: Set<string> }>();
  for (const { kind, values: settings } of configs)
    for (const [key, value] of Object.entries(settings ?? {})) {
      const name = `${kind}.${key}`;
      const held = values.get(name) ?? { kind, key, shown: new Set<string>() };
      held.shown.add(firstLine(shownValue(value), ABOUT));
      values.set(name, held);
    }
  return [...values].map(([name, { kind, key, shown }]) =>
    entry("setting", name, [...shown].slice(0, 3).join(" | "), () => address(["config"], { q: `${kind} ${key}` }), [
      key,
    ]),
  );
}

/** "[0/1_0]" as it is in the log -> "0/1". */
const normal = (query: string): string =>
  query
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/^((?:!\d+\/)?\d+\/\d+)_\d+$/, "$1");

const EXACT = 0;
const PREFIX = 1;
const WORD = 2;
const INSIDE = 3;
const WORDS = 4;
const NONE = 5;

function quality({ text, names }: Entry, query: string, wanted: readonly string[]): number {
  let best = NONE;
  for (let at = text.indexOf(query); at >= 0 && at < names; at = text.indexOf(query, at + 1)) {
    const before = at ? text[at - 1]! : "\n";
    if (before === "\n" && text[at + query.length] === "\n") return EXACT;
    best = Math.min(best, before === "\n" ? PREFIX : /\w/.test(before) && /\w/.test(query[0]!) ? INSIDE : WORD);
  }
  if (best < NONE) return best;
  return wanted.every((word) => text.includes(word)) ? WORDS : NONE;
}

/** "mod:12": a part of a file's name and a line. Tells entries of such a line; null if the query is not of this form. */
function partOfPlace(query: string): ((item: Entry) => boolean) | null {
  const found = /^(\S+):(\d+)$/.exec(query);
  if (!found) return null;
  const [, part, line] = found as unknown as [string, string, string];
  return ({ kind, title }) => {
    if ((kind !== "code" && kind !== "line") || !title.endsWith(`:${line}`)) return false;
    return title
      .slice(0, -line.length - 1)
      .toLowerCase()
      .includes(part);
  };
}

/** Whether the title has the letters of the query in this order: "grbr" is in "graph breaks". */
function inOrder({ text, title }: Entry, query: string): boolean {
  let at = -1;
  for (const letter of query) {
    at = text.indexOf(letter, at + 1);
    if (at < 0 || at >= title.length) return false;
  }
  return true;
}

/** The best matches, exact names first. Letters with gaps match only if nothing else does. */
export function find(entries: readonly Entry[], text: string): Found {
  const query = normal(text);
  if (!query) return { entries: entries.filter((item) => item.kind === "page"), count: 0 };
  const wanted = words(query);
  const place = partOfPlace(query);
  const kept = new Map<number, Entry[]>(); // by quality and kind
  const counts = new Map<EntryKind, number>();
  let count = 0;
  const keep = (item: Entry, rank: number) => {
    count++;
    counts.set(item.kind, (counts.get(item.kind) ?? 0) + 1);
    const key = rank * KINDS.length + KINDS.indexOf(item.kind);
    const list = kept.get(key);
    if (!list) kept.set(key, [item]);
    else if (list.length < MOST) list.push(item);
  };
  for (const item of entries) {
    const rank = Math.min(quality(item, query, wanted), place?.(item) ? INSIDE : NONE);
    if (rank < NONE) keep(item, rank);
  }
  if (!count && query.length > 1) {
    const letters = query.replaceAll(" ", "");
    for (const item of entries) if (inOrder(item, letters)) keep(item, NONE);
  }
  const limit = counts.size > 1 ? MOST_OF_KIND : MOST;
  const shown = new Map<EntryKind, number>();
  const out: Entry[] = [];
  for (const key of [...kept.keys()].sort((a, b) => a - b))
    for (const item of kept.get(key)!) {
      const n = shown.get(item.kind) ?? 0;
      if (n >= limit || out.length >= MOST) break;
      shown.set(item.kind, n + 1);
      out.push(item);
    }
  return { entries: out, count };
}
