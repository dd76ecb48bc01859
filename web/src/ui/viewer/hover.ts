// The line below the text that says what the name under the pointer is. It has its own room, so it covers nothing.
import { type EditorView, type Panel, showPanel } from "@codemirror/view";
import type { Extension } from "@codemirror/state";
import { valueAt, type Graph, type Value } from "../../lib/graph/model";
import { isSymbol, symbolsOf, symOf, typeRows } from "../../lib/graph/tensor-type";

type Rows = [key: string, value: string][];

/** What is said of a value. */
export function facts(value: Value, graph: Graph, lineOf: (at: number) => number): Rows {
  const source = graph.sources[value.source];
  const rows: Rows = typeRows(value.type);
  if (value.op) rows.push(["op", value.op]);
  rows.push(["line", String(lineOf(value.at))], ["uses", String(value.uses.length)]);
  if (source)
    rows.push([
      "source",
      source.file ? `${source.file}:${source.line}${source.func && ` in ${source.func}`}` : source.text,
    ]);
  if (source?.code) rows.push(["code", source.code]);
  return rows;
}

/** What is said of a symbol: `s77` in `f32[s77, 16]`. */
export function symbolFacts(name: string, graph: Graph, lineOf: (at: number) => number): Rows {
  const giver = graph.values.find((value) => symOf(value.type) === name);
  const sized = graph.values.filter((value) => symbolsOf(value.type).includes(name) && value !== giver).length;
  const rows: Rows = [
    [
      "symbol",
      name.startsWith("u")
        ? "unbacked symbol: its value is known only at run time"
        : "dynamic size: one compile serves all its values",
    ],
  ];
  if (giver) rows.push([giver.kind === "input" ? "input" : "defined by", `${giver.name}, line ${lineOf(giver.at)}`]);
  rows.push(["used in types of", `${sized} ${sized === 1 ? "value" : "values"}`]);
  return rows;
}

type Shown = { name: string; rows: Rows };

/** How long the pointer rests before its name is looked up: a graph of megabytes is read for the first one. */
const REST_MS = 80;

export function hoverFacts(textOf: (view: EditorView) => { text: string; graph: Graph } | null): Extension {
  return showPanel.of((view) => factsPanel(view, textOf));
}

function factsPanel(view: EditorView, textOf: (view: EditorView) => { text: string; graph: Graph } | null): Panel {
  const dom = element("div", "cm-facts");
  const hint = element("span", "muted", "Hover a name for its type and source; click it for its uses.");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let name = "";
  const clear = () => {
    clearTimeout(timer);
    if (name || !dom.firstChild) dom.replaceChildren(hint);
    name = "";
  };
  const look = (x: number, y: number) => {
    const shown = factsAt(view, textOf(view), x, y);
    if (!shown) return clear();
    if (shown.name === name) return;
    name = shown.name;
    dom.replaceChildren(element("strong", "", shown.name), list(shown.rows));
  };
  const moved = (event: MouseEvent) => {
    clearTimeout(timer);
    if (!event.buttons) timer = setTimeout(look, REST_MS, event.clientX, event.clientY); // else a selection is drawn
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !name) return;
    clear();
    event.preventDefault();
    event.stopPropagation();
  };
  const { contentDOM, scrollDOM } = view;
  contentDOM.addEventListener("mousemove", moved);
  contentDOM.addEventListener("mouseleave", clear);
  contentDOM.addEventListener("keydown", key, { capture: true });
  scrollDOM.addEventListener("scroll", clear, { passive: true });
  clear();
  return {
    dom,
    top: false,
    destroy: () => {
      clearTimeout(timer);
      contentDOM.removeEventListener("mousemove", moved);
      contentDOM.removeEventListener("mouseleave", clear);
      contentDOM.removeEventListener("keydown", key, { capture: true });
      scrollDOM.removeEventListener("scroll", clear);
    },
  };
}

/** The facts of the name at a point of the window; null where there is none: behind the end of a line, too. */
function factsAt(view: EditorView, it: { text: string; graph: Graph } | null, x: number, y: number): Shown | null {
  const at = view.posAtCoords({ x, y }, false);
  const box = view.coordsAtPos(at);
  if (!it || !box || y < box.top || y > box.bottom || Math.abs(x - box.left) > view.defaultCharacterWidth) return null;
  const lineOf = (place: number) => view.state.doc.lineAt(Math.min(place, view.state.doc.length)).number;
  const value = valueAt(it.graph, it.text, at);
  if (value) return { name: value.name, rows: facts(value, it.graph, lineOf) };
  const symbol = symbolAt(it.text, at);
  return symbol ? { name: symbol, rows: symbolFacts(symbol, it.graph, lineOf) } : null;
}

/** The symbol whose name is at a position, "" for none. */
export function symbolAt(text: string, at: number): string {
  const start = Math.max(0, at - 12);
  for (const found of text.slice(start, at + 12).matchAll(/\b\w+\b/g)) {
    const from = start + found.index;
    if (from <= at && at <= from + found[0].length && isSymbol(found[0])) return found[0];
  }
  return "";
}

function element(tag: string, name: string, text = ""): HTMLElement {
  const dom = document.createElement(tag);
  dom.className = name;
  dom.textContent = text;
  return dom;
}

function list(rows: Rows): HTMLElement {
  const dom = element("dl", "");
  for (const [key, text] of rows) {
    const row = element("div", key === "source" ? "source" : "");
    const value = element("dd", "", text);
    value.title = text;
    row.append(element("dt", "", key), value);
    dom.append(row);
  }
  return dom;
}
