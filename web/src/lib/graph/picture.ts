// The box of a drawing: a canvas that is zoomed and moved with the wheel, a drag, two fingers or keys, and in which nodes are chosen.
import { onColors } from "../theme";
import { nodeAt, paint, type Camera, type Marks, type Scene } from "./paint";

export interface PictureEvents {
  /** a node was chosen, or none (-1) */
  onSelect: (node: number) => void;
  /** a second click, or Enter */
  onOpen: (node: number) => void;
}

const LEAST = 0.02;
const MOST = 3;
/** A graph that would be smaller than this as a whole begins at its top instead. */
const READABLE = 0.4;

export class Picture {
  readonly canvas = document.createElement("canvas");
  #scene: Scene | null = null;
  #camera: Camera = { x: 0, y: 0, zoom: 1 };
  #marks: Marks = { selected: -1, hovered: -1, found: null };
  #width = 0;
  #height = 0;
  #frame = 0;
  #start: { x: number; y: number; camera: Camera; moved: boolean } | null = null;
  #fingers = new Map<number, { x: number; y: number }>();
  #ends: (() => void)[] = [];
  #unseen = true; // nothing was shown yet: a box that has no size yet cannot be filled

  constructor(
    private readonly box: HTMLElement,
    private readonly events: PictureEvents,
  ) {
    box.append(this.canvas);
    this.canvas.setAttribute("aria-hidden", "true");
    const sizes = new ResizeObserver(() => this.#measure());
    sizes.observe(box);
    this.#ends.push(
      () => sizes.disconnect(),
      onColors(() => this.redraw()),
      () => cancelAnimationFrame(this.#frame),
    );
    this.#listen(box, "wheel", (event) => this.#wheel(event as WheelEvent), { passive: false });
    this.#listen(box, "pointerdown", (event) => this.#down(event as PointerEvent));
    this.#listen(box, "pointermove", (event) => this.#move(event as PointerEvent));
    this.#listen(box, "pointerup", (event) => this.#up(event as PointerEvent));
    this.#listen(box, "pointercancel", (event) => this.#up(event as PointerEvent));
    this.#listen(box, "dblclick", () => this.#marks.selected >= 0 && this.events.onOpen(this.#marks.selected));
    this.#measure();
  }

  #listen(target: EventTarget, type: string, handler: (event: Event) => void, options?: AddEventListenerOptions): void {
    target.addEventListener(type, handler, options);
    this.#ends.push(() => target.removeEventListener(type, handler, options));
  }

