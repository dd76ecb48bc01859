import { render } from "preact";
import { address } from "../lib/address";
import { loadReport, Store } from "../store/store";
import { Failed } from "../ui/States";
import { App } from "./App";

/** Unpacks the summary and shows the page. Until then the place stays empty: it takes some milliseconds. */
export function mountReport(parent: HTMLElement): void {
  // index.html says on which page the report begins when the address names none.
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
