/** A cache bounded by the sum of the given sizes; the least recently used item is evicted first. */
export class Lru<V> {
  #held = new Map<string, { value: V; size: number }>();
  #size = 0;

  constructor(readonly limit: number) {}

  get size(): number {
    return this.#size;
  }

  get(key: string): V | undefined {
    const entry = this.#held.get(key);
    if (!entry) return undefined;
    this.#held.delete(key); // to the end: Maps keep the order of insertion
    this.#held.set(key, entry);
    return entry.value;
  }

  /** A value larger than the limit is kept while nothing else is put. */
  set(key: string, value: V, size: number): void {
    this.delete(key);
    this.#held.set(key, { value, size });
    this.#size += size;
    for (const old of this.#held.keys()) {
      if (this.#size <= this.limit || old === key) break;
      this.delete(old);
    }
  }

  delete(key: string): void {
    const entry = this.#held.get(key);
    if (!entry) return;
    this.#size -= entry.size;
    this.#held.delete(key);
  }
}
