import { useCallback, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { go, replaceQuery, toCompile } from "../../lib/address";
import { baseName, middle, percent, plural, time, words } from "../../lib/text";
import { useKeys } from "../../lib/hooks";
import { findBars, stackFlame, stepBar, type StackFlame as Data } from "../../store/stackflame";
import { stackName, type StackNode } from "../../store/report";
import { Flame } from "../../ui/flame/Flame";
import { clampView, type View } from "../../lib/flame/scale";
import { CompileChips, SIGNS, STATUS_WORDS } from "../../ui/compile";
import { callerNote } from "../../store/caller";
import { isLibrary } from "../../store/findings";
import { PlaceText } from "../../ui/text";
import { Empty, useStore } from "../../ui/page";

interface Props {
  q: string | undefined;
  /** frames of libraries too */
  framework: boolean;
  /** the frame that fills the width */
  at: string | undefined;
}

/** Compile time by stack: callers on top of callees, each as wide as the time of the compiles below it. */
export function StackFlame({ q, framework, at }: Props) {
  const store = useStore();
  const nodes = store.report.stacks;
  const libraries = useMemo(() => new Set(nodes.filter(isLibrary).map((node) => node.file)), [nodes]);
  const flame = useMemo(
    () =>
      stackFlame(nodes, {
        shown: (node) => framework || !isLibrary(node),
        time: (id) => store.compile(id)?.time_us ?? null,
        status: (id) => store.compile(id)?.status ?? "missing",
        name: (id) => store.name(id),
        sign: (status) => SIGNS[status],
        framework: (file) => libraries.has(file),
      }),
    [store, nodes, framework, libraries],
  );
  const found = useMemo(() => findBars(flame, nodes, words(q)), [flame, nodes, q]);
  const whole = useMemo<View>(() => ({ from: 0, to: Math.max(10, flame.total) }), [flame]);
  const focus = Math.max(0, /^\d+$/.test(at ?? "") ? flame.node.indexOf(Number(at)) : 0);
  const viewOf = useCallback(
    (bar: number): View => clampView({ from: flame.bars.from[bar]!, to: flame.bars.to[bar]! }, whole),
    [flame, whole],
  );
  const [view, setView] = useState<View>(() => viewOf(focus));
  const [selected, setSelected] = useState(focus);
  useLayoutEffect(() => {
    setView(viewOf(focus));
    setSelected(focus);
  }, [focus, viewOf]);
  const enter = (bar: number) => {
    const id = flame.compile[bar];
    if (id) go(toCompile(id));
    else if (bar >= 0) {
      setView(viewOf(bar));
      replaceQuery({ n: flame.node[bar]! < 0 ? null : `${flame.node[bar]}` });
    }
  };
  const move = (to: "parent" | "child" | "next" | "previous") => {
    const bar = stepBar(flame, selected, to);
    setSelected(bar);
    // What is chosen must be in view.
    if (flame.bars.to[bar]! <= view.from || flame.bars.from[bar]! >= view.to)
      setView(viewOf(Math.max(0, flame.parent[bar]!)));
  };
  useKeys({
    ArrowUp: () => move("parent"),
    ArrowDown: () => move("child"),
    ArrowLeft: () => move("previous"),
    ArrowRight: () => move("next"),
    Enter: (event) => {
      const own = (event.target as Element).closest?.("a, button");
      if (own instanceof HTMLElement) own.click();
      else enter(selected);
    },
    Backspace: () => enter(Math.max(0, flame.parent[focus]!)),
    Escape: () => enter(0),
  });
  if (flame.total <= 0)
    return (
      <div class="room">
        <Empty title="No stacks in this log">The log has no dynamo_start records.</Empty>
      </div>
    );
  const path: number[] = [];
  for (let bar = focus; bar >= 0; bar = flame.parent[bar]!) path.unshift(bar);
  return (
    <>
      <p class="crumbs flame-path" aria-label="Path">
        {path.map((bar, i) =>
          i === path.length - 1 ? (
            <b key={bar} class="mono">
              {name(flame, nodes, bar)}
            </b>
          ) : (
            <span key={bar}>
              <button type="button" class="plain link mono" onClick={() => enter(bar)}>
                {name(flame, nodes, bar)}
              </button>{" "}
              ›{" "}
            </span>
          ),
        )}
        <span class="muted">
          {" "}
          {amount(flame, flame.bars.to[focus]! - flame.bars.from[focus]!)}
          {flame.unknown > 0 && `; ${plural(flame.unknown, "compile")} of unknown time not drawn`}
          {found &&
            `; ${plural(
              found.reduce((n, hit) => n + hit, 0),
              "bar",
            )} found`}
        </span>
      </p>
      <Flame
        class="stack-flame"
        label="Flame graph of compile time by stack. Arrow keys select the caller, callee and neighbors; Enter zooms into a frame or opens a compile, Backspace goes back. The button Tree shows the same as a list."
        bars={flame.bars}
        whole={whole}
        view={view}
        onView={setView}
        selected={selected}
        found={found}
        onSelect={(bar) => {
          if (bar < 0) return;
          setSelected(bar);
          enter(bar);
        }}
        tip={(bar) => tip(flame, nodes, bar, (id) => STATUS_WORDS[store.compile(id)?.status ?? "missing"])}
      />
      <About flame={flame} nodes={nodes} bar={selected} />
    </>
  );
}

const name = (flame: Data, nodes: readonly StackNode[], bar: number): string =>
  (flame.compile[bar] && flame.named(flame.compile[bar])) ??
  (flame.node[bar]! < 0 ? "all" : middle(stackName(nodes[flame.node[bar]!]!), 32));
const amount = (flame: Data, n: number): string => (flame.counted ? plural(n, "compile") : `${time(n)} compile time`);

function tip(flame: Data, nodes: readonly StackNode[], bar: number, status: (id: string) => string): string {
  const wide = flame.bars.to[bar]! - flame.bars.from[bar]!;
  const share = `${amount(flame, wide)}, ${percent(wide, flame.total)} of all`;
  const id = flame.compile[bar];
  if (id) return `${flame.named(id)} ${status(id)}\n${share}`;
  const node = nodes[flame.node[bar]!];
  if (!node) return `all compiles\n${share}`;
  return `${stackName(node)}  ${baseName(node.file)}:${node.line ?? "?"}\n${share}${node.code ? `\n${middle(node.code, 120)}` : ""}${node.caller_from ? `\ncaller from ${node.caller_from}` : ""}`;
}

/** What the chosen bar is, in a line that can be read and copied. */
function About({ flame, nodes, bar }: { flame: Data; nodes: readonly StackNode[]; bar: number }) {
  const node = nodes[flame.node[bar] ?? -1];
  const id = flame.compile[bar];
  const wide = flame.bars.to[bar]! - flame.bars.from[bar]!;
  const below = useMemo(() => {
    const ids: string[] = [];
    for (let i = 0; i < flame.count; i++) {
      const c = flame.compile[i];
      if (
        c &&
        flame.bars.from[i]! >= flame.bars.from[bar]! &&
        flame.bars.to[i]! <= flame.bars.to[bar]! &&
        flame.bars.row[i]! >= flame.bars.row[bar]!
      )
        ids.push(c);
    }
    return ids;
  }, [flame, bar]);
  return (
    <div class="flame-about" aria-live="polite">
      <p>
        <b class="mono">{node ? stackName(node) : id ? flame.named(id) : "all compiles"}</b>
        {node && (
          <span class="muted">
            {" "}
            <PlaceText place={{ file: node.file, line: node.line, function: null }} full limit={70} />
          </span>
        )}
        {flame.chain[bar]!.length > 0 && (
          <span
            class="muted"
            title={flame.chain[bar]!.map((i) => `${nodes[i]!.function}  ${nodes[i]!.file}:${nodes[i]!.line}`).join(
              "\n",
            )}
          >
            {" "}
            + {plural(flame.chain[bar]!.length, "caller")}
          </span>
        )}
        {node?.caller_from && (
          <span class="muted" title={callerNote(node.caller_from)}>
            {" "}
            caller from {node.caller_from}
          </span>
        )}
        <span class="num">
          {" "}
          {amount(flame, wide)}, {percent(wide, flame.total)}
        </span>
      </p>
      {node?.code && <code class="src">{node.code}</code>}
      <CompileChips ids={below} limit={14} />
    </div>
  );
}
