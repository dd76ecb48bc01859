// The one global of the page. Data scripts call tl.put(); bundles that are loaded when they are needed call tl.register().
import { loadScript, put } from "./parts";
import { root } from "./address";

/** What each bundle of assets/ offers. A bundle adds itself (`declare module`), so this file knows none of them. */
export interface Bundles {}

export interface Tl {
  put(key: string, base64: string): void;
  register<K extends keyof Bundles>(name: K, exports: Bundles[K]): void;
}

declare global {
  interface Window {
    tl: Tl;
  }
}

const bundles: Partial<Bundles> = {};

/** `onPut` hears of each part that arrives. */
export function defineTl(onPut: (key: string) => void): void {
  window.tl = {
    put: (key, base64) => {
      put(key, base64);
      onPut(key);
    },
    register: (name, exports) => {
      bundles[name] = exports;
    },
  };
}

/** A bundle of assets/ if it has been loaded. */
export const bundleNow = <K extends keyof Bundles>(name: K): Partial<Bundles>[K] => bundles[name];

/** A bundle of assets/, loaded the first time. */
export async function bundle<K extends keyof Bundles>(name: K): Promise<Bundles[K]> {
  if (!bundles[name]) await loadScript(`${root()}assets/${name}.js`, `assets/${name}.js`);
  const loaded = bundles[name];
  if (!loaded) throw new Error(`assets/${name}.js does not fit this page: was the report written by another version?`);
  return loaded;
}
