// An artifact that is a table or a picture, above its text.
import { useMemo } from "preact/hooks";
import { count } from "../base/format";
import { recordPicture, recordTables, type RecordTable } from "../data/record-tables";
import type { Artifact } from "../data/types";
import { Facts } from "../parts/Facts";

export function RecordView({ artifact, text }: { artifact: Artifact; text: string }) {
  const tables = useMemo(() => recordTables(artifact.name, text), [artifact, text]);
  const picture = useMemo(() => recordPicture(artifact.name, text), [artifact, text]);
  if (!tables && !picture) return null;
  return (
    <details class="record-view" open>
      <summary>{picture ? "Picture" : "Table"}</summary>
      <div class="record-scroll">
        {picture && <img src={picture} alt={artifact.name} />}
        {tables && tables.facts.length > 0 && <Facts facts={tables.facts} />}
        {tables?.tables.map((table, i) => <Table key={i} table={table} />)}
      </div>
    </details>
  );
}

function Table({ table }: { table: RecordTable }) {
  const cls = (i: number) => (table.numbers[i] ? "num" : i === 0 ? "wrap mono" : "wrap");
  return (
    <>
      {table.title && <h3>{table.title}</h3>}
      <table>
        <thead><tr>{table.columns.map((column, i) => <th key={i} class={table.numbers[i] ? "num" : ""}>{column}</th>)}</tr></thead>
        <tbody>{table.rows.map((row, r) => <tr key={r}>{row.map((text, i) => <td key={i} class={cls(i)}>{text}</td>)}</tr>)}</tbody>
      </table>
      {table.more > 0 && <p class="pad muted">{count(table.more)} more rows: see the text.</p>}
    </>
  );
}
