import { frameName } from "../../store/report";
import { toArtifact } from "../../lib/address";
import { count, middle, plural, time } from "../../lib/text";
import { useLoaded } from "../../lib/hooks";
import { excerpt, kernelTitle, KIND_WORDS, NODES_BY, OUTSIDE_WORDS, type Kernel } from "../../store/kernels";
import type { KernelRun } from "../../store/profile";
import { CompileChip, ProvenanceLinks } from "../../ui/compile";
import { CopyButton, PlaceText } from "../../ui/text";
import { KernelChoiceText } from "./KernelChoices";
import { Facts, useStore } from "../../ui/page";

const LINES = 60;
const LONGEST = 8 << 20;

interface DetailsProps {
  kernel: Kernel;
  /** its calls in the profile */
  run: KernelRun | undefined;
  close: string;
}

/** One kernel: operators, nodes, source lines, code. */
export function KernelDetails({ kernel, run, close }: DetailsProps) {
  const compile = useStore().compile(kernel.compile);
  const { autotune } = kernel;
  const choices = useStore().report.kernels?.choices;
  const choice = kernel.choice === undefined ? undefined : choices?.[kernel.choice];
  return (
    <section class="kernel sidepanel" aria-label={`Kernel ${kernelTitle(kernel)}`} data-scroll="kernel">
      <header>
        <h2 class="mono" title={kernelTitle(kernel)}>
          {middle(kernelTitle(kernel), 120)}
        </h2>
        <a class="button" href={close} aria-label="Close">
          ✕
        </a>
      </header>
      <p class="links">
        {kernel.line !== null && (
          <a class="button" href={toArtifact(kernel.compile, kernel.artifact, `${kernel.line}`)}>
            Code, line {kernel.line}
          </a>
        )}
        {kernel.call_line !== null && (
          <a class="button" href={toArtifact(kernel.compile, kernel.artifact, `${kernel.call_line}`)}>
            {kernel.calls > 1 ? "First call" : "Call"}, line {kernel.call_line}
          </a>
        )}
        {compile && <ProvenanceLinks compile={compile} />}
        <CopyButton text={kernel.name} label="Copy name" />
      </p>
      <Facts
        facts={[
          ["kind", `${KIND_WORDS[kernel.kind]}${kernel.heuristic ? `, ${kernel.heuristic.replace(/_/g, " ")}` : ""}`],
          [
            "compile",
            <>
              <CompileChip id={kernel.compile} />{" "}
              {compile?.frame && <span class="mono">{frameName(compile.frame)}</span>}
            </>,
          ],
          ["graph", kernel.graph && <span class="mono">{kernel.graph}</span>],
          ["definition", kernel.definition && <PlaceText place={kernel.definition} full />],
          ["calls", count(kernel.calls)],
          ["CUDA graph", kernel.outside && OUTSIDE_WORDS[kernel.outside]],
          ["run time", run && `${time(run.total_us)} in ${plural(run.calls, "call")}`],
          ["device time", run && time(run.device_us)],
          ["compile time", kernel.compile_time_us === null ? null : time(kernel.compile_time_us)],
          ["chosen by benchmarks", choice && <KernelChoiceText choice={choice} />],
          [
            "autotuning",
            autotune &&
              [
                autotune.state,
                autotune.configs === null ? "" : plural(autotune.configs, "configuration"),
                autotune.config === null ? "" : JSON.stringify(autotune.config),
              ]
                .filter(Boolean)
                .join(" · "),
          ],
        ]}
      />
      <Names title="Operators" names={kernel.ops} none={kernel.nodes_unknown && `Unknown: ${kernel.nodes_unknown}.`} />
      <Names title="Source nodes" names={kernel.nodes} by={NODES_BY.comment} />
      <Names
        title="Post-grad graph nodes"
        names={kernel.post_nodes}
        by={kernel.nodes_by === null ? undefined : NODES_BY[kernel.nodes_by]}
      />
      {kernel.post_nodes.length > 0 && kernel.nodes_unknown !== null && !kernel.perhaps.length && (
        <p class="muted">Other calls: {kernel.nodes_unknown}.</p>
      )}
      {kernel.perhaps.length > 0 && (
        <Names title="Possible nodes" names={kernel.perhaps} by={kernel.nodes_unknown ?? undefined} />
      )}
      <h3>Source lines</h3>
      {kernel.sources.length ? (
        <ul class="sources unmarked">
          {kernel.sources.map((source) => (
            <li key={`${source.file}:${source.line}`}>
              <PlaceText place={{ ...source, function: source.function ?? null }} full />
              {source.code && <code>{source.code}</code>}
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">
          Unknown: {kernel.lines_unknown}.
          {!compile?.provenance?.length && (
            <>
              {" "}
              Set <code>INDUCTOR_PROVENANCE=1</code> to log a stack trace of each kernel.
            </>
          )}
        </p>
      )}
      {kernel.line !== null && <Code kernel={kernel} line={kernel.line} />}
    </section>
  );
}

interface Props {
  title: string;
  names: readonly string[];
  none?: string | null;
  by?: string | undefined;
}

function Names({ title, names, none, by }: Props) {
  if (!names.length && !none) return null;
  return (
    <>
      <h3>
        {title}
        {names.length > 0 && (
          <span class="note">
            {" "}
            {count(names.length)}
            {by && `, ${by}`}
          </span>
        )}
      </h3>
      {names.length ? (
        <p class="names">
          {names.map((name) => (
            <code key={name}>{name}</code>
          ))}
        </p>
      ) : (
        <p class="muted">{none}</p>
      )}
    </>
  );
}

/** The text of the kernel. */
function Code({ kernel, line }: { kernel: Kernel; line: number }) {
  const store = useStore();
  const loaded = useLoaded(async () => {
    const index = store.indexOf(kernel.compile);
    const artifact = index === undefined ? undefined : (await store.details(index)).artifacts[kernel.artifact];
    return !artifact?.text || artifact.bytes > LONGEST ? null : excerpt(await store.text(artifact), line, LINES);
  }, [store, kernel]);
  if (loaded.state === "failed") return <p class="muted">{loaded.error.message}</p>;
  if (loaded.state !== "ready" || !loaded.value?.text) return null;
  return (
    <>
      <h3>
        Code <span class="note">{loaded.value.cut ? `first ${LINES} lines` : plural(loaded.value.lines, "line")}</span>
      </h3>
      <pre tabIndex={0}>{loaded.value.text}</pre>
      {loaded.value.cut && (
        <p>
          <a href={toArtifact(kernel.compile, kernel.artifact, `${line}`)}>All code</a>
        </p>
      )}
    </>
  );
}
