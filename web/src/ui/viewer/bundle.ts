import * as api from "./bundle-api";

window.tl.register("viewer", api);
