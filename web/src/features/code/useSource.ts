// The rows of a file: of the whole one, if it is in the report, else those that the log quotes.
import { useMemo } from "preact/hooks";
import { useLoaded } from "../../lib/hooks";
import { type SourceRow, sourceRows } from "../../store/code-source";
import type { SourceFile } from "../../store/generated/report";
import { useStore } from "../../ui/page";

export interface Source {
  rows: readonly SourceRow[];
  /** where the whole file is from; null: the log quotes these lines */
  from: SourceFile | null;
  loading: boolean;
  /** why the whole file is not there, though it was written */
  error: string | null;
}

export function useSource(file: string): Source {
  const store = useStore();
  const loaded = useLoaded(() => store.sourceText(file), [store, file]);
  return useMemo(() => {
    const found = store.sourceFile(file) ?? null;
    if (loaded.state === "loading" && found) return { rows: [], from: null, loading: true, error: null };
    const whole = loaded.state === "ready" ? loaded.value : null;
    return {
      rows: sourceRows(store.report, file, whole),
      from: whole === null ? null : found,
      loading: false,
      error: loaded.state === "failed" ? loaded.error.message : null,
    };
  }, [store, file, loaded]);
}
