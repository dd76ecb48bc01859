// The tokens' colors for a canvas, which knows neither custom properties nor light-dark(): the browser works each out on an element.
import { theme, type Theme } from "./theme";

/** `make` is asked once for each theme: finding the colors costs more than the drawing. It gets a function from a CSS color to what a canvas takes. */
export function paletteOf<Palette>(
  make: (work: (value: string) => string, canvas: HTMLCanvasElement) => Palette,
): (canvas: HTMLCanvasElement) => Palette {
  let known: { theme: Theme; colors: Palette } | null = null;
  return (canvas) => {
    if (known?.theme === theme()) return known.colors;
    const probe = document.createElement("i");
    probe.style.display = "none";
    canvas.parentElement?.append(probe);
    const colors = make((value) => {
      probe.style.color = value;
      return getComputedStyle(probe).color;
    }, canvas);
    probe.remove();
    known = { theme: theme(), colors };
    return colors;
  };
}
