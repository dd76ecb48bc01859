// Declares tests as node:test does. suites.mjs reads many suites in one process: there, what a suite declares is gathered first.
import * as node from "node:test";

let gathered = null; // what the suite that is being read declares

/** Declares a test. */
export const test = (...how) => (gathered ? void gathered.tests.push(how) : node.test(...how));
/** Declares what follows the last test of the suite. */
export const after = (body) => (gathered ? void gathered.ends.push(body) : node.after(body));

/** What a suite declares while `read` imports it. One at a time. */
export async function gather(read) {
  const suite = { tests: [], ends: [] };
  gathered = suite;
  try {
    await read();
  } finally {
    gathered = null;
  }
  return suite;
}
