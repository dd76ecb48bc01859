import { type Compile, type Details, frameName, isCompile } from "../../store/report";
import { address, go, toArtifact, toCompile } from "../../lib/address";
import { firstLine } from "../../lib/text";
import { useKeys, useLoaded, useTitle } from "../../lib/hooks";
import { hasText } from "../../store/artifact";
import { isRefused } from "../../store/recompiles";
import { CompileChip, FrameSteps, neighbours, ProvenanceLinks } from "../../ui/compile";
import { PlaceText } from "../../ui/text";
import { PageHead } from "../../ui/PageHead";
import { Empty, type PageProps, useStore, Pending } from "../../ui/page";
import { ArtifactView } from "./ArtifactView";
import { CompileArtifacts } from "./CompileArtifacts";
import { CompileAttempts } from "./CompileAttempts";
import { CompileGuards } from "./CompileGuards";
import { CompileMetrics } from "./CompileMetrics";
import { callerOf } from "../../store/caller";
import { CompileSide } from "./CompileSide";
import { CompileShapes } from "./CompileShapes";
import { CompileStages } from "./CompileStages";
import { CompileSummary } from "./CompileSummary";
import { CompileTabs, tabsOf, type TabKey } from "./CompileTabs";
import { why } from "../../store/why";

/** One compile: `#/c/<key>` is its summary, `#/c/<key>/<n>` an artifact. */
export function CompilePage({ at }: PageProps) {
  const store = useStore();
  const asked = at.path[1] ?? "";
  const compile = store.compile(asked);
  const id = compile?.key ?? asked;
  const index = store.indexOf(id);
  const n = at.path[2] === undefined ? null : Number(at.path[2]);
  const loaded = useLoaded(
    () => (index === undefined ? Promise.reject(new Error("unknown")) : store.details(index)),
    [index],
  );
  const artifacts = loaded.state === "ready" ? loaded.value.artifacts : [];
  const artifact = n === null ? undefined : artifacts[n];
  useTitle(
    `${artifact ? `${artifact.name} · ` : ""}${store.name(id)}${compile?.frame ? ` ${frameName(compile.frame)}` : ""}`,
  );

  const step = (list: readonly string[], by: number) => {
    const next = list[list.indexOf(id) + by];
    if (next !== undefined) go(toCompile(next));
  };
  const frame = compile ? neighbours(store.report, compile) : [];
  const stepArtifact = (by: number) => {
    for (let i = (n ?? (by > 0 ? -1 : artifacts.length)) + by; artifacts[i]; i += by)
      if (hasText(artifacts[i]!)) return go(toArtifact(id, i));
  };
  useKeys({
    "[": () => step(frame, -1),
    "]": () => step(frame, 1),
    "{": () =>
      step(
        store.report.compiles.map((c) => c.key),
        -1,
      ),
    "}": () =>
      step(
        store.report.compiles.map((c) => c.key),
        1,
      ),
    n: () => stepArtifact(1),
    p: () => stepArtifact(-1),
    Escape: () => go(n === null ? address(["compiles"]) : toCompile(id)),
  });

  if (!compile || index === undefined) {
    return (
      <>
        <PageHead title={<span class="mono">{id || "no id"}</span>} />
        <Empty title={`No such compile: ${id}`}>
          <a href={address(["compiles"])}>All compiles</a>
        </Empty>
      </>
    );
  }
  const reason = why(store.report, compile);
  const caller = callerOf(store.report.stacks, compile);
  const tabs = loaded.state === "ready" ? tabsOf(compile, loaded.value) : [];
  const tab = tabs.find((one) => one.key === at.query.tab)?.key ?? "summary";
  return (
    <>
      <PageHead
        title={
          <>
            <CompileChip id={id} plain />{" "}
            <span class="mono">{frameName(compile.frame) || (isCompile(compile) ? "" : "outside of compiles")}</span>
          </>
        }
        sub={
          <>
            <PlaceText place={compile.frame && { ...compile.frame, function: null }} limit={44} />
            {caller && (
              <>
                {" "}
                <span class="muted">called from</span>{" "}
                <PlaceText place={{ file: caller.file, line: caller.line, function: null }} limit={44} />
              </>
            )}
            {compile.recompile_reasons.length > 0 && (
              <span title={compile.recompile_reasons.join("\n")}>
                {" "}
                · {isRefused(compile.failure) ? "no version matched" : "recompiled"}:{" "}
                <code>{firstLine(reason, 110)}</code>
              </span>
            )}
          </>
        }
      >
        {compile.pass_counts && (
          <a class="button" href={address(["passes"], { c: id })} title="Graphs before and after each pass">
            Passes
          </a>
        )}
        <ProvenanceLinks compile={compile} />
        <FrameSteps ids={frame} id={id} />
      </PageHead>
      <Pending of={loaded} what="the details" />
      {loaded.state === "ready" && (
        <>
          <CompileStages
            id={id}
            stages={loaded.value.stages}
            artifacts={artifacts}
            current={n}
            aside={tab !== "summary"}
          />
          <div class={`compile fill ${n === null ? "" : "reading"}`}>
            <CompileSide
              id={id}
              artifacts={artifacts}
              current={n}
              tabs={<CompileTabs id={id} tabs={tabs} current={n === null ? tab : null} />}
              bare={n === null && tab === "artifacts"}
            />
            {n === null && (
              <View
                key={`${id} ${tab}`}
                tab={tab}
                index={index}
                compile={compile}
                details={loaded.value}
                query={at.query}
              />
            )}
            {artifact && (
              <ArtifactView
                key={`${id} ${n}`}
                id={id}
                n={n!}
                artifact={artifact}
                tables={loaded.value.record_tables?.find((item) => item.line === artifact.line)}
                lines={at.query.L}
              />
            )}
            {n !== null && !artifact && (
              <Empty title="No such artifact">
                <a href={toCompile(id)}>Summary</a>
              </Empty>
            )}
          </div>
        </>
      )}
    </>
  );
}

interface ViewProps {
  tab: TabKey;
  index: number;
  compile: Compile;
  details: Details;
  query: Record<string, string>;
}

function View({ tab, index, compile, details, query }: ViewProps) {
  switch (tab) {
    case "artifacts":
      return <CompileArtifacts id={compile.key} artifacts={details.artifacts} stages={details.stages} q={query.q} />;
    case "guards":
      return <CompileGuards id={compile.key} index={index} artifacts={details.artifacts} query={query} />;
    case "shapes":
      return <CompileShapes index={index} query={query} />;
    case "metrics":
      return <CompileMetrics details={details} query={query} />;
    case "attempts":
      return <CompileAttempts compile={compile} artifacts={details.artifacts} />;
    default:
      return <CompileSummary compile={compile} details={details} />;
  }
}
