/** An identifier that breaks after its underscores rather than within a word. */
export function Soft({ text }: { text: string }) {
  return <>{(text.match(/[^_]+_*|_+/g) ?? []).flatMap((part, i) => [part, <wbr key={i} />])}</>;
}
