// What assets/highlight.js offers: what only the pages that C writes whole need. The report does not load it.
export { color } from "./highlight";
export { startProvenance } from "./provenance";

declare module "../lib/tl" {
  interface Bundles {
    highlight: typeof import("./highlight-api");
  }
}
