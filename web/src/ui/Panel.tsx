import type { ComponentChildren } from "preact";

interface Props {
  title?: ComponentChildren;
  /** at the right of the title */
  note?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
  id?: string;
}

export function Panel({ title, note, children, class: name, id }: Props) {
  return (
    <section class={`panel ${name ?? ""}`} id={id}>
      {title != null && (
        <h2>
          <span>{title}</span>
          {note != null && <span class="note">{note}</span>}
        </h2>
      )}
      {children}
    </section>
  );
}
