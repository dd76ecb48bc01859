import { render } from "preact";
import { address, toReport } from "../lib/address";
import { followReport, packed, shownReport } from "../lib/packed";
import type {} from "../lib/live";
import { renew } from "../lib/renewal";
import { bundle } from "../lib/tl";
import { noteElsewhere } from "../store/ranks";
import { loadReport, Store } from "../store/store";
import { Failed } from "../ui/page";
import { App } from "./App";

/** Unpacks the summary and shows the page. Until then the place stays empty: it takes some milliseconds. */
export function mountReport(parent: HTMLElement): void {
  // index.html says on which page the report begins when the address names none.
  followReport();
  const start = document.body.dataset.tlStart;
  if (start && !location.hash.replace(/^#\/?(@\/?)?$/, "") && !shownReport())
    history.replaceState(history.state, "", address([start]));
  if (packed()?.left.includes(shownReport())) {
    render(
      <main class="alone">
        <h1>This report is not in the file</h1>
        <p>
          <code>{shownReport().replace(/\/$/, "")}</code> was left out, because the file would have become too large:
          share it with a higher <code>--max-size</code>. <a href={toReport("../")}>Other reports</a>
        </p>
      </main>,
      parent,
    );
    return;
  }
  // Drawing the page again keeps what the reader has opened, chosen and scrolled to: components stay.
  const show = async () => {
    const report = await loadReport();
    noteElsewhere(report.ranks);
    render(<App store={new Store(report)} />, parent);
  };
  const shown = Number(document.body.dataset.tlLive);
  show().then(
    async () => {
      if (shown) (await bundle("live")).start(shown, (report) => (renew(report), show()));
    },
    (error: unknown) =>
      render(
        <main class="alone">
          <h1>This report cannot be shown</h1>
          <Failed error={error instanceof Error ? error : new Error(String(error))} />
        </main>,
        parent,
      ),
  );
}
