import { type Artifact, type Compile, frameName } from "../../store/report";
import { useEffect, useMemo, useState } from "preact/hooks";
import { replaceQuery, toArtifact, withSearch } from "../../lib/address";
import { bytes, count, matches, plural, words } from "../../lib/text";
import { useTitle } from "../../lib/hooks";
import { artifactUrl, fileName, sign } from "../../store/artifact";
import { CompileChip } from "../../ui/compile";
import { Grid, sortRows, type Column, numbers } from "../../ui/Grid";
import { MiddleCut } from "../../ui/text";
import { FilterBox, PageHead } from "../../ui/PageHead";
import { Empty, Failed, type PageProps, useStore } from "../../ui/page";
import { artifactHelp } from "../../ui/artifact-help";

interface Row {
  compile: Compile;
  artifact: Artifact;
  name: string;
  /** place in the compile's list */
  n: number;
  key: string;
  text: string;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "name",
    title: "Name",
    width: "minmax(180px, 3fr)",
    value: (r) => r.name,
    cell: (r) => (
      <MiddleCut
        text={`${sign(r.artifact)} ${r.name}`.trim()}
        title={[artifactHelp(r.artifact.name), r.artifact.url ?? r.name].filter(Boolean).join("\n")}
      />
    ),
  },
  {
    key: "id",
    title: "Compile",
    width: "104px",
    value: (r) => r.compile.key,
    cell: (r) => <CompileChip id={r.compile.key} />,
  },
  {
    key: "frame",
    title: "Frame",
    width: "minmax(100px, 1.4fr)",
    wide: true,
    value: (r) => frameName(r.compile.frame) || null,
    cell: (r) => <span class="mono muted">{frameName(r.compile.frame)}</span>,
  },
  {
    key: "kind",
    title: "Kind",
    width: "minmax(100px, 1.2fr)",
    wide: true,
    value: (r) => r.artifact.kind,
    cell: (r) => <span class="muted">{r.artifact.kind}</span>,
  },
  numbers("attempt", "Attempt", "84px", (r) => r.artifact.attempt, count, { wide: true }),
  {
    key: "bytes",
    title: "Size",
    width: "76px",
    numeric: true,
    value: (r) => r.artifact.bytes,
    cell: (r) => (r.artifact.text ? bytes(r.artifact.bytes) : "–"),
  },
  numbers("line", "Log line", "80px", (r) => r.artifact.line, count, { wide: true }),
  {
    key: "file",
    title: "File",
    width: "52px",
    wide: true,
    cell: (r) => {
      const url = artifactUrl(r.artifact);
      return (
        url && (
          <a href={withSearch(url)} title={url}>
            file
          </a>
        )
      );
    },
  },
];

/** All artifacts of the report. Their lists are in parts, which are loaded one by one and shown as they arrive. */
export function Files({ at }: PageProps) {
  const store = useStore();
  useTitle("Files");
  const { q, sort = "" } = at.query;
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [state, setState] = useState<"loading" | "ready" | Error>("loading");
  useEffect(() => {
    let current = true;
    void collect();
    return () => {
      current = false;
    };

    async function collect() {
      const all: Row[] = [];
      let shown = 0;
      try {
        for await (const { first, details } of store.allDetails()) {
          if (!current) return;
          details.forEach((detail, i) =>
            detail.artifacts.forEach((artifact, n) => all.push(toRow(store.report.compiles[first + i]!, artifact, n))),
          );
          if (performance.now() - shown > 200) {
            setRows(all.slice());
            shown = performance.now();
          }
        }
        if (current) setState("ready");
      } catch (error) {
        if (current) setState(error as Error);
      }
      if (current) setRows(all);
    }
  }, [store]);
  const shown = useMemo(() => {
    const wanted = words(q);
    return sortRows(wanted.length ? rows.filter((row) => matches(row.text, wanted)) : rows, COLUMNS, sort);
  }, [rows, q, sort]);
  const text = `${shown.length === rows.length ? plural(rows.length, "file") : `${count(shown.length)} of ${plural(rows.length, "file")}`}${state === "loading" ? ", loading…" : ""}`;
  return (
    <>
      <PageHead title="Files" sub={<span aria-live="polite">{text}</span>}>
        <FilterBox value={q} label="Filter name, kind, id, frame" />
      </PageHead>
      {state instanceof Error && <Failed error={state} />}
      <Grid
        label="Files"
        columns={COLUMNS}
        rows={shown}
        rowKey={(row) => row.key}
        sort={sort}
        onSort={(next) => replaceQuery({ sort: next })}
        href={(row) => toArtifact(row.compile.key, row.n)}
        empty={
          state === "loading" ? null : (
            <Empty title={rows.length ? "No file matches the filter" : "No artifacts in this log"} />
          )
        }
      />
    </>
  );
}

function toRow(compile: Compile, artifact: Artifact, n: number): Row {
  const name = fileName(artifact);
  return {
    compile,
    artifact,
    name,
    n,
    key: `${compile.key} ${n}`,
    text: `${name} ${artifact.kind} ${compile.key} ${frameName(compile.frame)} ${artifact.subgraph ?? ""}`.toLowerCase(),
  };
}
