// What assets/viewer.js offers. The editor itself is loaded when the first artifact is looked at.
export { createViewer } from "./viewer";
export { places, valueKey, valueOf } from "../../lib/graph/model";

declare module "../../lib/tl" {
  interface Bundles {
    viewer: typeof import("./bundle-api");
  }
}
