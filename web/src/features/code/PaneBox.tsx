// A pane of the code of a line: its head, and its text in an editor, or why there is none.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLoaded } from "../../lib/hooks";
import { bundle } from "../../lib/tl";
import { Empty, Pending } from "../../ui/page";
import type { Margin, Pane } from "../../ui/viewer/types";

export interface PaneText {
  text: string;
  lang: string;
  numbers?: (line: number) => string;
  margins?: readonly Margin[];
  gaps?: readonly number[];
}

interface Props {
  title: string;
  note?: ComponentChildren;
  /** null: there is none */
  text: PaneText | null;
  /** why there is none */
  why?: ComponentChildren;
  lines: readonly number[];
  /** the chosen line; null: it is in another pane */
  at: number | null;
  /** whether it was chosen here, so that the text need not move */
  near: boolean;
  onPick: (line: number) => void;
  onPane: (pane: Pane | null) => void;
  /** between the head and the text */
  above?: ComponentChildren;
  /** at the right of the text */
  beside?: ComponentChildren;
}

/** An editor with the text, for as long as that is shown; the place where it is, and what it waits for. */
function useEditor({ title, text, lines, at, near, onPick, onPane }: Props) {
  const loaded = useLoaded(() => bundle("viewer"), []);
  const place = useRef<HTMLDivElement>(null);
  const [pane, setPane] = useState<Pane | null>(null);
  const picked = useRef(onPick);
  picked.current = onPick;
  const marked = useRef<readonly number[] | null>(null); // what the editor was made with
  useLayoutEffect(() => {
    if (loaded.state !== "ready" || !place.current || !text) return;
    const name = title;
    const made = loaded.value.createPane(place.current, {
      ...text,
      name,
      marks: { lines, at },
      onPick: (line) => picked.current(line),
    });
    marked.current = lines;
    setPane(made);
    onPane(made);
    return () => {
      made.destroy();
      setPane(null);
      onPane(null);
    };
  }, [loaded.state, text]);
  useLayoutEffect(() => {
    if (!pane) return;
    if (marked.current !== lines) pane.mark(lines, at, near);
    marked.current = null;
  }, [pane, lines, at]);
  return { loaded, place };
}

export function PaneBox(props: Props) {
  const { title, note, text, why, above, beside } = props;
  const { loaded, place } = useEditor(props);
  return (
    <section class="codepane" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="note muted">{note}</span>
      </header>
      {text && above}
      {text ? <Pending of={loaded} what="the viewer" /> : <Empty title={`No ${title.toLowerCase()}`}>{why}</Empty>}
      {text && (
        <div class="pane-body">
          <div class="editor" ref={place} />
          {beside}
        </div>
      )}
    </section>
  );
}
