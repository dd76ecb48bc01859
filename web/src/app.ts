// assets/app.js: defines `tl` at once, since data scripts follow. The report is shown as soon as its summary is there: behind it stands the plain
// list for readers without scripts, which may be long. Other pages wait for their end.
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/rooms.css";
import "./style/kernels.css";
import "./style/compile.css";
import "./style/records.css";
import "./style/graph.css";
import "./style/ranks.css";
import "./style/diff.css";
import "./style/vllm.css";
import "./style/export.css";
import "./style/flame.css";
import "./style/pages.css";
import "./style/provenance.css";
import { initTheme } from "./base/theme";
import { decorate } from "./pages/decorate";
import { mountReport } from "./shell/mount";
import { defineTl } from "./tl";

let booted = false;
defineTl((key) => {
  if (key === "report") boot();
});
initTheme();
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", boot);
else boot();

function boot(): void {
  if (booted) return;
  booted = true;
  const page = document.body.dataset.tlPage;
  if (page === "report") mountReport(document.getElementById("app") ?? document.body);
  else if (page) decorate(page);
}
