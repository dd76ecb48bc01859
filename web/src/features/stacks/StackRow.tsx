import { baseName, middle, plural, time } from "../../lib/text";
import { inside, withSearch } from "../../lib/address";
import type { TreeRow } from "../../store/stacktree";
import { stackName, type StackNode } from "../../store/report";
import { CompileChips } from "../../ui/compile";
import { callerNote, nearestOwn } from "../../store/caller";
import { useCodeLink } from "../../ui/page";

interface Props {
  row: TreeRow;
  nodes: readonly StackNode[];
  top: number;
  on: boolean;
  onFold: () => void;
  onUnfold: () => void;
  onChoose: () => void;
}

export function StackRow({ row, nodes, top, on, onFold, onUnfold, onChoose }: Props) {
  const node = nodes[row.node]!;
  const dump = inside(node.dump);
  const code = useCodeLink(node);
  const caller = nearestOwn(nodes, [...row.chain].reverse());
  const place = `${middle(baseName(node.file), 40)}:${node.line ?? "?"}`;
  return (
    <div
      class={on ? "tree-row on" : "tree-row"}
      role="treeitem"
      id={`node-${row.node}`}
      aria-level={row.depth + 1}
      aria-expanded={row.branches ? row.open : undefined}
      aria-selected={on}
      style={{ transform: `translateY(${top}px)`, "--depth": Math.min(row.depth, 24) }}
      onClick={onChoose}
    >
      {row.branches ? (
        <button
          type="button"
          tabIndex={-1}
          class="twist"
          aria-label={row.open ? "Collapse" : "Expand"}
          onClick={onFold}
        >
          {row.open ? "▾" : "▸"}
        </button>
      ) : (
        <span class="twist" />
      )}
      {row.chain.length > 0 && (
        <button
          type="button"
          tabIndex={-1}
          class="chain"
          title={row.chain.map((i) => `${nodes[i]!.function}  ${nodes[i]!.file}:${nodes[i]!.line}`).join("\n")}
          onClick={onUnfold}
        >
          +{row.chain.length}
        </button>
      )}
      <span class="mono fn" title={stackName(node)}>
        {stackName(node)}
      </span>
      {dump ? (
        <a class="mono file" href={withSearch(dump)} title={`${node.file}:${node.line}`}>
          {place}
        </a>
      ) : code ? (
        <a class="mono muted file" tabIndex={-1} {...code}>
          {place}
        </a>
      ) : (
        <span class="mono muted file" title={`${node.file}:${node.line}`}>
          {place}
        </span>
      )}
      {node.code && (
        <code class="src cutoff" title={node.code}>
          {node.code}
        </code>
      )}
      {node.compiles.length > 0 && <CompileChips ids={node.compiles} limit={8} />}
      {caller && (
        <span class="from">
          <span class="muted">from</span>{" "}
          <span class="mono" title={`${caller.file}:${caller.line} in ${caller.function}`}>
            {middle(baseName(caller.file), 30)}:{caller.line ?? "?"}
          </span>
          {caller.code && (
            <code class="src cutoff" title={caller.code}>
              {caller.code}
            </code>
          )}
        </span>
      )}
      {node.caller_from && (
        <span class="muted inferred" title={callerNote(node.caller_from)}>
          caller from {node.caller_from}
        </span>
      )}
      <span class="end">
        {row.branches && !row.open && <span class="muted">{plural(row.compiles, "compile")} </span>}
        {row.time > 0 && (
          <span class="num" title="compile time at and below this frame">
            {time(row.time)}
          </span>
        )}
      </span>
    </div>
  );
}
