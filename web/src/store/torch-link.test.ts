import { expect, test } from "vitest";
import { torchRef, torchUrl } from "./torch-link";

const FILE = "/usr/lib/python3/site-packages/torch/nn/functional.py";

test("a release has its tag, a build of a commit the commit, others nothing", () => {
  expect(torchRef({ torch: "2.15.0" })).toBe("v2.15.0");
  for (const local of ["cpu", "cu132", "rocm6.4", "xpu"]) expect(torchRef({ torch: `2.9.1+${local}` })).toBe("v2.9.1");
  expect(torchRef({ torch: "2.9.0a0+git2249284" })).toBe("2249284");
  for (const other of ["2.10.0.dev20251101+cu128", "2.9.0a0", "2.9.0rc1", "2.4.0a0+07cecf4168.nv24.5", "2.9", "", null])
    expect(torchRef({ torch: other })).toBe(null);
  for (const hostile of ["2.9.0a0+gitx/../../y", "2.9.0+cpu/../..", "v2.9.0", "2.9.0\n", "2.9.0+git"])
    expect(torchRef({ torch: hostile })).toBe(null);
});

test("a nightly has the commit that its log names", () => {
  const torch_commit = "d0f2af8b66b20da4baa50644c0cd3f887a2eae2e";
  for (const torch of ["2.16.0.dev20261101", "2.16.0.dev20261101+cu132", "2.16.0.dev20261101+cpu"])
    expect(torchRef({ torch, torch_commit })).toBe(torch_commit);
  expect(torchRef({ torch: "2.16.0.dev20261101+cpu" })).toBe(null);
  expect(torchRef({ torch: "2.15.0+cpu", torch_commit })).toBe("v2.15.0");
  expect(torchRef({ torch: "2.16.0a0+gitd0f2af8", torch_commit })).toBe(torch_commit);
  expect(torchRef({ torch: "2.16.0a0+git2249284", torch_commit })).toBe("2249284");
  // The commit of a vendor's build may be in a repository of the vendor only.
  for (const torch of ["2.4.0a0+07cecf4168.nv24.5", "2.16.0a0", null])
    expect(torchRef({ torch, torch_commit })).toBe(null);
  for (const hostile of ["../../../evil", `${torch_commit}/..`, `${torch_commit}\n`, "main", ""])
    expect(torchRef({ torch: "2.16.0.dev20261101", torch_commit: hostile })).toBe(null);
  expect(torchUrl({ torch: "2.16.0.dev20261101", torch_commit }, FILE, 12)).toBe(
    `https://github.com/pytorch/pytorch/blob/${torch_commit}/torch/nn/functional.py#L12`,
  );
});

test("a place inside PyTorch links to its line", () => {
  expect(torchUrl({ torch: "2.15.0+cpu" }, FILE, 12)).toBe(
    "https://github.com/pytorch/pytorch/blob/v2.15.0/torch/nn/functional.py#L12",
  );
  expect(torchUrl({ torch: "2.15.0" }, "/usr/lib/python3/dist-packages/torch/_dynamo/eval_frame.py", null)).toBe(
    "https://github.com/pytorch/pytorch/blob/v2.15.0/torch/_dynamo/eval_frame.py",
  );
  expect(torchUrl({ torch: "2.9.0a0+git2249284" }, "C:\\py\\site-packages\\torch\\x.py", 3)).toBe(
    "https://github.com/pytorch/pytorch/blob/2249284/torch/x.py#L3",
  );
});

test("other files, and files that the build made, have none", () => {
  for (const file of [
    "/home/user/torch/model.py",
    "/usr/lib/site-packages/torchvision/models.py",
    "/usr/lib/site-packages/torch/version.py",
    "/usr/lib/site-packages/torch/../x.py",
    "/usr/lib/site-packages/torch//x.py",
    "/usr/lib/site-packages/torch/x.so",
    "torch/nn/functional.py",
    "",
    null,
  ])
    expect(torchUrl({ torch: "2.15.0" }, file, 1)).toBe(null);
  expect(torchUrl({ torch: "2.10.0.dev20251101" }, FILE, 1)).toBe(null);
  expect(torchUrl({ torch: "2.15.0" }, '/site-packages/torch/a b"><script>.py', 1)).toBe(
    "https://github.com/pytorch/pytorch/blob/v2.15.0/torch/a%20b%22%3E%3Cscript%3E.py#L1",
  );
});
