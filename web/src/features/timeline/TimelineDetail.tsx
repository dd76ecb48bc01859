import { useState } from "preact/hooks";
import { address } from "../../lib/address";
import { copyText } from "../../lib/clipboard";
import { count, middle, percent, plural, time } from "../../lib/text";
import { useLoaded } from "../../lib/hooks";
import { phaseOf } from "../../store/phases";
import { around, childrenOf } from "../../store/timeline";
import { INSTANT, loadArguments, NO_END, type Timeline } from "../../store/timeline-data";
import { CompileChip } from "../../ui/compile";
import { Facts, Panel, useStore } from "../../ui/page";
import { toRank } from "../../ui/RanksParts";

interface Props {
  spans: Timeline;
  span: number;
  onChoose: (span: number) => void;
  onFit: () => void;
  onClose: () => void;
}

const CHILDREN = 40;

/** One span: times, compile id, arguments, parents and children. */
export function SpanDetail({ spans, span, onChoose, onFit, onClose }: Props) {
  const { report } = useStore();
  const args = useLoaded(() => loadArguments(spans, span), [spans, span]);
  const [copied, setCopied] = useState(-1);
  const us = spans.to[span]! - spans.from[span]!;
  const name = spans.names[spans.name[span]!]!;
  const id = spans.id[span]! < 0 ? null : spans.ids[spans.id[span]!]!;
  const lane = spans.lanes[spans.lane[span]!]!;
  const flags = spans.flags[span]!;
  const phase = spans.phase[span]! < 0 ? null : phaseOf(report, spans.phases[spans.phase[span]!]);
  const children = childrenOf(spans, span);
  const path = around(spans, span);
  const copy = async () => {
    const text = JSON.stringify(
      {
        name,
        compile_id: id,
        lane: lane.title,
        start_us: spans.from[span],
        duration_us: us,
        self_us: spans.self[span],
        args: args.state === "ready" ? args.value : undefined,
      },
      null,
      1,
    );
    if (await copyText(text)) setCopied(span);
  };
  return (
    <Panel
      class="detail"
      title={
        <span class="mono" title={name}>
          {middle(name, 60)}
        </span>
      }
      note={
        <span class="steps">
          <button type="button" onClick={copy}>
            {copied === span ? "Copied" : "Copy"}
          </button>
          <button type="button" onClick={onFit}>
            Zoom
          </button>
          <button type="button" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </span>
      }
    >
      {path.length > 0 && (
        <p class="crumbs">
          {path.map((at) => (
            <span key={at}>
              <button
                type="button"
                class="plain link mono"
                title={spans.names[spans.name[at]!]}
                onClick={() => onChoose(at)}
              >
                {middle(spans.names[spans.name[at]!]!, 32)}
              </button>
            </span>
          ))}
        </p>
      )}
      <Facts
        facts={[
          ["compile", id === null ? null : <IdChip id={id} dir={spans.sources[lane.source]!.dir} />],
          ["function", spans.functions[lane.source]!.get(spans.id[span]!) ?? null],
          ["phase", phase === null ? null : phase.title],
          ["start", time(spans.from[span])],
          [
            "duration",
            flags & INSTANT ? (
              "instant"
            ) : (
              <>
                {time(us)}
                {flags & NO_END ? <span class="s-error"> ✂ no end event</span> : null}
              </>
            ),
          ],
          ["self time", flags & INSTANT ? null : `${time(spans.self[span])}, ${percent(spans.self[span]!, us)}`],
          ["track", lane.title],
        ]}
      />
      {args.state === "ready" && Object.keys(args.value).length > 0 && (
        <Facts
          facts={Object.entries(args.value).map(([key, value]) => [
            middle(key, 40),
            <span class="mono">{argument(key, value)}</span>,
          ])}
        />
      )}
      {args.state === "failed" && <p class="pad s-error">✕ {args.error.message}</p>}
      {children.length > 0 && (
        <>
          <h3 class="within">
            Children <span class="muted">{plural(children.length, "span")}, longest first</span>
          </h3>
          <ul class="children unmarked">
            {children.slice(0, CHILDREN).map((child) => (
              <li key={child}>
                <button
                  type="button"
                  class="plain link mono"
                  title={spans.names[spans.name[child]!]}
                  onClick={() => onChoose(child)}
                >
                  {middle(spans.names[spans.name[child]!]!, 48)}
                </button>
                <span class="num">
                  {spans.flags[child]! & INSTANT ? "◆" : time(spans.to[child]! - spans.from[child]!)}
                </span>
                <span class="share" aria-hidden="true">
                  <i style={{ width: `${(100 * (spans.to[child]! - spans.from[child]!)) / Math.max(1, us)}%` }} />
                </span>
              </li>
            ))}
          </ul>
          {children.length > CHILDREN && <p class="pad muted">{count(children.length - CHILDREN)} more</p>}
        </>
      )}
    </Panel>
  );
}

/** The id in another rank's report is a link to that report. */
export function IdChip({ id, dir }: { id: string; dir: string }) {
  return dir ? (
    <a class="mono" href={toRank(dir, address(["c", id]))}>
      {id.replace("#", " #")}
    </a>
  ) : (
    <CompileChip id={id} />
  );
}

/** Durations say their unit in their name. */
function argument(key: string, value: unknown): string {
  if (typeof value === "number" && /_s$/.test(key)) return time(value * 1e6);
  if (typeof value === "number" && /_us$/.test(key)) return time(value);
  if (typeof value === "number" && /_ns$/.test(key) && value < 1e15) return time(value / 1000);
  return typeof value === "string" ? value : JSON.stringify(value);
}
