// Which node of one graph is which node of another. A port of src/graph/graph_match.c.
import { mix } from "./hash";
import { LEVEL, nestedOf, sideOf, type Side } from "./op-keys";
import { matchInputs, type Match } from "./op-inputs";
import { NONE, type Nested, type OpGraph } from "./op-graph";
import { matchWindows } from "./op-window";
import { orderedAnchors, uniqueNodes } from "./op-anchors";

/** Steps on all levels, before what is left stays unmatched. */
const WORK_PER_NODE = 400;

interface Range {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
  level: number;
}

export function matchGraphs(a: OpGraph, b: OpGraph): Match {
  return new Matcher(sideOf(a, 0xa), sideOf(b, 0xb)).all();
}

class Matcher {
  readonly found: Match;
  /** to do */
  private readonly ranges: Range[] = [];
  /** steps left */
  private work: number;

  constructor(
    readonly a: Side,
    readonly b: Side,
  ) {
    const [n, m] = [a.graph.nodes.length, b.graph.nodes.length];
    this.found = { a: new Int32Array(n).fill(NONE), b: new Int32Array(m).fill(NONE), moved: new Uint8Array(m) };
    this.work = WORK_PER_NODE * (n + m);
  }

  /** The text has nested graphs after those that call them. */
  all(): Match {
    const graphs = this.b.graph.graphs;
    const attributes = this.attributes();
    const taken = new Set<number>();
    this.a.graph.graphs.forEach((nested, i) => {
      const place = i ? this.otherNested(attributes, i) : 0;
      if (place === undefined || !graphs[place] || taken.has(place)) return;
      taken.add(place);
      this.graph(nested, graphs[place]);
    });
    return this.found;
  }

  /** The first attribute that is each nested graph of a. */
  private attributes(): Map<number, number> {
    const attributes = new Map<number, number>();
    this.a.graph.nodes.forEach((node, i) => {
      const nested = nestedOf(this.a, node);
      if (nested !== undefined && !attributes.has(nested)) attributes.set(nested, i);
    });
    return attributes;
  }

  /** The nested graph of b that is the ith one of a: that of the attribute that matches its attribute or, if no attribute
   * has it, the one of that name, which several may have. */
  private otherNested(attributes: ReadonlyMap<number, number>, i: number): number | undefined {
    const attribute = attributes.get(i);
    if (attribute === undefined) {
      const { name } = this.a.graph.graphs[i]!;
      return this.b.graph.graphs[i]?.name === name ? i : this.b.nested.get(name);
    }
    const other = this.found.a[attribute]!;
    return other === NONE ? undefined : nestedOf(this.b, this.b.graph.nodes[other]!);
  }

  private graph(a: Nested, b: Nested): void {
    this.ranges.push({
      a: a.first,
      aEnd: a.first + a.count,
      b: b.first,
      bEnd: b.first + b.count,
      level: LEVEL.exact,
    });
    this.run();
    this.moved(a, b);
    this.targets(a, b);
    if (this.a.numbered || this.b.numbered) matchInputs(this, a, b);
  }

  private run(): void {
    for (let range = this.ranges.pop(); range; range = this.ranges.pop()) this.range(range);
  }

  private match(a: number, b: number): void {
    this.found.a[a] = b;
    this.found.b[b] = a;
  }

  /** Matches what is equal at both ends of the range, and takes it from the range. */
  private trim(range: Range): void {
    const [a, b] = [this.a.keys[range.level]!, this.b.keys[range.level]!];
    while (range.a < range.aEnd && range.b < range.bEnd && a[range.a] === b[range.b]) this.match(range.a++, range.b++);
    while (range.a < range.aEnd && range.b < range.bEnd && a[range.aEnd - 1] === b[range.bEnd - 1])
      this.match(--range.aEnd, --range.bEnd);
  }

