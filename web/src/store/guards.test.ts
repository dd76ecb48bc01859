import { expect, test } from "vitest";
import { ownerOf } from "./guards";

const place = (file: string, library = false) => ({ file, line: 1, function: "f", ...(library ? { library } : {}) });
const FILES = [
  { file: "/home/me/src/train.py", library: false },
  { file: "/home/me/src/utils.py", library: false },
  { file: "/usr/lib/python3/site-packages/timm/utils.py", library: true },
  { file: "/usr/lib/python3/site-packages/transformers/models/bert.py", library: true },
];

test("whose line a guard names is known by the files of the stacks", () => {
  expect(ownerOf(place("home/me/src/train.py"), FILES)).toBe("user");
  expect(ownerOf(place("ransformers/models/bert.py"), FILES)).toBe("library");
  expect(ownerOf(place("utils.py"), FILES)).toBe(null);
  expect(ownerOf(place("other.py"), FILES)).toBe(null);
  expect(ownerOf(place("nn/modules/conv.py", true), FILES)).toBe("library");
});
