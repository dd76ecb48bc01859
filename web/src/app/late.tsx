// Pages of assets/pages.js, loaded when the first of them is opened.
import type { ComponentType } from "preact";
import { useLoaded } from "../lib/hooks";
import { bundle, bundleNow, type Bundles } from "../lib/tl";
import { Failed, Loading, type PageProps } from "../ui/page";

type Pages = Bundles["pages"];
/** The bundle has parts of pages, too. */
type PageName = { [K in keyof Pages]: Pages[K] extends (props: PageProps) => unknown ? K : never }[keyof Pages];

/** The page of that name, which shows that it is loading the first time. */
export function late(name: PageName): ComponentType<PageProps> {
  return ({ at }: PageProps) => {
    const now = bundleNow("pages")?.[name];
    const loaded = useLoaded(() => bundle("pages"), []);
    const Component = now ?? (loaded.state === "ready" ? loaded.value[name] : null);
    if (Component) return <Component at={at} />;
    return loaded.state === "failed" ? <Failed error={loaded.error} /> : <Loading what="the page" />;
  };
}
