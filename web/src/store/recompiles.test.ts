import { describe, expect, it } from "vitest";
import { moduleName, moduleRecompiles, modulesOf } from "./recompiles";
import type { Recompile } from "./report";

const chain = (modules: (number | null)[]) => ({ modules }) as Recompile;

describe("modules of a chain", () => {
  it("counts those that are known", () => {
    expect(modulesOf(chain([0, 1, null, 1, 0]))).toBe(2);
    expect(modulesOf(chain([null, null]))).toBe(0);
  });
  it("numbers them from 1, and names no unknown one", () => {
    expect(moduleName(chain([0, null]), 0)).toBe("#1");
    expect(moduleName(chain([0, null]), 1)).toBeNull();
    expect(moduleName(chain([0]), 5)).toBeNull();
  });
  it("does not count the first compile of a module as a recompile of it", () => {
    expect(moduleRecompiles(chain([0, 1, 2, 1, 0, 1, null]))).toEqual([
      [1, 2],
      [0, 1],
    ]);
    expect(moduleRecompiles(chain([0, 1, 2]))).toEqual([]);
  });
});
