export type GraphView = "text" | "drawing" | "nodes";

const VIEWS: readonly [view: GraphView, name: string, title?: string][] = [
  ["text", "Text"],
  ["drawing", "Drawing", "Draw the graph (d)"],
  ["nodes", "Nodes", "List the nodes in a table (r)"],
];

/** How a graph is shown: the query of its address. */
export const viewOf = ({ d, view }: Record<string, string>): GraphView =>
  d !== undefined ? "drawing" : view ? "nodes" : "text";

/** What to remove from the address of a view when another one is shown. */
export const NO_VIEW = { d: null, near: null, view: null, q: null, sort: null };

/** The buttons that choose the view. */
export function GraphViews({ view, onView }: { view: GraphView; onView: (view: GraphView) => void }) {
  return (
    <span class="segments" role="group" aria-label="Show as">
      {VIEWS.map(([key, name, title]) => (
        <button key={key} type="button" aria-pressed={view === key} onClick={() => onView(key)} title={title}>
          {name}
        </button>
      ))}
    </span>
  );
}
