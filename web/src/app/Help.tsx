import { useLayoutEffect, useRef } from "preact/hooks";
import { address } from "../lib/address";
import { useKeys } from "../lib/hooks";
import { useStore } from "../ui/page";
import { pagesOf } from "./pages";

const KEYS: readonly (readonly [string, string])[] = [
  ["Ctrl+K", "go to a compile, source line, op, setting or page"],
  ["/", "filter this page, find in an artifact, or search all artifacts"],
  ["j k", "down and up in a list; arrow keys, too"],
  ["Enter", "open the row"],
  ["[ ]", "previous and next compile of the frame"],
  ["{ }", "previous and next compile of the list"],
  ["n p", "next and previous artifact of the compile"],
  ["w", "wrap long lines of an artifact"],
  ["F12", "in a graph: go to the definition of a value; Ctrl+click, too. Shift+F12 lists its uses"],
  ["Alt+↓ Alt+↑", "in a graph: next and previous value; Alt+← goes back"],
  ["d", "in a graph: drawing or text"],
  ["↑ ↓ ← →", "in the drawing: to inputs, to uses, along the row; + - 0 zoom, Enter shows the text"],
  ["v s z", "in a graph: value panel, source lines, fold by source line"],
  ["j k", "beside the source of a line: next and previous line that has a counterpart"],
  ["y", "copy a link to the selected lines"],
  ["t", "light or dark theme"],
  ["Esc", "close; leave a text box; back to the list"],
];

const MATRIX_KEYS: typeof KEYS = [
  ["↑ ↓ ← →", "in the compile matrix: select a cell; Enter opens the compile, Esc clears the selection"],
  ["+ - > < 0", "in the compile matrix: zoom ranks, zoom ids, show all ranks; Ctrl+wheel zooms, too"],
];

/** A modal dialog: the browser keeps the focus inside, and Escape closes it. */
export function Help({ onClose }: { onClose: () => void }) {
  const { report } = useStore();
  const pages = pagesOf(report);
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
        {/* the first that can have the focus: the dialog opens at its top */}
        <header>
          <h2 id="help-title">Keys</h2>
          <button type="button" onClick={onClose}>
            Close
          </button>
        </header>
        <dl>
          {pages
            .filter((page) => page.letter)
            .map((page) => [
              <dt>
                <kbd>g</kbd> <kbd>{page.letter}</kbd>
              </dt>,
              <dd>{page.title}</dd>,
            ])}
          {[...(pages.some((page) => page.key === "ranks") ? MATRIX_KEYS : []), ...KEYS].map(([keys, what]) => [
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
            Help
          </a>
        </p>
      </div>
    </dialog>
  );
}
