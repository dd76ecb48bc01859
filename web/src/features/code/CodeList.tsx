// What lines of source cost: the files that the log mentions, and their lines.
import { useEffect, useMemo } from "preact/hooks";
import { address, replaceQuery } from "../../lib/address";
import { useTitle } from "../../lib/hooks";
import { baseName, bytes, count, matches, middle, percent, plural, time, words } from "../../lib/text";
import { bundle } from "../../lib/tl";
import { COSTS, type CostKey, type FileCost, fileCosts, type LineCost, userFirst } from "../../store/lines";
import { type PageProps, useCodeLink, useStore } from "../../ui/page";
import { EmptyPage, FilterBox, PageHead, Toggle } from "../../ui/PageHead";
import { type Field, figures, SortedTable } from "../../ui/SortedTable";
import { PlaceText } from "../../ui/text";
import { costLink } from "./cost-links";

interface Cost {
  title: string;
  about?: string;
  show?: (n: number | null) => string;
}

const COLUMNS: Record<CostKey, Cost> = {
  run_us: { title: "Run time", about: "Of its kernels, in the profile", show: time },
  compile_us: { title: "Compile time", about: "Of frames that begin here", show: time },
  recompiles: { title: "Recompiles", about: "Because a guard that the line made failed" },
  breaks: { title: "Graph breaks" },
  saved_bytes: { title: "Saved", about: "For backwards, of all graphs whose backward is in the log", show: bytes },
  kernels: { title: "Kernels", about: "That compute it, perhaps with other lines" },
  guards: { title: "Guards", about: "That the line made" },
  ops: { title: "Ops", about: "That Dynamo traced from it" },
};

/** Columns of what lines or files cost, whose figures lead to what they count; those without any value are left out. */
function costs<T extends FileCost | LineCost>(
  lines: readonly LineCost[],
  to: (row: T, key: CostKey, field: string) => string,
): Field<T>[] {
  return COSTS.filter((key) => lines.some((line) => line[key])).map((key) => {
    const { title, about, show = count } = COLUMNS[key];
    const field = key.replace(/_(us|bytes)$/, "");
    return figures<T>(field, title, (row) => row[key] || null, show, {
      ...(about && { about }),
      wide: key !== "run_us" && key !== "compile_us",
      cell: (row) =>
        row[key] ? (
          <a class="plain" href={to(row, key, field)}>
            {show(row[key])}
          </a>
        ) : (
          "–"
        ),
    });
  });
}

/** The lines of a file, those with the most of a figure first. */
const toLines = ({ file }: FileCost, _key: CostKey, field: string): string =>
  address(["code"], { file, lines: `-${field}` });

const NO_LINES: readonly LineCost[] = [];

export function CodeList({ at }: PageProps) {
  const { report } = useStore();
  const { q, file: chosen, libraries } = at.query;
  useTitle("Code");
  // A line opens at once if its viewer is there; the list does not wait for it.
  useEffect(() => void bundle("viewer").catch(() => undefined), []);
  const lines = report.lines ?? NO_LINES;
  const wanted = useMemo(() => words(q), [q]);
  const all = useMemo(() => fileCosts(lines), [lines]);
  const own = all.filter((file) => !file.library);
  const files = libraries || !own.length ? all : own;
  const rows = useMemo(
    () =>
      userFirst(lines).filter(
        (line) =>
          (chosen ? line.file === chosen : libraries || !own.length || !line.library) &&
          matches(`${line.file}:${line.line} ${line.text ?? ""} ${line.function ?? ""}`.toLowerCase(), wanted),
      ),
    [lines, chosen, libraries, own.length, wanted],
  );
  if (!lines.length)
    return (
      <EmptyPage page="Code" title="No lines">
        No record of the log names a line of source
      </EmptyPage>
    );
  const ops = lines.reduce((sum, line) => sum + line.ops, 0);
  const ownOps = own.reduce((sum, line) => sum + line.ops, 0);
  return (
    <>
      <PageHead title="Code" sub={`${plural(lines.length, "line")} in ${plural(all.length, "file")}`}>
        <FilterBox value={q} label="Filter file, line, code" />
        {own.length > 0 && own.length < all.length && (
          <Toggle on={!!libraries} query={{ libraries: libraries ? null : "1" }} title="Show lines of libraries, too">
            Libraries
          </Toggle>
        )}
      </PageHead>
      <div class="room" data-scroll="room">
        <SortedTable
          name="files"
          title="Files"
          note={ops > 0 && own.length < all.length && `${percent(ownOps, ops)} of ops are from files of the program`}
          fields={[
            {
              key: "file",
              title: "File",
              class: "run-line",
              value: (file) => file.file,
              cell: (file) => (
                <button
                  class="plain link"
                  aria-pressed={file.file === chosen}
                  title={file.file}
                  onClick={() => replaceQuery({ file: file.file === chosen ? null : file.file })}
                >
                  {middle(file.file, 60)}
                </button>
              ),
            },
            ...costs<FileCost>(lines, toLines),
          ]}
          rows={files}
          rowKey={(file) => file.file}
          query={at.query}
        />
        <SortedTable
          name="lines"
          title="Lines"
          note={
            chosen ? (
              <>
                of {baseName(chosen)}{" "}
                <button class="plain link" onClick={() => replaceQuery({ file: null })}>
                  all files
                </button>
              </>
            ) : (
              "of all files"
            )
          }
          fields={[
            {
              key: "line",
              title: "Line",
              class: "run-line",
              value: (line) => `${line.file}:${String(line.line).padStart(7, "0")}`,
              cell: (line) => <LineCell line={line} />,
            },
            ...costs<LineCost>(lines, (line, key) => costLink(report, line, key)),
          ]}
          rows={rows}
          rowKey={(line) => `${line.file}:${line.line}`}
          query={at.query}
        >
          {report.more_lines ? (
            <p class="more muted">{count(report.more_lines)} more lines are not in the report.</p>
          ) : null}
        </SortedTable>
      </div>
    </>
  );
}

/** Where a line is and what it says: a link to its graphs and output code. The place leads to the code on the web, if that is known. */
function LineCell({ line }: { line: LineCost }) {
  const place = <PlaceText place={{ ...line, function: null }} limit={32} />;
  const elsewhere = useCodeLink(line) !== null;
  const text = line.text ? (
    <code>{line.text}</code>
  ) : line.function ? (
    <>
      begin of <span class="mono">{line.function}</span>
    </>
  ) : (
    "no text in the log"
  );
  return (
    <>
      {elsewhere && place}{" "}
      <a
        class="plain"
        href={address(["code", "line"], { file: line.file, line: `${line.line}` })}
        title="The line with its graphs and output code"
      >
        {!elsewhere && place} {text}
      </a>
    </>
  );
}
