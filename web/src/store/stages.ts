// Titles and tooltips of the stages of a compile; which there are, and their states, C decides.
import type { Artifact, Stage } from "./report";

const NAMES: Record<string, readonly [title: string, hint: string]> = {
  bytecode: ["Bytecode", "Python bytecode of the frame, before and after Dynamo"],
  dynamo: ["Dynamo", "traces the bytecode into an FX graph and collects guards"],
  pre_grad: ["Pre-grad", "Inductor's passes on Dynamo's graph, before AOTAutograd"],
  joint: ["Joint", "joint forward and backward graph of AOTAutograd, and the passes on it"],
  forward: ["Forward", "AOTAutograd's forward graph; of an inference the only one"],
  backward: ["Backward", "backward graph that the partitioner cut out of the joint graph"],
  post_grad: ["Post-grad", "Inductor's passes on the ATen graph, before lowering"],
  code: ["Code", "Inductor lowers the graph, fuses kernels and generates code"],
  kernels: ["Kernels", "kernels are compiled with Triton or a C++ compiler"],
};

export const stageTitle = (stage: Stage): string => NAMES[stage.stage]?.[0] ?? stage.stage;
export const stageHint = (stage: Stage): string => NAMES[stage.stage]?.[1] ?? "";

/** A state is a sign and words; done needs neither. */
export const STAGE_SIGNS: Record<Stage["state"], string> = {
  done: "",
  cached: "≡ cached",
  failed: "✕ failed",
  skipped: "– skipped",
  unknown: "? not in the log",
};

/** What the log does not have, and why: stages in a row for the same reason are one. */
export type StageCell = { stages: Stage[]; why: string | null };

export function stageCells(stages: readonly Stage[]): StageCell[] {
  const cells: StageCell[] = [];
  for (const stage of stages) {
    const last = cells.at(-1);
    const before = last?.stages.at(-1);
    if (
      before &&
      !stage.artifacts.length &&
      !before.artifacts.length &&
      stage.state === before.state &&
      stage.why === before.why &&
      stage.state !== "done"
    )
      last!.stages.push(stage);
    else cells.push({ stages: [stage], why: stage.why });
  }
  return cells;
}

/** A stage's artifacts with a word for each: the last is what the stage ended with. */
export function stageLinks(stage: Stage, artifacts: readonly Artifact[]): { n: number; word: string; title: string }[] {
  return stage.artifacts
    .filter((n) => artifacts[n])
    .map((n) => {
      const name = artifacts[n]!.name;
      const word =
        /^before_/.test(name) || /_ORIGINAL_BYTECODE$/.test(name)
          ? "before"
          : /^after_/.test(name) || /_MODIFIED_BYTECODE$/.test(name) || name === "inductor_post_grad_graph"
            ? "after"
            : "";
      return { n, word, title: name };
    });
}

/** Which stage an artifact is of: its place in the list, or -1. */
export function stageOf(stages: readonly Stage[], n: number | null): number {
  return n === null ? -1 : stages.findIndex((stage) => stage.stage !== "kernels" && stage.artifacts.includes(n));
}
