// The spans as a file that ui.perfetto.dev opens. On file:// a link cannot save chromium_events.json (a browser shows it instead), so the
// page makes the same of what it has loaded: whole events instead of begins and ends, all ranks together.
import { INSTANT, loadArguments, NO_END, type Timeline } from "./timeline-data";

export async function perfettoTrace(timeline: Timeline): Promise<Blob> {
  const parts: string[] = ["[\n"];
  timeline.lanes.forEach((lane, tid) => {
    parts.push(
      `${JSON.stringify({ name: "thread_name", ph: "M", pid: lane.source, tid, args: { name: lane.title } })},\n`,
    );
  });
  timeline.sources.forEach((source, pid) => {
    if (source.title)
      parts.push(`${JSON.stringify({ name: "process_name", ph: "M", pid, args: { name: source.title } })},\n`);
  });
  for (let i = 0; i < timeline.count; i++) {
    const tid = timeline.lane[i]!;
    const instant = (timeline.flags[i]! & INSTANT) !== 0;
    const args: Record<string, unknown> = { ...(await loadArguments(timeline, i)) };
    if (timeline.id[i]! >= 0) args.compile_id = timeline.ids[timeline.id[i]!];
    if (timeline.flags[i]! & NO_END) args.no_end = true;
    const event = {
      name: timeline.names[timeline.name[i]!],
      cat: "tlparse",
      ts: (timeline.zeros[timeline.lanes[tid]!.source] ?? 0) + timeline.from[i]!,
      pid: timeline.lanes[tid]!.source,
      tid,
      args,
    };
    parts.push(
      JSON.stringify(
        instant ? { ...event, ph: "i", s: "t" } : { ...event, ph: "X", dur: timeline.to[i]! - timeline.from[i]! },
      ),
      i + 1 < timeline.count ? ",\n" : "\n",
    );
  }
  parts.push("]\n");
  return new Blob(parts, { type: "application/json" });
}

export async function saveTrace(timeline: Timeline, name: string): Promise<void> {
  const url = URL.createObjectURL(await perfettoTrace(timeline));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
