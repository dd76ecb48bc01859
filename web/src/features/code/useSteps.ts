// The keyboard on the page of a line: along the lines of a pane that have a counterpart in another one.
import { useRef } from "preact/hooks";
import { go } from "../../lib/address";
import { useKeys } from "../../lib/hooks";
import type { CodePairs, PaneName } from "../../store/code-pairs";
import type { SourceRow } from "../../store/code-source";
import type { Pane } from "../../ui/viewer/types";
import type { Choice } from "./useChoice";

interface Steps {
  file: string;
  line: number;
  rows: readonly SourceRow[];
  pairs: CodePairs | null;
  choice: Choice;
  /** the pane that the keys are for if none has the focus */
  front: PaneName;
  close: string;
}

/** Returns what tells it of the panes that are there. */
export function useSteps({ file, line, rows, pairs, choice, front, close }: Steps) {
  const panes = useRef(new Map<PaneName, Pane>());
  const current = (): PaneName => [...panes.current].find(([, pane]) => pane.isFocused())?.[0] ?? front;
  const step = (way: 1 | -1) => {
    const pane = current();
    const lines = linesOf(pane, file, rows, pairs);
    const { pick, related } = choice;
    const now = pane === "source" ? line : pick?.pane === pane ? pick.line : (related.lines[pane][0] ?? 0);
    const next = way === 1 ? lines.find((n) => n > now) : lines.findLast((n) => n < now);
    if (next !== undefined) choice.choose(pane, next);
  };
  useKeys({
    ArrowDown: () => step(1),
    j: () => step(1),
    ArrowUp: () => step(-1),
    k: () => step(-1),
    "/": () => panes.current.get(current())?.find(),
    Escape: () => go(close),
  });
  return (name: PaneName) => (pane: Pane | null) => {
    if (pane) panes.current.set(name, pane);
    else panes.current.delete(name);
  };
}

/** All lines of the file if the compile is not known. */
function linesOf(pane: PaneName, file: string, rows: readonly SourceRow[], pairs: CodePairs | null): number[] {
  if (pane !== "source") return pairs?.linesWith(pane) ?? [];
  return rows.flatMap(({ gap, line }) => (!gap && (!pairs || pairs.has({ file, line })) ? [line] : []));
}
