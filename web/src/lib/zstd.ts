import { decompress } from "fzstd";

/** The bytes behind the base64 of a zstd frame. Not every browser unpacks zstd itself. */
export function unzstd(base64: string): Uint8Array<ArrayBuffer> {
  return decompress(fromBase64(base64)) as Uint8Array<ArrayBuffer>;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native.call(Uint8Array, text);
  return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
}
