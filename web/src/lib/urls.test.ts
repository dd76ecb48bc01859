import { beforeAll, expect, test } from "vitest";
import { encodePath, inside, outside, withSearch } from "./address";

beforeAll(() => {
  // root() asks the body for the way to the report's folder
  (globalThis as unknown as { document: unknown }).document = { body: { dataset: {} } };
});

test("only http and https lead outside", () => {
  expect(outside("https://example.org/a?b#c")).toBe("https://example.org/a?b#c");
  for (const bad of [
    "javascript:alert(1)",
    " jAvAsCrIpT:alert(1)",
    "data:text/html,x",
    "//evil",
    "vbscript:x",
    "http://a b",
    "",
    null,
    undefined,
  ])
    expect(outside(bad)).toBeNull();
});

test("only paths of the report are inside", () => {
  expect(inside("-_0_0_0/a_1.txt")).toBe("-_0_0_0/a_1.txt");
  for (const bad of [
    "../x",
    "a/../../x",
    "/etc/passwd",
    "\\\\host\\x",
    "javascript:alert(1)",
    "file:///x",
    "a\\..\\b",
    " x",
    "",
    null,
  ])
    expect(inside(bad)).toBeNull();
});

test("the query of the page is passed on", () => {
  expect(withSearch("data/report.js", "?token=x")).toBe("data/report.js?token=x");
  expect(withSearch("a.html#L3", "?token=x")).toBe("a.html?token=x#L3");
  expect(withSearch("a.html?b=1#L3", "?token=x")).toBe("a.html?b=1&token=x#L3");
  expect(withSearch("a.html", "")).toBe("a.html");
});

test("names of files become URLs", () => {
  expect(encodePath("-_0_0_0/100% #1?.txt")).toBe("-_0_0_0/100%25%20%231%3F.txt");
});
