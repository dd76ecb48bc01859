// What of a sentence is code. Our own texts have it in backticks; PyTorch's texts often have not, so what can be nothing but code is found
// by its form. Plain English must never be taken for code: a word needs an underscore, a call, a subscript, an "=" or a known module.

export type Piece = readonly [kind: "text" | "code" | "link", text: string];

const NAME = String.raw`[A-Za-z_]\w{0,99}`;
const DOTTED = String.raw`${NAME}(?:\.${NAME}){1,12}`;
const VALUE = String.raw`(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|-?[\w.]{0,99}\w)`;

/** Where code may begin; the first that fits counts. */
const START = new RegExp(
  [
    String.raw`(?<ticks>\`\`[^\`\n]{1,500}\`\`|\`[^\`\n]{1,500}\`)`,
    String.raw`(?<link>\bhttps?:\/\/[^\s<>"'\`)]{1,500}[^\s<>"'\`).,:;])`,
    // paths: /home/me/model.py:12, model.py:12
    String.raw`(?<path>(?<![\w/.:])(?:(?:\/[\w.+@-]{1,99}){2,30}|[\w-]{1,99}\.py\b)(?::\d+)?)`,
    // <function f at 0x7f…>, <class 'A'>
    String.raw`(?<object><(?:function|class|built-in|bound|method|module|slot|unbound|lambda|torch|listcomp|genexpr)\b[^<>\n]{0,200}>|<lambda>)`,
    // has_kwargs False
    String.raw`(?<flag>(?<![\w.])${NAME}_\w{1,60} (?:True|False|None)\b)`,
    // dynamic=True, TORCH_LOGS="+dynamic", torch._dynamo.config.x = True
    String.raw`(?<set>(?<![\w.])(?:${DOTTED} = |${NAME}(?:\.${NAME}){0,12}=)(?=[\w"'([{.-])${VALUE}?)`,
    // ValueError, torch.fx.TraceError
    String.raw`(?<error>(?<![\w.])(?:${NAME}\.){0,9}[A-Z][A-Za-z0-9]{1,60}(?:Error|Exception|Warning|Interrupt)\b)`,
    String.raw`(?<name>(?<![\w.])(?:${DOTTED}|${NAME}))`,
    // ['str'], [3, 4]
    String.raw`(?<list>\[(?:'[^'\n]{0,80}'|"[^"\n]{0,80}"|-?\d[\w.]{0,20}, ?-?\w{1,20})(?:, ?(?:'[^'\n]{0,80}'|"[^"\n]{0,80}"|-?\w{1,20})){0,30}\])`,
  ].join("|"),
  "g",
);
const MODULES =
  /^(?:torch|torchvision|self|numpy|np|nn|functools|builtins|aten|prims|triton|inductor|dynamo|config|F|G|L|Dim|__\w+__)\./;
const MOST = 600;

/** The end of the brackets that open at `at`, or -1 where they do not close nearby. Strings within are skipped. */
function closed(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length && i < at + MOST; i++) {
    const c = text[i]!;
    if (c === "'" || c === '"') {
      const end = text.indexOf(c, i + 1);
      if (end < 0 || end > at + MOST) return -1;
      i = end;
    } else if (c === "(" || c === "[" || c === "{") depth++;
    else if (c === ")" || c === "]" || c === "}") {
      if (--depth === 0) return i + 1;
    } else if (c === "\n") return -1;
  }
  return -1;
}

/** What follows a name at once: calls, subscripts, attributes. */
function extended(text: string, end: number): number {
  for (;;) {
    const c = text[end];
    if (c === "(" || c === "[") {
      const to = closed(text, end);
      if (to < 0 || (c === "(" && /^\((?:s|es|ies|ed)\)$/.test(text.slice(end, to)))) return end;
      end = to;
    } else if (c === "." && /^\.[A-Za-z_]\w{0,99}/.test(text.slice(end, end + 101)))
      end += /^\.\w+/.exec(text.slice(end, end + 101))![0].length;
    else return end;
  }
}

/** A condition goes on behind the name: x.shape[0] == 4. */
const RELATION = /^ (?:==|!=|<=|>=) (?:-?\d+(?:\.\d+)?|'[^'\n]{0,80}'|[A-Za-z_][\w.]{0,60}\w|\w)(?![\w(])/;

/** Whether arguments of a bare word are code: "print('x')" and "backward()" are, "see(below)" is not. */
const isCall = (inner: string): boolean => inner === "()" || /[=,'"[\]*_<>]|\.\w|\d/.test(inner);

function nameEnd(text: string, name: string, from: number): number {
  const bare = from + name.length;
  const end = extended(text, bare);
  const rest = text.slice(bare, end);
  const dotted = name.includes(".");
  const known = name.includes("_")
    ? !/^_+$/.test(name)
    : (dotted && MODULES.test(name)) ||
      (dotted && rest.startsWith("(")) ||
      rest.startsWith("[") ||
      (rest.startsWith("(") && isCall(rest));
  if (!known) return -1;
  const relation = RELATION.exec(text.slice(end, end + 160));
  return relation ? end + relation[0].length : end;
}

/** A text in pieces of prose, code and links, in order; together they are the text, but for the backticks. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let last = 0;
  const add = (kind: Piece[0], shown: string, from: number, to: number) => {
    if (from > last) found.push(["text", text.slice(last, from)]);
    found.push([kind, shown]);
    last = to;
  };
  START.lastIndex = 0;
  for (let match = START.exec(text); match; match = START.exec(text)) {
    const groups = match.groups!;
    const at = match.index;
    let end = at + match[0].length;
    if (groups.ticks) add("code", match[0].replace(/^`+|`+$/g, ""), at, end);
    else if (groups.link) add("link", match[0], at, end);
    else if (groups.name !== undefined) {
      const to = nameEnd(text, groups.name, at);
      if (to < 0) continue;
      add("code", text.slice(at, to), at, (end = to));
    } else {
      if (groups.set) end = text[end] && /[([{]/.test(text[end]!) ? Math.max(end, closed(text, end)) : end;
      if (groups.object || groups.error || groups.set) end = groups.error ? end : extended(text, end);
      add("code", text.slice(at, end), at, end);
    }
    START.lastIndex = end;
  }
  if (last < text.length) found.push(["text", text.slice(last)]);
  return found;
}

export type Block = readonly [kind: "text" | "code", text: string];

/** A line that is code by itself: of a traceback or a graph. */
const CODE_LINE = /^(?:# )?File "[^"\n]*", line \d+|^Traceback \(most recent|^[\w.]+(?:: \S+)? = \S|^# .*code: /;

/** Paragraphs, and the lines of tracebacks and graphs between them. */
export function blocks(text: string): Block[] {
  const found: [Block[0], string[]][] = [];
  let indent = -1;
  for (const line of text.replace(/\s+$/, "").split("\n")) {
    const own = /^\s*/.exec(line)![0].length;
    const code = CODE_LINE.test(line.trim()) || (indent >= 0 && own > indent && line.trim() !== "");
    if (code && indent < 0) indent = own;
    if (!code) indent = -1;
    const kind = code ? "code" : "text";
    if (found.at(-1)?.[0] === kind) found.at(-1)![1].push(line);
    else found.push([kind, [line]]);
  }
  return found
    .map(([kind, lines]): Block => {
      if (kind === "text")
        return [
          kind,
          lines
            .map((line) => line.trim())
            .join("\n")
            .trim(),
        ];
      const least = Math.min(...lines.map((line) => /^\s*/.exec(line)![0].length));
      return [kind, lines.map((line) => line.slice(least)).join("\n")];
    })
    .filter(([, said]) => said !== "");
}
