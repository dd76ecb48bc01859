// The columns of the table of nodes, and of the replay.
import type { ComponentChildren } from "preact";
import type { Graph, Source } from "../../lib/graph/model";
import { baseName } from "../../lib/text";
import type { Column } from "../Grid";
import { MiddleCut, PlaceText } from "../text";
import { type GraphModules, ModuleLink } from "./modules";
import type { NodeRow, ReplayRow } from "./node-rows";

/** Those that remain when the panel of a value takes a part of the room. */
const BESIDE_PANEL = new Set(["name", "shape", "dtype", "line", "code"]);

function texts(
  key: string,
  title: string,
  width: string,
  value: (row: NodeRow) => string,
  more: Partial<Column<NodeRow>> = {},
): Column<NodeRow> {
  return {
    key,
    title,
    width,
    value: (row) => value(row) || null,
    cell: (row) => (
      <span class="mono" title={value(row)}>
        {value(row)}
      </span>
    ),
    ...more,
  };
}

const place = ({ file, line }: Source, limit: number): ComponentChildren => (
  <PlaceText place={{ file, line, function: null }} limit={limit} />
);

/** The columns of which any row has a value. */
export function nodeColumns(
  rows: readonly NodeRow[],
  { graph, modules, panel }: { graph: Graph; modules: GraphModules | null; panel: boolean },
): Column<NodeRow>[] {
  const all = [
    texts("graph", "Graph", "minmax(80px, 0.7fr)", ({ node }) => node.graph, { wide: true }),
    texts("op", "Op", "108px", ({ node }) => node.op, { wide: "very" }),
    texts("name", "Name", "minmax(120px, 1.4fr)", ({ node }) => nameOf(node), {
      cell: ({ node }) => <MiddleCut text={nameOf(node)} tail={8} />,
    }),
    texts("target", "Target", "minmax(110px, 1.7fr)", ({ node }) => node.target, { wide: true }),
    texts("operands", "Operands", "minmax(96px, 1.2fr)", (row) => row.operands, { wide: true }),
    texts("shape", "Shape", "minmax(100px, 0.9fr)", ({ node }) => shapeOf(node)),
    texts("dtype", "Dtype", "66px", ({ node }) => node.type.dtype),
    texts("device", "Device", "66px", ({ node }) => node.type.device, { wide: "very" }),
    texts("strides", "Strides", "minmax(90px, 0.8fr)", ({ node }) => bracketed(node.type.strides ?? ""), {
      wide: "very",
    }),
    texts(
      "line",
      "Line",
      "minmax(136px, 1fr)",
      (row) => row.place && `${baseName(row.node.source!.file)}:${row.node.source!.line}`,
      {
        wide: true,
        cell: ({ node }) => node.source && place(node.source, 12),
      },
    ),
    texts("module", "Module", "minmax(104px, 1fr)", (row) => row.module?.text ?? "", {
      wide: true,
      cell: ({ node, module }) =>
        module && (
          <span class="mono" title={`${module.text}${module.exact ? "" : ", or a module below it"}`}>
            <ModuleLink modules={modules} graph={graph} value={node.value!} />
          </span>
        ),
    }),
  ];
  return all.filter(
    (column) => (!panel || BESIDE_PANEL.has(column.key)) && rows.some((row) => column.value!(row) !== null),
  );
}

const nameOf = ({ name }: NodeRow["node"]): string => name || "output";
const bracketed = (sizes: string): string => sizes && `[${sizes}]`;

/** Of a scalar "[]"; of a symbol its expression. */
function shapeOf({ type, value }: NodeRow["node"]): string {
  return type.tensor ? `[${type.shape}]` : (value?.type ?? "");
}

export const replayColumns = (panel: boolean): readonly Column<ReplayRow>[] =>
  REPLAY.filter((column) => !panel || BESIDE_PANEL.has(column.key));

const REPLAY: readonly Column<ReplayRow>[] = [
  {
    key: "line",
    title: "Line",
    width: "minmax(164px, 0.6fr)",
    cell: ({ step, row }) => !row && place(step.source, 18),
  },
  {
    key: "code",
    title: "Code, values",
    width: "minmax(108px, 3fr)",
    cell: ({ step, row }) =>
      row ? (
        <span class="mono replay-value" title={`${row.node.name} = ${row.node.target}`}>
          {row.node.name} <span class="muted">{row.node.target}</span>
        </span>
      ) : (
        <code title={step.source.code}>{step.source.code}</code>
      ),
  },
  {
    key: "shape",
    title: "Shape",
    width: "minmax(100px, 0.9fr)",
    cell: ({ row }) => row && <span class="mono">{shapeOf(row.node)}</span>,
  },
  {
    key: "dtype",
    title: "Dtype",
    width: "66px",
    wide: true,
    cell: ({ row }) => row && <span class="mono">{row.node.type.dtype}</span>,
  },
  {
    key: "function",
    title: "Function",
    width: "minmax(90px, 0.8fr)",
    wide: true,
    cell: ({ step, row }) => !row && <span class="mono">{step.source.func}</span>,
  },
];
