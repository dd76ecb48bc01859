// What all editors of a page share: text that can be read, selected and searched, but not changed.
import { syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { packed } from "../../lib/packed";
import { searchPanel, step } from "./panel";
import { highlighter } from "./tags";

export interface ReadingOptions {
  text: string;
  lang: string;
  /** what screen readers call the text */
  name: string;
}

const KEYS = searchKeymap.filter((binding) => binding.key === "Mod-f" || binding.key === "Escape");

/** Without the language of the text. */
export function reading({ text, name }: ReadingOptions): Extension {
  return [
    EditorState.lineSeparator.of("\n"), // as the log counts lines: a \r is a character of the text
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.cspNonce.of(packed()?.nonce ?? ""),
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": name, "aria-readonly": "true" }),
    highlightSpecialChars(), // control characters and those that turn the direction of text are shown as signs
    drawSelection(),
    highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 200 }),
    search({ top: true, createPanel: (made) => searchPanel(made, text) }),
    keymap.of([
      { key: "F3", run: (v) => step(v, text, 1), shift: (v) => step(v, text, -1) },
      { key: "Mod-g", run: (v) => step(v, text, 1), shift: (v) => step(v, text, -1) },
      ...KEYS,
    ]),
    syntaxHighlighting(highlighter),
  ];
}
