import { useState } from "preact/hooks";
import { copyText } from "../lib/clipboard";

/** Copies a text and says for a moment whether it did. */
export function CopyButton({
  text,
  label = "Copy",
  title,
}: {
  text: string | (() => string);
  label?: string;
  title?: string;
}) {
  const [said, setSaid] = useState("");
  const copy = () =>
    copyText(typeof text === "string" ? text : text()).then((done) => {
      setSaid(done ? "Copied" : "Refused");
      setTimeout(() => setSaid(""), 2000);
    });
  return (
    <button type="button" onClick={copy} title={title} aria-live="polite">
      {said || label}
    </button>
  );
}
