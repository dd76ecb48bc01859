import { describe, expect, it } from "vitest";
import { artifactHelp } from "../ui/artifact-help";
import { PAGE_TEXTS, pageText, searchHelp, TERMS, termOf } from "../ui/help-registry";
import { PAGES } from "./pages";

describe("help", () => {
  it("is short: sentences of at most 40 words, texts of pages of at most 75", () => {
    for (const { title, text } of [...TERMS.map(({ term, text }) => ({ title: term, text })), ...PAGE_TEXTS])
      for (const sentence of text.split(/[.;:?] /)) expect(sentence.split(" ").length, title).toBeLessThan(40);
    for (const { title, text } of PAGE_TEXTS) expect(text.split(" ").length, title).toBeLessThan(75);
  });
  it("has a text for each page", () => {
    for (const page of PAGES.filter(({ key }) => key !== "page"))
      // shows pages that C wrote
      expect(pageText(page.key.split("/").filter(Boolean))?.page, page.key).toBe(page.key);
  });
  it("explains only terms that there are", () => {
    for (const text of PAGE_TEXTS)
      for (const key of text.terms) expect(termOf(key), `${text.page}: ${key}`).toBeDefined();
    expect(new Set(TERMS.map((term) => term.key)).size).toBe(TERMS.length);
  });
  it("knows artifacts by their names, with number and ending", () => {
    expect(artifactHelp("fx_graph_runnable")).toMatch(/reproduce/);
    expect(artifactHelp("fx_graph_runnable_12.txt")).toMatch(/reproduce/);
    expect(artifactHelp("aot_forward_graph_fw_metadata_3")).toMatch(/inputs/);
    expect(artifactHelp("vllm_submod_0")).toMatch(/piece/);
    expect(artifactHelp("f_ORIGINAL_BYTECODE")).toMatch(/before Dynamo/);
    expect(artifactHelp("f_MODIFIED_BYTECODE_7.txt")).toMatch(/generated/);
    expect(artifactHelp("model__0_forward_1_fused_3.txt")).toMatch(/simulate/);
    expect(artifactHelp("layer_fused_9.txt")).toBeNull();
    expect(artifactHelp("optimus_BatchLinearFusion_4.txt")).toMatch(/fusion/);
    expect(artifactHelp("flex_gemm_analysis_details_4.txt")).toMatch(/found out/);
    expect(artifactHelp("get_local_code_state_3.txt")).toMatch(/local cache/);
    expect(artifactHelp("before_post_grad_graph_3.txt")).toMatch(/before/);
    expect(artifactHelp("linkage")).toBeNull();
    expect(artifactHelp("")).toBeNull();
  });
  it("is found by search, names first", () => {
    expect(searchHelp("guard")[0]!.title).toBe("Guard");
    expect(searchHelp("GRAPH break")[0]!.title).toBe("Graph break");
    expect(searchHelp("symint")[0]!.title).toMatch(/Dynamic shape/);
    expect(searchHelp("no such word at all")).toEqual([]);
    expect(searchHelp("").length).toBeGreaterThan(80);
  });
});

it("no two pages of a report have the same key", () => {
  const letters = PAGES.flatMap((page) => page.letter ?? []);
  expect(letters).toEqual([...new Set(letters)]);
});
