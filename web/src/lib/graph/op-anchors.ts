// Nodes that split two graphs into parts: those that are unique in both and in the same order.

export type Anchor = readonly [a: number, b: number];

/** Key → the node that has it, of keys that only one of the nodes has, in the order of the nodes. */
export function uniqueNodes(keys: Float64Array, nodes: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  const several = new Set<number>();
  for (const node of nodes) {
    if (found.has(keys[node]!)) several.add(keys[node]!);
    else found.set(keys[node]!, node);
  }
  for (const key of several) found.delete(key);
  return found;
}

function between(from: number, end: number): number[] {
  const nodes: number[] = [];
  for (let i = from; i < end; i++) nodes.push(i);
  return nodes;
}

/** The longest list of anchors that is in order in both. */
export function orderedAnchors(
  a: Float64Array,
  b: Float64Array,
  range: { a: number; aEnd: number; b: number; bEnd: number },
): Anchor[] {
  const others = uniqueNodes(b, between(range.b, range.bEnd));
  const anchors: Anchor[] = [];
  for (const [key, i] of uniqueNodes(a, between(range.a, range.aEnd))) {
    const j = others.get(key);
    if (j !== undefined) anchors.push([i, j]);
  }
  return ordered(anchors);
}

function ordered(anchors: readonly Anchor[]): Anchor[] {
  const ends: number[] = []; // the anchor that ends the best list of each length
  const before = new Int32Array(anchors.length);
  anchors.forEach(([, b], i) => {
    let at = 0;
    for (let end = ends.length; at < end;) {
      const middle = (at + end) >> 1;
      if (anchors[ends[middle]!]![1] < b) at = middle + 1;
      else end = middle;
    }
    before[i] = at ? ends[at - 1]! : -1;
    ends[at] = i;
  });
  const kept: Anchor[] = [];
  for (let i = ends.at(-1) ?? -1; i >= 0; i = before[i]!) kept.push(anchors[i]!);
  return kept.reverse();
}
