// A search that runs while the page shows what it found.
import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchQuery } from "../../lib/search";
import { searchReport, type Found, type Progress, type Scope } from "../../store/search-report";
import type { Store } from "../../store/store";
import { Work } from "../../lib/work";
import { useStore } from "../../ui/page";

export const ARTIFACTS_SHOWN = 2000;
const WAIT_MS = 300; // after the last key, until the search begins

export interface Run {
  state: "idle" | "running" | "done" | "stopped" | "full" | "failed";
  error?: string;
  found: readonly Found[];
  progress: Progress | null;
}

const IDLE: Run = { state: "idle", found: [], progress: null };

/** The last search that ended by itself. */
let last: { store: Store; key: string; run: Run } | null = null;
const held = (store: Store, key: string): Run | null => (last?.store === store && last.key === key ? last.run : null);

function keep(store: Store, key: string, run: Run): Run {
  if (run.state === "done" || run.state === "full") last = { store, key, run };
  return run;
}

/** Searches again when the query changes, and stops the search that runs. Going back from a result shows the earlier matches. */
export function useSearch(query: SearchQuery, scope: Scope, bad: boolean): { run: Run; stop: () => void } {
  const store = useStore();
  const key = JSON.stringify([query, scope]);
  const [run, setRun] = useState<Run>(() => held(store, key) ?? IDLE);
  const stopping = useRef<() => void>(() => undefined);
  useEffect(() => {
    const before = held(store, key);
    setRun(before ?? IDLE);
    if (before) return;
    if (!query.text || bad) return;
    const work = new Work();
    let current = true;
    let stopped = false;
    const found: Found[] = [];
    let progress: Progress | null = null;
    const show = (state: Run["state"], error?: string) =>
      current &&
      setRun(
        keep(store, key, {
          state,
          found: found.slice(),
          progress: progress && { ...progress },
          ...(error === undefined ? {} : { error }),
        }),
      );
    const timer = setTimeout(() => void search(), WAIT_MS);
    stopping.current = () => {
      stopped = true;
      work.stop();
    };
    return () => {
      current = false;
      clearTimeout(timer);
      work.stop();
    };

    async function search() {
      let shown = 0;
      try {
        show("running");
        for await (const part of searchReport(store, query, scope, work)) {
          if (!current) return;
          found.push(...part.found);
          progress = part.progress;
          if (stopped || found.length >= ARTIFACTS_SHOWN) break;
          if (performance.now() - shown < 150) continue;
          show("running");
          shown = performance.now();
        }
        show(stopped ? "stopped" : found.length >= ARTIFACTS_SHOWN ? "full" : "done");
      } catch (error) {
        show(
          stopped ? "stopped" : "failed",
          stopped ? undefined : error instanceof Error ? error.message : String(error),
        );
      } finally {
        work.stop();
      }
    }
  }, [store, key]);
  return { run, stop: () => stopping.current() };
}
