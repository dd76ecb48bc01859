import { address } from "../../lib/address";
import { count } from "../../lib/text";
import type { Compile, Details } from "../../store/report";

export type TabKey = "summary" | "artifacts" | "guards" | "shapes" | "metrics" | "attempts";

export interface Tab {
  key: TabKey;
  title: string;
  note: number | null;
}

/** The views that have content; the summary always has. Artifacts are the last: their list follows. */
export function tabsOf(compile: Compile, details: Details): Tab[] {
  const guards = details.artifacts.reduce((n, artifact) => artifact.guards?.count ?? n, 0);
  const shapes = compile.shape_counts;
  const fields = new Set([...Object.keys(details.metrics ?? {}), ...Object.keys(details.backward_metrics ?? {})]).size;
  const all: Tab[] = [
    { key: "summary", title: "Summary", note: null },
    { key: "guards", title: "Guards", note: guards },
    {
      key: "shapes",
      title: "Shapes",
      note: shapes ? Math.max(shapes.symbols, shapes.specializations, shapes.guards) : 0,
    },
    { key: "metrics", title: "Metrics", note: fields },
    {
      key: "attempts",
      title: "Attempts",
      note: compile.attempts.length > 1 || compile.restarts.length ? Math.max(compile.attempts.length, 1) : 0,
    },
    { key: "artifacts", title: "Artifacts", note: details.artifacts.length },
  ];
  return all.filter((tab) => tab.note !== 0);
}

/** Links, not buttons: each tab is a place with an address. */
export function CompileTabs({ id, tabs, current }: { id: string; tabs: readonly Tab[]; current: TabKey | null }) {
  return (
    <nav class="tabs" aria-label="Views of this compile">
      {tabs.map((tab) => (
        <a
          key={tab.key}
          class={tab.key === current ? "on" : ""}
          aria-current={tab.key === current ? "page" : undefined}
          href={address(["c", id], { tab: tab.key === "summary" ? null : tab.key })}
        >
          {tab.title}
          {tab.note !== null && <span class="num">{count(tab.note)}</span>}
        </a>
      ))}
    </nav>
  );
}
