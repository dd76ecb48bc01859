import { toArtifact } from "../../lib/address";
import { count, plural, time } from "../../lib/text";
import {
  STAGE_SIGNS,
  stageCells,
  stageHint,
  stageLinks,
  stageOf,
  stageTitle,
  type StageCell,
} from "../../store/stages";
import type { Artifact, Stage } from "../../store/report";

interface Props {
  id: string;
  stages: readonly Stage[];
  artifacts: readonly Artifact[];
  current: number | null;
  /** another view is shown: the stages are one line then, and hidden on a phone */
  aside: boolean;
}

const STATE_COLORS: Partial<Record<Stage["state"], string>> = { failed: "s-error", cached: "s-ok" };

/** The stages from bytecode to kernels in a row; a second row for the backward. */
export function CompileStages({ id, stages, artifacts, current, aside }: Props) {
  if (!stages.length) return null;
  const on = stages[stageOf(stages, current)];
  const rows = [stages.filter((stage) => !stage.backward), stages.filter((stage) => stage.backward)].filter(
    (row) => row.length,
  );
  return (
    <div class={`stages ${current !== null || aside ? "slim" : ""} ${aside ? "aside" : ""}`}>
      {rows.map((row, i) => (
        <ol key={i} class="unmarked" aria-label={i ? "Stages of the backward" : "Stages of this compile"}>
          {rows.length > 1 && (
            <li class="way" aria-hidden="true">
              {i ? "bwd" : "fwd"}
            </li>
          )}
          {stageCells(row).map((cell) => (
            <Cell
              key={cell.stages[0]!.stage}
              id={id}
              cell={cell}
              artifacts={artifacts}
              on={on !== undefined && cell.stages.includes(on)}
            />
          ))}
        </ol>
      ))}
    </div>
  );
}

interface CellProps {
  id: string;
  cell: StageCell;
  artifacts: readonly Artifact[];
  on: boolean;
}

function Cell({ id, cell, artifacts, on }: CellProps) {
  const stage = cell.stages[0]!;
  const links = stageLinks(stage, artifacts);
  const main = links.at(-1);
  const name = cell.stages.map(stageTitle).join(" · ");
  const title = cell.stages.map((one) => `${stageTitle(one)}: ${stageHint(one)}`).join("\n");
  const before = links.length === 2 && links[0]!.word === "before" ? links[0] : undefined;
  const size = sizeOf(stage);
  const error = artifacts.findLastIndex((artifact) => artifact.name === "dynamo_error");
  return (
    <li
      class={`${stage.state} ${main ? "" : "bare"} ${on ? "on" : ""}`}
      title={cell.why ? `${title}\n${cell.why}` : title}
    >
      <span class="name">
        {main ? (
          <a href={toArtifact(id, main.n)} aria-current={on ? "step" : undefined}>
            {name}
          </a>
        ) : (
          name
        )}{" "}
        {before && (
          <a
            class="before wide"
            href={toArtifact(id, before.n)}
            title={`before: ${before.title}`}
            aria-label={`${name}, before`}
          >
            before
          </a>
        )}
      </span>
      <span class="facts">
        {STAGE_SIGNS[stage.state] && (
          <b class={STATE_COLORS[stage.state]}>
            {STAGE_SIGNS[stage.state][0]}
            <span class="word">{STAGE_SIGNS[stage.state].slice(1)}</span>
          </b>
        )}
        {cell.stages.length === 1 && stage.time_us !== null && <span title="compile time">{time(stage.time_us)}</span>}
        {size && <span>{size}</span>}
        {(!main || stage.state === "done") && cell.why && (
          <span class="why">
            {stage.state === "failed" && error >= 0 ? <a href={toArtifact(id, error)}>{cell.why}</a> : cell.why}
          </span>
        )}
      </span>
    </li>
  );
}

function sizeOf(stage: Stage): string {
  const size =
    stage.stage === "code" || stage.stage === "bytecode"
      ? ""
      : stage.kernels !== null
        ? plural(stage.kernels, "kernel")
        : stage.ops !== null
          ? plural(stage.ops, "op")
          : "";
  return stage.parts > 1 ? `${size ? `${size}, ` : ""}${count(stage.parts)} parts` : size;
}
