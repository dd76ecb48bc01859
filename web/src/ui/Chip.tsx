import { toCompile } from "../lib/address";
import { type Compile, frameName, isCompile, type Status } from "../store/report";
import { useStore } from "./page";

/** A status is shown by a sign and a color together. */
export const SIGNS: Record<Status, string> = { ok: "✓", restart: "↻", error: "✕", empty: "○", missing: "?" };
export const STATUS_WORDS: Record<Status, string> = {
  ok: "compiled",
  restart: "compiled after a restart",
  error: "failed",
  empty: "empty graph",
  missing: "no metrics",
};

/** Metrics of AOTInductor and export do not count ops, which does not make the graph empty. */
export const OPS_UNKNOWN = "ops not counted";

/** It has no ops, and no guards either: its graph was never finished. */
export const INTERRUPTED = "interrupted";

export function statusText(compile: Compile): string {
  if (compile.interrupted) return INTERRUPTED;
  return compile.ops_unknown ? OPS_UNKNOWN : STATUS_WORDS[compile.status];
}

/** The word for a status of several compiles. */
export function statusWord(status: Status, compiles: readonly Compile[]): string {
  const empty = status === "empty" ? compiles.filter((compile) => isCompile(compile) && compile.status === status) : [];
  const uncounted = empty.filter((compile) => compile.ops_unknown).length;
  if (!uncounted) return STATUS_WORDS[status];
  return uncounted === empty.length ? OPS_UNKNOWN : `${STATUS_WORDS.empty} or ${OPS_UNKNOWN}`;
}

export function StatusChip({ compile }: { compile: Compile }) {
  return (
    <span class={`chip ${compile.status}`}>
      {SIGNS[compile.status]} {statusText(compile)}
    </span>
  );
}

/** A compile with its status, linked to its place; `id` is its key. Where several have its id, with its generation or process. */
export function CompileChip({ id, plain = false }: { id: string; plain?: boolean }) {
  const store = useStore();
  const compile = store.compile(id);
  const key = compile?.key ?? id;
  const name = store.name(key);
  const outside = compile !== undefined && !isCompile(compile);
  const status = outside ? "empty" : (compile?.status ?? "missing");
  const says = store.names.explain(key);
  const title = `${name}: ${outside ? "outside of a compile" : compile ? statusText(compile) : STATUS_WORDS[status]}${compile?.frame ? `, ${frameName(compile.frame)}` : ""}${says && `. ${says}`}`;
  const inner = (
    <>
      <span aria-hidden="true">{outside ? "·" : SIGNS[status]}</span> {name}
    </>
  );
  if (plain || !compile)
    return (
      <span class={`chip ${status}`} title={title}>
        {inner}
      </span>
    );
  return (
    <a class={`chip ${status}`} href={toCompile(key)} title={title} aria-label={title}>
      {inner}
    </a>
  );
}

/** The first compiles of a list, and how many there are more. */
export function CompileChips(of: { ids: readonly string[]; limit?: number; more?: string; total?: number }) {
  const { ids, limit = 6, more, total = ids.length } = of;
  const shown = total <= limit + 1 ? ids : ids.slice(0, limit);
  const hidden = total - shown.length;
  return (
    <span class="chips">
      {shown.map((id) => (
        <CompileChip key={id} id={id} />
      ))}
      {hidden > 0 &&
        (more ? (
          <a class="muted" href={more}>
            +{hidden} more
          </a>
        ) : (
          <span class="muted">+{hidden} more</span>
        ))}
    </span>
  );
}
