import {
  type Compile,
  type ConfigDifference,
  type EffectValue,
  isCompile,
  type Report,
  type SettingInEffect,
} from "./report";

/** A value of a configuration as one line. Integers beyond 2^53 lost digits when the data was parsed, so they are rounded visibly. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return `≈ ${value.toPrecision(4)}`;
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
}

/** What torch._dynamo.export and torch.export (ExportDynamoConfig) set while they trace, in PyTorch 2.6 to 2.15. */
const EXPORT_SETS: ReadonlySet<string> = new Set([
  "allow_complex_guards_as_runtime_asserts",
  "allow_rnn",
  "assume_static_by_default",
  "automatic_dynamic_shapes",
  "capture_dynamic_output_shape_ops",
  "capture_scalar_outputs",
  "constant_fold_autograd_profiler_enabled",
  "do_not_emit_runtime_asserts",
  "install_free_tensors",
  "prefer_deferred_runtime_asserts_over_guards",
  "reorderable_logging_functions",
  "replay_side_effects",
  "side_effect_replay_policy",
  "specialize_float",
  "specialize_int",
]);

/** The function that exported in this compile; null: none did. */
function exporter(report: Report, compile: Compile): string | null {
  if (compile.exported) return "torch._dynamo.export";
  const outside = isCompile(compile) && compile.frame_id === null && !compile.what;
  return outside && report.export?.found ? "torch.export" : null;
}

export interface Differences {
  /** those that the program or another setting causes */
  others: ConfigDifference[];
  /** those between what was exported and what was not */
  exports: ConfigDifference[];
  exporters: string[];
}

/** A setting that an export sets is one of its own only if it does not differ among the other compiles, too. */
export function splitDifferences(report: Report): Differences {
  const list = report.config_differences ?? [];
  const exporters = new Map<string, string>();
  for (const compile of report.compiles) {
    const name = exporter(report, compile);
    if (name) exporters.set(compile.key, name);
  }
  const byExport = ({ kind, setting, values }: ConfigDifference): boolean => {
    const mixed = values.some(({ compiles }) => new Set(compiles.map((key) => exporters.has(key))).size > 1);
    const other = values.filter(({ compiles }) => !compiles.some((key) => exporters.has(key)));
    return kind === "dynamo" && EXPORT_SETS.has(setting) && !mixed && other.length === 1;
  };
  return {
    others: list.filter((item) => !byExport(item)),
    exports: list.filter(byExport),
    exporters: [...new Set(exporters.values())].sort(),
  };
}

const contradicts = (value: EffectValue) => value.configured !== undefined;

/** Those that contradict a configuration first, else in the order of the report. */
export function sortEffects(list: readonly SettingInEffect[]): SettingInEffect[] {
  const first = list.filter((item) => item.values.some(contradicts));
  return [...first, ...list.filter((item) => !first.includes(item))];
}

/** By kind and name of the setting: the values that outrank those of a configuration. */
export function contradicted(report: Report): Map<string, EffectValue[]> {
  const found = new Map<string, EffectValue[]>();
  for (const { kind, setting, values } of report.settings_in_effect ?? []) {
    const other = values.filter(contradicts);
    if (other.length) found.set(`${kind} ${setting}`, other);
  }
  return found;
}

/** Whether Compiled Autograd is on, and captured nothing. Ids of its compiles begin with "!". */
export function isIdle(report: Report, kind: string, setting: string, shown: string): boolean {
  return (
    kind === "dynamo" &&
    setting === "compiled_autograd" &&
    shown === "true" &&
    !report.compiles.some((compile) => compile.id.startsWith("!"))
  );
}
