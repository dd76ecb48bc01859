import { expect, test } from "vitest";
import { address, formatLines, parse, parseLines, toArtifact, toCompile } from "./address";

test("an address survives being written and read", () => {
  for (const id of ["0/1", "!0/1/2", "-/-", "50%", "a b?c#d&e=f", "ü/☃"]) {
    expect(parse(toCompile(id)).path).toEqual(["c", id]);
    const at = parse(toArtifact(id, 3, "12-20"));
    expect(at).toEqual({ path: ["c", id, "3"], query: { L: "12-20" } });
  }
  const query = { q: "L['x'] & 100% #1", sort: "-time" };
  expect(parse(address(["compiles"], query))).toEqual({ path: ["compiles"], query });
});

test("the address of the contract", () => {
  expect(toCompile("0/1")).toBe("#/c/0%2F1");
  expect(toArtifact("0/1", 4, "12")).toBe("#/c/0%2F1/4?L=12");
  expect(address(["compiles"], { q: "", status: null })).toBe("#/compiles");
});

test("addresses typed by hand do not break the page", () => {
  expect(parse("").path).toEqual([]);
  expect(parse("#").path).toEqual([]);
  expect(parse("#/%E0%A4%A/x").path).toEqual(["%E0%A4%A", "x"]);
});

test("lines", () => {
  expect(parseLines("12")).toEqual([12, 12]);
  expect(parseLines("20-12")).toEqual([12, 20]);
  for (const bad of [undefined, "", "0", "x", "1-", "-3", "1.5"]) expect(parseLines(bad)).toBeNull();
  expect(formatLines(7, 7)).toBe("7");
  expect(formatLines(9, 7)).toBe("7-9");
});
