// assets/live.js: keeps the page of `tlparse follow --serve` up to date. The server tells by events which report is in place (src/cmd/live.h);
// the page then loads that report and draws itself again, without losing its place. Loaded only if index.html says that it is live.

export interface LiveState {
  report: number; // 0: there is none yet
  made_ms: number;
  grew_ms: number;
  still: boolean; // the logs have not grown for some seconds
}

declare module "./tl" {
  interface Bundles {
    live: { start: typeof start };
  }
}

const STYLE = `
.tl-live { position: fixed; z-index: 5; right: 12px; bottom: 10px; padding: 2px 10px; border: 1px solid var(--line); border-radius: 999px;
  background: var(--panel); color: var(--text-2); font-size: 11.5px; font-variant-numeric: tabular-nums; pointer-events: none; }
.tl-live::before { content: "●"; margin-right: 6px; color: var(--good, #2e7d32); }
.tl-live.ended::before { content: "○"; color: inherit; }
@media print { .tl-live { display: none; } }
`;

function clock(ms: number): string {
  return new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
}

/** What the page says about itself. */
export function describe(state: LiveState | null, connected: boolean): string {
  const made = state?.made_ms ? `refreshed ${clock(state.made_ms)}` : "no report yet";
  if (!connected) return state ? `Not live · ${made}` : "Connecting…";
  return `Live · ${made}${state?.still ? ` · log unchanged since ${clock(state.grew_ms)}` : ""}`;
}

/** `shown` is the number of the report on the page; `refresh` loads and shows another one. */
export function start(shown: number, refresh: (report: number) => Promise<void>): void {
  const style = document.createElement("style");
  const badge = document.createElement("div");
  style.textContent = STYLE;
  document.head.append(style);
  document.body.append(badge);
  let state: LiveState | null = null;
  let connected = false;
  let loading = false;

  const say = () => {
    badge.className = connected ? "tl-live" : "tl-live ended";
    badge.textContent = describe(state, connected);
    badge.dataset.report = `${shown}`;
  };
  const update = () => {
    if (loading || document.hidden || !state?.report || state.report === shown) return;
    const report = state.report;
    loading = true;
    refresh(report).then(
      () => {
        shown = report;
        loading = false;
        say();
        update(); // a newer one may have come meanwhile
      },
      () => (loading = false), // replaced while it was loaded: the next event names the next report
    );
  };

  // eslint-disable-next-line no-restricted-globals -- this is never loaded on file://, and the address is within the report
  const events = new EventSource("live.events");
  events.addEventListener("state", (event) => {
    state = JSON.parse((event as MessageEvent<string>).data) as LiveState;
    connected = true;
    say();
    update();
  });
  events.addEventListener("error", () => {
    connected = false; // the browser connects again on its own
    say();
  });
  document.addEventListener("visibilitychange", update);
  say();
}

if (typeof window !== "undefined") window.tl?.register("live", { start });
