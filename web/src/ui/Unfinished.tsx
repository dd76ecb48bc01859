import { address } from "../lib/address";
import { plural, time } from "../lib/text";
import { openThreads, type OpenThread } from "../store/unfinished";
import type { Compile } from "../store/report";
import { formatView } from "../lib/flame/scale";
import { CompileChip } from "./compile";
import { More, Panel, useStore } from "./page";

/** The spans that were open when the log ended, by thread, outermost first; `of` a compile those of that compile. */
export function Unfinished({ of }: { of?: Compile }) {
  const { report } = useStore();
  const threads = openThreads(report.unfinished, of?.key);
  if (!threads.length) return null;
  const spans = threads.reduce((n, thread) => n + thread.spans.length, 0);
  return (
    <Panel
      title="Unfinished spans"
      note={
        <>
          {plural(spans, "span")}
          {toEnd(report, threads)}
        </>
      }
    >
      <More items={threads} step={4}>
        {(thread) => (
          <Thread key={`${thread.process} ${thread.thread}`} thread={thread} several={threads.length > 1} chips={!of} />
        )}
      </More>
    </Panel>
  );
}

function Thread({ thread, several, chips }: { thread: OpenThread; several: boolean; chips: boolean }) {
  let last: string | null = null;
  return (
    <>
      {several && (
        <p class="pad muted">
          process {thread.process ?? "?"}, thread {thread.thread ?? "?"}
        </p>
      )}
      <ol class="open-spans unmarked" aria-label="Open spans, outermost first">
        {thread.spans.map((span, i) => {
          const chip = chips && span.compile !== null && span.compile !== last;
          last = span.compile;
          return (
            <li key={i} style={{ "--depth": Math.min(i, 12) }} class={i === thread.spans.length - 1 ? "innermost" : ""}>
              <span class="mono">{span.name}</span>
              {chip && <CompileChip id={span.compile!} />}
              <span class="muted num">{beganText(span.before_end_us)}</span>
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** The log does not say how long the process went on after its last event. */
export const beganText = (before_end_us: number): string =>
  before_end_us > 0 ? `began ${time(before_end_us)} before the last event` : "began with the last event";

/** The end of the timeline, as wide as the innermost span. */
function toEnd(
  { timeline }: { timeline?: { start_us: number | null; duration_us: number } },
  threads: readonly OpenThread[],
) {
  const innermost = threads[0]!.spans.at(-1)!;
  if (timeline?.start_us == null) return null;
  const from = innermost.started_us - timeline.start_us;
  const wide = Math.max(innermost.before_end_us, 1000);
  return (
    <>
      {" "}
      ·{" "}
      <a href={address(["timeline"], { v: formatView({ from: Math.max(0, from - wide / 4), to: from + wide }) })}>
        Timeline
      </a>
    </>
  );
}
