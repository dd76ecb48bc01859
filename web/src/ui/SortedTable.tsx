// A table of a panel that is sorted by its columns. Its order, and how many of its rows are shown, are in the address.
import type { ComponentChildren } from "preact";
import { replaceQuery } from "../lib/address";
import { count } from "../lib/text";
import { type Column, nextSort, parseSort, sortRows } from "./Grid";
import { Empty, Panel } from "./page";

export interface Field<T> extends Omit<Column<T>, "width"> {
  /** of its cells */
  class?: string;
  /** what the head says when one points at it */
  about?: string;
}

/** A column of numbers, which `show` writes. */
export const figures = <T,>(
  key: string,
  title: string,
  value: (row: T) => number | null,
  show: (n: number | null) => ComponentChildren = count,
  more: Partial<Field<T>> = {},
): Field<T> => ({ key, title, numeric: true, value, cell: (row) => show(value(row)), ...more });

interface Props<T> {
  /** its sort order in the address; the number of its rows is `n_` and this */
  name: string;
  title: string;
  note?: ComponentChildren;
  fields: readonly Field<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string | number;
  query: Record<string, string>;
  /** rows below those that are sorted */
  rest?: ComponentChildren;
  /** below the table */
  children?: ComponentChildren;
  /** instead of a table without rows */
  empty?: ComponentChildren;
}

const FIRST = 10;
const STEP = 100;

export function SortedTable<T>({
  name,
  title,
  note,
  fields,
  rows,
  rowKey,
  query,
  rest,
  children,
  empty = <Empty title="Nothing matches the filter" />,
}: Props<T>) {
  const sort = query[name] ?? "";
  const asked = Math.max(FIRST, Number(query[`n_${name}`]) || 0);
  // A button for one more row would take its place.
  const limit = rows.length <= asked + 1 ? rows.length : asked;
  const left = rows.length - limit;
  return (
    <Panel title={title} note={note} class="sorted-table" id={`run-${name}`}>
      {!rows.length && empty}
      {rows.length > 0 && (
        <table aria-label={title}>
          <thead>
            <tr>
              {fields.map((field) => (
                <Head key={field.key} field={field} name={name} sort={sort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {sortRows(rows, fields, sort)
              .slice(0, limit)
              .map((row) => (
                <tr key={rowKey(row)}>
                  {fields.map((field) => (
                    <td key={field.key} class={classOf(field)}>
                      {field.cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            {left === 0 && rest}
          </tbody>
        </table>
      )}
      {left > 0 && (
        <p class="more">
          <button type="button" onClick={() => replaceQuery({ [`n_${name}`]: `${limit + Math.min(STEP, left)}` })}>
            Show {count(Math.min(STEP, left))} more of {count(left)}
          </button>
        </p>
      )}
      {children}
    </Panel>
  );
}

export function classOf<T>({ numeric, wide, class: own }: Field<T>): string | undefined {
  return (
    [numeric && "num", wide === "very" ? "wide roomy" : wide ? "wide" : "", own].filter(Boolean).join(" ") || undefined
  );
}

function Head<T>({ field, name, sort }: { field: Field<T>; name: string; sort: string }) {
  const [key, down] = parseSort(sort);
  const on = key === field.key;
  return (
    <th
      class={classOf(field)}
      scope="col"
      title={field.about}
      aria-sort={field.value && (on ? (down ? "descending" : "ascending") : "none")}
    >
      {field.value ? (
        <button type="button" class="plain" onClick={() => replaceQuery({ [name]: nextSort(field, sort) })}>
          {field.title}
          <span aria-hidden="true">{on ? (down ? " ↓" : " ↑") : ""}</span>
        </button>
      ) : (
        field.title
      )}
    </th>
  );
}
