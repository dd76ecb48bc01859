// assets/drawing.js: what draws graphs and the compile matrix, which no first view needs. build.mjs wraps it so that its text is a
// worker's program as well.
export * from "../lib/graph/drawing-bundle";
export * as matrix from "../features/ranks/RanksCanvas";
