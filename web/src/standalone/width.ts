/** How many characters the longest line has, so that a text can be made wide enough: lines out of view have no width that could be asked for. */
export function longestLine(text: string): number {
  let longest = 0;
  for (let start = 0; start < text.length;) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    longest = Math.max(longest, end - start);
    start = end + 1;
  }
  return Math.min(longest, 20_000);
}
