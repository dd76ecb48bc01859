// The kernels of the output codes: see doc/report-data.md.
import { plural } from "../lib/format";

export type KernelKind = "triton" | "cpp" | "extern" | "other";
export const KERNEL_KINDS: readonly KernelKind[] = ["triton", "cpp", "other", "extern"];

export const KIND_WORDS: Record<KernelKind, string> = { triton: "Triton", cpp: "C++", extern: "library call", other: "other" };

export interface KernelSource {
  file: string;
  line: number;
  function: string | null;
  code: string | null;
}

export interface Kernel {
  name: string;
  kind: KernelKind;
  heuristic: string | null;
  compile: string;
  graph: string | null;
  /** place of the code in the compile's artifacts */
  artifact: number;
  line: number | null;
  call_line: number | null;
  calls: number;
  ops: string[];
  nodes: string[];
  post_nodes: string[];
  /** how its nodes are known; null: they are not */
  nodes_by: "provenance" | "comment" | "dataflow" | null;
  sources: KernelSource[];
  compile_time_us: number | null;
  autotune: { state: string | null; configs: number | null; config: unknown } | null;
  /** post-grad nodes that it may compute besides */
  perhaps: string[];
  /** why its nodes, or some of them, are not known; why it has no source lines */
  nodes_unknown: string | null;
  lines_unknown: string | null;
}

export interface KernelCounts {
  count: number;
  calls: number;
}

export interface KernelSummary {
  triton: KernelCounts;
  cpp: KernelCounts;
  extern: KernelCounts;
  /** of other languages: Halide, CuTe, … */
  other: KernelCounts;
  compile_time_us: number | null;
  listed: number;
  more: number;
}

/** Kernels that were generated; calls of libraries are none. */
export const kernelCount = (kernels: KernelSummary | undefined): number => (kernels ? kernels.triton.count + kernels.cpp.count + kernels.other.count : 0);

/** "16 kernels and 23 library calls" */
export function kernelText(kernels: number, libraryCalls: number): string {
  return [kernels || !libraryCalls ? plural(kernels, "kernel") : "", libraryCalls ? plural(libraryCalls, "library call") : ""].filter(Boolean).join(" and ");
}

/** What a row says that a kernel computes: operators, else nodes. */
export function computes({ ops, post_nodes, nodes }: Pick<Kernel, "ops" | "post_nodes" | "nodes">): string {
  return (ops.length ? ops.map((op) => op.replace(/^aten\./, "")) : post_nodes.length ? post_nodes : nodes).join(", ");
}

/** Where the nodes of a kernel come from, in words. */
export const NODES_BY: Record<NonNullable<Kernel["nodes_by"]>, string> = {
  provenance: "from the log's node mappings",
  comment: "from the comments in the code",
  dataflow: "traced through the buffers that it reads and writes",
};

/** The lines of a kernel in its code: from where it is defined to the end of its text, at most `limit`. */
export function excerpt(code: string, line: number, limit: number): { text: string; lines: number; cut: boolean } {
  let from = 0;
  for (let n = 1; n < line; n++) {
    from = code.indexOf("\n", from) + 1;
    if (from === 0) return { text: "", lines: 0, cut: false };
  }
  const out: string[] = [];
  for (let at = from, open = false; out.length < limit; ) {
    const end = code.indexOf("\n", at);
    const text = code.slice(at, end < 0 ? undefined : end);
    out.push(text);
    const quotes = text.split("'''").length - 1;
    const ended = quotes % 2 ? open : /^}/.test(text) && !open;
    open = quotes % 2 ? !open : open;
    if (ended || end < 0) return { text: out.join("\n"), lines: out.length, cut: false };
    at = end + 1;
  }
  return { text: out.join("\n"), lines: out.length, cut: true };
}
