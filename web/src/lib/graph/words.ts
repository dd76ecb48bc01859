// Texts as numbers: equal texts of both graphs have equal numbers, so that they are compared, and kept, once.
import { mix } from "./hash";

/** Apart from the small numbers that keys of nodes are made of, too. */
const FIRST = 0x10000;

export class Words {
  private readonly ids = new Map<string, number>();
  private readonly texts: string[] = [];

  id(text: string): number {
    let id = this.ids.get(text);
    if (id === undefined) this.ids.set(text, (id = this.texts.push(text) - 1));
    return id;
  }

  text(id: number): string {
    return this.texts[id]!;
  }

  /** The hash with a text. */
  mix(hash: number, text: string): number {
    return this.mixId(hash, this.id(text));
  }

  mixId(hash: number, id: number): number {
    return mix(hash, id + FIRST);
  }
}
