import type { Address } from "../lib/address";

/** What each page of a report gets; the table of the pages is app/pages.ts. */
export interface PageProps {
  at: Address;
}
