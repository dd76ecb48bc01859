import { useMemo } from "preact/hooks";
import { count, matches, plural, words } from "../../lib/text";
import { useTitle } from "../../lib/hooks";
import { noFailures } from "../../store/report";
import { failureCauses, restartCauses, searchText, type FailureCause } from "../../store/failures";
import { CompileChips } from "../../ui/compile";
import { Hints, Message, PlaceText, Prose, SourceLine } from "../../ui/text";
import { Empty, More, type PageProps, Panel, useStore } from "../../ui/page";
import { FilterBox, PageHead } from "../../ui/PageHead";

const STEP = 50;

/** "2", or "1 of 2" where a filter is set. */
const of = (shown: number, all: number): string => (shown === all ? count(all) : `${count(shown)} of ${count(all)}`);

/** The distinct compiles of some causes. */
const compilesOf = (causes: readonly FailureCause[]): number => new Set(causes.flatMap((cause) => cause.compiles)).size;

export function Failures({ at }: PageProps) {
  const store = useStore();
  const { report } = store;
  useTitle("Failures");
  const [failed, restarted] = useMemo(() => [failureCauses(report), restartCauses(report)] as const, [report]);
  const wanted = words(at.query.q);
  const fits = (cause: FailureCause) =>
    matches(
      searchText(cause, (key) => store.compile(key)),
      wanted,
    );
  const failures = failed.filter(fits);
  const restarts = restarted.filter(fits);
  return (
    <>
      <PageHead
        title="Failures and restarts"
        sub={`${of(compilesOf(failures), compilesOf(failed))} failed, ${of(compilesOf(restarts), compilesOf(restarted))} restarted`}
      >
        <FilterBox value={at.query.q} label="Filter type, reason, function" />
      </PageHead>
      <div class="room" data-scroll="room">
        <Panel title="Failures" note={failed.length > 1 && plural(failures.length, "cause")}>
          {!failures.length && <Empty title={failed.length ? "No matching failures" : noFailures(report)} />}
          <More items={failures} step={STEP}>
            {(cause) => <Cause key={cause.title + cause.compiles[0]} cause={cause} />}
          </More>
        </Panel>
        <Panel
          title="Restarts"
          note={restarted.length ? "Dynamo discarded a trace and traced the frame again" : undefined}
        >
          {!restarts.length && <Empty title={restarted.length ? "No matching restarts" : "No restarts"} />}
          <More items={restarts} step={STEP}>
            {(cause) => <Cause key={cause.title + cause.compiles[0]} cause={cause} />}
          </More>
        </Panel>
      </div>
    </>
  );
}

/** One cause: the line, what was raised, what it means, what to do about it, and PyTorch's text in full. */
function Cause({ cause }: { cause: FailureCause }) {
  const { finding, sections, texts } = cause;
  const place = finding?.place ?? cause.place;
  const types = cause.types.filter((type) => !cause.title.includes(type));
  const id = sections?.id ?? null;
  return (
    <article class="entry">
      <SourceLine place={finding?.place} code={finding?.code} severity={cause.types.length ? "error" : "warning"} />
      <h3>
        <span>
          <Prose text={cause.title} />
          {id && <span class="muted mono"> {id}</span>}
        </span>
        {cause.backward && <span class="muted">backward</span>}
      </h3>
      <div class="where flexrow">
        <PlaceText place={place} full limit={90} />
        {finding?.caller && (
          <span>
            <span class="muted">called from</span> <PlaceText place={finding.caller} />
          </span>
        )}
        {types.length > 0 && <span class="mono muted">{types.join(", ")}</span>}
        <CompileChips ids={cause.compiles} limit={12} />
      </div>
      {cause.message && <Message text={short(cause.message)} />}
      {sections?.then && (
        <p>
          Followed by: <Prose text={sections.then} />
        </p>
      )}
      {finding?.why && (
        <p class="muted">
          <Prose text={finding.why} />
        </p>
      )}
      <Hints finding={finding} hints={sections?.hints ?? []} id={id} url={sections?.url ?? null} />
      {sections?.context && (
        <details class="raw">
          <summary>Developer context</summary>
          <pre>{sections.context}</pre>
        </details>
      )}
      {texts.some((text) => text.includes("\n") || text.length > 200) && (
        <details class="raw">
          <summary>{texts.length > 1 ? `${count(texts.length)} full messages` : "Full message"}</summary>
          {texts.map((text) => (
            <pre key={text}>{text.trimEnd()}</pre>
          ))}
        </details>
      )}
    </article>
  );
}

/** The full message is below. */
function short(text: string): string {
  const lines = text.split("\n");
  const head = lines.slice(0, 8).join("\n");
  return head.length > 900 ? `${head.slice(0, 900)}…` : lines.length > 8 ? `${head}\n…` : head;
}
