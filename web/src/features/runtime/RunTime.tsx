// What the compiled program costs when it runs: the trace of torch.profiler, joined with the compiles of the log.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { count, middle, percent, plural, time, words } from "../../lib/text";
import { formatView } from "../../lib/flame/scale";
import { useTitle } from "../../lib/hooks";
import { hasDevice, isUsed, neverRan, partsOf, type Profile, unaligned, withLine } from "../../store/profile";
import type { Report } from "../../store/report";
import { CompileChip, CompileFrame } from "../../ui/compile";
import { ChipLine, EmptyPanel, type PageProps, Panel, useAll, useStore } from "../../ui/page";
import { EmptyPage, FilterBox, PageHead } from "../../ui/PageHead";
import { Functions } from "./Functions";
import { CompilesTable, Eager, Graphs, KernelsTable, Lines } from "./RunTimeTables";

export function RunTime({ at }: PageProps) {
  const store = useStore();
  const { profile } = store.report;
  const { q } = at.query;
  useTitle("Run time");
  const wanted = useMemo(() => words(q), [q]);
  if (!profile)
    return (
      <EmptyPage page="Run time" title="No profile">
        Record some steps with <code>torch.profiler</code>, and read the log with{" "}
        <code>tlparse LOG --profile TRACE</code>
      </EmptyPage>
    );
  const props = { store, profile, query: at.query, wanted };
  const used = isUsed(profile);
  return (
    <>
      <PageHead title="Run time" sub={used && headText(profile)}>
        {used && <FilterBox value={q} label="Filter line, kernel, frame, operator" />}
        <OnTimeline report={store.report} />
      </PageHead>
      <div class="room" data-scroll="room">
        <Refused profile={profile} />
        {used ? (
          <>
            <Summary profile={profile} />
            <NeverRan profile={profile} />
            <Lines {...props} />
            {profile.kernels.length > 0 && <KernelsTable {...props} />}
            <Functions {...props} />
            {profile.compiles.length > 0 && <CompilesTable {...props} />}
            <Graphs {...props} />
            <Eager {...props} />
          </>
        ) : (
          <EmptyPanel title="No run time">No profile is of the program that wrote the log</EmptyPanel>
        )}
      </div>
    </>
  );
}

/** A link to the timeline at the time of the profile. */
function OnTimeline({ report: { profile, timeline } }: { report: Report }) {
  if (!profile || profile.start_us === null || !timeline || timeline.start_us === null) return null;
  const from = profile.start_us - timeline.start_us;
  const to = Math.min(from + profile.window_us, timeline.duration_us); // its last events need not be on the timeline
  return <a href={`#/timeline?v=${formatView({ from, to })}`}>Timeline</a>;
}

/** "profile.json, 5.87 ms, 3 steps" */
function headText({ files, window_us, steps }: Profile): string {
  const used = files.filter((file) => file.refused === null);
  return [
    used.length === 1 ? middle(used[0]!.name, 40) : plural(used.length, "profile"),
    time(window_us),
    steps && plural(steps, "step"),
  ]
    .filter(Boolean)
    .join(", ");
}

function Refused({ profile }: { profile: Profile }) {
  const refused = profile.files.filter((file) => file.refused !== null);
  if (!refused.length) return null;
  return (
    <div class="lead">
      {refused.map((file, i) => (
        <ChipLine key={i} chip="error" says="✕ not used">
          <b class="mono">{file.name}</b> {file.refused}
        </ChipLine>
      ))}
    </div>
  );
}

