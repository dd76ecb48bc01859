// What assets/viewer.js offers. The editor itself is loaded when the first artifact is looked at.
export { createViewer } from "./viewer";

export interface ViewerOptions {
  text: string;
  lang: string;
  name: string;
  /** chosen at the start, and scrolled to */
  lines: [number, number] | null;
  wrap: boolean;
  /** the reader chose lines, or none (null) */
  onLines: (from: number | null, to: number) => void;
}

export interface Viewer {
  /** choose lines from outside; scrolls there unless they are chosen already */
  setLines(lines: [number, number] | null): void;
  setWrap(on: boolean): void;
  /** lines that are chosen, or that the selection covers */
  lines(): [number, number] | null;
  find(): void;
  destroy(): void;
}
