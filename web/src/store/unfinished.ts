// Spans of the events that begin and do not end: what was running when the log ended.
import type { Timeline } from "./timeline-data";
import { NO_END } from "./timeline-data";
import type { UnfinishedSpan } from "./report";

export interface OpenThread {
  process: UnfinishedSpan["process"];
  thread: UnfinishedSpan["thread"];
  /** outermost first */
  spans: UnfinishedSpan[];
}

/** By thread, in the order of the report; with `key` only the spans of that compile. */
export function openThreads(unfinished: readonly UnfinishedSpan[], key?: string): OpenThread[] {
  const threads = new Map<string, OpenThread>();
  for (const span of unfinished) {
    if (key !== undefined && span.compile !== key) continue;
    const place = JSON.stringify([span.process, span.thread]);
    const held = threads.get(place) ?? { process: span.process, thread: span.thread, spans: [] };
    held.spans.push(span);
    threads.set(place, held);
  }
  return [...threads.values()];
}

/** The places of these spans in a timeline; -1 where it does not hold one. */
export function findOpen(timeline: Timeline, unfinished: readonly UnfinishedSpan[]): number[] {
  const zeroOf = (i: number) => timeline.zeros[timeline.lanes[timeline.lane[i]!]!.source] ?? 0;
  const places = new Map<string, number>();
  for (let i = 0; i < timeline.count; i++)
    if (timeline.flags[i]! & NO_END)
      places.set(`${timeline.from[i]! + zeroOf(i)} ${timeline.names[timeline.name[i]!]}`, i);
  return unfinished.map((span) => places.get(`${span.started_us} ${span.name}`) ?? -1);
}
