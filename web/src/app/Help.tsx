import { useLayoutEffect, useRef } from "preact/hooks";
import { address } from "../lib/address";
import { useKeys } from "../lib/keys";
import { useStore } from "../ui/context";
import { pagesOf } from "./pages";

const KEYS: readonly (readonly [string, string])[] = [
  ["/", "find in this place (in an artifact: in its text); else in all artifacts"],
  ["j k", "down and up in a list; arrow keys too"],
  ["Enter", "open the row"],
  ["[ ]", "previous and next compile of the frame"],
  ["{ }", "previous and next compile of the list"],
  ["n p", "next and previous artifact of the compile"],
  ["w", "wrap long lines of an artifact"],
  ["F12", "in a graph: to the definition of the value; Ctrl+click too; Shift+F12 lists its uses"],
  ["Alt+↓ Alt+↑", "in a graph: next and previous value of the text; Alt+← goes back"],
  ["d", "in a graph: the drawing, and back to the text"],
  [
    "↑ ↓ ← →",
    "in the drawing: to what the node reads, to what reads it, along its row; + - 0 zoom, Enter shows the text",
  ],
  ["v s z", "in a graph: the panel of the value, the source lines, fold by source line"],
  ["y", "copy a link to the chosen lines"],
  ["t", "light or dark"],
  ["Esc", "close; leave the search; back to the list"],
];

/** A modal dialog of the browser's own: it keeps the focus inside and Escape closes it. */
export function Help({ onClose }: { onClose: () => void }) {
  const { report } = useStore();
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({ Escape: onClose, "?": onClose });
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={onClose}
      onClick={(e) => e.target === dialog.current && onClose()}
    >
      <div>
        <h2 id="help-title">Keys</h2>
        <dl>
          {pagesOf(report)
            .filter((page) => page.letter)
            .map((page) => [
              <dt>
                <kbd>g</kbd> <kbd>{page.letter}</kbd>
              </dt>,
              <dd>{page.title}</dd>,
            ])}
          {KEYS.map(([keys, what]) => [
            <dt>
              {keys.split(" ").map((key) => (
                <>
                  <kbd>{key}</kbd>{" "}
                </>
              ))}
            </dt>,
            <dd>{what}</dd>,
          ])}
        </dl>
        <p>
          <a href={address(["help"])} onClick={onClose}>
            What the words mean
          </a>
        </p>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </dialog>
  );
}
