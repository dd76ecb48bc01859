// Artifacts that are tables: estimates, the partitioner's choices, buckets of collectives. Read from their text, which no one vouches for.

export interface RecordTable {
  title?: string;
  columns: string[];
  rows: string[][];
  /** columns of numbers, which stand at the right */
  numbers: boolean[];
  /** rows beyond the bound */
  more: number;
}

/** What the text holds: facts before the tables, and the tables. */
export interface RecordTables {
  facts: [name: string, value: string][];
  tables: RecordTable[];
}

const ROWS = 2000;
const CELL = 500;
const TEXT = 16 << 20;

const cell = (value: unknown): string => {
  const text = value === null || value === undefined ? "" : typeof value === "string" ? value : typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > CELL ? `${text.slice(0, CELL)}…` : text;
};

const isNumber = (text: string): boolean => text === "" || (text.trim() !== "" && Number.isFinite(Number(text))) || text === "inf";

function table(columns: string[], rows: readonly unknown[][], title?: string): RecordTable {
  const shown = rows.slice(0, ROWS).map((row) => columns.map((_, i) => cell(row[i])));
  return { ...(title ? { title } : {}), columns, rows: shown, numbers: columns.map((_, i) => shown.length > 0 && shown.every((row) => isNumber(row[i]!)) && shown.some((row) => row[i] !== "")), more: Math.max(0, rows.length - ROWS) };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const objects = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rows of objects with the columns of all of them. */
function ofObjects(items: readonly Record<string, unknown>[], title?: string): RecordTable | null {
  const columns = [...new Set(items.slice(0, ROWS).flatMap(Object.keys))].slice(0, 40);
  return columns.length ? table(columns, items.map((item) => columns.map((column) => item[column])), title) : null;
}

/** Lines joined by commas, without quotes: the first cell alone may hold some. Lines that begin with # are facts. (node_runtime_estimation.py) */
function csv(text: string): RecordTables | null {
  const facts: [string, string][] = [];
  const lines = text.split("\n").filter((line) => {
    const fact = /^#\s*([^:]+):\s*(.*)$/.exec(line);
    if (fact) facts.push([fact[1]!, fact[2]!]);
    return !fact && line.trim() !== "";
  });
  const columns = lines[0]?.split(",") ?? [];
  if (columns.length < 2) return null;
  const rows = lines.slice(1).map((line) => {
    const cells = line.split(",");
    return [cells.slice(0, cells.length - columns.length + 1).join(","), ...cells.slice(cells.length - columns.length + 1)];
  });
  return { facts, tables: [table(columns, rows)] };
}

/** What the knapsack of activation checkpointing chose. (ac_logging_utils.py) */
function minCut(text: string): RecordTables | null {
  const said = json(text);
  if (!isObject(said)) return null;
  const facts = Object.entries(said).filter(([, value]) => typeof value === "number").map(([name, value]): [string, string] => [name, cell(value)]);
  const nodes = isObject(said["Joint Graph Node Information"]) ? objects(Object.values(said["Joint Graph Node Information"])) : [];
  const saved = new Set(Array.isArray(said["Min Cut Solution Saved Values"]) ? said["Min Cut Solution Saved Values"] : []);
  const candidates = nodes.filter((node) => isObject(node.recomputable_candidate_info)).map((node) => {
    const info = node.recomputable_candidate_info as Record<string, unknown>;
    return [node.name, node.target, node.shape, info.memory, info.runtime, info.is_saved ? "saved" : info.is_recomputed ? "recomputed" : ""];
  });
  const kept = nodes.filter((node) => saved.has(node.name)).map((node) => [node.name, node.target, node.shape]);
  return {
    facts,
    tables: [
      ...(candidates.length ? [table(["node", "operation", "shape", "memory", "runtime", "choice"], candidates, "Candidates for recomputation")] : []),
      ...(kept.length ? [table(["node", "operation", "shape"], kept, "Values that the min cut saves")] : []),
    ],
  };
}

/** "a_in a_out {'capacity': 3.0, 'reason': 'x'}": the edges of networkx.generate_edgelist(). */
function edges(text: string): RecordTables | null {
  const rows = text.split("\n").flatMap((line) => {
    const edge = /^(\S+) (\S+) (\{.*\})\s*$/.exec(line);
    if (!edge) return [];
    const capacity = /'capacity': ([^,}]+)/.exec(edge[3]!)?.[1] ?? "";
    const reason = /'reason': (?:'([^']*)'|"([^"]*)")/.exec(edge[3]!);
    return [[edge[1], edge[2], capacity, reason?.[1] ?? reason?.[2] ?? ""]];
  });
  return rows.length ? { facts: [], tables: [table(["from", "to", "capacity", "reason"], rows)] } : null;
}

