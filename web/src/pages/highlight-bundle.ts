import * as api from "./highlight";

window.tl.register("highlight", api);
