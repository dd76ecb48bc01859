/** Ends what a text was made to make long: honest graphs need a small part of it. */
export class Budget {
  constructor(private left: number) {}

  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new TooMuchWork();
  }
}

export class TooMuchWork extends Error {
  constructor() {
    super("These graphs are too irregular to be compared as graphs.");
  }
}
