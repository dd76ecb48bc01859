// Annotations of printed graphs taken apart: `f32[8, s77][s77, 1]cuda:0`.
export interface TensorType {
  dtype: string;
  shape: string;
  /** "" where it is not printed */
  stride: string;
  device: string;
  /** `s77`, `u0`: sizes that are known by a name */
  symbols: string[];
}

const DTYPES: Record<string, string> = {
  f64: "float64",
  f32: "float32",
  f16: "float16",
  bf16: "bfloat16",
  f8e4m3fn: "float8_e4m3fn",
  f8e5m2: "float8_e5m2",
  f8e4m3fnuz: "float8_e4m3fnuz",
  f8e5m2fnuz: "float8_e5m2fnuz",
  f8e8m0fnu: "float8_e8m0fnu",
  f4e2m1fnx2: "float4_e2m1fn_x2",
  c32: "complex32",
  c64: "complex64",
  c128: "complex128",
  i8: "int8",
  i16: "int16",
  i32: "int32",
  i64: "int64",
  u8: "uint8",
  u16: "uint16",
  u32: "uint32",
  u64: "uint64",
  b8: "bool",
};

/** null for what is no tensor: `Sym(s77)`, `Tuple(…)`, nothing. */
export function tensorType(text: string): TensorType | null {
  const found = /^([a-z]\w*)\[([^[\]]{0,400})\](?:\[([^[\]]{0,400})\])?([a-z]+(?::\d+)?)?/.exec(text.trim());
  if (!found) return null;
  const [, dtype = "", shape = "", stride, device = ""] = found;
  return {
    dtype: DTYPES[dtype] ?? dtype,
    shape: `[${shape}]`,
    stride: stride === undefined ? "" : `[${stride}]`,
    device,
    symbols: symbolsOf(`${shape} ${stride ?? ""}`),
  };
}

/** `u0 >= 5` of `Sym(u0 >= 5)`; "" of anything else. */
export const symOf = (text: string): string => /^Sym\((.{1,300})\)$/.exec(text.trim())?.[1] ?? "";

export const isSymbol = (word: string): boolean => /^(?:s|u|zuf|z)\d+$/.test(word);

export function symbolsOf(text: string): string[] {
  return [...new Set(text.match(/\b(?:s|u|zuf|z)\d+\b/g) ?? [])];
}

/** Rows of what an annotation says. */
export function typeRows(text: string): [key: string, value: string][] {
  const tensor = tensorType(text);
  if (!tensor) {
    const sym = symOf(text);
    return sym
      ? [["type", isSymbol(sym) ? `symbolic integer ${sym}` : `symbolic: ${sym}`]]
      : [["type", text || "not printed"]];
  }
  const rows: [string, string][] = [
    ["dtype", tensor.dtype],
    ["shape", tensor.shape === "[]" ? "[] (a scalar)" : tensor.shape],
  ];
  if (tensor.stride) rows.push(["stride", tensor.stride]);
  if (tensor.device) rows.push(["device", tensor.device]);
  if (tensor.symbols.length) rows.push(["symbols", `${tensor.symbols.join(", ")}: sizes known at run time`]);
  return rows;
}
