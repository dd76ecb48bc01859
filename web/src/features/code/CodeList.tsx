// What lines of source cost: the files that the log mentions, and their lines.
import { useEffect, useMemo } from "preact/hooks";
import { address, replaceQuery } from "../../lib/address";
import { useTitle } from "../../lib/hooks";
import { baseName, bytes, count, matches, middle, percent, plural, time, words } from "../../lib/text";
import { bundle } from "../../lib/tl";
import { type FileCost, fileCosts, type LineCost, userFirst } from "../../store/lines";
import { type PageProps, useCodeLink, useStore } from "../../ui/page";
import { EmptyPage, FilterBox, PageHead, Toggle } from "../../ui/PageHead";
import { type Field, figures, SortedTable } from "../../ui/SortedTable";
import { PlaceText } from "../../ui/text";

/** Columns of what lines or files cost; those without any value are left out. */
function costs<T extends FileCost | LineCost>(lines: readonly LineCost[]): Field<T>[] {
  const all: [keyof LineCost & keyof FileCost, Field<T>][] = [
    [
      "run_us",
      figures("run", "Run time", (row: T) => row.run_us || null, time, { about: "Of its kernels, in the profile" }),
    ],
    [
      "compile_us",
      figures("compile", "Compile time", (row: T) => row.compile_us || null, time, {
        about: "Of frames that begin here",
      }),
    ],
    [
      "recompiles",
      figures("recompiles", "Recompiles", (row: T) => row.recompiles || null, count, {
        wide: true,
        about: "Because a guard that the line made failed",
      }),
    ],
    [
      "saved_bytes",
      figures("saved", "Saved", (row: T) => row.saved_bytes || null, bytes, {
        wide: true,
        about: "For backwards, of all graphs whose backward is in the log",
      }),
    ],
    ["breaks", figures("breaks", "Graph breaks", (row: T) => row.breaks || null, count, { wide: true })],
    [
      "guards",
      figures("guards", "Guards", (row: T) => row.guards || null, count, { wide: true, about: "That the line made" }),
    ],
    [
      "ops",
      figures("ops", "Ops", (row: T) => row.ops || null, count, { wide: true, about: "That Dynamo traced from it" }),
    ],
    [
      "kernels",
      figures("kernels", "Kernels", (row: T) => row.kernels || null, count, {
        wide: true,
        about: "That compute it, perhaps with other lines",
      }),
    ],
  ];
  return all.filter(([key]) => lines.some((line) => line[key])).map(([, field]) => field);
}

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
            ...costs<FileCost>(lines),
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
            ...costs<LineCost>(lines),
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
