// The texts of a provenance page as they are in it: marks on their lines, and scrolling to them.
import { color } from "./highlight";
import type { Related } from "./provenance-relations";
import { longestLine } from "./width";

export type MarkKind = "hover" | "held";
export interface At {
  pane: number;
  line: number;
}

export class PaneView {
  readonly element: HTMLElement;
  readonly scroller: HTMLElement;
  readonly texts: string[];
  readonly #lines: HTMLElement[];
  #colored = false;
  #related: HTMLElement[] = [];

  constructor(
    readonly index: number,
    element: HTMLElement,
    readonly lang: string,
  ) {
    const pre = element.querySelector<HTMLElement>("pre.lines");
    this.element = element;
    this.scroller = document.createElement("div");
    this.scroller.className = "scroller";
    this.scroller.tabIndex = 0;
    this.#lines = pre ? ([...pre.children] as HTMLElement[]) : [];
    this.texts = this.#lines.map((line) => line.textContent ?? "");
    if (!pre) return;
    pre.style.minWidth = `calc(${longestLine(pre.textContent ?? "")}ch + 80px)`;
    pre.replaceWith(this.scroller);
    this.scroller.append(pre);
  }

  get count(): number {
    return this.#lines.length;
  }

  line(number: number): HTMLElement | undefined {
    return this.#lines[number - 1];
  }

  /** Marks the lines that have something in another pane, and no others. */
  mark(lines: readonly number[]): void {
    for (const line of this.#related) line.classList.remove("has");
    this.#related = lines.flatMap((number) => this.line(number) ?? []);
    for (const line of this.#related) line.classList.add("has");
  }

  /** Colors come when the pane is looked at for the first time. */
  color(): void {
    const pre = this.scroller.querySelector<HTMLElement>("pre.lines");
    if (this.#colored || !pre) return;
    this.#colored = true;
    setTimeout(() => color(pre, this.lang)); // after the panes are there
  }

  /** Puts the line in the upper third of the view; without `force` only when none of `lines` is in view. */
  reveal(lines: readonly number[], force = false): void {
    const first = lines[0] === undefined ? undefined : this.line(lines[0]);
    if (!first) return;
    const { scrollTop, clientHeight } = this.scroller;
    const seen = (number: number) => {
      const line = this.line(number);
      return line && line.offsetTop >= scrollTop && line.offsetTop + line.offsetHeight <= scrollTop + clientHeight;
    };
    if (!force && lines.some(seen)) return;
    this.scroller.scrollTop = Math.max(0, first.offsetTop - clientHeight / 3);
  }
}

/** The marks of one kind, hover or held: what was marked before is cleared. */
export class Marks {
  #marked: HTMLElement[] = [];
  readonly #kind: MarkKind;

  constructor(
    readonly panes: readonly PaneView[],
    kind: MarkKind,
  ) {
    this.#kind = kind;
  }

  clear(): void {
    for (const line of this.#marked)
      line.classList.remove(`m-${this.#kind}`, `m-${this.#kind}-own`, `m-${this.#kind}-body`, `m-${this.#kind}-guess`);
    this.#marked = [];
  }

  show(related: Related, own: At | null): void {
    this.clear();
    for (const body of related.bodies)
      for (let n = body.from; n <= body.to && n < body.from + 5000; n++) this.#mark(body.pane, n, "-body");
    for (const [pane, lines] of related.lines) for (const line of lines) this.#mark(pane, line, "");
    for (const pane of related.guessed)
      for (const line of related.lines.get(pane) ?? []) this.#mark(pane, line, "-guess");
    if (own) this.#mark(own.pane, own.line, "-own");
  }

  #mark(pane: number, number: number, what: string): void {
    const line = this.panes[pane]?.line(number);
    if (!line) return;
    line.classList.add(`m-${this.#kind}${what}`);
    this.#marked.push(line);
  }
}

/** The line that an event is about. */
export function lineAt(target: EventTarget | null): At | null {
  const line = target instanceof Element ? target.closest<HTMLElement>("pre.lines > span[id]") : null;
  const found = line && /^p(\d+)L(\d+)$/.exec(line.id);
  return found ? { pane: Number(found[1]), line: Number(found[2]) } : null;
}
