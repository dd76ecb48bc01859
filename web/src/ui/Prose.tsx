import { blocks, pieces } from "../lib/prose";
import { outside } from "../lib/urls";

/** Sentences with their code in the code font. Text stays text. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {pieces(text).map(([kind, said], i) =>
        kind === "code" ? (
          <code key={i}>{said}</code>
        ) : kind === "link" ? (
          <a key={i} href={outside(said) ?? "#"} rel="noreferrer noopener" target="_blank">
            {said}
          </a>
        ) : (
          said
        ),
      )}
    </>
  );
}

/** A message of several lines: its sentences, and its lines of code as blocks. */
export function Message({ text, class: name = "message" }: { text: string; class?: string }) {
  return (
    <div class={name}>
      {blocks(text).map(([kind, said], i) =>
        kind === "code" ? (
          <pre key={i}>{said}</pre>
        ) : (
          <p key={i}>
            <Prose text={said} />
          </p>
        ),
      )}
    </div>
  );
}
