/** Words that must all occur, in any order and case: what people expect of a filter box. */
export function words(query: string | undefined): string[] {
  return (query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
}

export function matches(haystack: string, wanted: readonly string[]): boolean {
  return wanted.every((word) => haystack.includes(word));
}
