// Numbers and names as people read them, and what a filter finds in them. A no-break space is between a number and its unit.
/** 1234567 -> "1.23 s". Three figures at most; a dash for what is not known. */
export function time(us: number | null | undefined): string {
  if (us == null || !Number.isFinite(us)) return "–";
  if (us === 0) return "0";
  if (us > 0 && us < 0.005) return "<0.01\u00a0µs";
  if (us < 999.5) return `${figures(us)}\u00a0µs`;
  if (us < 999_500) return `${figures(us / 1000)}\u00a0ms`;
  if (us < 120e6) return `${figures(us / 1e6)}\u00a0s`;
  const seconds = Math.round(us / 1e6);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes}\u00a0min ${seconds % 60}\u00a0s`;
  return `${Math.floor(minutes / 60)}\u00a0h ${minutes % 60}\u00a0min`;
}

export function bytes(n: number | null | undefined): string {
  if (n == null || !Number.isFinite(n)) return "–";
  if (n < 1000) return `${n}\u00a0B`;
  if (n < 999_500) return `${figures(n / 1000)}\u00a0kB`;
  if (n < 999_500_000) return `${figures(n / 1e6)}\u00a0MB`;
  return `${figures(n / 1e9)}\u00a0GB`;
}

// toLocaleString() makes such an object at each call, which scrolling through figures shows.
const NUMBERS = new Intl.NumberFormat("en-US");

export function count(n: number | null | undefined): string {
  return n == null ? "–" : NUMBERS.format(n);
}

/** "1st", "2nd", "11th". */
export function ordinal(n: number): string {
  const tens = n % 100;
  return `${count(n)}${tens > 10 && tens < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th")}`;
}

/** "1 compile", "2 compiles". */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function percent(part: number, whole: number): string {
  if (!whole) return "–";
  const share = (100 * part) / whole;
  if (share > 0 && share < 1) return "<1\u00a0%";
  return share > 99 && share < 100 ? ">99\u00a0%" : `${Math.round(share)}\u00a0%`;
}

/** "2026-11-21T00:05:12.345Z" -> "Nov 21 2026, 00:05:12 UTC". Events count from the epoch; the prefixes of the log's lines are in the zone of its machine, which the log does not name. */
export function moment(iso: string | null): string {
  const found = iso && /^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)/.exec(iso);
  if (!found) return iso ?? "–";
  const month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
    Number(found[2]) - 1
  ];
  return month ? `${month} ${Number(found[3])} ${Number(found[1])}, ${found[4]}\u00a0UTC` : iso;
}

/** A long text with its middle cut out: the end of a path says most, its start says where. */
export function middle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.ceil((limit - 1) * 0.7);
  return `${text.slice(0, limit - 1 - tail)}…${text.slice(-tail)}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

export function firstLine(text: string, limit = 200): string {
  const line = text.trim().split("\n", 1)[0]!;
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

function figures(n: number): string {
  return n >= 99.95 ? n.toFixed(0) : n >= 9.995 ? n.toFixed(1) : n.toFixed(2);
}

/** With a capital letter, as a sentence begins. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Words that must all occur, in any order and case: what people expect of a filter box. */
export function words(query: string | undefined): string[] {
  return (query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
}

export function matches(haystack: string, wanted: readonly string[]): boolean {
  return wanted.every((word) => haystack.includes(word));
}
