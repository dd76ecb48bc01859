// Walks through a text: words, strings, lines. A place behind the end is the end.
export class Scanner {
  protected at = 0;

  constructor(protected readonly text: string) {}

  protected word(): string {
    const from = this.at;
    while (isWordCode(this.text.charCodeAt(this.at))) this.at++;
    return this.text.slice(from, this.at);
  }

  /** From a quote to behind the one that ends it; a plain string ends with its line at the latest. */
  protected string(): void {
    const { text } = this;
    const quote = text[this.at]!;
    const triple = text[this.at + 1] === quote && text[this.at + 2] === quote;
    if (triple) {
      const end = text.indexOf(quote.repeat(3), this.at + 3);
      this.at = end < 0 ? text.length : end + 3;
      return;
    }
    for (this.at++; this.at < text.length; this.at++) {
      const c = text[this.at]!;
      if (c === "\n") return;
      if (c === "\\" && text[this.at + 1] !== "\n") this.at++;
      else if (c === quote) {
        this.at++;
        return;
      }
    }
    this.at = Math.min(this.at, text.length);
  }

  protected lineEnd(from: number): number {
    const end = this.text.indexOf("\n", from);
    return end < 0 ? this.text.length : end;
  }
}

export function isWord(c: string): boolean {
  return isWordCode(c.charCodeAt(0));
}

/** ASCII only, as FX makes its names; NaN, behind the end, is none. */
function isWordCode(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95;
}

export function isDigit(c: string): boolean {
  return c >= "0" && c <= "9";
}
