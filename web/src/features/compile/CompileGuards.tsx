import { count, matches, plural, time, words } from "../../lib/text";
import { useLoaded } from "../../lib/hooks";
import {
  groupGuards,
  guardWords,
  ownerOf,
  sourceOf,
  type Guard,
  type GuardGroup,
  type GuardList,
  type GuardOrder,
  type PlaceOfGuard,
} from "../../store/guards";
import type { Shapes } from "../../store/shapes";
import { address, toArtifact } from "../../lib/address";
import { nearestOwn, upwards } from "../../store/caller";
import type { Artifact, Compile, StackFrame, StackNode } from "../../store/report";
import { Failed, Loading, More, Panel, useStore, EmptyPanel } from "../../ui/page";
import { PlaceText } from "../../ui/text";
import { FilterBox, Toggle } from "../../ui/PageHead";
import { ShapeGuardRow } from "./ShapeStacks";

const STEP = 200;
const ORDERS: readonly (readonly [GuardOrder, string])[] = [
  ["source", "By source"],
  ["type", "By type"],
  ["log", "Log order"],
];

interface Props {
  id: string;
  index: number;
  artifacts: readonly Artifact[];
  query: Record<string, string>;
}

/** The guards that are checked before the compiled code runs again. */
export function CompileGuards({ id, index, artifacts, query }: Props) {
  const store = useStore();
  const n = artifacts.findLastIndex((artifact) => artifact.guards);
  const artifact = artifacts[n];
  const loaded = useLoaded(
    () => Promise.all([artifact ? store.guards(artifact) : Promise.resolve(null), store.shapes(index)]),
    [artifact, index],
  );
  if (loaded.state === "failed") return <Failed error={loaded.error} />;
  if (loaded.state === "loading") return <Loading what="the guards" />;
  const [list, shapes] = loaded.value;
  const order = ORDERS.find(([key]) => key === query.by)?.[0] ?? "source";
  return (
    <div class="tabroom guards" data-scroll="guards">
      <div class="bar-line flexrow">
        <FilterBox value={query.q} label="Filter code, source, type, line" />
        <span class="toggles" role="group" aria-label="Order">
          {ORDERS.map(([key, title]) => (
            <Toggle key={key} on={order === key} query={{ by: key === "source" ? null : key }} class="">
              {title}
            </Toggle>
          ))}
        </span>
        <Leads compile={store.report.compiles[index]} />
        {list && (
          <span class="muted num">
            <a href={address(["guards"], { compile: id })}>{plural(list.count, "check")}</a>
            {list.latency_us !== null && (
              <span title="one evaluation of all guards, measured by PyTorch right after it built them">
                {" "}
                · checked in {time(list.latency_us)}
              </span>
            )}{" "}
            · <a href={toArtifact(id, n)}>guard tree</a>
          </span>
        )}
      </div>
      {list ? (
        <Groups list={list} order={order} q={query.q} files={knownFiles(store.report.stacks, shapes)} />
      ) : (
        <EmptyPanel title="No guard tree in the log" />
      )}
      {shapes && shapes.guards.length > 0 && <ShapeGuards shapes={shapes} q={query.q} />}
    </div>
  );
}

/** The user's line whose call led to the compile, for guards from lines of libraries. */
function Leads({ compile }: { compile: Compile | undefined }) {
  const { stacks } = useStore().report;
  if (!compile || compile.stack === null) return null;
  const own = nearestOwn(stacks, upwards(stacks, compile.stack));
  if (!own || own.library) return null;
  return (
    <span>
      <span class="muted">compiled from</span> <PlaceText place={{ ...own, line: own.line ?? 0 }} />
    </span>
  );
}

/** The files that stacks of the log name, each once. */
function knownFiles(stacks: readonly StackNode[], shapes: Shapes | null): StackFrame[] {
  const files = new Map([...stacks, ...(shapes?.stacks ?? [])].map((frame) => [frame.file, frame]));
  return [...files.values()];
}

interface Rows {
  list: GuardList;
  order: GuardOrder;
  files: readonly StackFrame[];
}

function Groups({ list, order, q, files }: Rows & { q: string | undefined }) {
  const groups = groupGuards(list, order, q);
  const found = groups.reduce((sum, group) => sum + group.guards.length, 0);
  if (!found) return <EmptyPanel title="No guard matches the filter" />;
  return (
    <>
      {q && (
        <p class="muted" role="status">
          {plural(found, "condition")} of {plural(list.count, "check")}
        </p>
      )}
      {list.more > 0 && <p class="muted">{plural(list.more, "more check")} in the guard tree only.</p>}
      <More items={groups} step={60}>
        {(group) => <Group key={`${order} ${group.key}`} list={list} group={group} order={order} files={files} />}
      </More>
    </>
  );
}

function Group({ list, group, order, files }: Rows & { group: GuardGroup }) {
  const rows = (
    <div class="guardlist">
      <More items={group.guards} step={STEP}>
        {({ guard, n }) => <Row key={n} list={list} guard={guard} order={order} files={files} />}
      </More>
    </div>
  );
  if (order === "log") return <Panel>{rows}</Panel>;
  return (
    <Panel
      title={
        <>
          <span class="mono" title={group.key}>
            {group.key}
          </span>{" "}
          {group.note && <span class="muted sans">{group.note}</span>}
        </>
      }
      note={count(group.guards.filter(({ guard }) => !guard.part).length)}
    >
      {rows}
    </Panel>
  );
}

function Row({ list, guard, order, files }: Rows & { guard: Guard }) {
  const source = sourceOf(list, guard);
  return (
    <div class="row flexrow">
      {order !== "type" && (
        <span class="chip empty" title={guardWords(guard.type)}>
          {guard.type}
        </span>
      )}
      {order !== "source" && source && <code class="source">{source}</code>}
      <code class="code">{guard.code || <span class="muted">{guardWords(guard.type)}</span>}</code>
      {guard.user && <GuardPlace place={guard.user} what={OWNERS[ownerOf(guard.user, files) ?? "unknown"]} />}
      {guard.framework && <GuardPlace place={guard.framework} what="PyTorch" />}
      {guard.hint && <span class="muted hint">{guard.hint}</span>}
    </div>
  );
}

const OWNERS = { user: "your code", library: "library", unknown: "code" } as const;

function GuardPlace({ place, what }: { place: PlaceOfGuard; what: string }) {
  return (
    <span class="guard-place">
      <span class="muted">{what}:</span> <PlaceText place={place} limit={50} />
      {place.code && <code class="muted">{place.code}</code>}
    </span>
  );
}

/** Guards on symbolic shapes, in the order in which tracing added them. */
function ShapeGuards({ shapes, q }: { shapes: Shapes; q: string | undefined }) {
  const wanted = words(q);
  const shown = shapes.guards.filter((guard) =>
    matches(`${guard.expr} ${guard.symbols.join(" ")}`.toLowerCase(), wanted),
  );
  if (!shown.length) return null;
  return (
    <Panel title="Shape guards" note={count(shown.length)}>
      <div class="guardlist">
        <More items={shown} step={STEP}>
          {(guard) => <ShapeGuardRow key={guard.line} guard={guard} shapes={shapes} />}
        </More>
      </div>
    </Panel>
  );
}
