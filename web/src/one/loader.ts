// The program of the one file that `tlparse share` writes: unpacks the front end and starts it.
//
// C writes blocks of base64 of gzip, as script elements of a type that no browser runs. The first block is the index; each of the others has the bytes of
// one or more files and is unpacked when one of them is asked for. The page's Content-Security-Policy has the SHA-256 of each program and style sheet, so
// they run as the text of an element, and nothing else does. The editor writes its own style sheet, which therefore has a nonce.
import { gunzip } from "../lib/gunzip";
import type { Packed } from "../lib/packed";

interface Index {
  nonce: string;
  redacted: string;
  stays: string;
  reports: string[];
  left: string[];
  /** path: block (from 1), offset, length */
  files: Record<string, [number, number, number]>;
}

const KEPT_BYTES = 64 << 20; // unpacked blocks

async function start(): Promise<void> {
  const blocks = document.querySelectorAll<HTMLScriptElement>("script[type='text/x-tlparse']");
  const unpack = (n: number) => gunzip(blocks[n]!.text);
  const index = JSON.parse(new TextDecoder().decode(await unpack(0))) as Index;
  const files = new Map(Object.entries(index.files));
  const kept = new Map<number, { bytes: Promise<Uint8Array<ArrayBuffer>>; size: number }>();
  const sizes = new Map<number, number>();
  for (const [block, from, length] of files.values()) sizes.set(block, Math.max(sizes.get(block) ?? 0, from + length));

  const block = (n: number): Promise<Uint8Array<ArrayBuffer>> => {
    const known = kept.get(n);
    const entry = known ?? { bytes: unpack(n), size: sizes.get(n) ?? 0 };
    kept.delete(n);
    kept.set(n, entry); // the last one asked for is the last one to go
    let total = [...kept.values()].reduce((sum, one) => sum + one.size, 0);
    for (const [old, one] of kept) {
      if (total <= KEPT_BYTES || old === n) break;
      kept.delete(old);
      total -= one.size;
    }
    return entry.bytes;
  };
  const packed: Packed = {
    nonce: index.nonce,
    redacted: index.redacted,
    stays: index.stays,
    reports: index.reports,
    left: index.left,
    has: (path) => files.has(path),
    bytes: async (path) => {
      const place = files.get(path);
      if (!place) throw new Error(`${path} is not in this file`);
      const [n, from, length] = place;
      return (await block(n)).slice(from, from + length);
    },
  };
  const text = async (path: string) => new TextDecoder().decode(await packed.bytes(path));
  window.tlPacked = packed;
  add("style", await text("assets/app.css"));
  add("script", await text("assets/app.js"));
}

function add(name: "script" | "style", text: string): void {
  const element = document.createElement(name);
  element.textContent = text;
  document.head.append(element);
}

start().catch((error: unknown) => {
  const place = document.getElementById("app") ?? document.body;
  place.textContent = `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}. It needs a browser of 2023 or later, and the whole file.`;
});
