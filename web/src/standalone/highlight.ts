// Colors for `<pre id=code>`: the text is in the page already, one span a line. It is parsed in slices, and only lines near the view are
// given colors, so a page of megabytes is readable at once and never freezes.
import type { PartialParse, Tree } from "@lezer/common";
import { parser as cpp } from "@lezer/cpp";
import { highlightTree } from "@lezer/highlight";
import { parser as python } from "@lezer/python";
import { highlighter } from "../ui/viewer/tags";

const SLICE_MS = 12;
const LIMIT = 8_000_000;
const MARGIN = 60; // lines above and below the view

export function color(pre: HTMLElement, lang: string): void {
  const parser = lang === "python" ? python : lang === "cpp" ? cpp : null;
  const text = pre.textContent ?? "";
  if (!parser || text.length > LIMIT) return;
  const painter = new Painter(pre, text);
  // What is in view first: it need not wait for the end of a long text.
  const seen = Math.min(text.length, painter.endOfView());
  const part = parser.startParse(text);
  part.stopAt(seen);
  slice(part, (tree) => {
    painter.paint(tree, seen);
    if (seen < text.length) slice(parser.startParse(text), (whole) => painter.paint(whole, text.length));
  });
}

function slice(parse: PartialParse, done: (tree: Tree) => void): void {
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until) {
    const tree = parse.advance();
    if (tree) return done(tree);
  }
  setTimeout(() => slice(parse, done));
}

/** Gives colors to lines near the view, once each. */
class Painter {
  readonly #lines: HTMLElement[];
  readonly #starts: number[] = [];
  readonly #painted: Uint8Array;
  #tree: Tree | null = null;
  #until = 0;
  #asked = false;

  constructor(
    readonly pre: HTMLElement,
    readonly text: string,
  ) {
    this.#lines = [...pre.children].filter((child) => /^(?:p\d+)?L\d+$/.test(child.id)) as HTMLElement[];
    for (let n = 0, at = 0; n < this.#lines.length; n++) {
      this.#starts.push(at);
      at = text.indexOf("\n", at) + 1 || text.length;
    }
    this.#painted = new Uint8Array(this.#lines.length);
    const ask = () => {
      if (this.#asked) return;
      this.#asked = true;
      requestAnimationFrame(() => {
        this.#asked = false;
        this.#near();
      });
    };
    addEventListener("scroll", ask, { passive: true, capture: true }); // the page's own, and that of a scroller around the text
    addEventListener("resize", ask);
  }

  /** Where in the text the view ends, and some lines more. */
  endOfView(): number {
    return this.#starts[Math.min(this.#view()[1] + 200, this.#lines.length - 1)] ?? this.text.length;
  }

  /** `tree` is right up to `until`. */
  paint(tree: Tree, until: number): void {
    this.#tree = tree;
    this.#until = until;
    this.#near();
  }

  /** Lines have one height, or nearly so where they wrap. */
  #view(): [number, number] {
    const { top, height } = this.pre.getBoundingClientRect();
    const line = height / Math.max(1, this.#lines.length) || 1;
    return [
      Math.max(0, Math.floor(-top / line) - MARGIN),
      Math.min(this.#lines.length, Math.ceil((innerHeight - top) / line) + MARGIN),
    ];
  }

  #near(): void {
    if (!this.#tree) return;
    const [from, to] = this.#view();
    for (let n = from; n < to; n++) {
      if (this.#painted[n] || (this.#starts[n + 1] ?? this.text.length) > this.#until) continue;
      this.#painted[n] = 1;
      paintLine(this.#lines[n]!, this.text, this.#starts[n]!, this.#tree);
    }
  }
}

function paintLine(line: HTMLElement, text: string, start: number, tree: Tree): void {
  const content = line.textContent ?? "";
  const end = start + content.length;
  if (!content || content.length > 20_000 || text.slice(start, end) !== content) return;
  const parts: Node[] = [];
  let at = start;
  highlightTree(
    tree,
    highlighter,
    (from, to, classes) => {
      const [a, b] = [Math.max(from, at), Math.min(to, end)];
      if (a >= b) return;
      if (a > at) parts.push(document.createTextNode(text.slice(at, a)));
      const span = document.createElement("span");
      span.className = classes;
      span.textContent = text.slice(a, b);
      parts.push(span);
      at = b;
    },
    start,
    end,
  );
  if (!parts.length) return;
  if (at < end) parts.push(document.createTextNode(text.slice(at, end)));
  line.replaceChildren(...parts);
}
