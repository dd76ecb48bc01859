// assets/app.js: defines `tl` at once, because data scripts follow. The report is shown as soon as its summary has arrived: the plain list for
// readers without JavaScript comes after it and may be long. Other pages wait until they are complete.
// Each style sheet is next to what it styles. All are imported here, because their order decides which rule wins.
import "./tokens.css";
import "./base.css";
import "./shell.css";
import "./palette.css";
import "../ui/parts.css";
import "../ui/cards.css";
import "../features/config/config.css";
import "../features/compile/frame.css";
import "../features/compile/artifact.css";
import "../features/compile/narrow.css";
import "../ui/lists.css";
import "../ui/sorted-table.css";
import "../ui/side.css";
import "../features/kernels/kernels.css";
import "../features/code/code.css";
import "../features/memory/memory.css";
import "../features/guards/guards.css";
import "../features/modules/modules.css";
import "../features/runtime/runtime.css";
import "../features/compile/compile.css";
import "../features/compile/records.css";
import "../ui/graph/graph.css";
import "../features/ranks/ranks.css";
import "../features/ranks/ranks-matrix.css";
import "../features/overview/rank-place.css";
import "../features/runs/runs.css";
import "../ui/diff.css";
import "../features/vllm/vllm.css";
import "../features/export/export.css";
import "../ui/flame/flame.css";
import "../standalone/pages.css";
import "../standalone/provenance.css";
import { initTheme } from "../lib/theme";
import { decorate } from "../standalone/decorate";
import { mountReport } from "./mount";
import { defineTl } from "../lib/tl";

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
