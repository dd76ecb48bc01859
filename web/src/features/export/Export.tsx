import { useEffect } from "preact/hooks";
import { toArtifact, withSearch } from "../../lib/address";
import { bytes, count, matches, plural, words } from "../../lib/text";
import { useLoaded, useTitle } from "../../lib/hooks";
import { fileUrl } from "../../store/artifact";
import {
  EXPORT_KINDS,
  kindCount,
  outcomeTitle,
  programWords,
  searchText,
  type ExportData,
  type ExportKind,
  type ExportProgram,
  type ExportSummary,
} from "../../store/export";
import { CompileChips } from "../../ui/compile";
import { More, type PageProps, Panel, useStore, EmptyPanel, Pending } from "../../ui/page";
import { Prose } from "../../ui/text";
import { FilterBox, PageHead, Toggle, EmptyPage } from "../../ui/PageHead";
import { Calls } from "./ExportCalls";
import { FailureCard } from "./ExportFailure";

const STEP = 30;

export function Export({ at }: PageProps) {
  const { export: summary, compiles } = useStore().report;
  useTitle("Export");
  if (summary?.found) return <Found at={at} summary={summary} />;
  const exported = compiles.filter((compile) => compile.exported).map((compile) => compile.key);
  if (exported.length > 0)
    return (
      <EmptyPage page="Export" title="Exported by torch._dynamo.export">
        It returns a graph module and guards, not an exported program. <CompileChips ids={exported} limit={20} />
      </EmptyPage>
    );
  return (
    <EmptyPage page="Export" title="No torch.export in this log">
      If it is an export all the same, run tlparse with <code>--export</code>.
    </EmptyPage>
  );
}

function Found({ at, summary }: PageProps & { summary: ExportSummary }) {
  const store = useStore();
  const loaded = useLoaded(() => store.exported(), [store]);
  return (
    <>
      <PageHead title="Export" sub={`${plural(summary.failure_count, "failure")}, ${programWords(summary)}`}>
        <FilterBox value={at.query.q} label="Filter expression, operator, file" />
      </PageHead>
      <div class="room" data-scroll="room">
        <Pending of={loaded} what="the export" />
        {loaded.state === "ready" && <Failures data={loaded.value} at={at} />}
      </div>
    </>
  );
}

function Failures({ data, at }: PageProps & { data: ExportData }) {
  const { q, n: chosen, kind } = at.query;
  const wanted = words(q);
  const shown = data.failures
    .map((failure, n) => ({ failure, n }))
    .filter(({ failure }) => (!kind || failure.kind === kind) && matches(searchText(failure), wanted));
  useEffect(() => {
    if (chosen) document.getElementById(`export-${chosen}`)?.scrollIntoView({ block: "start" });
  }, [chosen]);
  return (
    <>
      {data.programs.length > 0 && (
        <Panel title={data.programs.length === 1 ? "Exported program" : "Exported programs"}>
          <Programs programs={data.programs} />
        </Panel>
      )}
      {data.outcome && (
        <Panel title={outcomeTitle(data.outcome)}>
          <p class="pad outcome">
            <Prose text={data.outcome.text} />
          </p>
        </Panel>
      )}
      <Calls data={data} />
      <Kinds data={data} kind={kind} />
      {data.failures.length > 0 && !shown.length && <EmptyPanel title="No matching failures" />}
      <More items={shown} step={STEP} at={shown.findIndex((entry) => String(entry.n) === chosen)}>
        {({ failure, n }) => <FailureCard key={n} data={data} failure={failure} n={n} on={chosen === String(n)} />}
      </More>
      {data.more_failures > 0 && <p class="muted">{count(data.more_failures)} more in the log, not shown.</p>}
    </>
  );
}

/** One button for each kind that there is; pressed, the others are hidden. */
function Kinds({ data, kind }: { data: ExportData; kind: string | undefined }) {
  const kinds = (Object.keys(EXPORT_KINDS) as ExportKind[]).filter((key) => data.counts[key]);
  if (kinds.length < 2) return null;
  return (
    <div class="toggles export-kinds" role="group" aria-label="Kinds of failures">
      {kinds.map((key) => (
        <Toggle
          key={key}
          on={kind === key}
          query={{ kind: kind === key ? null : key }}
          class={`chip ${key === "guard" ? "restart" : "error"}`}
        >
          {kindCount(key, data.counts[key])}
        </Toggle>
      ))}
    </div>
  );
}

export function Programs({ programs }: { programs: readonly ExportProgram[] }) {
  return (
    <ul class="plainlist">
      {programs.map((program, i) => {
        const file = fileUrl(program.url);
        return (
          <li key={i}>
            <a href={toArtifact(program.compile, program.artifact)}>Program of {program.compile}</a>{" "}
            <span class="muted num">{bytes(program.bytes)}</span>{" "}
            {file && (
              <a class="mono" href={withSearch(file)}>
                {program.url}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}
