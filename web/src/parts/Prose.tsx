/** Sentences of PyTorch with `code` in backticks, shown as such. Text stays text. */
export function Prose({ text }: { text: string }) {
  return <>{text.split(/(`[^`\n]+`)/).map((piece, i) => (i % 2 ? <code key={i}>{piece.slice(1, -1)}</code> : piece))}</>;
}
