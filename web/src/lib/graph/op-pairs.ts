// How often sizes and types of two graphs differ in the same way.
import type { Budget } from "./budget";

export interface SizeChange {
  from: string;
  to: string;
  /** that differ by it */
  nodes: number;
}

const keyOf = (from: string, to: string): string => `${from}\n${to}`;

/** Pairs with the number of nodes that have them. `each`: a node counts once. */
class Counts {
  private readonly pairs = new Map<string, SizeChange & { last: number }>();

  constructor(private readonly once: boolean) {}

  add(from: string, to: string, node: number): void {
    const key = keyOf(from, to);
    let pair = this.pairs.get(key);
    if (!pair) this.pairs.set(key, (pair = { from, to, nodes: 0, last: -1 }));
    if (!this.once || pair.last !== node) pair.nodes++;
    pair.last = node;
  }

  /** Most frequent first. */
  list(): SizeChange[] {
    const list = [...this.pairs.values()].map(({ from, to, nodes }) => ({ from, to, nodes }));
    const order = (x: string, y: string) => (x < y ? -1 : Number(x > y));
    return list.sort((x, y) => y.nodes - x.nodes || order(x.from, y.from) || order(x.to, y.to));
  }
}

export class ChangedPairs {
  readonly sizes = new Counts(true);
  readonly types = new Counts(false);
  /** results and inputs have sizes that differ so */
  private readonly dims = new Set<string>();
  private readonly inputs = new Set<string>();

  constructor(private readonly budget: Budget) {}

  /** Notes how a size of a result or an input differs. */
  note(from: string, to: string, input: boolean): void {
    this.dims.add(keyOf(from, to));
    if (input) this.inputs.add(keyOf(from, to));
  }

  /** Whether one number in place of another follows from the sizes of the inputs. */
  ofSizes(from: string, to: string, takesSizes: boolean): boolean {
    this.budget.spend(from.length + to.length);
    const key = keyOf(from, to);
    return this.inputs.has(key) || (this.inputs.size > 0 && takesSizes && this.dims.has(key));
  }

  addSize(from: string, to: string, node: number): void {
    this.budget.spend(from.length + to.length);
    this.sizes.add(from, to, node);
  }
}
