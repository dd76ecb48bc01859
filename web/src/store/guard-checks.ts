// What each call pays for guards: the checks of compiles, and what the filters of torch.compiler would leave.
import type { GuardChecks, Report } from "./generated/report";
export type { GuardChecks };

export const checksOf = (report: Pick<Report, "guard_checks">, key: string): GuardChecks | undefined =>
  report.guard_checks?.find(({ compile }) => compile === key);

/** L['self']._modules['blocks']._modules['0'].scale → self.blocks.0.scale */
export const plainSource = (source: string): string =>
  source.replace(/\._(?:modules|parameters|buffers)\['([^']*)'\]/g, ".$1").replace(/^[LG]\['([^']*)'\]/, "$1");

/** Changes that are no longer noticed with a filter. */
const LOST: Record<string, string> = {
  skip_guard_on_all_nn_modules_unsafe: "of nn.Modules: attributes, parameters, train() and eval()",
  skip_guard_on_inbuilt_nn_modules_unsafe: "of modules of torch.nn and what they hold, such as train() and eval()",
  keep_tensor_guards_unsafe: "of values, objects, parameters, modes, and relations of sizes",
  skip_guard_on_globals_unsafe: "of globals and what they hold",
  keep_portable_guards_unsafe: "of values, objects and globals",
  skip_all_guards_unsafe: "of anything: other inputs run the wrong code",
};
export const lostBy = (name: string): string => LOST[name] ?? "";

/** Filters that drop any check, the least drastic first. */
export const usefulFilters = (checks: GuardChecks): GuardChecks["filters"] =>
  checks.filters.filter((filter) => filter.checks === null || filter.checks < checks.checks);
