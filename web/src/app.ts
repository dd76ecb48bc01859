// assets/app.js: defines `tl` at once, since data scripts follow, and boots the page when all of it is there.
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/rooms.css";
import "./style/pages.css";
import { initTheme } from "./base/theme";
import { decorate } from "./pages/decorate";
import { mountReport } from "./shell/mount";
import { defineTl } from "./tl";

defineTl();
initTheme();
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", boot);
else boot();

function boot(): void {
  const page = document.body.dataset.tlPage;
  if (page === "report") mountReport(document.getElementById("app") ?? document.body);
  else if (page) decorate(page);
}
