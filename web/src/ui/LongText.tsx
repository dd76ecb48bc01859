import { useState } from "preact/hooks";

/** Text of the log in full, its first lines at once and the rest on demand. */
export function LongText({ text, lines = 6, class: name }: { text: string; lines?: number; class?: string }) {
  const [open, setOpen] = useState(false);
  const trimmed = text.replace(/\s+$/, "");
  const all = trimmed.split("\n");
  const long = all.length > lines + 2 || trimmed.length > 1200;
  const head = all.slice(0, lines).join("\n");
  const shown = !long || open ? trimmed : head.length > 1200 ? `${head.slice(0, 1200)}…` : head;
  return (
    <div class={`longtext ${name ?? ""}`}>
      <pre>{shown}</pre>
      {long && (
        <button type="button" class="plain link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "less" : all.length > lines ? `${all.length - lines} more lines` : "all of it"}
        </button>
      )}
    </div>
  );
}
