// Compiles as all pages show them: chips, statuses, frames, steps between the compiles of a frame.
import { address, toCompile, withSearch } from "../lib/address";
import { useKeys } from "../lib/hooks";
import { STATUSES } from "../lib/status";
import { baseName, count } from "../lib/text";
import { fileUrl } from "../store/artifact";
import { type Ref, refText } from "../store/partners";
import { type Compile, frameName, isCompile, type Report, type StackFrame, type Status } from "../store/report";
import { callersByCompile } from "../store/unattributed";
import { useStore } from "./page";
import { FrameName } from "./text";

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

const CALLERS = new WeakMap<Report, Map<string, StackFrame>>();

/** The frame of a compile; of one without an id, as of AOTInductor, the line of the program that began it. */
export function CompileFrame({ compile }: { compile: Compile }) {
  const { report } = useStore();
  if (compile.frame || !compile.is_compile) return <FrameName frame={compile.frame} />;
  if (!CALLERS.has(report)) CALLERS.set(report, callersByCompile(report.unattributed));
  const caller = CALLERS.get(report)!.get(compile.key);
  if (!caller) return compile.what ? <span>{compile.what}</span> : <FrameName frame={null} />;
  return (
    <span title={`${caller.file}:${caller.line ?? "?"}\n${caller.code ?? ""}`}>
      {compile.what && `${compile.what} `}
      <span class="mono">
        <span class="muted">called at</span> {baseName(caller.file)}:{caller.line ?? "?"}
      </span>
    </span>
  );
}

/** The compiles of the same frame between two resets, in order. */
export function neighbours(report: Report, compile: Compile): string[] {
  return report.recompiles.find((item) => item.chain.includes(compile.key))?.chain ?? [compile.key];
}

/** The compiles that have the same id: after resets, and in other processes of the log. */
export function namesakes(report: Report, compile: Compile): Compile[] {
  return report.compiles.filter((other) => other.id === compile.id && other.is_compile);
}

/** Previous and next compile of the frame. */
export function FrameSteps({ ids, id }: { ids: readonly string[]; id: string }) {
  const store = useStore();
  if (ids.length < 2) return null;
  const i = ids.indexOf(id);
  const link = (to: string | undefined, sign: string, what: string, key: string) =>
    to === undefined ? (
      <span class="step off" aria-hidden="true">
        {sign}
      </span>
    ) : (
      <a
        class="step"
        href={toCompile(to)}
        title={`${what} compile of this frame: ${store.name(to)} (${key})`}
        aria-label={`${what} compile of this frame: ${store.name(to)}`}
      >
        {sign}
      </a>
    );
  return (
    <span class="steps">
      {link(ids[i - 1], "‹", "previous", "[")}
      <span class="muted num">
        {i + 1} of {ids.length}
        <span class="wide"> of this frame</span>
      </span>
      {link(ids[i + 1], "›", "next", "]")}
    </span>
  );
}

/** Links to the compile's standalone provenance pages. */
export function ProvenanceLinks({ compile }: { compile: Compile }) {
  const pages = (compile.provenance ?? []).filter((page) => fileUrl(page));
  return (
    <>
      {pages.map((page) => (
        <a
          key={page}
          class="button"
          href={withSearch(fileUrl(page) ?? "")}
          title="Source lines, graph nodes and generated code side by side"
        >
          Provenance
          {pages.length > 1 && (
            <span class="mono small">&nbsp;{page.replace(/^provenance_tracking_|\.html$/g, "")}</span>
          )}
        </a>
      ))}
    </>
  );
}

/** In the head of an artifact: leads to its comparison. */
export function CompareLink({ id, n }: Ref) {
  const href = address(["compare"], { a: refText({ id, n }) });
  useKeys({ "=": () => (location.hash = href) });
  return (
    <a class="button" href={href} title="Compare with another compile, attempt or stage (=)">
      Compare
    </a>
  );
}

export function countStatuses(compiles: readonly Compile[]): Record<Status, number> {
  const counts: Record<Status, number> = { ok: 0, restart: 0, error: 0, empty: 0, missing: 0 };
  for (const compile of compiles) if (isCompile(compile)) counts[compile.status]++;
  return counts;
}

/** How the compiles ended. Those that restarted and then compiled are compiled: the bar shows them within. */
export function StatusBar({ report }: { report: Report }) {
  const { compiles, compiled, statuses, interrupted, ops_unknown: uncounted } = report.totals;
  const shown = STATUSES.filter((status) => statuses[status] > 0);
  const link = (status: readonly Status[], text: string) => (
    <a href={address(["compiles"], { status: status.join(",") })}>{text}</a>
  );
  const rest: [Status, number, string][] = [
    ["error", statuses.error, STATUS_WORDS.error],
    ["empty", interrupted, INTERRUPTED],
    ["empty", statuses.empty - uncounted - interrupted, STATUS_WORDS.empty],
    ["empty", uncounted, OPS_UNKNOWN],
    ["missing", statuses.missing, STATUS_WORDS.missing],
  ];
  return (
    <div>
      <div
        class="bar"
        role="img"
        aria-label={shown.map((status) => `${count(statuses[status])} ${STATUS_WORDS[status]}`).join(", ")}
      >
        {shown.map((status) => (
          <i
            key={status}
            title={`${count(statuses[status])} ${STATUS_WORDS[status]}`}
            style={{ flexGrow: statuses[status], background: `var(--${status})` }}
          />
        ))}
      </div>
      <div class="legend">
        <span>
          <b>{count(compiles)}</b> {compiles === 1 ? "compile" : "compiles"}
        </span>
        {compiled > 0 && (
          <span>
            <i style={{ background: `var(--${statuses.ok ? "ok" : "restart"})` }} />
            <b>{count(compiled)}</b> <span aria-hidden="true">{SIGNS.ok}</span> {link(["ok", "restart"], "compiled")}
            {statuses.restart > 0 && (
              <span class="muted">
                {" "}
                ({count(statuses.restart)} {link(["restart"], "after a restart")})
              </span>
            )}
          </span>
        )}
        {rest
          .filter(([, n]) => n > 0)
          .map(([status, n, words]) => (
            <span key={words}>
              <i style={{ background: `var(--${status})` }} />
              <b>{count(n)}</b> <span aria-hidden="true">{SIGNS[status]}</span> {link([status], words)}
            </span>
          ))}
      </div>
    </div>
  );
}
