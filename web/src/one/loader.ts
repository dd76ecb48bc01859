// The program of the one file that `tlparse share` writes: unpacks the front end and starts it.
//
// C writes blocks of base64 of zstd, as script elements of a type that no browser runs. The first block is the index; each of the others has the bytes of
// one or more files and is unpacked when one of them is asked for. The page's Content-Security-Policy has the SHA-256 of each program and style sheet, so
// they run as the text of an element, and nothing else does. The editor writes its own style sheet, which therefore has a nonce.
import type { Packed } from "../lib/packed";
import { unzstd } from "../lib/zstd";

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
  const unpack = (n: number) => unzstd(blocks[n]!.text);
  const index = JSON.parse(new TextDecoder().decode(unpack(0))) as Index;
  const files = new Map(Object.entries(index.files));
  const kept = new Map<number, Uint8Array<ArrayBuffer>>();

  const block = (n: number): Uint8Array<ArrayBuffer> => {
    const bytes = kept.get(n) ?? unpack(n);
    kept.delete(n);
    kept.set(n, bytes); // the last one asked for is the last one to go
    let total = 0;
    for (const one of kept.values()) total += one.length;
    for (const [old, one] of kept) {
      if (total <= KEPT_BYTES || old === n) break;
      kept.delete(old);
      total -= one.length;
    }
    return bytes;
  };
  const packed: Packed = {
    nonce: index.nonce,
    redacted: index.redacted,
    stays: index.stays,
    reports: index.reports,
    left: index.left,
    has: (path) => files.has(path),
    bytes: (path) => {
      const place = files.get(path);
      if (!place) throw new Error(`${path} is not in this file`);
      const [n, from, length] = place;
      return Promise.resolve(block(n).slice(from, from + length));
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
