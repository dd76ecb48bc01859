import { useMemo } from "preact/hooks";
import { replaceQuery, useAddress } from "../lib/address";
import { graphDifferenceOf } from "../lib/difference";
import { useKeys, useLoaded } from "../lib/hooks";
import { type ModuleOf, modulesOfGraph } from "../store/graph-modules";
import type { Artifact } from "../store/report";
import { GraphDiff } from "./GraphDiff";
import { TextDiff, type DiffProps } from "./TextDiff";

const isGraph = (artifact: Artifact | null): boolean => artifact?.lang === "graph" && artifact.graph !== undefined;

/** The difference of two artifacts: of two graphs as graphs or, with `as=text` in the address, as text. */
export function DiffView(props: DiffProps) {
  const { as, line } = useAddress().query;
  return isGraph(props.pair.a) && isGraph(props.pair.b) ? (
    <Graphs {...props} asText={as === "text"} line={line} />
  ) : (
    <TextDiff {...props} line={line} />
  );
}

type GraphsProps = DiffProps & { asText: boolean; line: string | undefined };

function Graphs({ asText, line, ...props }: GraphsProps) {
  const { pair, left, right } = props;
  const loaded = useLoaded(
    async () => (asText ? null : graphDifferenceOf(await left.text(pair.a!), await right.text(pair.b!))),
    [left, right, pair.a, pair.b, asText],
  );
  const [one, other] = props.compiles;
  const modules = useMemo<[ModuleOf, ModuleOf]>(
    () => [modulesOfGraph(left.report.modules, one, pair.a), modulesOfGraph(right.report.modules, other, pair.b)],
    [left, right, one, other, pair.a, pair.b],
  );
  const show = (text: boolean) => replaceQuery({ as: text ? "text" : null, line: null });
  useKeys({ d: () => show(!asText) });
  const choice = (
    <span class="segments" role="group" aria-label="Compare as">
      <button
        type="button"
        aria-pressed={!asText}
        title="Compare the graphs, not their names (d)"
        onClick={() => show(false)}
      >
        Graph
      </button>
      <button type="button" aria-pressed={asText} title="Compare line by line (d)" onClick={() => show(true)}>
        Text
      </button>
    </span>
  );
  // A text without a graph is of a graph that is printed in another form.
  if (asText || (loaded.state === "ready" && !loaded.value))
    return (
      <TextDiff {...props} line={line}>
        {choice}
      </TextDiff>
    );
  return (
    <GraphDiff title={pair.title} names={props.names} loaded={loaded} modules={modules}>
      {choice}
    </GraphDiff>
  );
}