  destroy(): void {
    for (const end of this.#ends) end();
    this.canvas.remove();
  }

  /** Another graph; it is shown as a whole, or around `middle` when it is too large for that. */
  show(scene: Scene | null, middle: number): void {
    this.#scene = scene;
    this.#marks = { selected: middle, hovered: -1, found: null };
    this.#unseen = true;
    this.#measure();
  }

  select(node: number): void {
    if (node === this.#marks.selected) return;
    this.#marks.selected = node;
    if (node >= 0) this.reveal(node);
    this.redraw();
  }

  find(found: Uint8Array | null): void {
    this.#marks.found = found;
    this.redraw();
  }

  /** The whole graph in the box. */
  fit(): void {
    const { layout } = this.#scene ?? {};
    if (!layout) return;
    this.#camera.zoom = Math.max(LEAST, Math.min(1, this.#fitting()));
    this.#camera.x = (this.#width - layout.width * this.#camera.zoom) / 2;
    this.#camera.y = (this.#height - layout.height * this.#camera.zoom) / 2;
    this.redraw();
  }

  zoom(factor: number, x = this.#width / 2, y = this.#height / 2): void {
    const camera = this.#camera;
    const zoom = Math.max(LEAST, Math.min(MOST, camera.zoom * factor));
    const by = zoom / camera.zoom;
    this.#camera = { zoom, x: x - (x - camera.x) * by, y: y - (y - camera.y) * by };
    this.redraw();
  }

  pan(x: number, y: number): void {
    this.#camera.x += x;
    this.#camera.y += y;
    this.redraw();
  }

  /** Moves as little as is needed to have a node in the box, and well so that its neighbours are seen. */
  reveal(node: number): void {
    const { layout, widths } = this.#scene ?? {};
    if (!layout || !widths || node < 0) return;
    const { zoom } = this.#camera;
    if (zoom < READABLE) return this.centre(node, 0.8);
    const x = layout.x[node]! * zoom + this.#camera.x;
    const y = layout.y[node]! * zoom + this.#camera.y;
    const half = Math.min((widths[node]! * zoom) / 2 + 16, this.#width / 2);
    const tall = Math.min(90, this.#height / 3);
    if (x < half) this.#camera.x += half - x;
    if (x > this.#width - half) this.#camera.x -= x - (this.#width - half);
    if (y < tall) this.#camera.y += tall - y;
    if (y > this.#height - tall) this.#camera.y -= y - (this.#height - tall);
    this.redraw();
  }

  centre(node: number, zoom = this.#camera.zoom): void {
    const { layout } = this.#scene ?? {};
    if (!layout || node < 0) return;
    this.#camera = { zoom, x: this.#width / 2 - layout.x[node]! * zoom, y: this.#height / 2 - layout.y[node]! * zoom };
    this.redraw();
  }

  redraw(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      paint(this.canvas, this.#width, this.#height, this.#scene, this.#camera, this.#marks);
    });
  }

  #fitting(): number {
    const { layout } = this.#scene!;
    return Math.min((this.#width - 24) / Math.max(1, layout.width), (this.#height - 24) / Math.max(1, layout.height));
  }

  #measure(): void {
    this.#width = this.box.clientWidth;
    this.#height = this.box.clientHeight;
    if (this.#unseen && this.#scene && this.#width && this.#height) {
      this.#unseen = false;
      if (this.#fitting() >= READABLE) this.fit();
      else if (this.#marks.selected >= 0) this.centre(this.#marks.selected, 0.8);
      else this.#top();
    }
    this.redraw();
  }

  /** The first rank at a size that can be read. */
  #top(): void {
    const { layout } = this.#scene!;
    let first = 0;
    for (let i = 1; i < layout.y.length; i++) if (layout.y[i]! < layout.y[first]!) first = i;
    this.centre(first, 0.8);
    this.#camera.y = 24;
  }

  #at(event: { clientX: number; clientY: number }): { x: number; y: number; node: number } {
    const bounds = this.box.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    const { zoom } = this.#camera;
    return {
      x,
      y,
      node: this.#scene ? nodeAt(this.#scene, (x - this.#camera.x) / zoom, (y - this.#camera.y) / zoom) : -1,
    };
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey) return this.pan(-(event.deltaX || event.deltaY) * unit, 0);
    const { x, y } = this.#at(event);
    this.zoom(Math.exp(-Math.max(-240, Math.min(240, event.deltaY * unit)) * (event.ctrlKey ? 0.01 : 0.002)), x, y);
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.box.setPointerCapture(event.pointerId);
    this.#start = { x: event.clientX, y: event.clientY, camera: { ...this.#camera }, moved: this.#fingers.size > 1 };
  }

  #move(event: PointerEvent): void {
    const before = this.#fingers.get(event.pointerId);
    if (before && this.#fingers.size === 2) {
      const other = [...this.#fingers].find(([id]) => id !== event.pointerId)![1];
      const far = (p: { x: number; y: number }) => Math.max(24, Math.hypot(p.x - other.x, p.y - other.y));
      const now = { x: event.clientX, y: event.clientY };
      const { x, y } = this.#at({ clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 });
      this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      this.zoom(far(now) / far(before), x, y);
      this.#fingers.set(event.pointerId, now);
      return;
    }
    const start = this.#start;
    if (!start) {
      const { node } = this.#at(event);
      if (node === this.#marks.hovered) return;
      this.#marks.hovered = node;
      this.box.style.cursor = node < 0 ? "" : "pointer";
      return this.redraw();
    }
    if (Math.abs(event.clientX - start.x) + Math.abs(event.clientY - start.y) > 4) start.moved = true;
    if (!start.moved) return;
    this.#camera.x = start.camera.x + event.clientX - start.x;
    this.#camera.y = start.camera.y + event.clientY - start.y;
    this.redraw();
  }

  #up(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    const start = this.#start;
    // The finger that stays does not jump to where the other began.
    const left = [...this.#fingers.values()][0];
    this.#start = left ? { ...left, camera: { ...this.#camera }, moved: true } : null;
    if (!start || start.moved || event.type === "pointercancel") return;
    const { node } = this.#at(event);
    this.#marks.selected = node;
    this.redraw();
    this.events.onSelect(node);
  }
}
