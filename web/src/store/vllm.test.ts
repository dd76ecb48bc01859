import { expect, it } from "vitest";
import { configText, elapsed, elapsedText, stampTime } from "./vllm";

it("settings of vLLM are shown as people write them", () => {
  expect(configText("CompilationMode.VLLM_COMPILE")).toBe("VLLM_COMPILE");
  expect(configText("meta-llama/Llama.3B")).toBe("meta-llama/Llama.3B");
  expect(configText('["vllm::unified_attention", "vllm::mamba_mixer"]')).toBe(
    "vllm::unified_attention\nvllm::mamba_mixer",
  );
  expect(configText("[64, 2048]")).toBe("64, 2048");
  expect(configText("[]")).toBe("none");
  expect(configText("")).toBe("none");
  expect(configText('{"post": "Manager", "n": [1]}')).toBe("post: Manager\nn: [1]");
  expect(configText("[not json")).toBe("[not json");
  expect(configText(true)).toBe("yes");
});

it("times of pieces are summed where they are known", () => {
  const piece = (elapsed_us?: number) => ({
    name: "a",
    artifacts: [],
    ...(elapsed_us === undefined ? {} : { elapsed_us }),
  });
  expect(elapsed([piece(2), piece(), piece(3)])).toBe(5);
  expect(elapsed([piece()])).toBeNull();
  expect(elapsed([])).toBeNull();
  expect(elapsedText([piece(2000), piece(3000)])).toBe("5\u00a0ms");
  expect(elapsedText([piece(636000), piece(), piece(339000), piece()])).toBe("975\u00a0ms (2 of 4 timed)");
  expect(elapsedText([piece()])).toBe("");
});

it("stamps of whole milliseconds give no zero and no decimals", () => {
  expect(stampTime(0)).toBe("<\u00a01\u00a0ms");
  expect(stampTime(11_000)).toBe("11\u00a0ms");
  expect(stampTime(19_484_000)).toBe("19.5\u00a0s");
});
