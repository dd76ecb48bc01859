// Which report is shown, where `tlparse follow --serve` renews it while the page is open; 0 until the first renewal. See live.ts.
let number = 0;

export function renewal(): number {
  return number;
}

/** What is loaded from now on belongs to the report with this number. */
export function renew(to: number): void {
  number = to;
}
