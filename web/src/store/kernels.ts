// The kernels of the output codes: see doc/report-data.md.
import { plural } from "../lib/text";
import type { Kernel, KernelCounts, KernelKind, KernelSource, KernelSummary } from "./generated/report";
export type { Kernel, KernelCounts, KernelKind, KernelSource, KernelSummary };

export const KERNEL_KINDS: readonly KernelKind[] = ["triton", "cpp", "other", "extern"];

export const KIND_WORDS: Record<KernelKind, string> = {
  triton: "Triton",
  cpp: "C++",
  extern: "library call",
  other: "other",
};

/** Its name. A copy to another device has none: it is called by its devices. */
export function kernelTitle({ name, copy }: Pick<Kernel, "name" | "copy">): string {
  if (!copy) return name;
  if (copy.from === null) return "copy to another device";
  return `copy ${copy.from} → ${copy.to}${copy.waits ? " (waits for the GPU)" : ""}`;
}

/** "16 kernels and 23 library calls" */
export function kernelText(kernels: number, libraryCalls: number): string {
  return [
    kernels || !libraryCalls ? plural(kernels, "kernel") : "",
    libraryCalls ? plural(libraryCalls, "library call") : "",
  ]
    .filter(Boolean)
    .join(" and ");
}

/** What a kernel computes, for a table: operators, else nodes. */
export function computes({ ops, post_nodes, nodes }: Pick<Kernel, "ops" | "post_nodes" | "nodes">): string {
  return (ops.length ? ops.map((op) => op.replace(/^aten\./, "")) : post_nodes.length ? post_nodes : nodes).join(", ");
}

/** Where the nodes of a kernel come from, in words. */
export const NODES_BY: Record<NonNullable<Kernel["nodes_by"]>, string> = {
  provenance: "from the log's node mappings",
  comment: "from the comments in the code",
  dataflow: "traced through the buffers that it reads and writes",
};

/** Why CUDA graphs of its graph leave a kernel out. */
export const OUTSIDE_WORDS: Record<NonNullable<Kernel["outside"]>, string> = {
  cpu: "none: it runs on the CPU",
  copy: "none: it copies to another device",
  unbacked_size: "none: the size of its result depends on values",
  unknown: "none",
};

/** Says of one line after the other, from that of a kernel's definition, whether the definition ends with it. */
function definitionEnds(): (text: string) => boolean {
  let open = false; // within the string that holds the kernel
  return (text) => {
    const quotes = text.split("'''").length - 1;
    const ended = quotes % 2 ? open : /^}/.test(text) && !open;
    open = quotes % 2 ? !open : open;
    return ended;
  };
}

/** The last line of the kernel that is defined on a line, both from 1; the line itself if no end is found within `limit` lines. */
export function lastLineOf(lines: readonly string[], line: number, limit: number): number {
  const ends = definitionEnds();
  const to = Math.min(lines.length, line + limit);
  for (let n = line; n <= to; n++) if (ends(lines[n - 1]!)) return n;
  return line;
}

/** The lines of a kernel in its code: from where it is defined to the end of its text, at most `limit`. */
export function excerpt(code: string, line: number, limit: number): { text: string; lines: number; cut: boolean } {
  let from = 0;
  for (let n = 1; n < line; n++) {
    from = code.indexOf("\n", from) + 1;
    if (from === 0) return { text: "", lines: 0, cut: false };
  }
  const out: string[] = [];
  const ends = definitionEnds();
  for (let at = from; out.length < limit;) {
    const end = code.indexOf("\n", at);
    const text = code.slice(at, end < 0 ? undefined : end);
    out.push(text);
    if (ends(text) || end < 0) return { text: out.join("\n"), lines: out.length, cut: false };
    at = end + 1;
  }
  return { text: out.join("\n"), lines: out.length, cut: true };
}
