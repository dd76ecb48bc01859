// What the page and its editor say to each other.
import type { SearchQuery } from "../../lib/search";
import type { Graph, Source, Value } from "../../lib/graph/model";

export interface GraphEvents {
  /** a value was chosen in the text, or none (null) */
  onValue: (value: Value | null) => void;
  /** a `# File:` comment was chosen */
  onSource: (source: Source) => void;
  /** the reader asks for the list of uses */
  onUses: () => void;
}

export interface ViewerOptions {
  text: string;
  lang: string;
  name: string;
  /** chosen at the start, and scrolled to */
  lines: [number, number] | null;
  /** the line that is at the top at the start, with the comment above it; where `lines` and `find` ask for nothing else */
  top?: number | undefined;
  wrap: boolean;
  /** all its matches are marked from the start, and the first one in `lines` is chosen */
  find?: SearchQuery;
  /** for graphs and generated code: definitions, uses, folding by source line */
  graph?: GraphEvents;
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
  /** read when it is first asked for; null in a text that is no graph */
  graph(): Graph | null;
  /** marks all places of a value; scrolls to `at` when it is given */
  value(value: Value | null, at?: number): void;
  /** the line of a place, from 1 */
  lineOf(at: number): number;
  /** folds the nodes below each `# File:` comment, or unfolds all */
  fold(on: boolean): void;
  destroy(): void;
}

/** Figures beside the lines of a pane. */
export interface Margin {
  /** null: nothing; `share` of the largest, from 0 to 1 */
  cell: (line: number) => { text: string; share: number } | null;
}

/** Lines that are marked. */
export interface Marks {
  lines: readonly number[];
  /** the one that was chosen */
  at: number | null;
}

/** Lines count from 1 and are those of the text, whatever number is shown. */
export interface PaneOptions {
  /** marked from the start, and scrolled to */
  marks?: Marks;
  /** what is shown as the number of a line; its own number without it */
  numbers?: (line: number) => string;
  margins?: readonly Margin[];
  /** lines that say what is left out */
  gaps?: readonly number[];
  onPick: (line: number) => void;
}

export interface Pane {
  /** Marks lines, one of them as the chosen one, and scrolls there; `near`: no further than it has to. */
  mark(lines: readonly number[], at: number | null, near: boolean): void;
  isFocused(): boolean;
  focus(): void;
  find(): void;
  destroy(): void;
}
