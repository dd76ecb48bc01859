import { useLayoutEffect, useRef } from "preact/hooks";
import { bundle } from "../lib/tl";
import { useStore } from "./page";

interface Props {
  /** only what is of this compile */
  compile?: string;
  /** only issues, and parsers that failed */
  issues?: boolean;
}

/** What the user's own parsers added. Few reports have any, so a bundle renders it (ui/parsers). */
export function ParserBox({ compile, issues = false }: Props) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  const own = store.report.parsers !== undefined;
  useLayoutEffect(() => {
    let current = true;
    if (own)
      void Promise.all([bundle("parsers"), store.parsers()]).then(
        ([api, list]) => current && api.render(box.current!, store, list, compile, issues),
        (error: Error) => current && box.current!.replaceChildren(error.message),
      );
    return () => {
      current = false;
    };
  }, [store, own, compile, issues]);
  return own ? <div class="parsers" ref={box} /> : null;
}
