// The viewer's tools for graphs: the value at the cursor is marked everywhere, a line below says what the hovered
// name is, keys lead to its definition and uses, nodes fold under the comment of their source line.
import { codeFolding, foldEffect, foldGutter, foldKeymap, foldService, unfoldAll } from "@codemirror/language";
import { StateEffect, StateField, type EditorState, type Extension } from "@codemirror/state";
import { Decoration, EditorView, keymap, type DecorationSet } from "@codemirror/view";
import { places, valueAt, type Graph, type Source, type Value } from "../../lib/graph/model";
import { readGraph } from "../../lib/graph/read";
import type { GraphEvents } from "./types";
import { hoverFacts } from "./hover";
import { choose } from "./lines";
import { useMarks } from "./uses";

/** More places than that are not marked: nobody looks at them, and each costs. */
const MARK_LIMIT = 5000;

const setValue = StateEffect.define<Value | null>();

interface Tools {
  text: string;
  graph: Graph | null;
  value: Value | null;
  back: number[];
  events: GraphEvents;
}

const tools = StateField.define<{ it: Tools | null; marks: DecorationSet }>({
  create: () => ({ it: null, marks: Decoration.none }),
  update(now, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setValue) || !now.it) continue;
      now.it.value = effect.value;
      return { it: now.it, marks: effect.value ? marksOf(effect.value) : Decoration.none };
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field, (now) => now.marks),
});

const use = Decoration.mark({ class: "cm-value" });
const definition = Decoration.mark({ class: "cm-value cm-value-def" });

function marksOf(value: Value): DecorationSet {
  const length = value.name.length;
  return Decoration.set(
    places(value)
      .slice(0, MARK_LIMIT)
      .map((at) => (at === value.at ? definition : use).range(at, at + length)),
  );
}

const toolsOf = (state: EditorState): Tools | null => state.field(tools, false)?.it ?? null;

function read(it: Tools): Graph {
  return (it.graph ??= readGraph(it.text));
}

export function graphOf(view: EditorView): Graph | null {
  const it = toolsOf(view.state);
  return it && read(it);
}

/** Marks a value; scrolls to a place of it, and remembers for Alt+Left where the reader was. */
export function showValue(view: EditorView, value: Value | null, at?: number): void {
  const it = toolsOf(view.state);
  if (!it) return;
  const effects: StateEffect<unknown>[] = [setValue.of(value)];
  if (at === undefined) return view.dispatch({ effects });
  it.back.push(view.state.selection.main.head);
  if (it.back.length > 200) it.back.shift();
  jump(view, at, effects);
}

function jump(view: EditorView, at: number, effects: StateEffect<unknown>[] = []): void {
  const to = Math.min(at, view.state.doc.length);
  view.dispatch({ selection: { anchor: to }, effects: [...effects, EditorView.scrollIntoView(to, { y: "center" })] });
}

function chosenAt(view: EditorView, at: number): Value | null {
  const it = toolsOf(view.state);
  return it && valueAt(read(it), it.text, at);
}

function select(view: EditorView, value: Value | null): void {
  showValue(view, value);
  toolsOf(view.state)?.events.onValue(value);
}

function toDefinition(view: EditorView): boolean {
  const value = chosenAt(view, view.state.selection.main.head) ?? toolsOf(view.state)?.value;
  if (!value) return false;
  showValue(view, value, value.at);
  toolsOf(view.state)?.events.onValue(value);
  return true;
}

function showUses(view: EditorView): boolean {
  toolsOf(view.state)?.events.onUses();
  return true;
}

function back(view: EditorView): boolean {
  const it = toolsOf(view.state);
  const at = it?.back.pop();
  if (at === undefined) return false;
  jump(view, at);
  select(view, chosenAt(view, at));
  return true;
}

/** To the next name of a value in the text, since a text that cannot be edited has no caret to move. */
function walk(view: EditorView, way: 1 | -1): boolean {
  const it = toolsOf(view.state);
  if (!it) return false;
  const from = view.state.selection.main.head;
  const line = view.state.doc.lineAt(from);
  const names = /[A-Za-z_]\w*/g;
  for (let n = line.number, seen = 0; n >= 1 && n <= view.state.doc.lines && seen < 500; n += way, seen++) {
    const here = view.state.doc.line(n);
    const found = [...here.text.matchAll(names)]
      .map((m) => here.from + m.index)
      .filter((at) => (way === 1 ? at > from : at < from));
    const at = (way === 1 ? found : found.reverse()).find((place) => valueAt(read(it), it.text, place));
    if (at === undefined) continue;
    jump(view, at);
    select(view, chosenAt(view, at));
    return true;
  }
  return true;
}

function chooseSource(view: EditorView, source: Source): void {
  const { doc } = view.state;
  view.dispatch({ effects: choose.of([doc.lineAt(source.from).number, doc.lineAt(source.to).number]) });
  toolsOf(view.state)?.events.onSource(source);
}

function sourceAtLine(it: Tools, from: number): Source | undefined {
  const { sources } = read(it);
  let low = 0;
  let high = sources.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (sources[mid]!.from < from) low = mid + 1;
    else high = mid;
  }
  return sources[low]?.from === from ? sources[low] : undefined;
}

function sourceRange(state: EditorState, source: Source): { from: number; to: number } | null {
  const from = state.doc.lineAt(source.from).to;
  return source.to > from ? { from, to: Math.min(source.to, state.doc.length) } : null;
}

export function foldSourceLines(view: EditorView): void {
  const ranges = graphOf(view)?.sources.map((source) => sourceRange(view.state, source)) ?? [];
  view.dispatch({ effects: ranges.filter((range) => range !== null).map((range) => foldEffect.of(range)) });
}

export function unfoldLines(view: EditorView): void {
  unfoldAll(view);
}

export function graphTools(text: string, events: GraphEvents): Extension {
  return [
    tools.init(() => ({ it: { text, graph: null, value: null, back: [], events }, marks: Decoration.none })),
    codeFolding(),
    foldGutter({ openText: "▾", closedText: "▸" }),
    foldService.of((state, from) => {
      const it = toolsOf(state);
      const source = it && state.doc.lineAt(from).text.trimStart().startsWith("#") ? sourceAtLine(it, from) : undefined;
      return source ? sourceRange(state, source) : null;
    }),
    hoverFacts((view) => {
      const it = toolsOf(view.state);
      return it && { text: it.text, graph: read(it) };
    }),
    useMarks((state) => toolsOf(state)?.value ?? null),
    EditorView.domEventHandlers({
      click(event, view) {
        if (event.button !== 0 || !view.state.selection.main.empty) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at === null) return false;
        const it = toolsOf(view.state);
        const source = it && sourceAtLine(it, view.state.doc.lineAt(at).from);
        if (source) chooseSource(view, source);
        else if (event.ctrlKey || event.metaKey) {
          view.dispatch({ selection: { anchor: at } });
          toDefinition(view);
        } else select(view, chosenAt(view, at));
        return false;
      },
    }),
    keymap.of([
      { key: "F12", run: toDefinition, shift: showUses },
      { key: "Alt-ArrowLeft", run: back },
      { key: "Alt-ArrowDown", run: (view) => walk(view, 1) },
      { key: "Alt-ArrowUp", run: (view) => walk(view, -1) },
      ...foldKeymap,
    ]),
  ];
}
