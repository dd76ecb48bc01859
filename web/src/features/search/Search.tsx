// Finds a text or regular expression in all artifacts of the report. Results appear while the rest is read.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { replaceQuery, toArtifact } from "../../lib/address";
import { bytes, count, percent, plural } from "../../lib/text";
import { useKeys, useTitle } from "../../lib/hooks";
import { fileName } from "../../store/artifact";
import { patternError, type SearchQuery } from "../../lib/search";
import type { Report } from "../../store/report";
import { STATUSES } from "../../lib/status";
import { worksHere } from "../../lib/work";
import { STATUS_WORDS } from "../../ui/compile";
import { PageHead, QueryCheck, QueryLink, Select } from "../../ui/PageHead";
import { Empty, type PageProps, useStore } from "../../ui/page";
import { Places } from "./SearchPlaces";
import { SearchResults } from "./SearchResults";
import { ARTIFACTS_SHOWN, useSearch, type Run } from "./useSearch";

export function Search({ at }: PageProps) {
  const { report } = useStore();
  const { q = "", in: name = "", status = "", kind = "", id = "" } = at.query;
  const query: SearchQuery = {
    text: q,
    regexp: at.query.re === "1",
    caseSensitive: at.query.case === "1",
    word: at.query.word === "1",
  };
  const wrong = q ? patternError(query) : null;
  const bad = wrong !== null;
  const narrowed = !!(name || status || kind || id);
  const { run, stop } = useSearch(query, { name, status, kind, id }, bad);
  const input = useRef<HTMLInputElement>(null);
  const walk = useRef<(() => void) | null>(null); // goes to the selected result, or the first
  useTitle(q ? `Search ${q}` : "Search");
  useLayoutEffect(() => {
    if (!at.query.at) input.current?.focus({ preventScroll: true });
  }, []);
  useKeys({
    "/": () => {
      input.current?.focus();
      input.current?.select();
    },
    ...(run.state === "running" ? { Escape: stop } : {}),
  });
  const kinds = useMemo(() => kindsOf(report, kind), [report, kind]);
  const toggle = (key: string, label: string, title?: string) => (
    <QueryCheck name={key} on={at.query[key] === "1"} title={title}>
      {label}
    </QueryCheck>
  );
  const box = (key: string, value: string, label: string, placeholder: string, title: string, cls: string) => (
    <input
      class={cls}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      title={title}
      value={value}
      spellcheck={false}
      onInput={(event) => replaceQuery({ [key]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <PageHead title="Search" sub={<span aria-live="polite">{said(run)}</span>}>
        {run.state === "running" && (
          <button type="button" onClick={stop} title="Esc">
            Stop
          </button>
        )}
      </PageHead>
      <form class="search-form toolbar" role="search" onSubmit={(event) => event.preventDefault()}>
        <div class="find wide-find">
          <input
            ref={input}
            type="search"
            aria-label="Search all artifacts"
            placeholder="Text or regular expression"
            value={q}
            spellcheck={false}
            autocomplete="off"
            aria-invalid={bad}
            onInput={(event) => replaceQuery({ q: event.currentTarget.value, at: null })}
            onKeyDown={(event) => {
              if (event.key === "ArrowDown" || event.key === "Enter") walk.current?.();
              if (!["Escape", "ArrowDown"].includes(event.key)) return;
              event.preventDefault();
              if (event.key === "ArrowDown") return;
              if (run.state === "running") stop();
              else event.currentTarget.blur();
            }}
          />
          <kbd aria-hidden="true">/</kbd>
        </div>
        {toggle("word", "whole words", "mm does not match addmm")}
        {toggle("re", "regular expression", "JavaScript syntax: \\bmm\\(.*f16")}
        {toggle("case", "match case")}
        <Select
          class="kind"
          label="Kind of artifact"
          value={kind}
          onChange={(next) => replaceQuery({ kind: next })}
          options={[["", "any kind"], ...kinds.map((one) => [one, one] as const)]}
        />
        {box("id", id, "Compile id", "compile id", "2/1 is one compile, 2 all compiles of frame 2", "id mono")}
        {box("in", name, "Artifact name", "artifact", "Part of the name or kind of the artifact", "in")}
        <Select
          label="Status of the compile"
          value={status}
          onChange={(next) => replaceQuery({ status: next })}
          options={[["", "any status"], ...STATUSES.map((one) => [one, STATUS_WORDS[one]] as const)]}
        />
      </form>
      {run.state === "running" && run.progress && (
        <progress aria-label="Progress" max={run.progress.total} value={run.progress.bytes} />
      )}
      {bad && (
        <p class="notice" role="alert">
          Invalid regular expression: {wrong}
        </p>
      )}
      {run.state === "failed" && (
        <p class="notice" role="alert">
          {run.error}
        </p>
      )}
      {worksHere() && q && !bad && (
        <p class="notice">
          This host blocks web workers, so the search is slower and may miss matches that span lines.
        </p>
      )}
      {run.progress && run.progress.slow.length > 0 && (
        <p class="notice">
          The expression took longer than 2 s in {plural(run.progress.slow.length, "artifact")}, which the search
          skipped:{" "}
          {run.progress.slow.map((item) => (
            <>
              <a key={`${item.compile.key} ${item.n}`} href={toArtifact(item.compile.key, item.n)}>
                {item.compile.key} {fileName(item.artifact)}
              </a>{" "}
            </>
          ))}
          {run.progress.slow.length >= 5 && "The search stopped. Simplify the expression."}
        </p>
      )}
      {q && !query.regexp && <Places q={q} report={report} />}
      {!q && (
        <Empty title="Type to search">
          {bytes(report.compiles.reduce((n, compile) => n + compile.bytes, 0))} of graphs, code, guards and other
          artifacts.
        </Empty>
      )}
      {q && !bad && !run.found.length && run.state === "done" && (
        <Empty title="No matches">
          {narrowed && (
            <QueryLink query={{ in: null, status: null, kind: null, id: null }}>Search all artifacts</QueryLink>
          )}
        </Empty>
      )}
      {run.found.length > 0 && <SearchResults found={run.found} query={query} at={at.query.at} walk={walk} />}
    </>
  );
}

/** The kinds of records that became artifacts with a text, by name, and the kind that the address names. */
function kindsOf(report: Report, chosen: string): string[] {
  const names = report.log.kinds
    .filter((kind) => kind.key !== "chromium_event" && kind.bytes > 0)
    .map((kind) => (kind.key === "artifact" ? (kind.name ?? "artifact") : kind.key));
  return [...new Set([...names, ...(chosen ? [chosen] : [])])].sort();
}

function said({ state, found, progress }: Run): string {
  if (state === "idle" || state === "failed") return "";
  const matches = found.reduce((n, item) => n + item.result.count, 0);
  const more = found.some((item) => item.result.more) ? "more than " : "";
  const here = `${more}${plural(matches, "line")} in ${plural(found.length, "artifact")} of ${plural(new Set(found.map((item) => item.compile.key)).size, "compile")}`;
  const read = progress
    ? `${bytes(progress.bytes)} of ${bytes(progress.total)}${progress.total ? `, ${percent(progress.bytes, progress.total)}` : ""}`
    : "";
  if (state === "running") return `${here} · searching, ${read}`;
  if (state === "stopped") return `${here} · stopped after ${read}`;
  if (state === "full") return `${here} · the first ${count(ARTIFACTS_SHOWN)} artifacts, after ${read}`;
  return `${here} · ${progress ? bytes(progress.bytes) : "0 B"} searched`;
}
