import { expect, it } from "vitest";
import { configText, elapsed } from "../src/data/vllm";

it("settings of vLLM are told as people write them", () => {
  expect(configText("CompilationMode.VLLM_COMPILE")).toBe("VLLM_COMPILE");
  expect(configText("meta-llama/Llama.3B")).toBe("meta-llama/Llama.3B");
  expect(configText('["vllm::unified_attention", "vllm::mamba_mixer"]')).toBe("vllm::unified_attention\nvllm::mamba_mixer");
  expect(configText("[64, 2048]")).toBe("64, 2048");
  expect(configText("[]")).toBe("none");
  expect(configText('{"post": "Manager", "n": [1]}')).toBe("post: Manager\nn: [1]");
  expect(configText("[not json")).toBe("[not json");
  expect(configText(true)).toBe("yes");
});

it("times of pieces are summed where they are known", () => {
  const piece = (elapsed_us?: number) => ({ name: "a", artifacts: [], ...(elapsed_us === undefined ? {} : { elapsed_us }) });
  expect(elapsed([piece(2), piece(), piece(3)])).toBe(5);
  expect(elapsed([piece()])).toBeNull();
  expect(elapsed([])).toBeNull();
});