/** "[[a, b], [c]]": the nodes of each bucket. (bucketing.py) */
function buckets(text: string): RecordTables | null {
  const rows = [...text.matchAll(/\[([^[\]]+)\]/g)].map((match, i) => [i, match[1]!.split(",").length, match[1]!.trim()]);
  return rows.length ? { facts: [["collectives", String(rows.reduce((sum, row) => sum + (row[1] as number), 0))], ["buckets", String(rows.length)]], tables: [table(["bucket", "collectives", "nodes"], rows)] } : null;
}

/** "group_size=2, bucket_cap_mb=10.4, all_gather 2->1": numbers of collectives before and after. (fsdp.py) */
function bucketed(text: string): RecordTables | null {
  const rows = [...text.matchAll(/(\w+) (\d+)->(\d+)/g)].map((match) => match.slice(1, 4));
  const facts = [...text.matchAll(/(\w+)=(\[[^\]]*\]|[^,\s]+)/g)].map((match): [string, string] => [match[1]!, cell(match[2])]);
  return rows.length ? { facts, tables: [table(["collective", "before", "after"], rows)] } : null;
}

/** Estimates by profile against those by formula. (profile_guided_estimation.py) */
function profile(text: string): RecordTables | null {
  const said = json(text);
  if (!isObject(said)) return null;
  const facts = Object.entries(said).filter(([, value]) => typeof value === "number").map(([name, value]): [string, string] => [name, cell(value)]);
  const tables = [ofObjects(objects(said.diagnostics), "Estimates of nodes"), ofObjects(objects(said.op_entries), "Profiled operations")].filter((found) => found !== null);
  return facts.length || tables.length ? { facts, tables } : null;
}

function list(text: string): RecordTables | null {
  const found = ofObjects(objects(json(text)));
  return found && { facts: [], tables: [found] };
}

const READERS: readonly (readonly [name: RegExp, read: (text: string) => RecordTables | null])[] = [
  [/^fx_\w*estimations?(_\w+)?$/, csv],
  [/^min_cut_information$/, minCut],
  [/^min_cut_failed_edge_list$/, edges],
  [/^fx_bucketing_passes_\w+_buckets$/, buckets],
  [/^pre_bucketing_fsdp_collectives$/, bucketed],
  [/^pre_bucketing_collective_sizes(_after)?$/, list],
  [/^pge_profile_vs_analytical$/, profile],
];

/** The tables of an artifact; null where it is none, or its text is not as PyTorch writes it. */
export function recordTables(name: string, text: string): RecordTables | null {
  const read = READERS.find(([test]) => test.test(name))?.[1];
  return read && text.length <= TEXT ? read(text) : null;
}

const PICTURE = 4 << 20;
/** Half of a surrogate pair, which no address can hold. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * The address of a picture for <img>, where neither scripts nor links of an SVG have any effect; null where the artifact is none. Its markup must never
 * become part of the page.
 */
export function recordPicture(name: string, text: string): string | null {
  if (name !== "min_cut_failed_svg" || text.length > PICTURE || !/<svg[\s>]/.test(text)) return null;
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text.replace(LONE, "\ufffd"))}`;
}
