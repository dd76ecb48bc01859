import { expect, test } from "vitest";
import { describe as describeState } from "./live";

const AT = new Date(2026, 10, 22, 12, 3, 5).getTime();

test("the page says whether it is live, when it was refreshed and since when the log has not changed", () => {
  const state = { report: 3, made_ms: AT, grew_ms: AT - 2000, still: false };
  expect(describeState(null, false)).toBe("Connecting…");
  expect(describeState(state, true)).toBe("Live · refreshed 12:03:05");
  expect(describeState({ ...state, still: true }, true)).toBe(
    "Live · refreshed 12:03:05 · log unchanged since 12:03:03",
  );
  expect(describeState(state, false)).toBe("Not live · refreshed 12:03:05");
  expect(describeState({ ...state, report: 0, made_ms: 0 }, true)).toBe("Live · no report yet");
});
