// One of several texts that stay in step: its lines can be chosen and marked from outside, and have figures in the margin.
import { openSearchPanel } from "@codemirror/search";
import { Compartment, EditorState, type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, gutter, GutterMarker, lineNumbers } from "@codemirror/view";
import { language } from "./language";
import { reading, type ReadingOptions } from "./reading";
import type { Margin, Marks, Pane, PaneOptions } from "./types";

/** Longer texts get their colors after they are shown: an editor parses for 20 ms before it shows anything. */
const COLORS_FIRST = 30_000;
const COLORS_AFTER = 250; // milliseconds
const MARK_LIMIT = 5000; // more marked lines than that help nobody
const mark = StateEffect.define<Marks>();
const related = Decoration.line({ class: "cm-related" });
const chosen = Decoration.line({ class: "cm-related cm-chosen", attributes: { "aria-current": "true" } });

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(mark)) return marked(transaction.state, effect.value);
    return value;
  },
  provide: (f) => EditorView.decorations.from(f),
});

function marked({ doc }: EditorState, { lines, at }: Marks): DecorationSet {
  const shown = lines.filter((n) => n >= 1 && n <= doc.lines).slice(0, MARK_LIMIT);
  return Decoration.set(shown.map((n) => (n === at ? chosen : related).range(doc.line(n).from)));
}

class Figure extends GutterMarker {
  constructor(
    readonly text: string,
    readonly share: number,
  ) {
    super();
  }

  override eq(other: Figure): boolean {
    return other.text === this.text && other.share === this.share;
  }

  override toDOM(): Node {
    const made = document.createElement("span");
    made.textContent = this.text;
    made.style.setProperty("--share", `${Math.round(100 * this.share)}%`);
    return made;
  }
}

function margin({ cell }: Margin): Extension {
  return gutter({
    class: "cm-cost",
    lineMarker(view, block) {
      const found = cell(view.state.doc.lineAt(block.from).number);
      return found && new Figure(found.text, found.share);
    },
  });
}

function dimmed(rows: readonly number[]): Extension {
  const dim = Decoration.line({ class: "cm-gap" });
  return EditorView.decorations.of((view) => {
    const { from, to } = view.viewport;
    const [first, last] = [view.state.doc.lineAt(from).number, view.state.doc.lineAt(to).number];
    const shown = rows.filter((n) => n >= first && n <= last && n <= view.state.doc.lines);
    return RangeSet.of(shown.map((n) => dim.range(view.state.doc.line(n).from)));
  });
}

/** A click chooses a line; one that ends a selection of text does not. */
function choice({ onPick, numbers }: PaneOptions): Extension {
  const pick = (view: EditorView, at: number) => onPick(view.state.doc.lineAt(at).number);
  return [
    lineNumbers({
      ...(numbers ? { formatNumber: numbers } : {}),
      domEventHandlers: {
        click: (view, block) => {
          pick(view, block.from);
          return true;
        },
      },
    }),
    EditorView.domEventHandlers({
      click(event, view) {
        if (!view.state.selection.main.empty || event.detail > 1) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
        pick(view, at);
        return false;
      },
    }),
  ];
}

/** To the chosen line, else to the first one; no effect if there is none. */
function scrollTo({ doc }: EditorState, { lines, at }: Marks, near: boolean): StateEffect<unknown>[] {
  const to = at ?? lines[0];
  if (!to || to > doc.lines) return [];
  return [EditorView.scrollIntoView(doc.line(to).from, near ? { y: "nearest", yMargin: 24 } : { y: "center" })];
}

const uncolored = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Colors long texts one after another, when no pane was made for a while. Returns what cancels it. */
function colorLater(color: () => void): () => void {
  uncolored.add(color);
  clearTimeout(timer);
  timer = setTimeout(colorNext, COLORS_AFTER);
  return () => uncolored.delete(color);
}

function colorNext(): void {
  const [color] = uncolored;
  if (!color) return;
  uncolored.delete(color);
  color();
  timer = setTimeout(colorNext);
}

export function createPane(parent: HTMLElement, options: PaneOptions & ReadingOptions): Pane {
  const { margins = [], gaps = [], text, lang } = options;
  const marks = options.marks ?? { lines: [], at: null };
  const colors = new Compartment();
  const later = text.length > COLORS_FIRST;
  const state = EditorState.create({
    doc: text,
    extensions: [
      ...margins.map(margin),
      choice(options),
      field.init((made) => marked(made, marks)),
      dimmed(gaps),
      reading(options),
      colors.of(later ? [] : language(lang, text.length)),
    ],
  });
  const [first] = scrollTo(state, marks, false);
  const view = new EditorView({ parent, state, ...(first && { scrollTo: first }) });
  const color = () => view.dispatch({ effects: colors.reconfigure(language(lang, text.length)) });
  const cancel = later ? colorLater(color) : () => undefined;
  return {
    mark(lines, at, near) {
      const next = { lines, at };
      view.dispatch({ effects: [mark.of(next), ...scrollTo(view.state, next, near)] });
    },
    isFocused: () => view.hasFocus,
    focus: () => view.contentDOM.focus({ preventScroll: true }),
    find: () => openSearchPanel(view),
    destroy() {
      cancel();
      view.destroy();
    },
  };
}
