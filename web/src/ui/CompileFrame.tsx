import { baseName } from "../lib/text";
import { callersByCompile } from "../store/unattributed";
import type { Compile, Report, StackFrame } from "../store/report";
import { useStore } from "./page";
import { FrameName } from "./text";

const CALLERS = new WeakMap<Report, Map<string, StackFrame>>();

/** The frame of a compile; of one without an id, as of AOTInductor, the line of the program that began it. */
export function CompileFrame({ compile }: { compile: Compile }) {
  const { report } = useStore();
  if (compile.frame || !compile.is_compile) return <FrameName frame={compile.frame} />;
  if (!CALLERS.has(report)) CALLERS.set(report, callersByCompile(report.unattributed));
  const caller = CALLERS.get(report)!.get(compile.key);
  if (!caller) return compile.what ? <span>{compile.what}</span> : <FrameName frame={null} />;
  return (
    <span title={`${caller.file}:${caller.line ?? "?"}\n${caller.code ?? ""}`}>
      {compile.what && `${compile.what} `}
      <span class="mono">
        <span class="muted">called at</span> {baseName(caller.file)}:{caller.line ?? "?"}
      </span>
    </span>
  );
}
