import { blocks, pieces } from "../lib/prose";
import { outside } from "../lib/urls";
import { CopyButton } from "./CopyButton";

/** A variable of the environment with its value, which is too long to type. */
const isSetting = (code: string): boolean => code.length > 40 && /^[A-Z][A-Z0-9_]+=/.test(code);

/** Sentences with their code in the code font. Text stays text. With `copy`, long settings have a button. */
export function Prose({ text, copy = false }: { text: string; copy?: boolean }) {
  return (
    <>
      {pieces(text).map(([kind, said], i) =>
        kind === "code" ? (
          <>
            <code key={i}>{said}</code>
            {copy && isSetting(said) && (
              <>
                {" "}
                <CopyButton text={said} title="Copy the variable with its value" />
              </>
            )}
          </>
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
