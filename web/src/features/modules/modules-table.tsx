// The columns of the tree of modules.
import type { ComponentChildren } from "preact";
import { bytes, count, plural, time } from "../../lib/text";
import { type Figures, type Module, type ModuleRow, shortClass } from "../../store/modules";
import { type Column, numbers } from "../../ui/Grid";

type Toggle = (row: ModuleRow) => void;

/** A dash is for what is unknown. */
const quiet = (n: number | null, show: (n: number | null) => string = count): ComponentChildren =>
  n === 0 ? <span class="muted">0</span> : show(n);

/** Keys in addresses. */
const SHORT: Partial<Record<keyof Figures, string>> = { run_us: "run", compile_us: "compile" };

/** Why a module has no compile time of its own. */
export const NO_COMPILE_TIME = "PyTorch records the time of a compile, not of the modules in it";

function figure(
  key: keyof Figures & keyof Module,
  title: string,
  width: string,
  more: Partial<Column<ModuleRow>> = {},
): [key: keyof Module, Column<ModuleRow>] {
  return [key, numbers(SHORT[key] ?? key, title, width, ({ node }) => node[key], quiet, more)];
}

/** A number of elements, with their size where one points at it. */
const sized = (of: "parameters" | "buffers", size: "parameter_bytes" | "buffer_bytes"): Partial<Column<ModuleRow>> => ({
  cell: ({ node }) => (
    <span title={node[of] === null ? "The log lacks a size" : bytes(node[size])}>{quiet(node[of])}</span>
  ),
});

/** Columns that have any value. */
export function columnsOf(modules: readonly Module[], toggle: Toggle): Column<ModuleRow>[] {
  const ran = modules.some((module) => module.run_us);
  const figures = [
    figure("parameters", "Parameters", "minmax(108px, 0.6fr)", sized("parameters", "parameter_bytes")),
    figure("buffers", "Buffers", "minmax(76px, 0.4fr)", { wide: true, ...sized("buffers", "buffer_bytes") }),
    figure("ops", "Ops", "minmax(60px, 0.4fr)", { wide: ran }),
    figure("kernels", "Kernels", "minmax(76px, 0.4fr)", {
      wide: true,
      cell: ({ node }) => (
        <span title={node.folded ? "Sum: a kernel of several modules counts for each" : undefined}>
          {quiet(node.kernels)}
        </span>
      ),
    }),
    figure("guards", "Guards", "minmax(76px, 0.4fr)", { wide: true }),
    figure("saved_bytes", "Saved", "minmax(84px, 0.4fr)", {
      wide: true,
      cell: ({ node: { saved_bytes: saved } }) => (
        <span title={saved ? "Of lines that are its alone" : "No line that saves a tensor is its alone"}>
          {bytes(saved || null)}
        </span>
      ),
    }),
    figure("compile_us", "Compile time", "minmax(124px, 0.4fr)", {
      wide: true,
      cell: ({ node: { compile_us: us } }) =>
        us === null ? (
          <span class="muted" title={NO_COMPILE_TIME}>
            –
          </span>
        ) : (
          time(us)
        ),
    }),
    figure("run_us", "Run time", "minmax(84px, 0.4fr)", { cell: ({ node }) => quiet(node.run_us, time) }),
  ];
  return [
    {
      key: "name",
      title: "Module",
      width: "minmax(150px, 2fr)",
      value: ({ node }) => node.label,
      cell: (row) => <Name row={row} toggle={toggle} />,
    },
    ...(modules.some((module) => module.class !== null) ? [CLASS] : []),
    ...figures.filter(([key]) => modules.some((module) => module[key])).map(([, column]) => column),
  ];
}

const CLASS: Column<ModuleRow> = {
  key: "class",
  title: "Class",
  width: "minmax(120px, 1fr)",
  wide: true,
  value: ({ node }) => shortClass(node.class),
  cell: ({ node }) => (
    <span class="mono" title={node.class ?? "No guard names it"}>
      {shortClass(node.class) ?? "–"}
    </span>
  ),
};

function Name({ row, toggle }: { row: ModuleRow; toggle: Toggle }) {
  const { node, level, open } = row;
  return (
    <span class="name mono" style={{ "--depth": level - 1 }} title={node.module?.name || undefined}>
      {open === undefined ? (
        <span class="twist" />
      ) : (
        <button
          type="button"
          class="twist"
          tabIndex={-1} // the arrow keys do the same
          aria-label={`${open ? "Close" : "Open"} ${node.label}`}
          onClick={() => toggle(row)}
        >
          {open ? "▾" : "▸"}
        </button>
      )}
      <span class="cutoff">{node.label}</span>
      {node.folded > 0 && (
        <span class="times" title={plural(node.folded, "equal module")}>
          ×{node.folded}
        </span>
      )}
      <small class="cutoff">{shortClass(node.class)}</small>
    </span>
  );
}
