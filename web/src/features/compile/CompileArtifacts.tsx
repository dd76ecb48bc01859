import { toArtifact, withSearch } from "../../lib/address";
import { bytes, count, matches, plural, words } from "../../lib/text";
import { artifactUrl, hasText, sign } from "../../store/artifact";
import { artifactHelp } from "../../ui/artifact-help";
import { runs } from "../../store/records";
import { stageOf, stageTitle } from "../../store/stages";
import type { Artifact, Stage } from "../../store/report";
import { Empty, Panel, Table } from "../../ui/page";
import { FilterBox } from "../../ui/PageHead";

const LIMIT = 500;

interface Props {
  id: string;
  artifacts: readonly Artifact[];
  stages: readonly Stage[];
  q: string | undefined;
}

/** All artifacts with what they hold. */
export function CompileArtifacts({ id, artifacts, stages, q }: Props) {
  const wanted = words(q);
  const shown = runs(artifacts.map((artifact, n) => ({ artifact, n })))
    .map((row) => ({ ...row, says: artifactHelp(row.artifact.name) ?? artifactHelp(row.artifact.kind) ?? "" }))
    .filter(({ artifact, says }) => matches(`${artifact.name} ${says}`.toLowerCase(), wanted));
  return (
    <div class="tabroom" data-scroll="artifact-table">
      <div class="bar-line flexrow">
        <FilterBox value={q} label="Filter artifacts" />
        <span class="muted num">{plural(shown.length, "artifact")}</span>
      </div>
      <Panel>
        {!shown.length && <Empty title="No artifact matches the filter" />}
        {shown.length > 0 && (
          <Table
            class="artifact-table flow"
            head={[["full", "Artifact"], "Stage", ["num", "Contents"], ["num", "Size"], ["num", "Log line"]]}
          >
            {shown.slice(0, LIMIT).map(({ artifact, n, more, says }) => (
              <tr key={n}>
                <td class="wrap">
                  <Name id={id} artifact={artifact} n={n} />
                  {more.length > 0 && <span class="muted"> and {count(more.length)} more records</span>}
                  {says && <span class="says muted">{says}</span>}
                </td>
                <td>{stageName(stages, n)}</td>
                <td class="num">{sizeText(artifact)}</td>
                <td class="num">
                  {hasText(artifact) && bytes(more.reduce((sum, one) => sum + one.artifact.bytes, artifact.bytes))}
                </td>
                <td class="num">{count(artifact.line)}</td>
              </tr>
            ))}
          </Table>
        )}
        {shown.length > LIMIT && <p class="pad muted">{count(shown.length - LIMIT)} more: use the filter.</p>}
      </Panel>
    </div>
  );
}

/** Its name, which leads to its text or to its page. */
export function Name({ id, artifact, n }: { id: string; artifact: Artifact; n: number }) {
  const name = (
    <span class="mono" title={artifact.name}>
      {artifact.suffix && `${sign(artifact)} `}
      {artifact.stem}
    </span>
  );
  if (hasText(artifact)) return <a href={toArtifact(id, n)}>{name}</a>;
  const url = artifactUrl(artifact);
  return url ? (
    <a href={artifact.kind === "link" ? url : withSearch(url)} rel="noreferrer noopener">
      {name} ↗
    </a>
  ) : (
    name
  );
}

function stageName(stages: readonly Stage[], n: number): string {
  const stage = stages[stageOf(stages, n)];
  return stage ? `${stageTitle(stage)}${stage.backward && stage.stage !== "backward" ? ", backward" : ""}` : "";
}

function sizeText({ graph, kernels, guards, instructions }: Artifact): string {
  if (graph)
    return `${plural(graph.ops, "op")}, ${plural(graph.nodes, "node")}${graph.graphs > 1 ? `, ${count(graph.graphs - 1)} inner` : ""}`;
  if (kernels) return plural(kernels, "kernel");
  if (guards) return plural(guards.count, "guard");
  return instructions ? plural(instructions, "instruction") : "";
}
