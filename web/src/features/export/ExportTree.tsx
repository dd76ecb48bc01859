import { useState } from "preact/hooks";
import { framesOf, type ExportData, type ExportFailure, type ExportNode } from "../../store/export";
import { PlaceText } from "../../ui/text";
import { Stack } from "./ExportStack";

/** The operands of an expression: each with the source line that computed it. */
export function ExportTree({ data, failure }: { data: ExportData; failure: ExportFailure }) {
  const sources = new Map(failure.symbols.map((symbol) => [symbol.name, symbol.source]));
  return (
    <ol class="exprs unmarked">
      {failure.tree.map((node, i) => (
        <Node key={i} data={data} node={node} source={sources.get(node.expr ?? "") ?? undefined} />
      ))}
      {failure.tree_cut && <li class="muted">Truncated; the log has more.</li>}
    </ol>
  );
}

function Node({ data, node, source }: { data: ExportData; node: ExportNode; source: string | undefined }) {
  const [open, setOpen] = useState(false);
  const user = framesOf(data, node.user_stack);
  const frames = framesOf(data, node.stack);
  const last = user[user.length - 1];
  return (
    <li style={{ "--depth": Math.min(node.depth, 24) }}>
      <div class="expr flexrow">
        <code>{node.expr ?? "(nothing)"}</code>
        {node.method !== null && (
          <span class="muted mono">
            = {node.method}({node.arguments})
          </span>
        )}
        {node.method === null && node.range !== null && <span class="muted">from tensor data, in {node.range}</span>}
        {source && (
          <span class="muted">
            is <span class="mono">{source}</span>
          </span>
        )}
        {node.again && <span class="muted">expanded above</span>}
        {node.cut && <span class="muted">some operands not shown</span>}
        {last && <PlaceText place={last} />}
        {(user.length > 0 || frames.length > 0) && (
          <button type="button" class="plain link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Hide stacks" : "Stacks"}
          </button>
        )}
      </div>
      {open && (
        <>
          <Stack title="User stack" frames={user} open />
          <Stack title="Framework stack" frames={frames} open={!user.length} />
        </>
      )}
    </li>
  );
}
