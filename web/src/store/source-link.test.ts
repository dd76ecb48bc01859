import { expect, test } from "vitest";
import { codeUrl } from "./source-link";

const link = { template: "https://h/p/blob/abc/{path}#L{line}", commit: "abc", roots: ["/work/p", ""] };
const one = { ...link, roots: ["/work/p"] };

test("a file below a root has a link to its line", () => {
  expect(codeUrl(one, "/work/p/a/b.py", 7)).toBe("https://h/p/blob/abc/a/b.py#L7");
  expect(codeUrl(link, "/etc/x.py", 1)).toBe("https://h/p/blob/abc/etc/x.py#L1"); // the root "/"
  expect(codeUrl(one, "/work/p/a.py", 0)).toBe("https://h/p/blob/abc/a.py");
  expect(codeUrl({ ...one, template: "https://h/{path}?l={line}" }, "/work/p/a.py", null)).toBe("https://h/a.py?l=1");
});

test("a file elsewhere has none", () => {
  for (const file of ["/work/pp/a.py", "/work/p", "a.py", "/tmp/a.py", "<string>", "", null, undefined])
    expect(codeUrl(one, file, 1)).toBe(null);
  expect(codeUrl(undefined, "/work/p/a.py", 1)).toBe(null);
});

test("a hostile path cannot leave the folder, the host or the path", () => {
  for (const file of ["/work/p/../q/a.py", "/work/p/./a.py", "/work/p//a.py", "/work/p/a/..", "/work/p/"])
    expect(codeUrl(one, file, 1)).toBe(null);
  const hostile = codeUrl(one, `/work/p/a b?c#d"><script>{line}{path}%2e%2e\u202e\ud800.py`, 3)!;
  expect(hostile).toBe(
    "https://h/p/blob/abc/a%20b%3Fc%23d%22%3E%3Cscript%3E%7Bline%7D%7Bpath%7D%252e%252e%E2%80%AE%EF%BF%BD.py#L3",
  );
  expect(codeUrl(one, "/work/p/javascript:alert(1)", 1)).toBe("https://h/p/blob/abc/javascript%3Aalert(1)#L1");
  for (const template of [
    "javascript:alert({path})",
    "https://{path}",
    "https://h{path}/",
    "//h/{path}",
    "data:,{path}",
  ])
    expect(codeUrl({ ...one, template }, "/work/p/evil.example/a.py", 1)).toBe(null);
});

test("a template with a hash links only files that have one", () => {
  const hashed = { ...one, template: "https://h/{hash}/{path}", hashes: { "a.py": "0123" } };
  expect(codeUrl(hashed, "/work/p/a.py", 1)).toBe("https://h/0123/a.py");
  expect(codeUrl(hashed, "/work/p/b.py", 1)).toBe(null);
  expect(codeUrl(hashed, "/work/p/constructor", 1)).toBe(null);
});
