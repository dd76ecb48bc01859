// The source line that each line of a printed graph comes from: the comments above the nodes say it. No DOM.
export interface LineSource {
  file: string;
  line: number;
  /** "forward" */
  where: string;
  code: string;
  /** the line of the comment in the graph */
  comment: number;
}

const COMMENT = /^\s*#.*?\bFile: (.+?):(\d+)(?: in ([^,]*))?(?:, code: (.*))?$/;

const LONGEST = 4000; // characters of a comment, for hostile texts

/** For each line of a graph (from 1; place 0 is empty) the source of the node that is there; a comment's own line has it too. */
export function sourcesOf(lines: readonly string[]): (LineSource | null)[] {
  const found: (LineSource | null)[] = [null];
  let now: LineSource | null = null;
  lines.forEach((line, i) => {
    const text = line.trim();
    const comment = text.startsWith("#") ? COMMENT.exec(line.slice(0, LONGEST)) : null;
    if (comment)
      now = {
        file: comment[1]!,
        line: Number(comment[2]),
        where: comment[3] ?? "",
        code: comment[4] ?? "",
        comment: i + 1,
      };
    else if (!text || text.startsWith("# No stacktrace")) now = null; // an empty line ends what the comment speaks of
    found.push(comment || !/^(?:#|return\b)/.test(text) ? now : null);
  });
  return found;
}

export const placeKey = (file: string, line: number): string => `${file}:${line}`;
