import { address } from "../lib/address";
import { plural, time } from "../lib/text";
import { placed } from "../lib/packed";
import { costCount, costWords, messageOf, ownStack } from "../store/findings";
import { type Finding, isCompile } from "../store/report";
import { useStore } from "./page";
import { Fix, Message, PlaceText, Prose, SourceLine, StackList } from "./text";
import { CompileChips } from "./compile";

const SIGN = { error: "✕", warning: "!", info: "i" } as const;
const SIGNS_OF_KINDS: Record<string, string> = { unfinished: "◼", graph_break: "‖", recompile: "↻", restart: "↻" };
const WORD = { error: "error", warning: "warning", info: "note" } as const;

/** One cause: what, the line, what was said, what comes of it, what to do about it and on what evidence, and what it costs. */
export function FindingItem({ finding }: { finding: Finding }) {
  const store = useStore();
  const compiles = finding.compiles.filter((id) => {
    const compile = store.compile(id);
    return compile && isCompile(compile);
  });
  const message = messageOf(finding);
  const stack = ownStack(store.report, finding);
  const link = finding.link?.startsWith("#/") ? placed(finding.link) : null;
  const place = typeof finding.place === "string" ? null : finding.place;
  // a graph break is known by its line: many have the same reason
  const lineFirst = finding.kind === "graph_break";
  const line = <SourceLine place={place} code={finding.code} severity={finding.severity} always={lineFirst} />;
  return (
    <article class="finding" data-impact={finding.impact} data-kind={finding.kind}>
      <span class={`sign s-${finding.severity}`} role="img" aria-label={WORD[finding.severity]}>
        {SIGNS_OF_KINDS[finding.kind] ?? SIGN[finding.severity] ?? "i"}
      </span>
      <div>
        {lineFirst && line}
        <h3>
          {link ? (
            <a href={link}>
              <Prose text={finding.title} />
            </a>
          ) : (
            <Prose text={finding.title} />
          )}{" "}
          {finding.id && <span class="muted mono">{finding.id}</span>}
        </h3>
        {!lineFirst && line}
        {message && <Message text={message} />}
        {finding.why && (
          <p class="why">
            <Prose text={finding.why} />
          </p>
        )}
        {(finding.place || finding.compiles.length > 0) && (
          <div class="where flexrow">
            <PlaceText place={finding.place} />
            {finding.library && place && <span class="muted"> in a library</span>}
            {finding.caller && (
              <span>
                <span class="muted">called from</span> <PlaceText place={finding.caller} />
              </span>
            )}{" "}
            <CompileChips ids={finding.compiles} more={link ?? address(["compiles"])} />
          </div>
        )}
        {stack.length > 1 && (
          <details class="userstack">
            <summary>User stack, {plural(stack.length, "frame")}</summary>
            <StackList frames={stack} />
          </details>
        )}
        <Fix finding={finding} />
      </div>
      <div class="cost">
        {finding.time_us ? (
          <>
            <b>{time(finding.time_us)}</b>
            <span class="of">{costWords(finding)}</span>
          </>
        ) : null}
        {finding.run_us ? (
          <>
            <b>{time(finding.run_us)}</b>
            <span class="of">in the profile</span>
          </>
        ) : null}
        {finding.saves_us && finding.saves_us !== finding.time_us ? (
          <span class="of">a fix saves at most {time(finding.saves_us)}</span>
        ) : null}
        {compiles.length > 0 && (
          <span>
            {costCount(
              finding,
              compiles.length,
              store.report,
              compiles.filter((id) => store.compile(id)?.failure?.refused).length,
            )}
          </span>
        )}
      </div>
    </article>
  );
}
