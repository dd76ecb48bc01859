import { useTitle } from "../../lib/hooks";
import { ParserBox } from "../../ui/ParserBox";
import { PageHead } from "../../ui/PageHead";

/** What the user's own parsers added to the report. */
export function Parsers() {
  useTitle("Parsers");
  return (
    <>
      <PageHead title="Parsers" />
      <div class="room" data-scroll="room">
        <ParserBox />
      </div>
    </>
  );
}