  private range(range: Range): void {
    this.trim(range);
    const size = range.aEnd - range.a + (range.bEnd - range.b);
    if (range.a >= range.aEnd || range.b >= range.bEnd || this.work <= size) return;
    this.work -= size;
    const { level } = range;
    const anchors = orderedAnchors(this.a.keys[level]!, this.b.keys[level]!, range);
    let { a, b } = range;
    for (const [atA, atB] of anchors) {
      this.match(atA, atB);
      if (a < atA && b < atB) this.ranges.push({ a, aEnd: atA, b, bEnd: atB, level });
      [a, b] = [atA + 1, atB + 1];
    }
    if (anchors.length) {
      if (a < range.aEnd && b < range.bEnd) this.ranges.push({ ...range, a, b });
      return;
    }
    this.work = matchWindows(this.a.keys[level]!, this.b.keys[level]!, range, this.work, (a, b) => this.match(a, b));
    if (level + 1 < LEVEL.target) this.split(range); // targets()
  }

  /** Matches what is between the matched nodes of the range on the next level. */
  private split(range: Range): void {
    let { a, b } = range;
    for (let i = range.a; i <= range.aEnd; i++) {
      const last = i === range.aEnd;
      if (!last && this.found.a[i] === NONE) continue;
      const bEnd = last ? range.bEnd : this.found.a[i]!;
      if (a < i && b < bEnd) this.ranges.push({ a, aEnd: i, b, bEnd, level: range.level + 1 });
      a = i + 1;
      b = bEnd + 1;
    }
  }

  /** Matches nodes that have changed places: those left that compute the same from the same inputs or, if there is only one
   * of each, from the same line. */
  private moved(a: Nested, b: Nested): void {
    for (const level of [LEVEL.exact, LEVEL.value, LEVEL.lineExact]) {
      const [keysA, keysB] = [this.a.keys[level]!, this.b.keys[level]!];
      const [leftA, leftB] = [left(a, this.found.a), left(b, this.found.b)];
      if (level === LEVEL.lineExact) {
        const others = uniqueNodes(keysB, leftB);
        for (const [key, i] of uniqueNodes(keysA, leftA)) this.move(i, others.get(key));
        continue;
      }
      const others = new Map<number, number[]>();
      for (const j of leftB.reverse()) push(others, keysB[j]!, j);
      for (const i of leftA) this.move(i, others.get(keysA[i]!)?.pop());
    }
  }

  private move(a: number, b: number | undefined): void {
    if (b === undefined) return;
    this.found.moved[b] = 1;
    this.match(a, b);
  }

  /** Matches what is left between matched nodes that are in order by operators alone. */
  private targets(a: Nested, b: Nested): void {
    const [endA, endB] = [a.first + a.count, b.first + b.count];
    const [keysA, keysB] = [this.a.keys[LEVEL.target]!, this.b.keys[LEVEL.target]!];
    for (let i = a.first; i < endA; i++) if (this.found.a[i] !== NONE) keysA[i] = mix(mix(0xa, 1), i);
    for (let j = b.first; j < endB; j++) if (this.found.b[j] !== NONE) keysB[j] = mix(mix(0xb, 1), j);
    let [fromA, fromB] = [a.first, b.first];
    for (let i = a.first; i <= endA; i++) {
      const other = i === endA ? endB : this.found.a[i]!;
      if (i < endA && (other === NONE || this.found.moved[other])) continue;
      if (fromA < i && fromB < other)
        this.ranges.push({ a: fromA, aEnd: i, b: fromB, bEnd: other, level: LEVEL.target });
      fromA = i + 1;
      fromB = other + 1;
    }
    this.run();
  }
}

/** The unmatched nodes of a graph. */
function left(graph: Nested, match: Int32Array): number[] {
  const nodes: number[] = [];
  for (let i = graph.first; i < graph.first + graph.count; i++) if (match[i] === NONE) nodes.push(i);
  return nodes;
}

function push(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
