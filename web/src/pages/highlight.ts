// Colours for `<pre id=code>`: the text stands in the page already, one span a line. It is parsed in slices, and only lines near the view are
// given colours, so a page of megabytes is readable at once and never stands still.
import type { PartialParse, Tree } from "@lezer/common";
import { parser as cpp } from "@lezer/cpp";
import { highlightTree } from "@lezer/highlight";
import { parser as python } from "@lezer/python";
import { highlighter } from "../viewer/tags";

const SLICE_MS = 12;
const LIMIT = 8_000_000;
const MARGIN = 60; // lines above and below the view

export function colour(pre: HTMLElement, lang: string): void {
  const parser = lang === "python" ? python : lang === "cpp" ? cpp : null;
  const text = pre.textContent ?? "";
  if (!parser || text.length > LIMIT) return;
  const parse = parser.startParse(text);
  slice(parse, (tree) => paint(pre, text, tree));
}

function slice(parse: PartialParse, done: (tree: Tree) => void): void {
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until) {
    const tree = parse.advance();
    if (tree) return done(tree);
  }
  setTimeout(() => slice(parse, done));
}

function paint(pre: HTMLElement, text: string, tree: Tree): void {
  const lines = [...pre.children].filter((child) => child.id.startsWith("L")) as HTMLElement[];
  const starts: number[] = [];
  for (let n = 0, at = 0; n < lines.length; n++) {
    starts.push(at);
    at = text.indexOf("\n", at) + 1 || text.length;
  }
  const painted = new Uint8Array(lines.length);
  const near = () => {
    const height = pre.offsetHeight / Math.max(1, lines.length);
    const top = pre.getBoundingClientRect().top;
    const from = Math.max(0, Math.floor(-top / height) - MARGIN);
    const to = Math.min(lines.length, Math.ceil((innerHeight - top) / height) + MARGIN);
    for (let n = from; n < to; n++) {
      if (painted[n]) continue;
      painted[n] = 1;
      paintLine(lines[n]!, text, starts[n]!, tree);
    }
  };
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      near();
    });
  };
  addEventListener("scroll", ask, { passive: true });
  addEventListener("resize", ask);
  near();
}

function paintLine(line: HTMLElement, text: string, start: number, tree: Tree): void {
  const content = line.textContent ?? "";
  const end = start + content.length;
  if (!content || content.length > 20_000 || text.slice(start, end) !== content) return;
  const parts: Node[] = [];
  let at = start;
  highlightTree(tree, highlighter, (from, to, classes) => {
    const [a, b] = [Math.max(from, at), Math.min(to, end)];
    if (a >= b) return;
    if (a > at) parts.push(document.createTextNode(text.slice(at, a)));
    const span = document.createElement("span");
    span.className = classes;
    span.textContent = text.slice(a, b);
    parts.push(span);
    at = b;
  }, start, end);
  if (!parts.length) return;
  if (at < end) parts.push(document.createTextNode(text.slice(at, end)));
  line.replaceChildren(...parts);
}
