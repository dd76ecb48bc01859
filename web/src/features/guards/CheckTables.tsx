// The checks of one compile: what filters would leave, and where the checks come from.
import type { ComponentChildren } from "preact";
import { count, time } from "../../lib/text";
import { type GuardChecks, lostBy, plainSource, usefulFilters } from "../../store/guard-checks";
import { guardWords } from "../../store/guards";
import { shortClass } from "../../store/modules";
import { compileTimes, profileOf } from "../../store/profile";
import { Facts, useAll, useStore } from "../../ui/page";
import { PlaceText } from "../../ui/text";

/** "0", "1.5 other versions per call" */
const average = (tried: number) =>
  tried === 0 ? "no other version" : `${tried.toFixed(1)} other versions per call, on average`;

export function CheckTables({ checks }: { checks: GuardChecks }) {
  const { report } = useStore();
  const profile = profileOf(report);
  const measured = profile && compileTimes(profile).get(checks.compile);
  const us = measured?.guard_us ?? null;
  const tried = measured?.tried ?? null;
  const { counted } = checks;
  return (
    <div class="check-tables">
      <Facts
        facts={[
          ["checks", count(checks.checks)],
          [
            "recorded",
            counted === null || counted === checks.checks ? null : (
              <span title="guard_count of PyTorch's metrics: counted before filters, and before guards on the same value are merged">
                {count(counted)} guards, counted before filters
              </span>
            ),
          ],
          ["measured", us === null ? null : `${time(us)} per call, in the profile`],
          [
            "tried before",
            tried === null ? null : (
              <span title="Versions whose guards fail before those of this one, in the profile: those that were called since its last call">
                {average(tried)}
              </span>
            ),
          ],
        ]}
      />
      <Filters checks={checks} />
      <Rows
        title="By kind"
        rows={checks.by_kind}
        more={checks.more_kinds}
        of={checks.checks}
        name={({ kind }) => (
          <span class="mono" title={guardWords(kind)}>
            {kind}
          </span>
        )}
      />
      <Rows
        title="By module"
        rows={checks.by_module}
        more={checks.more_modules}
        of={checks.checks}
        name={(row) => (
          <>
            <span class="mono" title={row.source}>
              {plainSource(row.source)}
            </span>{" "}
            <small class="muted">{shortClass(row.class)}</small>
          </>
        )}
      />
      <Rows
        title="By line"
        rows={checks.by_line}
        more={checks.more_lines}
        of={checks.checks}
        name={({ file, line, text }) => (
          <>
            <PlaceText place={{ file, line, function: "" }} limit={50} /> <code class="muted">{text}</code>
          </>
        )}
      />
    </div>
  );
}

/** The first rows of a list. */
const SHOWN = 8;

interface RowsProps<T> {
  title: string;
  rows: readonly T[];
  /** checks of those that are not listed */
  more: number;
  of: number;
  name: (row: T) => ComponentChildren;
}

function Rows<T extends { checks: number }>({ title, rows, more, of, name }: RowsProps<T>) {
  const [shown, all] = useAll(rows, SHOWN);
  if (!rows.length) return null;
  return (
    <>
      <h3>{title}</h3>
      <table class="data">
        <thead>
          <tr>
            <th scope="col">{title.replace(/^By (.)/, (_, first: string) => first.toUpperCase())}</th>
            <th scope="col" class="num">
              Checks
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row, i) => (
            <tr key={i}>
              <td>{name(row)}</td>
              <td class="num" title={of ? `${Math.round((100 * row.checks) / of)} % of the checks` : undefined}>
                {count(row.checks)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {all}
      {more > 0 && <p class="muted note">{count(more)} checks of others.</p>}
    </>
  );
}

function Filters({ checks }: { checks: GuardChecks }) {
  const filters = usefulFilters(checks);
  if (!filters.length) return null;
  return (
    <>
      <h3>With a filter</h3>
      <table class="data filters">
        <thead>
          <tr>
            <th scope="col">guard_filter_fn</th>
            <th scope="col" class="num">
              Checks
            </th>
          </tr>
        </thead>
        <tbody>
          {filters.map(({ name, checks: left }) => (
            <tr key={name}>
              <td>
                <span class="mono">{name}</span>
                <small class="muted given-up">Does not notice changes {lostBy(name)}.</small>
              </td>
              <td class="num">{left === null ? <span class="muted">not derived</span> : count(left)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted note">
        Derived from the guard tree. Pass one as{" "}
        <code>
          torch.compile(options={"{"}"guard_filter_fn": torch.compiler.…{"}"})
        </code>
        . What it saves in time, only a profile shows.
      </p>
    </>
  );
}
