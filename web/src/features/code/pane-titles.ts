import type { PaneName } from "../../store/code-pairs";

export const PANE_TITLES: Record<PaneName, string> = {
  source: "Source",
  dynamo: "Dynamo graph",
  post: "Post-grad graph",
  code: "Output code",
};
