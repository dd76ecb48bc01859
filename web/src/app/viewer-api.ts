// What assets/viewer.js offers: the viewer of artifacts, loaded when the first one is looked at, and what the pages that C writes
// whole need of the same packages.
export { color } from "../standalone/highlight";
export { startProvenance } from "../standalone/provenance";
export { createPane } from "../ui/viewer/pane";
export { createViewer } from "../ui/viewer/viewer";
export { places, valueKey, valueOf } from "../lib/graph/model";

declare module "../lib/tl" {
  interface Bundles {
    viewer: typeof import("./viewer-api");
  }
}
