// What is chosen on the page of a line, and what that marks. The address has the line and, if something was chosen in another pane than the source,
// that pane and its line: "post-12".
import { useMemo } from "preact/hooks";
import { replaceQuery } from "../../lib/address";
import type { CodePairs, PaneName, Related, SourcePlace, TextPane } from "../../store/code-pairs";

const NOTHING: Related = { places: [], lines: { dynamo: [], post: [], code: [] } };

interface Pick {
  pane: TextPane;
  line: number;
}

function parsePick(text: string | undefined): Pick | null {
  const found = /^(dynamo|post|code)-(\d{1,9})$/.exec(text ?? "");
  return found && { pane: found[1] as TextPane, line: Number(found[2]) };
}

export interface Choice {
  /** null: a line of source is chosen */
  pick: Pick | null;
  related: Related;
  /** lines of the file to mark */
  lines: number[];
  choose: (pane: PaneName, line: number) => void;
}

/** `pairs` are null until the texts are there; `nth` is the graph that is shown. */
export function useChoice(asked: string | undefined, place: SourcePlace, pairs: CodePairs | null, nth: number): Choice {
  const pick = useMemo(() => parsePick(asked), [asked]);
  const related = useMemo(
    () => (!pairs ? NOTHING : pick ? pairs.ofLine(pick.pane, pick.line) : pairs.ofPlace(place)),
    [pairs, pick, place],
  );
  const lines = useMemo(() => {
    if (!pick) return place.line ? [place.line] : [];
    return [...new Set(related.places.filter(({ file }) => file === place.file).map(({ line }) => line))];
  }, [related, pick, place]);
  const choose = (pane: PaneName, to: number) => {
    if (pane === "source") return replaceQuery({ line: `${to}`, pick: null });
    const next = nearest(pairs?.ofLine(pane, to).places ?? [], place);
    replaceQuery({ ...(next && { file: next.file, line: `${next.line}` }), graph: `${nth}`, pick: `${pane}-${to}` });
  };
  return { pick, related, lines, choose };
}

/** Of several places the one that is shown, else one of the same file. */
function nearest(places: readonly SourcePlace[], { file, line }: SourcePlace): SourcePlace | undefined {
  const same = places.filter((place) => place.file === file);
  return same.find((place) => place.line === line) ?? same[0] ?? places[0];
}
