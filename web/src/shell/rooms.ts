// The rooms of the page: a row each. A room of a later day is a row here and a file in rooms/.
import type { ComponentType } from "preact";
import type { Address } from "../base/address";
import { isCompile, recompileCount } from "../data/counts";
import type { Report } from "../data/types";
import { Breaks } from "../rooms/Breaks";
import { CompileRoom } from "../rooms/CompileRoom";
import { Compiles } from "../rooms/Compiles";
import { ConfigRoom } from "../rooms/ConfigRoom";
import { Failures } from "../rooms/Failures";
import { Files } from "../rooms/Files";
import { LogRoom } from "../rooms/LogRoom";
import { Overview } from "../rooms/Overview";
import { Recompiles } from "../rooms/Recompiles";
import { Stacks } from "../rooms/Stacks";
import { bytes, count } from "../base/format";

export interface RoomProps {
  at: Address;
}

export interface Room {
  /** first item of the address; "" is the overview */
  key: string;
  title: string;
  component: ComponentType<RoomProps>;
  /** the key after `g` */
  letter?: string;
  /** what the navigation says beside the title */
  note?: (report: Report) => { text: string; bad?: boolean } | null;
  group: "what" | "data" | "hidden";
}

export const ROOMS: readonly Room[] = [
  { key: "", title: "Overview", component: Overview, letter: "o", group: "what", note: (r) => number(r.findings.length, r.findings.some((f) => f.severity === "error")) },
  { key: "stacks", title: "Stacks", component: Stacks, letter: "s", group: "what" },
  { key: "compiles", title: "Compiles", component: Compiles, letter: "c", group: "what", note: (r) => number(r.compiles.filter(isCompile).length) },
  { key: "breaks", title: "Graph breaks", component: Breaks, letter: "b", group: "what", note: (r) => number(r.graph_breaks.length) },
  { key: "recompiles", title: "Recompiles", component: Recompiles, letter: "r", group: "what", note: (r) => number(recompileCount(r), r.recompiles.some((x) => x.limit_hit)) },
  { key: "failures", title: "Failures", component: Failures, letter: "x", group: "what", note: (r) => number(r.failures.length + (r.backward_failures?.length ?? 0), true) },
  { key: "files", title: "Files", component: Files, letter: "f", group: "data", note: (r) => number(r.compiles.reduce((n, c) => n + c.artifact_count, 0)) },
  { key: "config", title: "Config", component: ConfigRoom, letter: "i", group: "data" },
  { key: "log", title: "Log", component: LogRoom, letter: "l", group: "data", note: (r) => ({ text: bytes(r.log.bytes), bad: r.log.faults.length > 0 }) },
  { key: "c", title: "Compile", component: CompileRoom, group: "hidden" },
];

function number(n: number, bad = false): { text: string; bad: boolean } {
  return { text: count(n), bad: bad && n > 0 };
}
