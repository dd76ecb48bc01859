// What the panes of a line show: the compiles that have it, the graphs of one of them, and their texts.
import { useEffect, useMemo } from "preact/hooks";
import { replaceQuery } from "../../lib/address";
import { clipLines } from "../../lib/clip";
import { type Loaded, useLoaded } from "../../lib/hooks";
import { codeGraphs, type CodeGraph } from "../../store/code-graphs";
import { CodePairs, type PaneTexts, type SourcePlace, TEXT_PANES } from "../../store/code-pairs";
import type { Kernel } from "../../store/kernels";
import { type LineCompiles, lineCompiles } from "../../store/line-compiles";
import type { Details } from "../../store/report";
import type { Store } from "../../store/store";
import { useStore } from "../../ui/page";

export interface Opened {
  key: string;
  details: Details;
  graphs: CodeGraph[];
  /** of the whole compile */
  kernels: Kernel[];
}

/** The graphs and kernels of a compile; null without one. */
function useCompile(store: Store, key: string | undefined): Loaded<Opened | null> {
  return useLoaded(async () => {
    const index = key === undefined ? undefined : store.indexOf(key);
    if (key === undefined || index === undefined) return null;
    const [details, all] = await Promise.all([
      store.details(index),
      store.report.parts.kernels ? store.kernels() : Promise.resolve([]),
    ]);
    const kernels = all.filter((kernel) => kernel.compile === store.report.compiles[index]!.key);
    return { key, details, graphs: codeGraphs(details), kernels };
  }, [store, key]);
}

/** The graph that is shown if the address names none: the first one with a kernel from the line. */
function firstGraph({ graphs, kernels }: Opened, { file, line }: SourcePlace): number {
  const codes = new Set(
    kernels
      .filter(({ sources }) => sources.some((source) => source.file === file && source.line === line))
      .map(({ artifact }) => artifact),
  );
  return Math.max(
    0,
    graphs.findIndex(({ artifacts: { code } }) => code !== null && codes.has(code)),
  );
}

export interface PairedTexts {
  graph: CodeGraph;
  texts: PaneTexts;
  pairs: CodePairs;
}

/** The texts of a graph's panes, and which of their lines correspond. */
function usePairs(store: Store, opened: Opened | null, nth: number): Loaded<PairedTexts | null> {
  return useLoaded(async () => {
    const graph = opened?.graphs[nth];
    if (!opened || !graph) return null;
    const list = await Promise.all(
      TEXT_PANES.map(async (pane) => {
        const artifact = opened.details.artifacts[graph.artifacts[pane] ?? -1];
        return artifact ? clipLines(await store.text(artifact)).text : null;
      }),
    );
    const texts = Object.fromEntries(TEXT_PANES.map((pane, i) => [pane, list[i]])) as unknown as PaneTexts;
    const own = opened.kernels.filter(({ artifact }) => artifact === graph.artifacts.code);
    return { graph, texts, pairs: new CodePairs(texts, own) };
  }, [store, opened, nth]);
}

export interface FoundLine {
  compiles: LineCompiles;
  /** key of the compile that is shown; undefined: none has the line */
  key: string | undefined;
  opened: Opened | null;
  /** which of its graphs */
  nth: number;
  shown: PairedTexts | null;
  /** what the panes wait for */
  pending: Loaded<unknown>;
}

/** A line in the compile and graph that the address asks for, else in the first one that has it. */
export function useLine(place: SourcePlace, asked: string | undefined, graph: string | undefined): FoundLine {
  const store = useStore();
  const compiles = useMemo(() => lineCompiles(store.report, place), [store, place]);
  const key = asked ?? compiles.keys[0];
  // So that a link to the line shows the same compile.
  useEffect(() => {
    if (key !== undefined && asked === undefined) replaceQuery({ compile: key });
  }, [key, asked]);
  const loaded = useCompile(store, key);
  const opened = loaded.state === "ready" ? loaded.value : null;
  const first = useMemo(() => (opened ? firstGraph(opened, place) : 0), [opened]);
  const last = (opened?.graphs.length ?? 1) - 1;
  const nth = graph === undefined ? first : Math.min(Math.max(0, Math.trunc(Number(graph)) || 0), last);
  const paired = usePairs(store, opened, nth);
  const pending: Loaded<unknown> = loaded.state !== "ready" ? loaded : paired;
  return { compiles, key, opened, nth, shown: paired.state === "ready" ? paired.value : null, pending };
}
