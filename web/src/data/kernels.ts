// The kernels of the output codes: see doc/report-data.md.
export type KernelKind = "triton" | "cpp" | "extern";
export const KERNEL_KINDS: readonly KernelKind[] = ["triton", "cpp", "extern"];

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
  sources: KernelSource[];
  compile_time_us: number | null;
  autotune: { state: string | null; configs: number | null; config: unknown } | null;
}

export interface KernelCounts {
  count: number;
  calls: number;
}

export interface KernelSummary {
  triton: KernelCounts;
  cpp: KernelCounts;
  extern: KernelCounts;
  compile_time_us: number | null;
  listed: number;
  more: number;
}

export const kernelCount = (kernels: KernelSummary | undefined): number =>
  kernels ? KERNEL_KINDS.reduce((sum, kind) => sum + kernels[kind].count, 0) : 0;

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
