// Failures and restarts by their causes: those that one finding explains are one cause.
import { firstLine } from "../lib/text";
import { messageOf } from "./findings";
import { type Compile, frameName, type Report } from "./report";

type Listed = Report["failures"][number];

export interface FailureCause {
  title: string;
  /** The exceptions that ended the compiles; none of restarts. */
  types: string[];
  finding: Report["findings"][number] | undefined;
  /** What PyTorch says of it, without what the title says. */
  message: string | null;
  sections: Listed["sections"];
  /** The texts that PyTorch logged, each once. */
  texts: string[];
  compiles: string[];
  backward: boolean;
  place: Listed["place"];
}

type Said = Pick<Listed, "reason" | "sections" | "finding"> &
  Partial<Pick<Listed, "type" | "place">> & { compiles: readonly string[]; backward?: boolean };

/** What a text says after its first line. */
const rest = (text: string): string | null => /\n([^]*)/.exec(text.trim())?.[1]?.trim() || null;

function merged(report: Report, list: readonly Said[], name: (said: Said, line: string) => string): FailureCause[] {
  const causes = new Map<string, FailureCause>();
  for (const said of list) {
    const { reason, sections, backward = false } = said;
    const text = reason ?? "";
    const finding = said.finding === null ? undefined : report.findings[said.finding];
    const key = JSON.stringify(finding ? said.finding : [said.type, text, said.place, backward]);
    const cause = causes.get(key) ?? {
      title: finding?.title ?? name(said, sections?.reason ?? firstLine(text, 300)),
      types: [],
      finding,
      message: sections?.explanation ?? (finding ? messageOf(finding) : rest(text)),
      sections,
      texts: [],
      compiles: [],
      backward,
      place: said.place ?? null,
    };
    causes.set(key, cause);
    cause.types = distinct(cause.types, said.type);
    cause.texts = distinct(cause.texts, reason);
    cause.compiles = distinct(cause.compiles, ...said.compiles);
  }
  return [...causes.values()];
}

const distinct = (list: readonly string[], ...more: (string | null | undefined)[]): string[] =>
  [...new Set([...list, ...more.filter((one) => !!one)])] as string[];

export function failureCauses(report: Report): FailureCause[] {
  const said = (backward: boolean) => (failure: Listed) => ({
    ...failure,
    type: failure.type ?? "unknown exception",
    compiles: [failure.compile],
    backward,
  });
  return merged(
    report,
    [...report.failures.map(said(false)), ...(report.backward_failures ?? []).map(said(true))],
    ({ type }, line) => [type, line].filter(Boolean).join(": "),
  );
}

/** Why Dynamo restarted traces. */
export const restartCauses = (report: Report): FailureCause[] =>
  merged(report, report.restart_causes ?? [], (_, line) => line);

/** What a filter looks through. */
export const searchText = (cause: FailureCause, compile: (key: string) => Compile | undefined): string =>
  [
    cause.title,
    ...cause.types,
    ...cause.texts,
    cause.place?.file,
    ...cause.compiles.flatMap((key) => {
      const frame = compile(key)?.frame;
      return [key, frame?.function, frameName(frame)];
    }),
  ]
    .join(" ")
    .toLowerCase();
