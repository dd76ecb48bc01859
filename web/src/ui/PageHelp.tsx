import { useLayoutEffect, useRef } from "preact/hooks";
import { address } from "../lib/address";
import { useKeys, useLoaded } from "../lib/hooks";
import { bundle } from "../lib/tl";
import { Prose } from "./text";
import { Pending } from "./page";

/** What the page at `path` shows and what its terms mean. It has the focus while it is open, and Escape closes it. */
export function PageHelp({ path, onClose }: { path: readonly string[]; onClose: () => void }) {
  const loaded = useLoaded(() => bundle("help"), []);
  const box = useRef<HTMLElement>(null);
  useKeys({ Escape: onClose });
  useLayoutEffect(() => box.current?.focus({ preventScroll: true }), []);
  const texts = loaded.state === "ready" ? loaded.value : null;
  const text = texts?.pageText(path);
  return (
    <section ref={box} class="roomhelp" id="roomhelp" tabIndex={-1} aria-label="Help">
      <Pending of={loaded} what="the help" />
      {texts && text && (
        <div>
          <p>
            <Prose text={text.text} />
          </p>
          <dl>
            {text.terms.flatMap((key) => {
              const item = texts.termOf(key);
              return item
                ? [
                    <dt key={key}>{item.term}</dt>,
                    <dd key={`${key} text`}>
                      <Prose text={item.text} />
                    </dd>,
                  ]
                : [];
            })}
          </dl>
        </div>
      )}
      <div class="close">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <a href={address(["help"])}>All terms</a>
      </div>
    </section>
  );
}
