import { useLayoutEffect, useState } from "preact/hooks";
import { address } from "../lib/address";
import { isRead, setRead } from "./help-read";
import { termOf, type PageText } from "./help-registry";

/** What the page shows and what its words mean. Open until the reader has closed it or has been in another page; then behind the head's "?". */
export function usePageHelp(text: PageText | undefined): [boolean, (open: boolean) => void] {
  const key = text?.page;
  const [open, setOpen] = useState(key !== undefined && !isRead(key));
  useLayoutEffect(() => {
    if (key === undefined) return;
    setOpen(!isRead(key));
    return () => setRead(key);
  }, [key]);
  return [
    open,
    (next) => {
      setOpen(next);
      if (!next && key !== undefined) setRead(key);
    },
  ];
}

export function PageHelp({ text, onClose }: { text: PageText; onClose: () => void }) {
  return (
    <section class="roomhelp" id="roomhelp" aria-label={`Help: ${text.title}`}>
      <p>{text.text}</p>
      <details>
        <summary>{text.terms.map((key) => termOf(key)?.term).join(" · ")}</summary>
        <dl>
          {text.terms.map((key) => {
            const item = termOf(key);
            return (
              item && [
                <dt>
                  <a href={address(["help"], { q: item.term })}>{item.term}</a>
                </dt>,
                <dd>{item.text}</dd>,
              ]
            );
          })}
        </dl>
      </details>
      <div class="close">
        <button type="button" onClick={onClose}>
          Got it
        </button>
        <button
          type="button"
          class="plain link"
          onClick={() => {
            setRead(null);
            onClose();
          }}
        >
          Fold all helps
        </button>
        <a href={address(["help"])}>All terms</a>
      </div>
    </section>
  );
}
