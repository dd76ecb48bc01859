import { count, matches, plural, words } from "../../lib/text";
import { useLoaded } from "../../lib/hooks";
import {
  rangeWords,
  reasonWords,
  shapeStories,
  type AttemptShapes,
  type Shapes,
  type Specialization,
  type SymbolStory,
} from "../../store/shapes";
import { Empty, Failed, Loading, More, Panel, useStore, EmptyPanel } from "../../ui/page";
import { FilterBox } from "../../ui/PageHead";
import { Prose } from "../../ui/text";
import { FoldedStacks, ShapeGuardRow } from "./ShapeStacks";

/** The symbols of a compile: source, range, specializations, guards. */
export function CompileShapes({ index, query }: { index: number; query: Record<string, string> }) {
  const store = useStore();
  const loaded = useLoaded(() => store.shapes(index), [index]);
  if (loaded.state === "failed") return <Failed error={loaded.error} />;
  if (loaded.state === "loading") return <Loading what="the symbols" />;
  const shapes = loaded.value;
  if (!shapes) return <Empty title="No symbols in the log" />;
  const attempts = shapeStories(shapes);
  return (
    <div class="tabroom shapes" data-scroll="shapes">
      <div class="bar-line flexrow">
        <FilterBox value={query.q} label="Filter symbol, source, guard" />
        <span class="muted num">
          {plural(shapes.symbols.length, "symbol")} · {plural(shapes.specializations.length, "specialization")} ·{" "}
          {plural(shapes.guards.length, "guard")}
          {shapes.more > 0 && ` · ${count(shapes.more)} more not listed`}
        </span>
      </div>
      {attempts.map((attempt, i) => (
        <Attempt
          key={attempt.attempt}
          shapes={shapes}
          attempt={attempt}
          titled={attempts.length > 1}
          open={i === 0}
          q={query.q}
        />
      ))}
    </div>
  );
}

interface Props {
  shapes: Shapes;
  attempt: AttemptShapes;
  titled: boolean;
  open: boolean;
  q: string | undefined;
}

function Attempt({ shapes, attempt, titled, open, q }: Props) {
  const wanted = words(q);
  const shown = attempt.stories.filter((story) => matches(searchText(story), wanted));
  const { loose } = attempt;
  const body = (
    <>
      {!shown.length && !loose.guards.length && !loose.specializations.length && (
        <EmptyPanel title="No symbol matches the filter" />
      )}
      <More items={shown} step={50}>
        {(story) => <Story key={story.symbol.line} shapes={shapes} story={story} />}
      </More>
      {(loose.guards.length > 0 || loose.specializations.length > 0) && !wanted.length && (
        <Panel title="Other symbols">
          <div class="guardlist">
            {loose.specializations.map((item) => (
              <div class="row flexrow" key={`s${item.line}`}>
                <code class="code">{item.symbol}</code>
                <Became item={item} shapes={shapes} />
              </div>
            ))}
            <More items={loose.guards} step={100}>
              {(guard) => <ShapeGuardRow key={guard.line} guard={guard} shapes={shapes} />}
            </More>
          </div>
        </Panel>
      )}
    </>
  );
  if (!titled) return body;
  return (
    <details class="attempt" open={open || wanted.length > 0}>
      <summary>
        {open ? "Last attempt" : "Earlier attempt"}
        {attempt.attempt !== null && ` (${attempt.attempt})`}: {plural(attempt.stories.length, "symbol")}
      </summary>
      {body}
    </details>
  );
}

function searchText({ symbol, specializations, guards }: SymbolStory): string {
  return `${symbol.symbol} ${symbol.source ?? ""} ${symbol.unbacked ? "unbacked" : ""} ${specializations.map((item) => `${item.value} ${item.reason}`).join(" ")} ${guards.map((guard) => guard.expr).join(" ")}`.toLowerCase();
}

const DYNAMIC_BY = {
  mark_dynamic: "dynamic by torch._dynamo.mark_dynamic",
  compile: "dynamic by torch.compile(dynamic=True)",
  export: "dynamic by torch._dynamo.export",
  dynamic_shapes: "dynamic by dynamic_shapes of the export",
  automatic: "automatic dynamic: another size was seen before",
} as const;

function Story({ shapes, story: { symbol, specializations, guards } }: { shapes: Shapes; story: SymbolStory }) {
  return (
    <Panel
      title={
        <>
          <span class="mono symbol">{symbol.symbol}</span>{" "}
          {symbol.source && <code title="source">{symbol.source}</code>}{" "}
          {specializations.length > 0 ? (
            <span class="chip restart">! became {specializations.at(-1)!.value}</span>
          ) : symbol.unbacked ? (
            <span class="chip missing">? unbacked</span>
          ) : symbol.source?.endsWith(".item()") ? (
            <span class="chip ok" title="the value of a tensor; it is no size">
              ✓ value
            </span>
          ) : (
            <span class="chip ok">✓ dynamic</span>
          )}
        </>
      }
      note={
        <span class="num">
          {symbol.value !== null && (
            <>
              hint <b>{symbol.value}</b> ·{" "}
            </>
          )}
          <span title={`${symbol.range ?? ""} when the symbol was created; the guards below may narrow it`}>
            initial range <b>{rangeWords(symbol.range) || "–"}</b>
          </span>
        </span>
      }
    >
      <div class="pad">
        {symbol.dynamic_by && (
          <span class="dynamic-by">
            <Prose
              text={`${symbol.dynamic_why === null ? DYNAMIC_BY[symbol.dynamic_by] : `automatic dynamic: ${symbol.dynamic_why}`} · `}
            />
          </span>
        )}
        <span class="muted">created at</span> <FoldedStacks shapes={shapes} where={symbol} />
      </div>
      {specializations.length > 0 && (
        <div class="guardlist">
          {specializations.map((item) => (
            <div class="row flexrow" key={item.line}>
              <Became item={item} shapes={shapes} />
            </div>
          ))}
        </div>
      )}
      {guards.length > 0 && (
        <div class="guardlist">
          <More items={guards} step={50}>
            {(guard) => <ShapeGuardRow key={guard.line} guard={guard} shapes={shapes} />}
          </More>
        </div>
      )}
    </Panel>
  );
}

function Became({ item, shapes }: { item: Specialization; shapes: Shapes }) {
  return (
    <>
      <span class="chip restart">! specialized</span>{" "}
      <span>
        constant <b class="mono">{item.value}</b>: <span title={item.reason ?? ""}>{reasonWords(item.reason)}</span>
      </span>
      <FoldedStacks shapes={shapes} where={item} />
    </>
  );
}
