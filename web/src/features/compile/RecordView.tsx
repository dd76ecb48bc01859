// An artifact that is a table or a picture, above its text.
import { useMemo } from "preact/hooks";
import { count } from "../../lib/text";
import { cellText, numberColumns, recordPicture, type RecordTable, type RecordTables } from "../../store/record-tables";
import type { Artifact } from "../../store/report";
import { Facts, Table } from "../../ui/page";

interface Props {
  artifact: Artifact;
  text: string;
  tables: RecordTables | undefined;
}

export function RecordView({ artifact, text, tables }: Props) {
  const picture = useMemo(() => recordPicture(artifact.name, text), [artifact, text]);
  if (!tables && !picture) return null;
  return (
    <details class="record-view" open>
      <summary>{picture ? "Picture" : "Table"}</summary>
      <div class="record-scroll">
        {picture && <img src={picture} alt={artifact.name} />}
        {tables && tables.facts.length > 0 && (
          <Facts facts={tables.facts.map((fact) => [fact.name, cellText(fact.value)])} />
        )}
        {tables?.tables.map((table, i) => (
          <TableOf key={i} table={table} />
        ))}
      </div>
    </details>
  );
}

function TableOf({ table }: { table: RecordTable }) {
  const numbers = numberColumns(table);
  const cls = (i: number) => (numbers[i] ? "num" : i === 0 ? "wrap mono" : "wrap");
  return (
    <>
      {table.title && <h3>{table.title}</h3>}
      <Table head={table.columns.map((column, i) => (numbers[i] ? ["num", column] : column))}>
        {table.rows.map((row, r) => (
          <tr key={r}>
            {row.map((cell, i) => (
              <td key={i} class={cls(i)}>
                {cellText(cell)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {table.more > 0 && <p class="pad muted">{count(table.more)} more rows: see the text.</p>}
    </>
  );
}
