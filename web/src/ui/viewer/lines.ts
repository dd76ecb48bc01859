// The chosen lines: a field of the editor's state, shown as a color behind the lines.
import { StateEffect, StateField, type EditorState, type Extension } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  GutterMarker,
  gutterLineClass,
  lineNumbers,
  type DecorationSet,
} from "@codemirror/view";
import { RangeSet } from "@codemirror/state";

export type Lines = readonly [number, number] | null;

export const choose = StateEffect.define<Lines>();

const chosenLine = Decoration.line({ class: "cm-chosen" });
const chosenNumber = new (class extends GutterMarker {
  override elementClass = "cm-chosen-number";
})();

const field = StateField.define<{ lines: Lines; marks: DecorationSet; numbers: RangeSet<GutterMarker> }>({
  create: () => ({ lines: null, marks: Decoration.none, numbers: RangeSet.of<GutterMarker>([]) }),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(choose)) return marked(transaction.state, effect.value);
    return value;
  },
  provide: (f) => [
    EditorView.decorations.from(f, (value) => value.marks),
    gutterLineClass.from(f, (value) => value.numbers),
  ],
});

const MARK_LIMIT = 5000; // a range of a million lines is no help to anybody

function marked(state: EditorState, lines: Lines) {
  if (!lines) return { lines, marks: Decoration.none, numbers: RangeSet.empty as RangeSet<GutterMarker> };
  const from = Math.min(lines[0], state.doc.lines);
  const to = Math.min(lines[1], state.doc.lines, from + MARK_LIMIT);
  const starts = [];
  for (let n = from; n <= to; n++) starts.push(state.doc.line(n).from);
  return {
    lines: [from, Math.min(lines[1], state.doc.lines)] as Lines,
    marks: Decoration.set(starts.map((at) => chosenLine.range(at))),
    numbers: RangeSet.of(starts.map((at) => chosenNumber.range(at))),
  };
}

export function chosen(state: EditorState): Lines {
  return state.field(field).lines;
}

/** Line numbers; a click chooses the line, a click with Shift the lines up to it. */
export function lineChoice(onLines: (lines: Lines) => void): Extension {
  return [
    field,
    lineNumbers({
      domEventHandlers: {
        mousedown(view, block, event) {
          const n = view.state.doc.lineAt(block.from).number;
          const before = chosen(view.state);
          const shift = (event as MouseEvent).shiftKey && before;
          const lines: Lines = shift
            ? [Math.min(before[0], n), Math.max(before[0], n)]
            : before && before[0] === n && before[1] === n
              ? null
              : [n, n];
          view.dispatch({ effects: choose.of(lines) });
          onLines(lines);
          event.preventDefault();
          return true;
        },
      },
    }),
  ];
}
