import * as api from "./viewer-api";

window.tl.register("viewer", api);
