import { withSearch } from "../../lib/address";
import { fileUrl } from "../../store/artifact";
import { EXPORT_KINDS, framesOf, type ExportData, type ExportFailure } from "../../store/export";
import { CompileChip } from "../../ui/compile";
import { LongText, PlaceText, Prose } from "../../ui/text";
import { Stack } from "./ExportStack";
import { ExportTree } from "./ExportTree";
import { Table } from "../../ui/page";

interface Props {
  data: ExportData;
  failure: ExportFailure;
  n: number;
  on: boolean;
}

/** One failure: what, where, why, and the fix. */
export function FailureCard({ data, failure, n, on }: Props) {
  const page = fileUrl(failure.url);
  const about = failure.op ?? failure.expr;
  return (
    <article id={`export-${n}`} class={on ? "panel card export on" : "panel card export"}>
      <header>
        <h2>{about ? <span class="mono">{about}</span> : <Prose text={failure.title} />}</h2>
        <span class={`chip ${failure.kind === "guard" ? "restart" : "error"}`}>
          {failure.kind === "guard" ? "!" : "✕"} {EXPORT_KINDS[failure.kind]}
        </span>
        {failure.result !== null && (
          <span class="note">
            taken as <code>{failure.result}</code>
          </span>
        )}
      </header>
      <div class="where flexrow">
        <PlaceText place={failure.place} full limit={80} /> <CompileChip id={failure.compile} />
      </div>
      {failure.code && <pre class="codeline">{failure.code}</pre>}
      <p>
        <Prose text={failure.reason} />
      </p>
      {failure.detail && failure.kind !== "mismatched_fake_kernel" && <LongText text={failure.detail} />}
      <div class="todo">
        <h3>What to do</h3>
        <ul class="hints">
          {failure.advice.map((line, k) => (
            <li key={k}>
              <Prose text={line} />
            </li>
          ))}
        </ul>
      </div>
      <Values failure={failure} />
      {failure.tree.length > 0 && (
        <details open={failure.tree.length <= 12}>
          <summary>Origin of the expression</summary>
          <ExportTree data={data} failure={failure} />
        </details>
      )}
      <Stack title="User stack" frames={framesOf(data, failure.user_stack)} open />
      <Stack title="Framework stack" frames={framesOf(data, failure.stack)} />
      {page && (
        <p>
          <a class="mono" href={withSearch(page)}>
            {failure.url}
          </a>
        </p>
      )}
    </article>
  );
}

/** The locals of the frame, and the sources of their symbols. */
function Values({ failure }: { failure: ExportFailure }) {
  const { frame_locals: locals, symbols } = failure;
  if (!locals.length && !symbols.length) return null;
  return (
    <div class="values">
      {locals.length > 0 && (
        <Table head={["Local", "Value"]}>
          {locals.map((local, i) => (
            <tr key={i}>
              <td class="mono">{local.name}</td>
              <td class="mono">{local.value}</td>
            </tr>
          ))}
          {failure.more_locals > 0 && (
            <tr>
              <td colSpan={2} class="muted">
                {failure.more_locals} more
              </td>
            </tr>
          )}
        </Table>
      )}
      {symbols.length > 0 && (
        <Table head={["Symbol", "Source"]}>
          {symbols.map((symbol, i) => (
            <tr key={i}>
              <td class="mono">{symbol.name}</td>
              <td class="mono">{symbol.source}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
