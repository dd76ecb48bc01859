// Writes src/store/generated/report.ts: the types of report.json and of the page's data, from the schemas in doc/. Run it
// with `npm run types`; build, check and test do so first. The file is not committed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const web = fileURLToPath(new URL("..", import.meta.url));
const out = join(web, "src/store/generated/report.ts");
const read = (name) => readFileSync(join(web, "../doc", name), "utf8");
const report = JSON.parse(read("report.schema.json"));
const page = JSON.parse(read("page-data.schema.json").replaceAll('"report.schema.json#/', '"#/'));

/**
 * The same schema in the words that the generator knows: it takes neither keywords beside $ref nor prefixItems, and would make a union of tuples out of
 * bounds on the length of a list.
 */
function simpler(schema) {
  if (Array.isArray(schema)) return schema.map(simpler);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, prefixItems, minItems, maxItems, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, simpler(value)]),
  );
  if (prefixItems) return { ...rest, items: prefixItems, additionalItems: false, minItems, maxItems };
  if ($ref && Object.keys(rest).length) return { ...rest, allOf: [{ $ref }] };
  return $ref ? { $ref } : rest;
}

const $defs = simpler({ ...report.$defs, ...page.$defs });
const root = { type: "object", properties: {}, $defs };
const types = await compile(root, "Definitions", {
  additionalProperties: false,
  bannerComment:
    "// Generated from doc/report.schema.json and doc/page-data.schema.json by dev/types.mjs: change those.",
  enableConstEnums: false,
  format: false,
  unreachableDefinitions: true,
});
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, types);
