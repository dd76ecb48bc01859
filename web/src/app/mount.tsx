import { render } from "preact";
import { address } from "../lib/address";
import type {} from "../lib/live";
import { renew } from "../lib/renewal";
import { bundle } from "../lib/tl";
import { loadReport, Store } from "../store/store";
import { Failed } from "../ui/States";
import { App } from "./App";

/** Unpacks the summary and shows the page. Until then the place stays empty: it takes some milliseconds. */
export function mountReport(parent: HTMLElement): void {
  // index.html says on which page the report begins when the address names none.
  const start = document.body.dataset.tlStart;
  if (start && !location.hash) history.replaceState(history.state, "", address([start]));
  // Drawing the page again keeps what the reader has opened, chosen and scrolled to: components stay.
  const show = async () => render(<App store={new Store(await loadReport())} />, parent);
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
