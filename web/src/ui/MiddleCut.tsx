/** A name in the code font that loses its middle, not its end, where the room is short: names of kernels and files differ at their ends. */
export function MiddleCut({ text, tail = 12, title = text }: { text: string; tail?: number; title?: string }) {
  const at = Math.max(0, text.length - tail);
  return (
    <span class="mono midcut" title={title}>
      {at > 0 && <span style={{ maxWidth: `calc(100% - ${text.length - at}ch)` }}>{text.slice(0, at)}</span>}
      {text.slice(at)}
    </span>
  );
}
