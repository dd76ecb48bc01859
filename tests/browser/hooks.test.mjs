// Links to code, and what the user's own parsers added: columns, sections, issues, links, files.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, room, visit } from "./lib/browser.mjs";
import { hooksReport } from "./lib/hooks.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const look = (at, body, report = hooksReport()) =>
  visit(report, {}, async (page, tools) => {
    await tools.open(`index.html${at}`);
    await body(page, tools);
  });
const panel = (page, title) => page.locator(".panel", { has: page.locator("h2", { hasText: title }) });
const attributes = (link) =>
  link.evaluate((a) => [a.getAttribute("href"), a.target, a.rel, a.title.includes("code of abc123")]);
const AT = "https://code.example.org/p/blob/abc123/src/graph_breaks.py#L";

test("places below the root link to the code of the commit, in a new tab", async () => {
  await look("#/breaks", async (page) => {
    await room(page, "Graph breaks");
    const links = page.locator('a[href^="https://code.example.org/"]');
    await links.first().waitFor();
    const [href, ...more] = await attributes(links.first());
    assert.match(href, /^https:\/\/code\.example\.org\/p\/blob\/abc123\/src\/graph_breaks\.py#L\d+$/);
    assert.deepEqual(more, ["_blank", "noopener noreferrer", true]);
    const text = await links.first().innerText();
    assert.equal(text.split(":").at(-1), href.split("#L")[1]);
  });
  await look("#/stacks", async (page) => {
    await page.locator(`.tree-row a[href^="${AT}"]`).first().waitFor();
  });
});

test("without a template, places are no links", () =>
  look(
    "#/breaks",
    async (page) => {
      await room(page, "Graph breaks");
      await page.locator(".place").first().waitFor();
      assert.equal(await page.locator(".place a").count(), 0);
      assert.equal(await page.locator('nav a[href="#/parsers"]').count(), 0);
    },
    sampleReport("graph_breaks"),
  ));

test("columns of a parser are in the list of compiles, sorted and copied like others", () =>
  look("#/compiles?group=none", async (page) => {
    const head = page.getByRole("columnheader", { name: "Lines" });
    await head.waitFor();
    await page.getByRole("columnheader", { name: "First <b>" }).waitFor();
    await page.getByText("<script>alert(1)</script>").first().waitFor();
    await head.getByRole("button").click();
    await eventually(() => head.getAttribute("aria-sort"), "descending");
    await page.getByText("Columns", { exact: true }).first().click();
    await page.getByRole("checkbox", { name: "Lines" }).uncheck();
    await eventually(() => head.count(), 0);
  }));

test("the page of parsers shows sections, issues, links, files, and what went wrong", () =>
  look("#/parsers", async (page) => {
    await room(page, "Parsers");
    const sizes = panel(page, "Sizes <b>");
    await sizes.waitFor();
    assert.match(await sizes.innerText(), /parser dynamo_graph_break_reason[\s\S]*two <img src=x onerror=alert\(1\)>/);
    assert.equal(await sizes.locator("tbody tr").count(), 200);
    await sizes.getByRole("button", { name: "100 more rows" }).click();
    await eventually(() => sizes.locator("tbody tr").count(), 300);
    const issues = panel(page, "Issues from a parser");
    assert.match(
      await issues.innerText(),
      /Tile too small[\s\S]*64 < 128[\s\S]*graph_breaks\.py:11 in prints[\s\S]*Fix: Use a larger tile\./,
    );
    assert.equal(await issues.locator(".why code").innerText(), "64 < 128");
    assert.deepEqual(await attributes(issues.locator("a").first()), [`${AT}11`, "_blank", "noopener noreferrer", true]);
    const link = panel(page, "Links").getByRole("link", { name: "Dashboard" });
    assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
    const file = panel(page, "Files").getByRole("link").first();
    assert.match(await file.getAttribute("href"), /^parsers\/dynamo_graph_break_reason\/.*plan\.html\.txt$/);
    assert.match(await panel(page, "Parser failed").innerText(), /exit status 1: no <b>[\s\S]*left out/);
    await page.getByText("1 line of its answer was ignored").waitFor();
    assert.equal(await page.locator('nav a[href="#/parsers"] .bad').innerText(), "2");
  }));

test("a compile shows what is of it, and the overview the issues", async () => {
  await look("#/c/0%2F0", async (page) => {
    const values = panel(page, "Values");
    await values.waitFor();
    assert.match(await values.innerText(), /Lines\s+\d+/);
    await panel(page, "Issues from a parser").waitFor();
    await panel(page, "Links").getByRole("link", { name: "Dashboard" }).waitFor();
    assert.equal(await panel(page, "Sizes <b>").count(), 0);
  });
  await look("#/", async (page) => {
    const issues = panel(page, "Issues from a parser");
    await issues.waitFor();
    assert.match(await issues.locator("h2").innerText(), /parser dynamo_graph_break_reason/);
    await panel(page, "Parser failed").waitFor();
    assert.equal(await panel(page, "Links").count(), 0);
  });
});
