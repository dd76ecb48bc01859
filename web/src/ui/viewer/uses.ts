// Where the chosen value is made and read: signs in the gutter, and a ruler over the whole text at its right edge.
import type { EditorState, Extension } from "@codemirror/state";
import { RangeSet, RangeSetBuilder } from "@codemirror/state";
import { EditorView, gutter, GutterMarker, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { Value } from "../../lib/graph/model";

type Role = "definition" | "use" | "drop";

const SIGNS: Record<Role, { sign: string; title: string }> = {
  definition: { sign: "◆", title: "defined here" },
  use: { sign: "○", title: "used here" },
  drop: { sign: "×", title: "deleted or reassigned here" },
};
/** Lines with marks; a value of a hostile text may be on a million. */
const LIMIT = 5000;
/** Marks of the ruler: more would overlap. */
const RULER_STEPS = 400;

class UseMark extends GutterMarker {
  constructor(readonly role: Role) {
    super();
  }
  override eq(other: UseMark): boolean {
    return other.role === this.role;
  }
  override toDOM(): Node {
    const made = document.createElement("span");
    made.className = `cm-use cm-use-${this.role}`;
    made.textContent = SIGNS[this.role].sign;
    made.title = SIGNS[this.role].title;
    return made;
  }
}

const marks: Record<Role, UseMark> = {
  definition: new UseMark("definition"),
  use: new UseMark("use"),
  drop: new UseMark("drop"),
};

/** Lines (from 1, ascending) with what the value is on them; its definition says more than a use, a use more than `= None`. */
export function roles(value: Value, lineOf: (at: number) => number): [line: number, role: Role][] {
  const found = new Map<number, Role>();
  for (const at of value.other.slice(0, LIMIT)) found.set(lineOf(at), "drop");
  for (const at of value.uses.slice(0, LIMIT)) found.set(lineOf(at), "use");
  found.set(lineOf(value.at), "definition");
  return [...found].sort((a, b) => a[0] - b[0]);
}

const rolesIn = (value: Value, state: EditorState) =>
  roles(value, (at) => state.doc.lineAt(Math.min(at, state.doc.length)).number);

/** `valueOf`: the value that is chosen in a state. */
export function useMarks(valueOf: (state: EditorState) => Value | null): Extension {
  let known: { value: Value | null; set: RangeSet<GutterMarker> } = { value: null, set: RangeSet.of<GutterMarker>([]) };
  const markers = ({ state }: EditorView) => {
    const value = valueOf(state);
    if (known.value === value) return known.set;
    const builder = new RangeSetBuilder<GutterMarker>();
    if (value) {
      for (const [line, role] of rolesIn(value, state)) {
        const { from } = state.doc.line(line);
        builder.add(from, from, marks[role]);
      }
    }
    known = { value, set: builder.finish() };
    return known.set;
  };
  return [gutter({ class: "cm-uses", markers }), rulerOf(valueOf)];
}

function rulerOf(valueOf: (state: EditorState) => Value | null): Extension {
  return ViewPlugin.fromClass(
    class {
      readonly dom = document.createElement("div");
      value: Value | null = null;

      constructor(readonly view: EditorView) {
        this.dom.className = "cm-ruler";
        this.dom.setAttribute("aria-hidden", "true"); // the gutter and the list of uses say the same
        this.dom.addEventListener("click", (event) => this.go(event));
        view.dom.append(this.dom);
        this.draw();
      }

      update(update: ViewUpdate): void {
        if (valueOf(update.state) !== this.value) this.draw();
        else if (update.geometryChanged && this.value) this.place();
      }

      destroy(): void {
        this.dom.remove();
      }

      private draw(): void {
        const { state } = this.view;
        this.value = valueOf(state);
        this.dom.replaceChildren();
        this.dom.hidden = !this.value;
        if (!this.value) return;
        const steps = new Map<number, { line: number; role: Role }>();
        for (const [line, role] of rolesIn(this.value, state)) {
          const step = Math.floor(((line - 1) / state.doc.lines) * RULER_STEPS);
          if (role === "definition" || !steps.has(step)) steps.set(step, { line, role });
        }
        for (const [step, { line, role }] of steps) {
          const mark = document.createElement("i");
          mark.className = `cm-ruler-${role}`;
          mark.style.top = `${(step / RULER_STEPS) * 100}%`;
          mark.title = `line ${line}: ${SIGNS[role].title}`;
          mark.dataset.line = String(line);
          this.dom.append(mark);
        }
        this.place();
      }

      /** Next to the scroll bar, as tall as what scrolls. */
      private place(): void {
        this.view.requestMeasure({
          key: this,
          read: ({ scrollDOM }) => ({
            top: scrollDOM.offsetTop,
            height: scrollDOM.clientHeight,
            right: scrollDOM.offsetWidth - scrollDOM.clientWidth,
          }),
          write: ({ top, height, right }) => {
            this.dom.style.top = `${top}px`;
            this.dom.style.height = `${height}px`;
            this.dom.style.right = `${right}px`;
          },
        });
      }

      private go(event: MouseEvent): void {
        const { line } = (event.target as HTMLElement).dataset;
        if (line)
          this.view.dispatch({
            effects: EditorView.scrollIntoView(this.view.state.doc.line(Number(line)).from, { y: "center" }),
          });
      }
    },
  );
}
