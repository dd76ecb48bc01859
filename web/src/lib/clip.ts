// A line of megabytes makes any editor slow. Such lines are shown up to a limit; the file has them whole.
export const LINE_LIMIT = 20_000;

export interface Clipped {
  text: string;
  /** how many lines were cut */
  cut: number;
}

export function clipLines(text: string, limit = LINE_LIMIT): Clipped {
  const out: string[] = [];
  let kept = 0; // up to here the text is in `out`
  let cut = 0;
  for (let start = 0; start <= text.length;) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    if (end - start > limit) {
      out.push(
        text.slice(kept, start + limit),
        ` … ⟨${(end - start - limit).toLocaleString("en-US")} more characters⟩`,
      );
      kept = end;
      cut++;
    }
    start = end + 1;
  }
  return cut ? { text: out.join("") + text.slice(kept), cut } : { text, cut };
}
