import { inside, toArtifact, withSearch } from "../../lib/address";
import { baseName, count, middle, plural, words } from "../../lib/text";
import { byCaller, unattributedRecords, type Caller } from "../../store/unattributed";
import type { Unattributed } from "../../store/report";
import { CompileChip } from "../../ui/compile";
import { More, Panel, useStore, EmptyPanel } from "../../ui/page";
import { PlaceText, StackList } from "../../ui/text";
import { QueryLink } from "../../ui/PageHead";

const ARTIFACTS = 100; // shown of one stack

/** Records with a stack and without a compile id, by the line of the program that led to them: the reference's "Unknown stacks". */
export function UnattributedStacks({ q }: { q: string | undefined }) {
  const { report } = useStore();
  const callers = byCaller(report.unattributed, words(q));
  const { more_unattributed: more = 0 } = report;
  return (
    <div class="room" data-scroll="room">
      <p class="intro lead">
        {plural(unattributedRecords(report.unattributed, more), "record")} with a stack but no compile id, as written by
        AOTInductor, export, lazily compiled backward graphs and autograd. Grouped by the calling line of your code.
      </p>
      {!callers.length && (
        <EmptyPanel
          title={report.unattributed.length ? "No matching stacks" : "Every record with a stack has a compile id"}
        >
          {report.unattributed.length > 0 && (
            <QueryLink query={{ q: null }}>Show all {count(report.unattributed.length)}</QueryLink>
          )}
        </EmptyPanel>
      )}
      <More items={callers} step={40}>
        {(caller) => (
          <Group key={`${caller.frame?.file}:${caller.frame?.line} ${caller.frame?.function}`} caller={caller} />
        )}
      </More>
      {more > 0 && <p class="muted">{plural(more, "record")} not listed: the limit is 2,000 stacks.</p>}
    </div>
  );
}

function Group({ caller }: { caller: Caller }) {
  const { frame } = caller;
  return (
    <Panel
      class="unattributed"
      title={
        frame ? (
          <>
            <PlaceText place={frame} limit={60} />
            {frame.code && (
              <>
                {" "}
                <code>{middle(frame.code, 100)}</code>
              </>
            )}
          </>
        ) : (
          <span class="muted">library frames only</span>
        )
      }
      note={`${plural(caller.records, "record")}, ${plural(caller.artifacts, "artifact")}`}
    >
      <More items={caller.items} step={60}>
        {(item) => <Item key={caller.items.indexOf(item)} item={item} />}
      </More>
    </Panel>
  );
}

function Item({ item }: { item: Unattributed }) {
  const inner = item.stack.at(-1);
  const compiles = [...new Set(item.artifacts.map((artifact) => artifact.compile))];
  return (
    <div class="unattributed-item flexrow">
      <ul class="plainlist">
        {item.artifacts.slice(0, ARTIFACTS).map((artifact) => (
          <li key={`${artifact.compile} ${artifact.index}`}>
            <ArtifactLink {...artifact} />
          </li>
        ))}
        {item.artifacts.length > ARTIFACTS && <li class="muted">{count(item.artifacts.length - ARTIFACTS)} more</li>}
        {!item.artifacts.length && <li class="muted">{plural(item.records, "record")} without an artifact</li>}
      </ul>
      <Compiles keys={compiles} />
      <details>
        <summary>
          written by <span class="mono">{inner?.function ?? "?"}</span>
          {inner && (
            <span class="muted mono">
              {" "}
              {baseName(inner.file)}:{inner.line ?? "?"}
            </span>
          )}
        </summary>
        <StackList frames={item.stack} />
      </details>
    </div>
  );
}

/** A text opens in the viewer; a page is a file of its own. */
function ArtifactLink({ name, url, compile, index, line }: Unattributed["artifacts"][number]) {
  const page = url?.endsWith(".html") ? inside(url) : null;
  return (
    <>
      <a class="mono" href={page ? withSearch(page) : toArtifact(compile, index)}>
        {name}
        {page && " ↗"}
      </a>{" "}
      <span class="muted num">line {count(line)}</span>
    </>
  );
}

/** Those that are compiles: AOTInductor and export have metrics, though no id. */
function Compiles({ keys }: { keys: readonly string[] }) {
  const store = useStore();
  return (
    <>
      {keys
        .filter((key) => store.compile(key)?.is_compile)
        .map((key) => (
          <CompileChip key={key} id={key} />
        ))}
    </>
  );
}
