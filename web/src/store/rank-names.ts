// How ranks, runs, logs and what they call are named.
import { baseName, middle } from "../lib/format";
import type { Rank } from "./ranks";

/** The name of a group, by its place: A … Z, AA … */
export function groupName(place: number): string {
  return (place >= 26 ? groupName(Math.floor(place / 26) - 1) : "") + String.fromCharCode(65 + (place % 26));
}

/** [0,1,2,3,7] -> "0–3, 7". A thousand ranks must fit into a line: after `limit` ranges comes the number of further ranks. */
export function ranges(ranks: readonly number[], limit = 12): string {
  const sorted = [...new Set(ranks)].sort((a, b) => a - b);
  const texts: string[] = [];
  let left = sorted.length;
  for (let i = 0; i < sorted.length && texts.length < limit;) {
    let j = i;
    while (j + 1 < sorted.length && sorted[j + 1] === sorted[j]! + 1) j++;
    texts.push(i === j ? `${sorted[i]}` : j === i + 1 ? `${sorted[i]}, ${sorted[j]}` : `${sorted[i]}–${sorted[j]}`);
    left -= j - i + 1;
    i = j + 1;
  }
  return texts.join(", ") + (left > 0 ? `, … and ${left} more` : "");
}

/** "rank 3", "ranks 0–3, 7". */
export function ranksText(ranks: readonly number[], limit?: number): string {
  return `${ranks.length === 1 ? "rank" : "ranks"} ${ranges(ranks, limit)}`;
}

export function rankName(rank: Rank): string {
  if (rank.of) return rank.of;
  const named = rank.name && rank.name !== rank.files[0];
  const kind = rank.members ? "job " : named ? "" : "log ";
  const name = rank.rank === null ? `${kind}${runName(rank)}` : `rank ${rank.rank}`;
  return `${name}${rank.older ? " (earlier)" : ""}`;
}

/** What a run is called: by its file, or by its folder where files' names say nothing. */
export function runName(rank: Rank): string {
  if (rank.of) return rank.of;
  const file = rank.files[0] ?? rank.dir;
  return rank.name && rank.name !== file ? middle(rank.name, 40) : logName(file);
}

/** What distinguishes a log from the others: "dedicated_log_torch_trace_5n_77k9e.log.gz" -> "5n_77k9e". */
export function logName(file: string): string {
  const name = baseName(file);
  return middle(name.replace(/^dedicated_log_torch_trace_/, "").replace(/\.log(\.gz|\.zst)?$/, "") || name, 24);
}

/** "torch.ops._c10d_functional.all_reduce_.default" -> "all_reduce_". */
export function shortOp(op: string): string {
  return op
    .replace(/^torch\.ops\./, "")
    .replace(/^_?c10d(_functional(_autograd)?)?\./, "")
    .replace(/\.default$/, "");
}

/** The order of execution names graphs of which no compile id is known by the JSON that the log has. */
export function shownId(text: string): string | null {
  return /^[{[]|^null$|^\(unknown\)$/.test(text) ? null : text;
}
