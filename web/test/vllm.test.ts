import { expect, it } from "vitest";
import { configText } from "../src/data/vllm";

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
