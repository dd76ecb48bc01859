// Rectangles whose areas are as the values: rows of them along the shorter side, each row as square as it can be.
export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** `values` from the largest to the smallest, all above 0. */
export function treemap(values: readonly number[], room: Rect): Rect[] {
  const sum = values.reduce((n, value) => n + value, 0);
  const out: Rect[] = [];
  if (!(sum > 0)) return out;
  const scale = (room.w * room.h) / sum;
  let { x, y, w, h } = room;
  let at = 0;
  while (at < values.length) {
    const side = Math.min(w, h);
    let taken = at + 1;
    let area = values[at]! * scale;
    let worst = ratio(area, values[at]! * scale, values[at]! * scale, side);
    while (taken < values.length) {
      const next = values[taken]! * scale;
      const better = ratio(area + next, values[at]! * scale, next, side);
      if (better > worst) break;
      worst = better;
      area += next;
      taken++;
    }
    const thick = side > 0 ? area / side : 0;
    let along = 0;
    for (let i = at; i < taken; i++) {
      const long = thick > 0 ? (values[i]! * scale) / thick : 0;
      out.push(w >= h ? { x, y: y + along, w: thick, h: long } : { x: x + along, y, w: long, h: thick });
      along += long;
    }
    if (w >= h) [x, w] = [x + thick, Math.max(0, w - thick)];
    else [y, h] = [y + thick, Math.max(0, h - thick)];
    at = taken;
  }
  return out;
}

/** Of the worst of a row with that area: how many times longer than wide. */
function ratio(area: number, largest: number, smallest: number, side: number): number {
  const square = area * area;
  return Math.max((side * side * largest) / square, square / (side * side * smallest));
}
