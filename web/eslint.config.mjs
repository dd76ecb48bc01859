// Rules that find defects, and the rules of this front end. Format is Prettier's business.
import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const MARKUP = "text of a log must never become markup";
const HERE = "blocked on file://, or leaves the report";
// Effects of these run when a part of their inputs changes: a new difference or query, a text that was opened, a worker that answers.
// With all inputs they would also run on each selection, or on each frame.
const DEPENDENCIES_CHOSEN = [
  "src/features/code/PaneBox.tsx",
  "src/features/code/useLine.ts",
  "src/features/compile/ArtifactView.tsx",
  "src/features/ranks/RanksDiffList.tsx",
  "src/features/search/Search.tsx",
  "src/features/search/SearchResults.tsx",
  "src/features/search/useSearch.ts",
  "src/lib/hooks.ts",
  "src/standalone/provenance.tsx",
  "src/ui/TextDiff.tsx",
  "src/ui/Grid.tsx",
  "src/ui/flame/Flame.tsx",
  "src/ui/graph/PictureBox.tsx",
];
const restricted = [
  [
    "MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|srcdoc)$/]",
    MARKUP,
  ],
  ["JSXAttribute[name.name=/^(dangerouslySetInnerHTML|innerHTML|srcdoc)$/]", MARKUP],
  ["CallExpression[callee.object.name='document'][callee.property.name=/^write(ln)?$/]", MARKUP],
  ["ImportExpression", HERE],
  ["NewExpression[callee.name='Worker']:not([arguments.0.name='blobUrl'])", HERE],
  ["MemberExpression[property.name='sendBeacon']", HERE],
  ["Literal[value=/^https?:\\u002F\\u002F(?!www\\.w3\\.org)/]", "no addresses of other hosts"],
  ["TemplateElement[value.raw=/^https?:\\u002F\\u002F/]", "no addresses of other hosts"],
];

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/store/generated"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.mjs"],
    extends: [js.configs.recommended],
    languageOptions: { globals: { URL: "readonly", console: "readonly", process: "readonly" } },
    rules: { eqeqeq: "error" },
  },
  {
    files: ["src/**/*.{ts,tsx}", "test/**/*.ts"],
    extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
    plugins: { "react-hooks": hooks },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-lines": ["error", 600],
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "always" }], // lib/tl.ts: bundles add themselves
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }], // as handlers
    },
  },
  { files: ["src/ui/viewer/*.ts"], rules: { "react-hooks/rules-of-hooks": "off" } }, // an editor without Preact
  {
    files: DEPENDENCIES_CHOSEN,
    rules: { "react-hooks/exhaustive-deps": "off" },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    ignores: ["**/*.test.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...["fetch", "XMLHttpRequest", "EventSource", "WebSocket"].map((name) => ({ name, message: HERE })),
      ],
      "no-restricted-syntax": ["error", ...restricted.map(([selector, message]) => ({ selector, message }))],
    },
  },
);
