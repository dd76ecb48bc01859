// What differs between ranks or runs though nothing is different. The same rules as src/base/noise.c.
const NOISE = /Guard latency = [\d.]*|0x[0-9a-fA-F]*|(\d{10,})|(\/tmp\/)[^ \n"')\],:]*|((?:cuda|xpu|hpu|npu):)\d*|\d+/g;

/** Addresses, ids of objects, numbers of devices and temporary paths get one form. */
export function withoutNoise(text: string): string {
  // fx_graph_runnable names the rank for which it can be run again.
  const plain = text.includes("setup_fake_process_groups(") ? text.replace(/(setup_fake_process_groups\(.*?'rank': )\d+/g, "$1") : text;
  return plain.replace(NOISE, (found: string, id: string | undefined, path: string | undefined, device: string | undefined) =>
    id ? "#" : path ? "/tmp/…" : device ?? (found.startsWith("0x") ? "0x" : found.startsWith("G") ? "Guard latency = " : found),
  );
}

const TYPE = /^(?:bf|f|i|u|c|int|float|bfloat|uint|complex)(?:8|16|32|64|128)$/;

/** Names without the numbers at their ends (add_3, buf7, primals_1, s77), and no numbers of lines. Types such as f32 keep theirs. */
export function withoutNumbers(text: string): string {
  return text.replace(/\b[A-Za-z_]\w*\b|(:|line )\d+\b/g, (found: string, line: string | undefined) => {
    if (line) return line;
    let end = found.length;
    while (end > 0 && /[\d_]/.test(found[end - 1]!)) end--;
    return end === found.length || end === 0 || TYPE.test(found) ? found : `${found.slice(0, end)}#`;
  });
}

/** Words, blanks and signs of a line; a piece of noise is one token, so that it can be passed over as one. */
export function tokens(line: string): string[] {
  return line.match(/0x[0-9a-fA-F]+|\/tmp\/[^ \n"')\],:]*|(?:cuda|xpu|hpu|npu):\d+|[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
}