function Summary({ profile }: { profile: Profile }) {
  const { regions, graph_calls: graphs, guards, kernel_us: kernels } = profile;
  const parts = partsOf(profile);
  const lined = withLine(profile);
  const off = unaligned(profile);
  const device = hasDevice(profile);
  const { devices } = profile;
  const also: Record<string, ComponentChildren> = {
    graphs: plural(graphs.calls, "call"),
    guards: guards.calls ? `${time(guards.total_us / guards.calls)} per call` : "",
  };
  return (
    <Panel class="run-summary">
      <div class="bars">
        <div>
          {parts.length > 0 && (
            <div
              class="bar"
              role="img"
              aria-label={`Run time: ${parts.map((part) => `${part.title} ${time(part.us)}`).join(", ")}`}
            >
              {parts.map((part) => (
                <i
                  key={part.key}
                  title={`${part.title}: ${time(part.us)} (${part.about})`}
                  style={{ flexGrow: part.us, background: `var(--p${part.color})` }}
                />
              ))}
            </div>
          )}
          <div class="legend">
            {parts.map((part) => (
              <span key={part.key} title={part.about}>
                <i style={{ background: `var(--p${part.color})` }} />
                {part.title} <b>{time(part.us)}</b> {also[part.key]}
              </span>
            ))}
          </div>
          <div class="legend">
            {device && (
              <span>
                <b>{time(graphs.device_us)}</b> of graphs on the device
              </span>
            )}
            {devices && (
              <span title="From the first to the last work on a device. The CPU starts work, which begins later">
                {devices.count === 1 ? "The device is" : `${count(devices.count)} devices are`} idle{" "}
                <b>{percent(devices.idle_us, devices.idle_us + devices.busy_us)}</b> of the time,{" "}
                {time(devices.idle_us)}
                {devices.waiting_us > 0 &&
                  `: ${time(devices.waiting_us)} of it until the CPU starts more work ` +
                    `(${time(devices.waiting_in_graphs_us)} in graphs, ${time(devices.waiting_in_frames_us)} in frames around them)`}
              </span>
            )}
            {guards.unmatched > 0 && (
              <span title="Guard checks that no compiled frame follows, as beyond a recompile limit">
                <b class="s-warning">{plural(guards.unmatched, "guard check")}</b> found no version: these calls ran no
                compiled code
              </span>
            )}
            {regions.calls > 0 && (
              <span title="Outermost calls of compiled frames, with all that they call; backward graphs run later">
                <b>{plural(regions.calls, "call")}</b> of compiled frames, {time(regions.total_us)}
              </span>
            )}
            {lined.of > 0 && (
              <span>
                <b>{percent(lined.us, lined.of)}</b> of kernel time has a source line
              </span>
            )}
            {!device && graphs.total_us > 0 && (
              <span title="The rest is Python code of the graphs, and kernels without events">
                <b>{percent(kernels, graphs.total_us)}</b> of graph time is in kernels with events
              </span>
            )}
            {off.calls > 0 && (
              <span title="Their operators are not those of the code, in its order, so they have no kernels and lines">
                <b class="s-warning">{percent(off.us, graphs.total_us)}</b> of graph time is not aligned,{" "}
                {plural(off.calls, "call")}
              </span>
            )}
            {profile.unknown_graphs > 0 && (
              <span>
                <b>{plural(profile.unknown_graphs, "graph call")}</b> whose code is not in the log, or that of several
                compiles
              </span>
            )}
            {profile.unknown_regions > 0 && (
              <span>
                <b>{plural(profile.unknown_regions, "call")}</b> of frames whose compile is not in the log
              </span>
            )}
          </div>
        </div>
      </div>
    </Panel>
  );
}

const NEVER = 10;

function NeverRan({ profile }: { profile: Profile }) {
  const store = useStore();
  const all = useMemo(() => neverRan(store.report), [store]);
  const [shown, button] = useAll(all, NEVER);
  if (!all.length) return null;
  const total = all.reduce((us, one) => us + (one.us ?? 0), 0);
  return (
    <Panel
      title="Never ran"
      note={`${plural(all.length, "compile")}, ${time(total)} of compile time`}
      class="run-never"
      id="run-never"
    >
      <ul class="plainlist">
        {shown.map(({ key, us }) => {
          const compile = store.compile(key);
          return (
            <li key={key}>
              <CompileChip id={key} /> {compile && <CompileFrame compile={compile} />}:{" "}
              {us === null ? "compile time unknown" : <b>{time(us)}</b>}
              {us !== null && " of compile time"}; no call in the profile
            </li>
          );
        })}
      </ul>
      {button}
      <p class="more muted">The profile covers {time(profile.window_us)}; earlier and later calls are not in it.</p>
    </Panel>
  );
}
