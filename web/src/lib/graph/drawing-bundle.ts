// The part of assets/drawing.js for graphs: what only a drawing needs, dagre above all.
import type { Layout, LayoutRequest } from "./layout";
import { boxedLayout } from "./boxes";

export { around, boxesOf, drawable, drawingOf, matching, scopeName, subgraphOf, whole } from "./drawing";
export { boxedLayout as layoutOf } from "./boxes";
export { KINDS, widthsOf } from "./paint";
export { Picture } from "./picture";

/** What else is drawn (app/drawing-bundle.ts): it adds itself. */
export interface Drawings {}

export type Answer = { layout: Layout } | { error: string };

/** In a worker: answers one request after the other. */
export function serve(scope: {
  onmessage: ((event: MessageEvent<LayoutRequest>) => void) | null;
  postMessage(answer: Answer): void;
}): void {
  scope.onmessage = ({ data }) => {
    try {
      scope.postMessage({ layout: boxedLayout(data) });
    } catch (error) {
      scope.postMessage({ error: error instanceof Error ? error.message : String(error) });
    }
  };
}

declare module "../tl" {
  interface Bundles {
    /** with its own text as the program of a worker */
    drawing: typeof import("./drawing-bundle") & Drawings & { program: string };
  }
}
