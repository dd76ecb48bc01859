import { toCompile } from "../base/address";
import { isCompile } from "../data/counts";
import type { Status } from "../data/types";
import { useStore } from "../shell/context";

/** A status is shown by a sign and a colour together. */
export const SIGNS: Record<Status, string> = { ok: "✓", restart: "↻", error: "✕", empty: "○", missing: "?" };
export const STATUS_WORDS: Record<Status, string> = {
  ok: "ok",
  restart: "restarted",
  error: "failed",
  empty: "empty graph",
  missing: "no metrics",
};

export function StatusChip({ status }: { status: Status }) {
  return <span class={`chip ${status}`}>{SIGNS[status]} {STATUS_WORDS[status]}</span>;
}

/** A compile id with its status, linked to its place. */
export function CompileChip({ id, plain = false }: { id: string; plain?: boolean }) {
  const compile = useStore().compile(id);
  const outside = compile !== undefined && !isCompile(compile);
  const status = outside ? "empty" : (compile?.status ?? "missing");
  const title = `${id}: ${outside ? "outside of a compile" : STATUS_WORDS[status]}${compile?.frame ? `, ${compile.frame.function}` : ""}`;
  const inner = <><span aria-hidden="true">{outside ? "·" : SIGNS[status]}</span> {id}</>;
  if (plain || !compile) return <span class={`chip ${status}`} title={title}>{inner}</span>;
  return <a class={`chip ${status}`} href={toCompile(id)} title={title} aria-label={title}>{inner}</a>;
}

/** The first compiles of a list, and how many there are more. */
export function CompileChips({ ids, limit = 6, more }: { ids: readonly string[]; limit?: number; more?: string }) {
  const shown = ids.length <= limit + 1 ? ids : ids.slice(0, limit);
  const hidden = ids.length - shown.length;
  return (
    <span class="chips">
      {shown.map((id) => <CompileChip key={id} id={id} />)}
      {hidden > 0 && (more ? <a class="muted" href={more}>+{hidden} more</a> : <span class="muted">+{hidden} more</span>)}
    </span>
  );
}
