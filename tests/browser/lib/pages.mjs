// What a walk over the pages of a report needs.
import assert from "node:assert/strict";
import { settled } from "./browser.mjs";

/** Every address that the navigation leads to, a compile with its first artifact, and a search. */
export async function addresses(page, least) {
  await page.locator("main h1").first().waitFor();
  const rooms = await page
    .locator(".rooms #rooms a")
    .evaluateAll((links) => links.map((a) => a.getAttribute("href")).filter((href) => href.startsWith("#/")));
  assert.ok(rooms.length >= least, `${rooms.length} pages`);
  await settled(page);
  const [compile] = await page
    .locator('main a[href^="#/"][href*="/c/"]')
    .evaluateAll((links) => links.map((a) => a.getAttribute("href")));
  return [
    ...rooms,
    ...(compile ? [compile, `${compile}/0`] : []),
    ...rooms.filter((href) => href.endsWith("/search")).map((href) => `${href}?q=aten`),
  ];
}

/** Follows a link to another page of the report, as opposed to loading it. */
export const goTo = (page, at) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, at);

/** The page at an address has all that it shows. */
export async function shown(page, at) {
  await page.locator("main h1").first().waitFor();
  if (at.includes("q=")) await page.locator(".search-hit mark").first().waitFor();
  await settled(page);
  return (await page.locator("main .state.failed").allInnerTexts()).map((text) => `${at}  ${text}`);
}
