// assets/help.js: the texts of the help, which no first view needs.
import * as api from "./help-registry";

declare module "../lib/tl" {
  interface Bundles {
    help: typeof import("./help-registry");
  }
}

window.tl.register("help", api);
