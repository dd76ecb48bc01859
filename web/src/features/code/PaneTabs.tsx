// On a narrow screen: which of the panes is shown.
import { type PaneName, TEXT_PANES } from "../../store/code-pairs";
import { PANE_TITLES } from "./pane-titles";

export function PaneTabs({ shown, onPane }: { shown: PaneName; onPane: (pane: PaneName) => void }) {
  return (
    <div class="pane-tabs" role="tablist" aria-label="Panes">
      {(["source", ...TEXT_PANES] as const).map((pane) => (
        <button key={pane} type="button" role="tab" aria-selected={shown === pane} onClick={() => onPane(pane)}>
          {PANE_TITLES[pane]}
        </button>
      ))}
    </div>
  );
}
