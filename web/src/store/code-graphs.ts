// The graphs of a compile, each with its Dynamo graph, its post-grad graph and its output code.
import type { Artifact, Details, Stage } from "./report";
import type { TextPane } from "./code-pairs";

export interface CodeGraph {
  /** what distinguishes it from the other graphs of the compile: "backward", "subgraph 3"; "" of the only one */
  name: string;
  backward: boolean;
  /** indexes of artifacts; null: there is none */
  artifacts: Record<TextPane, number | null>;
}

const STAGES: Record<TextPane, Stage["stage"]> = { dynamo: "dynamo", post: "post_grad", code: "code" };

/** The graphs of a compile in log order; one without artifacts if there is no graph. */
export function codeGraphs({ artifacts, stages }: Pick<Details, "artifacts" | "stages">): CodeGraph[] {
  const of = (pane: TextPane) =>
    stages
      .filter(({ stage }) => stage === STAGES[pane])
      .flatMap(({ artifacts: list, backward }) => list.map((n) => ({ n, backward })))
      .filter(({ n }, i, all) => artifacts[n]?.text && all.findIndex((other) => other.n === n) === i)
      .sort((a, b) => a.n - b.n);
  const [dynamo, post, code] = [of("dynamo"), of("post"), of("code")];
  const before = (list: typeof post, n: number, backward: boolean) =>
    list.findLast((item) => item.n < n && item.backward === backward && alike(artifacts[item.n]!, artifacts[n]!))?.n ??
    null;
  const last = code.length ? code : post.filter((_, i) => isLastOf(post, i, artifacts));
  const graphs = last.map(({ n, backward }): CodeGraph => {
    const own = code.length ? before(post, n, backward) : n;
    return {
      name: "",
      backward,
      artifacts: { dynamo: dynamo.findLast((item) => item.n < n)?.n ?? null, post: own, code: code.length ? n : null },
    };
  });
  if (!graphs.length)
    graphs.push({
      name: "",
      backward: false,
      artifacts: { dynamo: dynamo.at(-1)?.n ?? null, post: null, code: null },
    });
  return named(graphs, artifacts);
}

const alike = (a: Artifact, b: Artifact): boolean => a.subgraph === b.subgraph;

/** The last post-grad graph of those that follow each other for the same graph. */
function isLastOf(post: readonly { n: number; backward: boolean }[], i: number, artifacts: readonly Artifact[]) {
  const next = post[i + 1];
  const own = post[i]!;
  return !next || next.backward !== own.backward || !alike(artifacts[next.n]!, artifacts[own.n]!);
}

function named(graphs: CodeGraph[], artifacts: readonly Artifact[]): CodeGraph[] {
  if (graphs.length < 2) return graphs;
  const both = new Set(graphs.map((graph) => graph.backward)).size > 1;
  const names = graphs.map(({ backward, artifacts: { code, post } }) =>
    [
      artifacts[code ?? post ?? -1]?.subgraph ? `subgraph ${artifacts[code ?? post ?? -1]!.subgraph}` : "",
      both ? (backward ? "backward" : "forward") : "",
    ]
      .filter(Boolean)
      .join(" "),
  );
  return graphs.map((graph, i) => {
    const same = names.filter((name) => name === names[i]).length > 1;
    const nth = names.slice(0, i + 1).filter((name) => name === names[i]).length;
    return { ...graph, name: same ? `${names[i]} ${nth}`.trim() : names[i]! };
  });
}

/** Why a compile has no artifact for a pane, as the log says it. */
export function whyNone(pane: TextPane, { backward }: CodeGraph, stages: readonly Stage[]): string | null {
  const stage = stages.find((item) => item.stage === STAGES[pane] && (pane === "dynamo" || item.backward === backward));
  if (!stage) return null;
  return stage.why ?? (stage.state === "cached" ? "the result came from a cache" : null);
}
