// What vLLM does around torch.compile: its configuration, the graph cut into pieces, and each piece compiled for ranges of sizes.
import { useMemo } from "preact/hooks";
import { replaceQuery } from "../../lib/address";
import { count, matches, plural, words } from "../../lib/text";
import { useLoaded, useTitle } from "../../lib/hooks";
import type { Store } from "../../store/store";
import { loadArtifacts, type Artifacts } from "../../store/vllm-artifacts";
import { CONFIG, configText, ELAPSED, elapsedText, type VllmCall, type VllmGroup } from "../../store/vllm";
import { Empty, Failed, Loading, More, type PageProps, Panel, useStore, EmptyPanel } from "../../ui/page";
import { FilterBox, PageHead, QueryLink, EmptyPage, Select } from "../../ui/PageHead";
import { RefList, SubgraphRow } from "./VllmPieces";

const OPEN = 3; // groups that are open at first
const STEP = 60;

export function Vllm({ at }: PageProps) {
  const store = useStore();
  const calls = store.report.vllm?.calls ?? [];
  useTitle("vLLM");
  const n = Math.max(0, Math.min(calls.length - 1, Number(at.query.call ?? "1") - 1 || 0));
  const call = calls[n];
  if (!call) return <EmptyPage page="vLLM compilation" title="No vLLM in this log" />;
  const total = elapsedText(call.groups.flatMap((group) => group.subgraphs));
  return (
    <>
      <PageHead
        title="vLLM compilation"
        sub={
          <>
            {sum(call)}
            {total && <span title={ELAPSED}> · pieces {total}</span>}
          </>
        }
      >
        {calls.length > 1 && (
          <label class="check">
            compile call{" "}
            <Select
              label="Compile call"
              value={n}
              onChange={(next) => replaceQuery({ call: `${Number(next) + 1}` })}
              options={calls.map((item, i) => [
                i,
                [`${i + 1} of ${calls.length}`, callName(item)].filter(Boolean).join(": "),
              ])}
            />
          </label>
        )}
        <FilterBox value={at.query.q} label="Filter range, piece" />
      </PageHead>
      <Call key={n} store={store} call={call} q={at.query.q} />
    </>
  );
}

function Call({ store, call, q }: { store: Store; call: VllmCall; q: string | undefined }) {
  const loaded = useLoaded(() => loadArtifacts(store, call), [store, call]);
  if (loaded.state === "loading") return <Loading what="the artifacts" />;
  if (loaded.state === "failed") return <Failed error={loaded.error} />;
  return <Summary call={call} artifacts={loaded.value} q={q} />;
}

function Summary({ call, artifacts, q }: { call: VllmCall; artifacts: Artifacts; q: string | undefined }) {
  const wanted = useMemo(() => words(q), [q]);
  const groups = useMemo(
    () =>
      call.groups
        .map((group) => filtered(group, wanted))
        .filter((group) => group.subgraphs.length > 0 || !wanted.length),
    [call, wanted],
  );
  return (
    <div class="room" data-scroll="room">
      <div class="cols vllm">
        <div>
          {!call.groups.length && (
            <EmptyPanel title="No compiled pieces">
              The log has no <code>vllm_piecewise_compile_start</code>: it may end before it, or vLLM loaded the pieces
              from its cache.
            </EmptyPanel>
          )}
          {call.groups.length > 0 && !groups.length && (
            <EmptyPanel title="No matching pieces">
              <QueryLink query={{ q: null }}>Show all</QueryLink>
            </EmptyPanel>
          )}
          {groups.map((group, i) => (
            <details
              key={group.label}
              class="panel vllm-group"
              open={wanted.length > 0 || i < OPEN || call.groups.length <= 6}
            >
              <summary>
                <h2>
                  <span class="mono">{group.label}</span>
                  <span class="note">
                    {plural(group.subgraphs.length, "piece")},{" "}
                    {plural(
                      group.subgraphs.reduce((n, piece) => n + piece.artifacts.length, 0),
                      "artifact",
                    )}
                    {elapsedText(group.subgraphs) && <span title={ELAPSED}>, {elapsedText(group.subgraphs)}</span>}
                  </span>
                </h2>
              </summary>
              <More items={group.subgraphs} step={STEP}>
                {(piece) => <SubgraphRow key={piece.name} piece={piece} artifacts={artifacts} />}
              </More>
            </details>
          ))}
        </div>
        <aside>
          <Panel title="Configuration">
            {call.config ? (
              <dl class="vllm-config">
                {CONFIG.filter(([key]) => call.config![key] !== undefined && call.config![key] !== null).map(
                  ([key, title]) => [
                    <dt key={`${key}-t`}>{title}</dt>,
                    <dd
                      key={key}
                      class="mono"
                      title={typeof call.config![key] === "string" ? call.config![key] : undefined}
                    >
                      {configText(call.config![key])}
                    </dd>,
                  ],
                )}
              </dl>
            ) : (
              <Empty title="Not in the log">
                vLLM wrote no <code>vllm_compilation_config</code>.
              </Empty>
            )}
          </Panel>
          <Panel title="Dynamo" note={call.dynamo.length ? count(call.dynamo.length) : null}>
            {call.dynamo.length ? (
              <RefList refs={call.dynamo} artifacts={artifacts} />
            ) : (
              <Empty title="Not in the log">The graph may have been loaded instead of traced.</Empty>
            )}
          </Panel>
          <Panel title="Split graph">
            {call.split_graph ? (
              <RefList refs={[call.split_graph]} artifacts={artifacts} />
            ) : (
              <Empty title="Not in the log" />
            )}
          </Panel>
        </aside>
      </div>
    </div>
  );
}

function filtered(group: VllmGroup, wanted: readonly string[]): VllmGroup {
  if (!wanted.length || matches(group.label.toLowerCase(), wanted)) return group;
  return {
    ...group,
    subgraphs: group.subgraphs.filter((piece) => matches(`${group.label} ${piece.name}`.toLowerCase(), wanted)),
  };
}

function sum(call: VllmCall): string {
  const pieces = new Set(call.groups.flatMap((group) => group.subgraphs.map((piece) => piece.name))).size;
  return [
    callName(call),
    `${plural(pieces, "piece")} for ${plural(call.groups.length, "range or size", "ranges and sizes")}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function callName(call: VllmCall): string {
  const text = (key: string) => (typeof call.config?.[key] === "string" ? call.config[key] : "");
  return [text("model"), text("prefix")].filter(Boolean).join(" ");
}
