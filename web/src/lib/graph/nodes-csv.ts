// The table of nodes as `tlparse graph --format csv` writes it.
import type { GraphNode } from "./nodes";

/** The module of a node: its source and name, and whether it is that one itself. */
export interface NodeModule {
  text: string;
  exact: boolean;
}

export const CSV_COLUMNS =
  "graph,name,op,target,operands,args,dtype,shape,strides,device,file,line,function,code,module,exact";

const cell = (text: string): string => (/[,"\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

export function nodesCsv(nodes: readonly GraphNode[], moduleOf: (node: GraphNode) => NodeModule | null): string {
  const rows = nodes.map((node) => {
    const { type, source } = node;
    const module = moduleOf(node);
    return [
      node.graph,
      node.name,
      node.op,
      node.target,
      node.operands.join(" "),
      node.args,
      type.dtype,
      type.shape,
      type.strides ?? "",
      type.device,
      source?.file ?? "",
      source ? `${source.line}` : "",
      source?.func ?? "",
      source?.code ?? "",
      module?.text ?? "",
      module ? `${module.exact}` : "",
    ]
      .map(cell)
      .join(",");
  });
  return [CSV_COLUMNS, ...rows, ""].join("\r\n");
}
