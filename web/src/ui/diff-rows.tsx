// Lines of two texts next to each other: rows of a difference, and a row's lines in full.
import { elided, pieces, type DiffRow, type LineDiff, type Options, type Piece } from "../lib/diff-lines";
import { count, plural } from "../lib/text";

const WHOLE_LIMIT = 60_000; // of one pair of lines that is compared word by word
export const LINE_LIMIT = 4000; // characters of a line that are shown

/** The lines of a row in both texts; of a unified row also its counterpart. -1: none. */
export function linesOfRow(row: DiffRow): [number, number] {
  return [
    row.a >= 0 ? row.a : row.kind === "added" ? (row.other ?? -1) : -1,
    row.b >= 0 ? row.b : row.kind === "removed" ? (row.other ?? -1) : -1,
  ];
}

interface WholeProps {
  row: DiffRow;
  found: LineDiff;
  names: [string, string];
  options: Options;
  onClose: () => void;
}

/** Both lines of a row from end to end, wrapped. */
export function Whole({ row, found, names, options, onClose }: WholeProps) {
  const [i, j] = linesOfRow(row);
  const [a, b] = [found.a[i], found.b[j]];
  const marked = row.kind !== "same" && a !== undefined && b !== undefined ? pieces(a, b, options, WHOLE_LIMIT) : null;
  const line = (n: number, text: string | undefined, name: string, parts: Piece[] | undefined, cls: string) =>
    text !== undefined && (
      <div class={cls}>
        <span class="muted">
          {cls === "minus" ? "−" : cls === "plus" ? "+" : ""} {name}:{n + 1}
        </span>
        {text.trim() ? (
          <code>{parts ? <Marked pieces={parts} /> : clip(text)}</code>
        ) : (
          <span class="muted">empty line</span>
        )}
      </div>
    );
  return (
    <section class="diff-whole" aria-label="Whole lines" tabIndex={0}>
      <button type="button" class="close" aria-label="Close" title="Close (Escape)" onClick={onClose}>
        ✕
      </button>
      {line(i, a, names[0], marked?.a, row.kind === "same" ? "" : "minus")}
      {row.kind !== "same" && line(j, b, names[1], marked?.b, "plus")}
    </section>
  );
}

interface RowProps {
  row: DiffRow;
  found: LineDiff;
  options: Options;
  letters: number;
}

export function Both({ row, found, options, letters }: RowProps) {
  const [a, b] = [found.a[row.a], found.b[row.b]];
  const marked = row.kind === "changed" ? elided(a!, b!, options, letters) : null;
  return (
    <>
      <Line n={row.a} text={a} pieces={marked?.a} cls={row.kind === "same" ? "" : "minus"} />
      <Line n={row.b} text={b} pieces={marked?.b} cls={row.kind === "same" ? "" : "plus"} />
    </>
  );
}

export function One({ row, found, options, letters }: RowProps) {
  const removed = row.kind === "removed";
  const text = row.a >= 0 ? found.a[row.a] : found.b[row.b];
  const other = row.other === undefined ? undefined : removed ? found.b[row.other] : found.a[row.other];
  const marked =
    other === undefined || text === undefined
      ? undefined
      : removed
        ? elided(text, other, options, letters).a
        : elided(other, text, options, letters).b;
  return (
    <>
      <span class="n">{row.a >= 0 ? row.a + 1 : ""}</span>
      <span class="n">{row.b >= 0 ? row.b + 1 : ""}</span>
      <span class={`t ${removed ? "minus" : row.kind === "added" ? "plus" : ""}`}>
        <span class="s">{removed ? "−" : row.kind === "added" ? "+" : " "}</span>
        <code>{marked ? <Marked pieces={marked} most={LINE_LIMIT} /> : clip(text ?? "")}</code>
      </span>
    </>
  );
}

interface LineProps {
  n: number;
  text: string | undefined;
  pieces: Piece[] | undefined;
  cls: string;
}

function Line({ n, text, pieces: parts, cls }: LineProps) {
  if (text === undefined)
    return (
      <>
        <span class="n" />
        <span class="t none" />
      </>
    );
  const sign = cls === "minus" ? "−" : cls === "plus" ? "+" : " ";
  return (
    <>
      <span class="n">{n + 1}</span>
      <span class={`t ${cls}`}>
        <span class="s">{sign}</span>
        <code>{parts ? <Marked pieces={parts} most={LINE_LIMIT} /> : clip(text)}</code>
      </span>
    </>
  );
}

export function Marked({ pieces: parts, most = Infinity }: { pieces: readonly Piece[]; most?: number }) {
  return (
    <>
      {parts.map((piece, i) =>
        piece.on ? (
          <b key={i}>{clip(piece.text, most)}</b>
        ) : piece.cut ? (
          <i key={i} class="cut" title={plural(piece.cut, "equal character")}>
            {piece.text}
          </i>
        ) : (
          clip(piece.text, most)
        ),
      )}
    </>
  );
}

function clip(text: string, most = LINE_LIMIT): string {
  return text.length > most ? `${text.slice(0, most)} … ${count(text.length - most)} more characters` : text;
}
