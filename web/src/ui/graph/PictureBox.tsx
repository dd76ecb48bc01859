import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { plural } from "../../lib/text";
import { Failed } from "../page";
import type { Bundles } from "../../lib/tl";
import type { Boxes, Drawing, Shown } from "../../lib/graph/drawing";
import { layOut, NoWorker } from "../../lib/graph/lay-out";
import type { Layout } from "../../lib/graph/layout";
import type { Picture } from "../../lib/graph/picture";
import { typeRows } from "../../lib/graph/tensor-type";
import { nextNode, type Way } from "../../lib/graph/walk";

interface Props {
  code: Bundles["drawing"];
  drawing: Drawing;
  shown: Shown;
  boxes: Boxes | null;
  label: string;
  /** of the drawing's nodes; -1 for none */
  selected: number;
  found: Uint8Array | null;
  onSelect: (node: number) => void;
  onOpen: (node: number) => void;
  onNoWorker: () => void;
}

const WAYS: Record<string, Way> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
const NODE_HEIGHT = 36;

/** Lays out what is to be shown and lets the reader move in it. */
export function PictureBox({
  code,
  drawing,
  shown,
  boxes,
  label,
  selected,
  found,
  onSelect,
  onOpen,
  onNoWorker,
}: Props) {
  const box = useRef<HTMLDivElement>(null);
  const picture = useRef<Picture | null>(null);
  const [layout, setLayout] = useState<{ of: Shown; layout: Layout } | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const came = useRef<number[]>([]); // the way along the arrows, to go back on
  const places = useMemo(() => new Map([...shown.nodes].map((node, i) => [node, i])), [shown]);
  const at = places.get(selected) ?? -1;
  const now = useRef({ onSelect, onOpen, shown, at });
  now.current = { onSelect, onOpen, shown, at };

  useEffect(() => {
    const of = (place: number) => (place < 0 ? -1 : now.current.shown.nodes[place]!);
    const made = new code.Picture(box.current!, {
      onSelect: (place) => now.current.onSelect(of(place)),
      onOpen: (place) => now.current.onOpen(of(place)),
    });
    picture.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const ends = new AbortController();
    const nodes = [...shown.nodes].map((node) => drawing.nodes[node]!);
    const widths = code.widthsOf(picture.current!.canvas, nodes);
    setError(null);
    layOut(
      code,
      { widths, height: NODE_HEIGHT, edges: shown.edges, ...(boxes && { boxes: boxes.of }) },
      ends.signal,
    ).then(
      (made) => {
        if (ends.signal.aborted) return;
        picture.current?.show(
          { nodes, edges: shown.edges, widths, layout: made, titles: boxes?.titles ?? [] },
          now.current.at,
        );
        setLayout({ of: shown, layout: made });
      },
      (reason: unknown) => {
        if (ends.signal.aborted) return;
        if (reason instanceof NoWorker) onNoWorker();
        else setError(reason instanceof Error ? reason : new Error(String(reason)));
      },
    );
    return () => ends.abort();
  }, [shown, boxes]);
  const ready = layout?.of === shown ? layout.layout : null;
  useEffect(() => {
    if (ready) picture.current?.select(at);
  }, [at, ready]);
  useEffect(() => {
    if (ready) picture.current?.find(found && Uint8Array.from(shown.nodes, (node) => found[node]!));
  }, [found, ready]);

  const key = (event: KeyboardEvent) => {
    const made = picture.current;
    if (!made || !ready || event.altKey || event.ctrlKey || event.metaKey) return;
    const way = WAYS[event.key];
    if (way && event.shiftKey)
      made.pan(way === "left" ? 60 : way === "right" ? -60 : 0, way === "up" ? 60 : way === "down" ? -60 : 0);
    else if (way) {
      const next = at < 0 ? 0 : nextNode(shown, ready, at, way, came.current.at(-1));
      if (next >= 0) {
        if (next === came.current.at(-1)) came.current.pop();
        else if (at >= 0) came.current.push(at);
        onSelect(shown.nodes[next]!);
      }
    } else if (event.key === "+" || event.key === "=") made.zoom(1.25);
    else if (event.key === "-") made.zoom(0.8);
    else if (event.key === "0") made.fit();
    else if (event.key === "c") made.centre(at, 1);
    else if (event.key === "Enter" && at >= 0) onOpen(selected);
    else if (event.key === "Escape" && at >= 0) onSelect(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const node = at < 0 ? undefined : drawing.nodes[selected];
  return (
    <div class="drawing-body">
      <div
        class="drawing-box"
        ref={box}
        tabIndex={0}
        role="application"
        aria-label={`${label}: arrow keys go to inputs and users, plus and minus zoom, 0 shows all, Enter shows the text`}
        onKeyDown={key}
        data-state={ready ? "ready" : "working"}
      />
      {!ready && !error && (
        <p class="drawing-wait" role="status">
          Laying out {plural(shown.nodes.length, "node")}…
        </p>
      )}
      {error && <Failed error={error} />}
      <div class="drawing-zoom">
        <button type="button" onClick={() => picture.current?.zoom(1.25)} aria-label="Zoom in" title="Zoom in (+)">
          +
        </button>
        <button type="button" onClick={() => picture.current?.zoom(0.8)} aria-label="Zoom out" title="Zoom out (-)">
          −
        </button>
        <button type="button" onClick={() => picture.current?.fit()} title="The whole graph (0)">
          Fit
        </button>
        {at >= 0 && (
          <button type="button" onClick={() => picture.current?.centre(at, 1)} title="To the chosen node (c)">
            Node
          </button>
        )}
      </div>
      <p class="sr" aria-live="polite">
        {node &&
          `${node.value.name}, ${node.title}, ${typeRows(node.value.type)
            .map((row) => row.join(" "))
            .join(", ")}; ${drawing.inputs[selected]!.length} inputs, ${drawing.users[selected]!.length} users`}
      </p>
    </div>
  );
}
