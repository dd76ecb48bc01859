// Runs the suites that run.mjs names in TL_SUITES, several at a time, in this process: one Node and one browser, which this process
// drives without a socket, take half of the CPU that a process for each suite takes. A suite's own tests run one after the other.
import { after, describe, test } from "node:test";
import { endBrowser } from "./lib/browser.mjs";
import { gather } from "./lib/test.mjs";

const { suites, concurrency } = JSON.parse(process.env.TL_SUITES);
const read = [];
for (const { name, titles } of suites) {
  let suite;
  try {
    suite = await gather(() => import(`./${name}.test.mjs`));
  } catch (error) {
    suite = { tests: [["the suite can be read", () => Promise.reject(error)]], ends: [] };
  }
  read.push({
    name,
    ...suite,
    tests: suite.tests.filter(([title]) => !titles || titles.some((text) => title.includes(text))),
  });
}
describe("suites", { concurrency }, () => {
  for (const { name, tests, ends } of read)
    describe(name, { concurrency: 1 }, () => {
      for (const how of tests) test(...how);
      for (const end of ends) after(end);
    });
  after(endBrowser);
});
