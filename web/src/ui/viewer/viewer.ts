// A read-only CodeMirror: only the lines in view are in the document, so megabytes open at once.
import { syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap, SearchQuery } from "@codemirror/search";
import { Compartment, EditorState, type Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { packed } from "../../lib/packed";
import type { Viewer, ViewerOptions } from "./types";
import { foldSourceLines, graphTools, graphOf, showValue, unfoldLines } from "./graph";
import { language } from "./language";
import { choose, chosen, lineChoice, type Lines } from "./lines";
import { searchPanel, showFound, step } from "./panel";
import { highlighter } from "./tags";

export function createViewer(parent: HTMLElement, options: ViewerOptions): Viewer {
  const wrapping = new Compartment();
  const keys = searchKeymap.filter((binding) => binding.key === "Mod-f" || binding.key === "Escape");
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        EditorState.lineSeparator.of("\n"), // as the log counts lines: a \r is a character of the text
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.cspNonce.of(packed()?.nonce ?? ""),
        EditorView.contentAttributes.of({ tabindex: "0", "aria-label": options.name, "aria-readonly": "true" }),
        lineChoice((lines) => options.onLines(lines?.[0] ?? null, lines ? lines[1] : 0)),
        highlightSpecialChars(), // control characters and those that turn the direction of text are shown as signs
        drawSelection(),
        highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 200 }),
        search({ top: true, createPanel: (made) => searchPanel(made, options.text) }),
        keymap.of([
          { key: "F3", run: (v) => step(v, options.text, 1), shift: (v) => step(v, options.text, -1) },
          { key: "Mod-g", run: (v) => step(v, options.text, 1), shift: (v) => step(v, options.text, -1) },
          ...keys,
        ]),
        options.graph ? graphTools(options.text, options.graph) : [],
        syntaxHighlighting(highlighter),
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
