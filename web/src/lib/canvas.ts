// A canvas as sharp as the screen.

/** Fits the canvas's pixels to a size in CSS pixels and gives its context, scaled so that one draws in CSS pixels; undefined where there is nothing to draw on. */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | undefined {
  const ratio = Math.min(window.devicePixelRatio || 1, 2); // finer is not seen, and costs
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const g = canvas.getContext("2d");
  if (!g || width <= 0) return undefined;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  return g;
}
