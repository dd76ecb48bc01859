// Phases of compile time. PyTorch's timers lie inside one another (Dynamo's holds the backend's, AOT's holds Inductor's, …):
// a bar needs what each took by itself.
export interface Phase {
  key: string;
  label: string;
  us: number;
  /** number of the colour token --p1 … --p7 */
  colour: number;
  hint: string;
}

const ORDER: readonly Omit<Phase, "us">[] = [
  { key: "dynamo", label: "Dynamo", colour: 1, hint: "tracing Python code and building guards" },
  { key: "aot", label: "AOT", colour: 2, hint: "AOTAutograd: functionalisation, joint graph, partitioner" },
  { key: "passes", label: "graph passes", colour: 3, hint: "pre-grad, joint and post-grad passes" },
  { key: "inductor", label: "Inductor", colour: 4, hint: "lowering, scheduling and fusion" },
  { key: "codegen", label: "code and compiler", colour: 5, hint: "writing the kernels and compiling them" },
  { key: "triton", label: "Triton", colour: 6, hint: "compiling Triton kernels" },
  { key: "backward", label: "backward", colour: 7, hint: "compiling the backward graph later, when it first ran" },
];

export function ownTimes(phases: Record<string, number>): Phase[] {
  const of = (key: string) => phases[key] ?? 0;
  const passes = of("pre_grad") + of("joint") + of("post_grad");
  const own: Record<string, number> = {
    dynamo: rest(of("dynamo"), of("aot") || of("inductor") || of("codegen")),
    aot: rest(of("aot"), (of("inductor") || of("codegen")) + of("joint") + of("pre_grad")),
    passes,
    inductor: rest(of("inductor"), of("codegen") + of("post_grad")),
    codegen: rest(of("codegen"), of("triton")),
    triton: of("triton"),
    backward: of("backward"),
  };
  return ORDER.map((phase) => ({ ...phase, us: own[phase.key] ?? 0 })).filter((phase) => phase.us > 0);
}

/** Timers of one compile, summed over several: what lies inside what stays true for the sums. */
export function sumPhases(all: readonly Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const phases of all) for (const [key, us] of Object.entries(phases)) if (us) sum[key] = (sum[key] ?? 0) + us;
  return sum;
}

/** What is left of `whole` without `inner`; a whole that is smaller did not hold the inner one. */
function rest(whole: number, inner: number): number {
  return whole >= inner ? whole - inner : whole;
}
