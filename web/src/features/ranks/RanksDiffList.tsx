import { useEffect, useState } from "preact/hooks";
import { replaceQuery } from "../../lib/address";
import { bytes, plural } from "../../lib/text";
import { NARROW, useMedia } from "../../lib/hooks";
import type { Options } from "../../lib/diff-lines";
import { withoutNoise, withoutNumbers } from "../../lib/diff-noise";
import type { Pair } from "../../store/diff-pairs";
import type { Store } from "../../store/store";

type Mark = "same" | "differs" | "a" | "b" | "unread";
const SIGNS: Record<Mark, readonly [sign: string, word: string]> = {
  same: ["✓", "identical"],
  differs: ["≠", "differs"],
  a: ["‹", "left only"],
  b: ["›", "right only"],
  unread: ["", ""],
};
const SIZE_LIMIT = 4 << 20; // a text larger than this is compared when it is looked at
const ALL_LIMIT = 48 << 20;

interface Props {
  pairs: readonly Pair[];
  chosen: string;
  /** the address says which; else the first that differs is shown */
  named: boolean;
  left: Store;
  right: Store;
  options: Options;
  href: (key: string) => string;
}

/** The artifacts of both compiles; which of them differ is found out while the reader looks at the first. */
export function RanksDiffList({ pairs, chosen, named, left, right, options, href }: Props) {
  const [marks, setMarks] = useState<ReadonlyMap<string, Mark>>(new Map());
  const narrow = useMedia(NARROW);
  useEffect(() => {
    let current = true;
    void compareAll();
    return () => {
      current = false;
    };

    async function compareAll() {
      const found = new Map<string, Mark>();
      let read = 0;
      for (const pair of pairs) {
        const size = (pair.a?.bytes ?? 0) + (pair.b?.bytes ?? 0);
        if (!pair.a || !pair.b) found.set(pair.key, pair.a ? "a" : "b");
        else if (size / 2 > SIZE_LIMIT || read + size > ALL_LIMIT) found.set(pair.key, "unread");
        else {
          read += size;
          const same = await alike(pair, left, right, options).catch(() => null);
          if (!current) return;
          found.set(pair.key, same === null ? "unread" : same ? "same" : "differs");
        }
        if (current) setMarks(new Map(found));
      }
      const first = pairs.find((pair) => found.get(pair.key) === "differs");
      if (current && first && !named && found.get(chosen) === "same") replaceQuery({ name: first.key });
    }
  }, [pairs, left, right, options.noise, options.sorted, options.loose]);
  const differing = [...marks.values()].filter((mark) => mark !== "same" && mark !== "unread").length;
  const list = (
    <div class="items">
      {pairs.map((pair) => {
        const mark = marks.get(pair.key) ?? "unread";
        const [sign, word] = SIGNS[mark];
        return (
          <a
            key={pair.key}
            class={pair.key === chosen ? "on" : ""}
            aria-current={pair.key === chosen ? "true" : undefined}
            href={href(pair.key)}
            title={`${pair.title}: ${word}`}
          >
            <span>{pair.title}</span>
            <small class={`diff-mark ${mark}`}>
              {sign} <span class="word">{mark === "same" ? "" : word}</span>
              {mark === "unread" && bytes(pair.a?.bytes ?? pair.b?.bytes)}
            </small>
          </a>
        );
      })}
    </div>
  );
  const title = marks.size < pairs.length ? plural(pairs.length, "artifact") : `${differing} of ${pairs.length} differ`;
  if (narrow)
    return (
      <nav class="artifacts" aria-label="Artifacts">
        <details>
          <summary>
            <b>{chosen}</b> <span class="muted">{title}</span>
          </summary>
          {list}
        </details>
      </nav>
    );
  return (
    <nav class="artifacts" aria-label="Artifacts" data-scroll="diff-list">
      <h2 aria-live="polite">{title}</h2>
      {list}
    </nav>
  );
}

async function alike(pair: Pair, left: Store, right: Store, options: Options): Promise<boolean> {
  const texts = await Promise.all([left.text(pair.a!), right.text(pair.b!)]);
  if (texts[0] === texts[1]) return true;
  const quiet = texts.map((text) => (options.noise ? text : withoutNoise(text)));
  const plain = options.loose ? quiet.map(withoutNumbers) : quiet;
  if (plain[0] === plain[1]) return true;
  if (!options.sorted) return false;
  const [a, b] = plain.map((text) => text.split("\n").sort().join("\n"));
  return a === b;
}
