// Texts of the log: prose, code, places, stacks, hints.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { copyText } from "../lib/clipboard";
import { baseName, middle, plural } from "../lib/text";
import { blocks, pieces } from "../lib/prose";
import { outside } from "../lib/address";
import { isLibrary } from "../store/findings";
import { besidePlace, type Finding, type Frame, type Place, type StackFrame } from "../store/report";
import { useCodeLink } from "./page";

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

interface CopyButtonProps {
  text: string | (() => string);
  label?: string;
  title?: string;
}

/** Copies a text and says for a moment whether it did. */
export function CopyButton({ text, label = "Copy", title }: CopyButtonProps) {
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

export function CodeLink({ link, children }: { link: object | null; children: ComponentChildren }) {
  return link ? (
    <a class="mono" {...link}>
      {children}
    </a>
  ) : (
    <span class="mono">{children}</span>
  );
}

interface PlaceTextProps {
  place: Place | string | null | undefined;
  full?: boolean;
  limit?: number;
}

/** `file.py:12 in function`; the whole path is in the title. A link if the report knows where the code is. */
export function PlaceText({ place, full = false, limit = 60 }: PlaceTextProps) {
  const link = useCodeLink(typeof place === "string" ? null : place);
  if (!place) return null;
  if (typeof place === "string")
    return (
      <span class="mono" title={place}>
        {middle(place, limit)}
      </span>
    );
  if (!place.file) return place.function ? <span class="mono">{place.function}</span> : null;
  const line = place.line ? `:${place.line}` : "";
  const shown = full ? middle(place.file, limit) : middle(baseName(place.file), limit);
  return (
    <span class="place" title={`${place.file}${line}`}>
      <CodeLink link={link}>
        {shown}
        {line}
      </CodeLink>
      {place.function && (
        <>
          {" "}
          <span class="muted">in</span> <span class="mono">{middle(place.function, limit)}</span>
        </>
      )}
    </span>
  );
}

/** The function first, as in lists of compiles, and its place in a muted color. */
export function FrameName({ frame }: { frame: Frame | null }) {
  if (!frame) return <span class="muted">–</span>;
  return (
    <span class="mono" title={`${frame.function}\n${frame.file}:${frame.line ?? "?"}`}>
      {besidePlace(frame)}{" "}
      {frame.file && (
        <span class="muted">
          {baseName(frame.file)}:{frame.line ?? "?"}
        </span>
      )}
    </span>
  );
}

interface LineProps {
  place: Place | null | undefined;
  code: string | null | undefined;
  severity?: "error" | "warning" | "info";
  /** Say where it is if the log does not have its text. */
  always?: boolean;
}

/** A line of the user's program behind its number. */
export function SourceLine({ place, code, severity = "info", always = false }: LineProps) {
  if (!code && !(always && place)) return null;
  return (
    <div class="sourceline">
      <div class={severity === "error" ? "hit" : severity === "warning" ? "warn" : ""}>
        {code ? (
          <>
            <i aria-hidden={!place?.line}>{place?.line || ""}</i>
            <code>{code}</code>
          </>
        ) : (
          <>
            <PlaceText place={place} /> <span class="muted">no source text in the log</span>
          </>
        )}
      </div>
    </div>
  );
}

/** The frames of a stack, the innermost last as Python prints them. Frames of libraries are left out at first. */
export function StackList({ frames }: { frames: readonly StackFrame[] }) {
  const [all, setAll] = useState(false);
  const own = frames.filter((frame) => !isLibrary(frame));
  const hidden = frames.length - own.length;
  const shown = all || !own.length ? frames.slice(-200) : own.slice(-60);
  if (!frames.length) return null;
  return (
    <div class="stacklist">
      <ol class="unmarked">
        {shown.map((frame, i) => (
          <li key={i} class={isLibrary(frame) ? "framework" : ""}>
            <PlaceText place={{ ...frame, line: frame.line ?? 0 }} />
            {frame.code && <code>{frame.code}</code>}
          </li>
        ))}
      </ol>
      {hidden > 0 && own.length > 0 && (
        <button type="button" class="plain link" onClick={() => setAll(!all)}>
          {all ? "own frames only" : `${plural(hidden, "library frame")}`}
        </button>
      )}
    </div>
  );
}

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

/** A name in the code font that loses its middle, not its end, where the room is short: names of kernels and files differ at their ends. */
export function MiddleCut({ text, tail = 12, title = text }: { text: string; tail?: number; title?: string }) {
  const at = Math.max(0, text.length - tail);
  return (
    <span class="mono midcut" title={title}>
      {at > 0 && <span style={{ maxWidth: `calc(100% - ${text.length - at}ch)` }}>{text.slice(0, at)}</span>}
      {text.slice(at)}
    </span>
  );
}

/** An identifier that breaks after its underscores rather than within a word. */
export function Soft({ text }: { text: string }) {
  return <>{(text.match(/[^_]+_*|_+/g) ?? []).flatMap((part, i) => [part, <wbr key={i} />])}</>;
}

interface HintsProps {
  /** Of the finding that explains it. */
  finding: Pick<Finding, "advice" | "evidence" | "expected"> | undefined;
  hints: readonly string[];
  id: string | null;
  url: string | null;
}

const plain = (text: string): string => text.replace(/[`.\s]/g, "");

/** What to do: the finding's fix, PyTorch's other hints, and its page about them. */
export function Hints({ finding, hints, id, url }: HintsProps) {
  const page = outside(url);
  const others = hints.filter((hint) => plain(hint) !== plain(finding?.advice ?? ""));
  return (
    <>
      {finding?.advice && <Fix finding={finding} />}
      {others.length > 0 && finding?.advice && <p class="muted">PyTorch's hints, as they are in the log:</p>}
      {others.length > 0 && (
        <ul class="hints">
          {others.map((hint, k) => (
            <li key={k}>
              <Prose text={hint} />
            </li>
          ))}
        </ul>
      )}
      {page && (
        <p>
          <a href={page} rel="noreferrer noopener" target="_blank">
            {id ?? "Graph break"} in PyTorch's documentation
          </a>
        </p>
      )}
    </>
  );
}

export function Fix({ finding }: { finding: HintsProps["finding"] }) {
  if (!finding?.advice) return null;
  return (
    <p class="advice">
      <b>{finding.expected ? "Note:" : "Fix:"}</b> <Prose text={finding.advice} copy />
      {finding.evidence && (
        <span class="muted evidence">
          Evidence: <Prose text={finding.evidence} />
        </span>
      )}
    </p>
  );
}
