import { useMemo } from "preact/hooks";
import { matches, words } from "../../lib/filter";
import { count } from "../../lib/format";
import { useTitle } from "../../lib/hooks";
import { noFailures } from "../../store/counts";
import { CompileChip } from "../../ui/Chip";
import { LongText } from "../../ui/LongText";
import { More } from "../../ui/More";
import { Panel } from "../../ui/Panel";
import { PlaceText } from "../../ui/PlaceText";
import { FilterBox, PageHead } from "../../ui/PageHead";
import { Empty } from "../../ui/States";
import { useStore } from "../../ui/context";
import type { PageProps } from "../../ui/page";

const STEP = 50;

/** "2", or "1 of 2" where a filter is set. */
const of = (shown: number, all: number): string => (shown === all ? count(all) : `${count(shown)} of ${count(all)}`);

export function Failures({ at }: PageProps) {
  const { report } = useStore();
  useTitle("Failures");
  const wanted = words(at.query.q);
  const frames = useMemo(() => new Map(report.compiles.map((c) => [c.key, c.frame?.function])), [report]);
  const failures = useMemo(
    () =>
      [...report.failures, ...(report.backward_failures ?? []).map((f) => ({ ...f, backward: true }))].filter((f) =>
        matches([f.compile, frames.get(f.compile), f.type, f.reason, f.place?.file].join(" ").toLowerCase(), wanted),
      ),
    [report, at.query.q],
  );
  const restarted = useMemo(
    () =>
      report.compiles.filter(
        (c) => c.restarts.length && matches([c.key, c.frame?.function, ...c.restarts].join(" ").toLowerCase(), wanted),
      ),
    [report, at.query.q],
  );
  const all = report.failures.length + (report.backward_failures?.length ?? 0);
  return (
    <>
      <PageHead
        title="Failures and restarts"
        sub={`${of(failures.length, all)} failed, ${of(restarted.length, report.compiles.filter((c) => c.restarts.length).length)} restarted`}
      >
        <FilterBox value={at.query.q} label="Filter type, reason, function" />
      </PageHead>
      <div class="room" data-scroll="room">
        <Panel title="Failures">
          {!failures.length && (
            <Empty
              title={
                report.failures.length || report.backward_failures?.length
                  ? "No failure fits the filter"
                  : noFailures(report)
              }
            />
          )}
          <More items={failures} step={STEP}>
            {(failure) => (
              <article
                key={`${failure.compile} ${failure.attempt} ${failure.type} ${"backward" in failure}`}
                class="entry"
              >
                <h3>
                  <CompileChip id={failure.compile} />{" "}
                  <span class="mono">{failure.type ?? "failure of unknown type"}</span>
                  {frames.get(failure.compile) && (
                    <span>
                      <span class="muted">in</span> <span class="mono">{frames.get(failure.compile)}</span>
                    </span>
                  )}
                  {"backward" in failure && <span class="muted">in the backward</span>}
                  {failure.attempt ? <span class="muted"> attempt {failure.attempt}</span> : null}
                </h3>
                {failure.place && <PlaceText place={failure.place} full limit={90} />}
                {failure.reason && <LongText text={failure.reason} lines={8} />}
              </article>
            )}
          </More>
        </Panel>
        <Panel title="Restarts" note="Dynamo discarded a trace and traced the frame again">
          {!restarted.length && (
            <Empty title={report.totals.restarts ? "No restart fits the filter" : "No compile restarted"} />
          )}
          <More items={restarted} step={STEP}>
            {(compile) => (
              <article key={compile.key} class="entry">
                <h3>
                  <CompileChip id={compile.key} /> <PlaceText place={compile.frame} />
                </h3>
                {compile.restarts.map((reason, i) => (
                  <LongText key={i} text={reason} />
                ))}
              </article>
            )}
          </More>
        </Panel>
      </div>
    </>
  );
}
