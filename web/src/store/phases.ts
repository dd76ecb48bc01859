// Phases of compile time, each by itself: the timers of PyTorch nest, and C has taken the inner ones out (own_us).
export type PhaseKey = "dynamo" | "aot" | "passes" | "inductor" | "codegen" | "triton" | "backward" | "other";

export interface Phase {
  key: PhaseKey;
  label: string;
  us: number;
  /** number of the colour token --p0 … --p7 */
  colour: number;
  hint: string;
}

const ORDER: readonly (Omit<Phase, "us"> & { of: readonly string[] })[] = [
  { key: "dynamo", label: "Dynamo", colour: 1, of: ["dynamo"], hint: "tracing Python code and building guards" },
  { key: "aot", label: "AOTAutograd", colour: 2, of: ["aot"], hint: "functionalization, joint graph, partitioner" },
  {
    key: "passes",
    label: "graph passes",
    colour: 3,
    of: ["pre_grad", "joint", "post_grad"],
    hint: "pre-grad, joint and post-grad passes",
  },
  {
    key: "inductor",
    label: "Inductor",
    colour: 4,
    of: ["inductor"],
    hint: "cache lookup, lowering, scheduling and fusion",
  },
  {
    key: "codegen",
    label: "code and compiler",
    colour: 5,
    of: ["codegen"],
    hint: "writing the kernels and compiling them",
  },
  { key: "triton", label: "Triton", colour: 6, of: ["triton"], hint: "compiling Triton kernels" },
  {
    key: "backward",
    label: "backward",
    colour: 7,
    of: ["backward"],
    hint: "compiling the backward graph later, when it first ran",
  },
  { key: "other", label: "other", colour: 0, of: ["other"], hint: "compile time in none of these phases" },
];

/** The phase of `own_us` to which this one belongs, with its color; the last one for none. */
export const phaseOf = (key: string | undefined): Omit<Phase, "us"> =>
  ORDER.find(({ of }) => key !== undefined && of.includes(key)) ?? ORDER.at(-1)!;

/** PyTorch's timer of AOTAutograd runs for the whole call of the backend: one that has no timer of Inductor may be any. */
const ANY_BACKEND = { label: "backend", hint: "the call of the backend, with AOTAutograd where it uses it" };
const OF_INDUCTOR = ["pre_grad", "joint", "post_grad", "inductor", "codegen"];

/** The phases that took time, of `own_us` of a compile or of the totals. */
export function phasesOf(own: Record<string, number>): Phase[] {
  const phases = ORDER.map(({ of, ...phase }) => ({
    ...phase,
    us: of.reduce((us, key) => us + (own[key] ?? 0), 0),
  })).filter((phase) => phase.us > 0);
  if (phases.length === 1 && phases[0]!.key === "other")
    return [
      {
        ...phases[0]!,
        label: "phases not logged",
        hint: "the log has neither timers nor complete events of its phases",
      },
    ];
  return OF_INDUCTOR.some((key) => own[key])
    ? phases
    : phases.map((phase) => (phase.key === "aot" ? { ...phase, ...ANY_BACKEND } : phase));
}

/** The phases of several compiles together. */
export function sumOwn(compiles: readonly { own_us: Record<string, number> }[]): Phase[] {
  const sum: Record<string, number> = {};
  for (const { own_us } of compiles) for (const [key, us] of Object.entries(own_us)) sum[key] = (sum[key] ?? 0) + us;
  return phasesOf(sum);
}
