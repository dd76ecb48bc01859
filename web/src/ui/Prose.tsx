/** Code within sentences: `in backticks`, and what can be nothing else: torch.compile(f), TORCH_LOGS="+dynamic", dynamic=True. */
const CODE =
  /(`[^`\n]{1,500}`|\btorch\.[\w.]{0,80}\w(?:\([^()\n]{0,80}\))?|\bTORCH_[A-Z_]{1,60}(?:=(?:"[^"\n]{0,80}"|\w{1,40}))?|\b[a-z_]{1,40}=(?:True|False)\b)/;

/** Sentences with their code in the code font. Text stays text. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text
        .split(CODE)
        .map((piece, i) => (i % 2 ? <code key={i}>{piece.startsWith("`") ? piece.slice(1, -1) : piece}</code> : piece))}
    </>
  );
}
