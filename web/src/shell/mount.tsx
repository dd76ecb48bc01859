import { render } from "preact";
import { address } from "../base/address";
import { loadReport, Store } from "../data/store";
import { Failed } from "../parts/States";
import { App } from "./App";

/** Unpacks the summary and shows the page. Until then the place stays empty: it takes some milliseconds. */
export function mountReport(parent: HTMLElement): void {
  // The page says in which room it begins, when its address says none.
  const start = document.body.dataset.tlStart;
  if (start && !location.hash) history.replaceState(history.state, "", address([start]));
  loadReport().then(
    (report) => render(<App store={new Store(report)} />, parent),
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
