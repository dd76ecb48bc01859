// A read-only CodeMirror: only the lines in view are in the document, so megabytes open at once.
import { openSearchPanel, SearchQuery } from "@codemirror/search";
import { Compartment, EditorState, type Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Viewer, ViewerOptions } from "./types";
import { foldSourceLines, graphTools, graphOf, showValue, unfoldLines } from "./graph";
import { choose, chosen, lineChoice, type Lines } from "./lines";
import { showFound } from "./panel";
import { language } from "./language";
import { reading } from "./reading";

export function createViewer(parent: HTMLElement, options: ViewerOptions): Viewer {
  const wrapping = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineChoice((lines) => options.onLines(lines?.[0] ?? null, lines ? lines[1] : 0)),
        options.graph ? graphTools(options.text, options.graph) : [],
        reading(options),
        language(options.lang, options.text.length),
        wrapping.of(options.wrap ? EditorView.lineWrapping : []),
      ],
    }),
  });

  const show = (lines: Lines, scroll: boolean) => {
    const effects: Parameters<EditorView["dispatch"]>[0]["effects"] = [choose.of(lines)];
    if (!lines) return view.dispatch({ effects });
    const at = view.state.doc.line(Math.min(lines[0], view.state.doc.lines)).from;
    view.dispatch({
      effects: scroll ? [...effects, EditorView.scrollIntoView(at, { y: "center" })] : effects,
      selection: { anchor: at },
    });
  };
  if (options.lines) show(options.lines, true);
  if (options.find) {
    const { text, caseSensitive, regexp, word } = options.find;
    showFound(
      view,
      options.text,
      new SearchQuery({ search: text, caseSensitive, regexp, wholeWord: word, literal: !regexp }),
      options.lines?.[0] ?? 1,
    );
  }
  if (options.top && !options.lines && !options.find) {
    const { from } = view.state.doc.line(withComment(view.state.doc, Math.min(options.top, view.state.doc.lines)));
    view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "start", yMargin: 4 }) });
  }

  return {
    setLines(lines) {
      const now = chosen(view.state);
      if (lines?.[0] === now?.[0] && lines?.[1] === now?.[1]) return;
      show(lines, true);
    },
    setWrap: (on) => view.dispatch({ effects: wrapping.reconfigure(on ? EditorView.lineWrapping : []) }),
    lines() {
      const now = chosen(view.state);
      if (now) return [now[0], now[1]];
      const { main } = view.state.selection;
      return main.empty ? null : [view.state.doc.lineAt(main.from).number, view.state.doc.lineAt(main.to).number];
    },
    find: () => openSearchPanel(view),
    graph: () => graphOf(view),
    value: (value, at) => showValue(view, value, at),
    lineOf: (at) => view.state.doc.lineAt(Math.min(at, view.state.doc.length)).number,
    fold: (on) => (on ? foldSourceLines(view) : unfoldLines(view)),
    destroy: () => view.destroy(),
  };
}

const COMMENT_LINES = 12;

/** The first line of the comment right above a line; the line itself where there is none. */
function withComment(doc: Text, line: number): number {
  let first = line;
  while (first > 1 && line - first < COMMENT_LINES && /^(# |\/\/)/.test(doc.line(first - 1).text)) first--;
  return first;
}
