import * as api from "./highlight-api";

window.tl.register("highlight", api);
