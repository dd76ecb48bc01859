import { address } from "../lib/address";
import { useKeys } from "../lib/keys";
import { refText, type Ref } from "../store/partners";

/** In the head of an artifact: leads to its comparison. */
export function CompareLink({ id, n }: Ref) {
  const href = address(["compare"], { a: refText({ id, n }) });
  useKeys({ "=": () => (location.hash = href) });
  return (
    <a class="button" href={href} title="Compare with another compile, attempt or stage (=)">
      Compare
    </a>
  );
}
