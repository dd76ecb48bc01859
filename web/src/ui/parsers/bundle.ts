// assets/parsers.js: shows what the user's own parsers added. Loaded only for reports that have any.
import * as api from "./bundle-api";

window.tl.register("parsers", api);
