// The card at the pointer: of a value what it is, its type told apart; of a symbol in an annotation what it stands for.
import { type EditorView, hoverTooltip } from "@codemirror/view";
import type { Extension } from "@codemirror/state";
import { valueAt, type Graph, type Value } from "../../lib/graph/model";
import { isSymbol, symbolsOf, symOf, typeRows } from "../../lib/graph/tensor-type";

type Rows = [key: string, value: string][];

/** What hover says of a value. */
export function facts(value: Value, graph: Graph, lineOf: (at: number) => number): Rows {
  const source = graph.sources[value.source];
  const rows: Rows = typeRows(value.type);
  if (value.op) rows.push(["made by", value.op]);
  rows.push(["defined", `line ${lineOf(value.at)}`], ["uses", String(value.uses.length)]);
  if (source)
    rows.push([
      "from",
      source.file ? `${source.file}:${source.line}${source.func && ` in ${source.func}`}` : source.text,
    ]);
  if (source?.code) rows.push(["code", source.code]);
  return rows;
}

/** What hover says of a symbol: `s77` in `f32[s77, 16]`. */
export function symbolFacts(name: string, graph: Graph, lineOf: (at: number) => number): Rows {
  const giver = graph.values.find((value) => symOf(value.type) === name);
  const sized = graph.values.filter((value) => symbolsOf(value.type).includes(name) && value !== giver).length;
  const rows: Rows = [
    [
      "what",
      name.startsWith("u")
        ? "an unbacked symbol: its value is known only when the graph runs"
        : "a dynamic size: one compile serves all its values",
    ],
  ];
  if (giver) rows.push([giver.kind === "input" ? "input" : "made by", `${giver.name}, line ${lineOf(giver.at)}`]);
  rows.push(["in the types of", `${sized} ${sized === 1 ? "value" : "values"}`]);
  return rows;
}

export function hoverCard(textOf: (view: EditorView) => { text: string; graph: Graph } | null): Extension {
  return hoverTooltip((view, at) => {
    const it = textOf(view);
    if (!it) return null;
    const lineOf = (place: number) => view.state.doc.lineAt(Math.min(place, view.state.doc.length)).number;
    const value = valueAt(it.graph, it.text, at);
    const symbol = value ? "" : symbolAt(it.text, at);
    if (!value && !symbol) return null;
    return {
      pos: at,
      above: true,
      create: () => ({
        dom: card(
          value?.name ?? symbol,
          value ? facts(value, it.graph, lineOf) : symbolFacts(symbol, it.graph, lineOf),
        ),
      }),
    };
  });
}

/** The symbol whose name stands at a place, "" for none. */
export function symbolAt(text: string, at: number): string {
  const start = Math.max(0, at - 12);
  for (const found of text.slice(start, at + 12).matchAll(/\b\w+\b/g)) {
    const from = start + found.index;
    if (from <= at && at <= from + found[0].length && isSymbol(found[0])) return found[0];
  }
  return "";
}

function card(title: string, rows: Rows): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "cm-facts";
  const name = document.createElement("strong");
  name.textContent = title;
  const list = document.createElement("dl");
  for (const [key, text] of rows) {
    const dt = document.createElement("dt");
    dt.textContent = key;
    const dd = document.createElement("dd");
    dd.textContent = text;
    list.append(dt, dd);
  }
  dom.append(name, list);
  return dom;
}
