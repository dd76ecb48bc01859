// The size of the log by record kind, by compile id, or by both.
import { address, toCompile } from "../lib/address";
import type { LogPart, Report } from "./report";

export type By = "kind" | "compile" | "both";
export type Of = "bytes" | "records";

export interface Share {
  key: string;
  label: string;
  value: number;
  /** the address of what it represents */
  href: string | null;
  unknown: boolean;
  /** the index of its color: the same for a kind everywhere */
  color: number;
  inner?: Share[] | undefined;
}

type Log = Report["log"];
/** For each compile id of by_compile: [index into kinds, records, bytes]. */
export type Shares = LogPart;

const MOST = 48;

export function sharesOf(
  log: Log,
  by: By,
  of: Of,
  within: Shares | null,
  name: (key: string) => string = (key) => key,
): Share[] {
  if (by === "kind")
    return cut(
      withRest(
        log,
        log.kinds.map((_, i) => kindShare(log, i, log.kinds[i]![of])),
        of,
      ),
    );
  const ids = (log.by_compile ?? []).map((item, i): Share => ({
    key: item.id,
    label: name(item.id) === "-/-" ? "no compile id" : name(item.id),
    value: item[of],
    href: toCompile(item.id),
    unknown: false,
    color: by === "compile" ? 1 : 0,
    inner:
      by === "both"
        ? cut(
            (within?.[i] ?? []).map(([kind, records, bytes]) => kindShare(log, kind, of === "bytes" ? bytes : records)),
            14,
          )
        : undefined,
  }));
  const rest = log.by_compile_rest;
  const list = cut(
    withRest(log, ids, of),
    by === "both" ? 16 : MOST,
    rest?.compiles ? rest[of] : 0,
    rest?.compiles ?? 0,
  );
  return list;
}

function kindShare(log: Log, i: number, value: number): Share {
  const kind = log.kinds[i] ?? { key: "?", name: null };
  const name = kind.name ?? kind.key;
  return {
    key: `${i}`,
    label: name,
    value,
    href: hrefOf(kind.key, name),
    unknown: log.unknown_keys.includes(kind.key),
    color: 1 + (i % 7),
  };
}

/** The page that shows the records of a kind. */
export function hrefOf(key: string, name: string): string | null {
  if (key === "chromium_event") return address(["timeline"]);
  if (key.startsWith("describe_") || key === "str") return null;
  if (key === "dynamo_start") return address(["stacks"]);
  return address(["files"], { q: name });
}

/** Records that intern strings, and skipped lines, belong to no kind. */
function withRest(log: Log, list: Share[], of: Of): Share[] {
  if (of === "records") return list;
  const other = log.bytes - (log.other_ranks_bytes ?? 0) - log.kinds.reduce((n, kind) => n + kind.bytes, 0);
  return other > 0
    ? [
        ...list,
        { key: "other", label: "file names and other text", value: other, href: null, unknown: false, color: 0 },
      ]
    : list;
}

/** The largest shares, and the sum of the others. */
function cut(list: Share[], most = MOST, more = 0, moreCount = 0): Share[] {
  const sorted = list.filter((share) => share.value > 0).sort((a, b) => b.value - a.value);
  const rest = sorted.slice(most);
  const value = rest.reduce((n, share) => n + share.value, more);
  const out = sorted.slice(0, most);
  if (value > 0)
    out.push({
      key: "rest",
      label: `${(rest.length + moreCount).toLocaleString("en-US")} others`,
      value,
      href: null,
      unknown: false,
      color: 0,
    });
  return out;
}
