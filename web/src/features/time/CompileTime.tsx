// Where the compile time goes, line by line: its time, its evidence, what it would save at most, and what to change.
import { address } from "../../lib/address";
import { capital, time } from "../../lib/text";
import { useTitle } from "../../lib/hooks";
import { placed } from "../../lib/packed";
import type { TimeLine } from "../../store/generated/report";
import { CompileChips } from "../../ui/compile";
import { PageHead } from "../../ui/PageHead";
import { Panel, useStore, EmptyPanel } from "../../ui/page";
import { Prose } from "../../ui/text";

const UNTIMED = ["untimed", "unfinished"]; // no part of the compile time

export function CompileTime() {
  const { report } = useStore();
  const { parts, hints } = report.compile_time ?? { parts: [], hints: [] };
  const total = report.totals.time_us;
  useTitle("Compile time");
  return (
    <>
      <PageHead title="Compile time" sub={total === null ? "" : time(total)} />
      <div class="room" data-scroll="room">
        {!parts.length && <EmptyPanel title="The log has no compile time" />}
        {parts.length > 0 && (
          <Panel title="Parts" note={`they add up to ${time(total)}`}>
            <Lines lines={parts} total={total} />
          </Panel>
        )}
        {hints.length > 0 && (
          <Panel title="Other views" note="by cause; they overlap">
            <Lines lines={hints} total={total} />
          </Panel>
        )}
      </div>
    </>
  );
}

function Lines({ lines, total }: { lines: readonly TimeLine[]; total: number | null }) {
  return (
    <>
      {lines.map((line) => (
        <Line key={line.key} line={line} total={total} />
      ))}
    </>
  );
}

function Line({ line, total }: { line: TimeLine; total: number | null }) {
  const width = total ? Math.min(100, (100 * line.time_us) / total) : 0;
  return (
    <article class="finding time-line" data-kind={line.key}>
      <span />
      <div>
        <h3>
          {line.link ? (
            <a href={placed(line.link)}>
              <Prose text={capital(line.title)} />
            </a>
          ) : (
            <Prose text={capital(line.title)} />
          )}
        </h3>
        {!UNTIMED.includes(line.key) && (
          <div class="bar small" aria-hidden="true">
            <i style={{ flexBasis: `${width}%`, background: "var(--p4)" }} />
          </div>
        )}
        {line.why && (
          <p class="why">
            <Prose text={capital(line.why)} />
          </p>
        )}
        {line.compiles.length > 0 && (
          <div class="where flexrow">
            <CompileChips
              ids={line.compiles}
              total={line.compiles.length + line.more_compiles}
              more={address(["compiles"])}
            />
          </div>
        )}
        {(line.action || line.evidence) && (
          <p class="advice">
            {line.action && (
              <>
                <b>Fix:</b> <Prose text={line.action} />
              </>
            )}
            {line.evidence && (
              <span class="muted evidence">
                Evidence: <Prose text={line.evidence} />
              </span>
            )}
          </p>
        )}
      </div>
      <div class="cost">
        <b>{time(line.time_us)}</b>
        {line.saves_us ? <span class="of">saves at most {time(line.saves_us)}</span> : null}
      </div>
    </article>
  );
}
