import { tagHighlighter, tags as t } from "@lezer/highlight";

/** Syntax as classes, so that the colors are in the style sheet and follow the theme. */
export const highlighter = tagHighlighter([
  { tag: [t.keyword, t.moduleKeyword, t.self, t.null, t.bool, t.operatorKeyword], class: "tok-k" },
  { tag: [t.string, t.special(t.string), t.character], class: "tok-s" },
  { tag: [t.comment, t.meta, t.processingInstruction], class: "tok-c" },
  { tag: [t.number, t.unit], class: "tok-n" },
  { tag: [t.typeName, t.className, t.namespace], class: "tok-t" },
  { tag: [t.function(t.definition(t.variableName)), t.definition(t.className)], class: "tok-d" },
]);
