// assets/pages.js: the pages that few readers open first, and parts of others (ui/graph/late.tsx). build.mjs takes what the app has, too, from the app: see web/README.md.
import { CodePage } from "../features/code/CodePage";
import { Compare } from "../features/compare/Compare";
import { CompileTime } from "../features/time/CompileTime";
import { ConfigPage } from "../features/config/ConfigPage";
import { Export } from "../features/export/Export";
import { Files } from "../features/files/Files";
import { HelpPage } from "../features/help/HelpPage";
import { Kernels } from "../features/kernels/Kernels";
import { LogPage } from "../features/log/LogPage";
import { MemoryPage } from "../features/memory/MemoryPage";
import { Parsers } from "../features/parsers/Parsers";
import { GuardsPage } from "../features/guards/GuardsPage";
import { ModulesPage } from "../features/modules/ModulesPage";
import { Passes } from "../features/passes/Passes";
import { RanksCollectives } from "../features/ranks/RanksCollectives";
import { RanksDiff } from "../features/ranks/RanksDiff";
import { RanksMatrix } from "../features/ranks/RanksMatrix";
import { RanksOrder } from "../features/ranks/RanksOrder";
import { RanksRuntime } from "../features/ranks/RanksRuntime";
import { RunTime } from "../features/runtime/RunTime";
import { Stacks } from "../features/stacks/Stacks";
import { Vllm } from "../features/vllm/Vllm";
import { ComputedBy } from "../ui/graph/ComputedBy";
import { NodesView } from "../ui/graph/NodesView";

export const pages = {
  CodePage,
  Compare,
  CompileTime,
  ComputedBy,
  ConfigPage,
  Export,
  Files,
  GuardsPage,
  HelpPage,
  Kernels,
  LogPage,
  MemoryPage,
  Parsers,
  ModulesPage,
  NodesView,
  Passes,
  RanksCollectives,
  RanksDiff,
  RanksMatrix,
  RanksOrder,
  RanksRuntime,
  RunTime,
  Stacks,
  Vllm,
};
declare module "../lib/tl" {
  interface Bundles {
    pages: typeof pages;
  }
}
window.tl.register("pages", pages);
